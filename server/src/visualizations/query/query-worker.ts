import { parentPort, workerData } from 'node:worker_threads';
import { openStorage } from '../../storage/open.ts';
import { ObjectMissing, type StoragePlace, StorageUnavailable } from '../../storage/storage.ts';
import { NoMarks } from './marks.ts';
import { createPackQueries } from './pack-queries.ts';
import { type QueryAnswer, type QueryCall, type QueryOutcome, sharedClock } from './query-messages.ts';

// The thread that answers queries on packs. See query-thread.ts.

const packQueries = createPackQueries(await openStorage(workerData as StoragePlace), (packs) => answer({ packs }, []));
const running = new Map<number, AbortController>();

parentPort?.on('message', async (message: QueryCall) => {
  if ('abort' in message) {
    running.get(message.abort)?.abort(new Error('The client of this query has disconnected'));
    return;
  }
  const { call, question, params, sentAt } = message;
  const waited = sharedClock() - sentAt;
  const settle = (outcome: QueryOutcome, transfer: ArrayBuffer[] = []) =>
    answer({ call, waited, ...outcome }, transfer);
  const abort = new AbortController();
  running.set(call, abort);
  try {
    const query = packQueries[question] as (params: object) => Promise<unknown>;
    const value = await query({ ...params, signal: abort.signal });
    // A body is transferred, not copied.
    settle({ value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []);
  } catch (error) {
    // The class of an error does not cross into another thread.
    if (error instanceof ObjectMissing) settle({ missing: error.key });
    else if (error instanceof NoMarks) settle({ noMarks: error.key });
    else if (error instanceof StorageUnavailable) settle({ unavailable: String(error.cause) });
    else settle({ error: error instanceof Error ? error : new Error(String(error)) });
  } finally {
    running.delete(call);
  }
});

function answer(message: QueryAnswer, transfer: ArrayBuffer[]): void {
  parentPort?.postMessage(message, transfer);
}
