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
  type QueryAnswer,
  type QueryCall,
  type QueryParams,
  type Question,
  questions,
  sharedClock,
} from './query-messages.ts';

/** Hears how long queries take, in seconds, and how many packs are open. */
export type QueryWatch = {
  onQueryAnswered(question: Question, seconds: number): void;
  onPacksChanged(counts: PackCounts): void;
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
      watch?.onPacksChanged(answer.packs);
      return;
    }
    const waiter = waiting.get(answer.call);
    if (waiter) waiter.waited = answer.waited;
    if ('error' in answer) waiter?.reject(answer.error);
    else if ('missing' in answer) {
      log.error({ event: 'file-missing', key: answer.missing }, 'A stored file of a visualization is missing');
      waiter?.reject(asError({ code: 'visualization/file-missing' }));
    } else if ('noMarks' in answer) waiter?.reject(new NoMarks(answer.noMarks));
    else if ('unavailable' in answer) waiter?.reject(new StorageUnavailable(answer.unavailable));
    else waiter?.resolve(answer.value);
  };
  /** A signal cannot be sent to a thread; its abort is sent as a message. */
  const send = async <Q extends Question>(question: Q, { signal, ...params }: QueryParams<Q>): Promise<Answer<Q>> => {
    // Later messages from the thread do not belong to the request that happened to start it.
    worker ??= onBehalfOfNone(start);
    const thread = worker;
    const call = calls++;
    const began = performance.now();
    const waiter: Waiting = { resolve: () => undefined, reject: () => undefined, waited: 0 };
    const answer = new Promise((resolve, reject) => waiting.set(call, Object.assign(waiter, { resolve, reject })));
    const abort = (): void => thread.postMessage({ abort: call } satisfies QueryCall);
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', abort, { once: true });
      thread.postMessage({ call, question, params, sentAt: sharedClock() } satisfies QueryCall);
      return (await answer) as Answer<Q>;
    } catch (error) {
      // Nobody reads this response, so there is nothing to log about it.
      throw signal?.aborted ? asError({ code: 'fault/unavailable' }) : error;
    } finally {
      const ms = performance.now() - began;
      watch?.onQueryAnswered(question, ms / 1_000);
      spent('queue', waiter.waited);
      spent('query', ms - waiter.waited);
      if (log.isLevelEnabled('debug'))
        log.debug({ event: 'query', question, ms: Math.round(ms), waited: Math.round(waiter.waited) }, 'Asked a pack');
      waiting.delete(call);
      signal?.removeEventListener('abort', abort);
    }
  };
  const queries = Object.fromEntries(
    questions.map((question) => [question, (params: QueryParams<Question>) => send(question, params)]),
  ) as Pick<PackQueries, Question>;

  return {
    ...queries,
    async close() {
      await worker?.terminate();
    },
  };
}
