import { parentPort, workerData } from 'node:worker_threads';
import { openStorage } from '../../storage/open.ts';
import { ObjectMissing, type StoragePlace } from '../../storage/storage.ts';
import { createPackQueries } from './pack-queries.ts';
import type { QueryAnswer, QueryCall } from './query-messages.ts';

// The thread that answers questions to packs. See query-thread.

const packQueries = createPackQueries(await openStorage(workerData as StoragePlace));
/** Where the signal stands among the arguments of the questions that have one. */
const signalAt: { readonly [Question in keyof typeof packQueries]?: number } = {
  slice: 2,
  node: 3,
  keywords: 5,
  members: 3,
  notInHierarchy: 2,
  search: 3,
  keptPath: 3,
  histogram: 3,
};
const underWay = new Map<number, AbortController>();

parentPort?.on('message', async (asked: QueryCall) => {
  if ('giveUp' in asked) {
    underWay.get(asked.giveUp)?.abort(new Error('Nobody waits for this answer'));
    return;
  }
  const { call, question, args } = asked;
  const abort = new AbortController();
  underWay.set(call, abort);
  try {
    const ask = packQueries[question] as (...args: readonly unknown[]) => Promise<unknown>;
    const at = signalAt[question];
    const value = await (at === undefined
      ? ask(...args)
      : ask(...Array.from({ length: at }, (_, index) => args[index]), abort.signal));
    // The body of a slice is handed over, not copied.
    answer({ call, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []);
  } catch (error) {
    // The class of an error does not cross into another thread.
    if (error instanceof ObjectMissing) answer({ call, missing: error.key }, []);
    else answer({ call, error: error instanceof Error ? error : new Error(String(error)) }, []);
  } finally {
    underWay.delete(call);
  }
});

function answer(message: QueryAnswer, transfer: ArrayBuffer[]): void {
  parentPort?.postMessage(message, transfer);
}
