import { parentPort, workerData } from 'node:worker_threads';
import { openStorage } from '../storage/open.ts';
import type { StoragePlace } from '../storage/storage.ts';
import type { QueryAnswer, QueryCall } from './query-thread.ts';
import { createSlices } from './slices.ts';

// The thread that answers questions to packs. See query-thread.

const slices = createSlices(await openStorage(workerData as StoragePlace));

parentPort?.on('message', async ({ call, question, args }: QueryCall) => {
  try {
    const ask = slices[question] as (...args: readonly unknown[]) => Promise<unknown>;
    const value = await ask(...args);
    // The body of a slice is handed over, not copied.
    answer({ call, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []);
  } catch (error) {
    answer({ call, error: error instanceof Error ? error : new Error(String(error)) }, []);
  }
});

function answer(message: QueryAnswer, transfer: ArrayBuffer[]): void {
  parentPort?.postMessage(message, transfer);
}
