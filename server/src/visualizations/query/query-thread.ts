import { Worker } from 'node:worker_threads';
import { asError } from '../../http/refusals.ts';
import type { Log } from '../../log.ts';
import type { StoragePlace } from '../../storage/storage.ts';
import type { PackQueries } from './pack-queries.ts';
import type { QueryAnswer, QueryCall, Question } from './query-messages.ts';

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

/**
 * {@link PackQueries} in a thread of its own: a search through 200,000 names or a slice of 20,000 rows takes tens of
 * milliseconds, in which nobody else's request should wait. The thread is started by the first question, and again
 * after it died.
 */
export function createQueryThread(place: StoragePlace, log: Log): PackQueries {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let calls = 0;

  const start = (): Worker => {
    const started = new Worker(new URL('./query-worker.ts', import.meta.url), { workerData: place });
    started.on('message', (answer: QueryAnswer) => settle(answer));
    const end = (error: Error): void => {
      if (worker === started) worker = undefined;
      for (const one of waiting.values()) one.reject(error);
      waiting.clear();
    };
    started.once('error', end);
    started.once('exit', () => end(new Error('The query thread ended')));
    return started;
  };
  const settle = (answer: QueryAnswer): void => {
    const asker = waiting.get(answer.call);
    waiting.delete(answer.call);
    if ('error' in answer) asker?.reject(answer.error);
    else if ('missing' in answer) {
      log.error({ event: 'file-missing', key: answer.missing }, 'A stored file of a visualization is missing');
      asker?.reject(asError({ code: 'visualization/file-missing' }));
    } else asker?.resolve(answer.value);
  };
  const ask = <Q extends Question>(question: Q, ...args: Parameters<PackQueries[Q]>): ReturnType<PackQueries[Q]> => {
    worker ??= start();
    const call = calls++;
    const answer = new Promise((resolve, reject) => waiting.set(call, { resolve, reject }));
    worker.postMessage({ call, question, args } satisfies QueryCall);
    return answer as ReturnType<PackQueries[Q]>;
  };
  /** Tells the thread when the asker goes away. A signal does not cross into it. */
  const askUntil = <Q extends Question>(
    signal: AbortSignal | undefined,
    question: Q,
    ...args: Parameters<PackQueries[Q]>
  ): ReturnType<PackQueries[Q]> => {
    const call = calls;
    const answer = ask(question, ...args);
    const giveUp = (): void => worker?.postMessage({ giveUp: call } satisfies QueryCall);
    if (signal?.aborted) giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
    return answer
      .catch((error: unknown) => {
        // Nobody hears this answer, and there is nothing to write down about it.
        throw signal?.aborted ? asError({ code: 'fault/unavailable' }) : error;
      })
      .finally(() => signal?.removeEventListener('abort', giveUp)) as ReturnType<PackQueries[Q]>;
  };

  return {
    slice: (packKey, query, signal) => askUntil(signal, 'slice', packKey, query),
    fields: (packKey) => ask('fields', packKey),
    node: (keys, node, filter, signal) => askUntil(signal, 'node', keys, node, filter),
    keywords: (packKey, node, limit, after, filter, signal) =>
      askUntil(signal, 'keywords', packKey, node, limit, after, filter),
    members: (packKey, node, filter, signal) => askUntil(signal, 'members', packKey, node, filter),
    notInHierarchy: (packKey, query, signal) => askUntil(signal, 'notInHierarchy', packKey, query),
    notInHierarchyKeyword: (keys, row) => ask('notInHierarchyKeyword', keys, row),
    locate: (packKey, addresses) => ask('locate', packKey, addresses),
    placesTo: (packKey, address) => ask('placesTo', packKey, address),
    search: (packKey, query, filter, signal) => askUntil(signal, 'search', packKey, query, filter),
    keptPath: (packKey, path, filter, signal) => askUntil(signal, 'keptPath', packKey, path, filter),
    histogram: (packKey, of, filter, signal) => askUntil(signal, 'histogram', packKey, of, filter),
    beginExport: (keys, query) => ask('beginExport', keys, query),
    nextPart: (number) => ask('nextPart', number),
    endExport: (number) => ask('endExport', number),
    async close() {
      await worker?.terminate();
    },
  };
}
