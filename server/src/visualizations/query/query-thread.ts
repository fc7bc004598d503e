import { Worker } from 'node:worker_threads';
import { asError } from '../../http/refusals.ts';
import type { Log } from '../../log.ts';
import { onBehalfOfNone, spent } from '../../request-times.ts';
import { type StoragePlace, StorageUnavailable } from '../../storage/storage.ts';
import { NoMarks } from './marks.ts';
import type { PackCounts } from './open-packs.ts';
import type { PackQueries } from './pack-queries.ts';
import {
  type Answer,
  type Asked,
  type QueryAnswer,
  type QueryCall,
  type Question,
  questions,
  sharedClock,
} from './query-messages.ts';

/** Hears how long queries take, in seconds, and how many packs are open. */
export type QueryWatch = {
  queryAnswered(question: Question, seconds: number): void;
  packsChanged(counts: PackCounts): void;
};

type Waiting = {
  resolve(value: unknown): void;
  reject(error: Error): void;
  /** For the thread, in milliseconds, once that is known. */
  waited: number;
};

/**
 * {@link PackQueries} in a thread: a search through 200,000 names or a slice of 20,000 rows takes tens of milliseconds
 * and must not block other requests. The first query starts the thread; if it dies, the next query starts another.
 */
export function createQueryThread(place: StoragePlace, log: Log, watch?: QueryWatch): PackQueries {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let calls = 0;

  const start = (): Worker => {
    const started = new Worker(new URL('./query-worker.ts', import.meta.url), { workerData: place });
    started.on('message', (answer: QueryAnswer) => settle(answer));
    const end = (error: Error): void => {
      // An error is followed by an exit, and by then the next thread may already be at work.
      if (worker !== started) return;
      worker = undefined;
      for (const one of waiting.values()) one.reject(error);
      waiting.clear();
    };
    started.once('error', end);
    started.once('exit', () => end(new Error('The query thread ended')));
    return started;
  };
  const settle = (answer: QueryAnswer): void => {
    if ('packs' in answer) {
      watch?.packsChanged(answer.packs);
      return;
    }
    const asker = waiting.get(answer.call);
    if (asker) asker.waited = answer.waited;
    if ('error' in answer) asker?.reject(answer.error);
    else if ('missing' in answer) {
      log.error({ event: 'file-missing', key: answer.missing }, 'A stored file of a visualization is missing');
      asker?.reject(asError({ code: 'visualization/file-missing' }));
    } else if ('noMarks' in answer) asker?.reject(new NoMarks(answer.noMarks));
    else if ('unavailable' in answer) asker?.reject(new StorageUnavailable(answer.unavailable));
    else asker?.resolve(answer.value);
  };
  /** A signal cannot be sent to a thread; its abort is sent as a message. */
  const ask = async <Q extends Question>(question: Q, { signal, ...asked }: Asked<Q>): Promise<Answer<Q>> => {
    // What the thread says later is not about the request that happened to start it.
    worker ??= onBehalfOfNone(start);
    const thread = worker;
    const call = calls++;
    const began = performance.now();
    const asker: Waiting = { resolve: () => undefined, reject: () => undefined, waited: 0 };
    const answer = new Promise((resolve, reject) => waiting.set(call, Object.assign(asker, { resolve, reject })));
    const abort = (): void => thread.postMessage({ abort: call } satisfies QueryCall);
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', abort, { once: true });
      thread.postMessage({ call, question, asked, sentAt: sharedClock() } satisfies QueryCall);
      return (await answer) as Answer<Q>;
    } catch (error) {
      // Nobody reads this response, so there is nothing to log about it.
      throw signal?.aborted ? asError({ code: 'fault/unavailable' }) : error;
    } finally {
      const ms = performance.now() - began;
      watch?.queryAnswered(question, ms / 1_000);
      spent('queue', asker.waited);
      spent('query', ms - asker.waited);
      if (log.isLevelEnabled('debug'))
        log.debug({ event: 'query', question, ms: Math.round(ms), waited: Math.round(asker.waited) }, 'Asked a pack');
      waiting.delete(call);
      signal?.removeEventListener('abort', abort);
    }
  };
  const asking = Object.fromEntries(
    questions.map((question) => [question, (asked: Asked<Question>) => ask(question, asked)]),
  ) as Pick<PackQueries, Question>;

  return {
    ...asking,
    async close() {
      await worker?.terminate();
    },
  };
}
