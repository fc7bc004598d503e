import { Worker } from 'node:worker_threads';
import type { PackHead } from '@kc/pack/write/pack-check';
import type { CheckedObject, CheckOrder } from './check-messages.ts';
import type { IngestFacts } from './ingest-messages.ts';

export type CheckDuringWrite = {
  /** The first `bytes` bytes are in the object. */
  written(bytes: number): void;
  /** All `bytes` bytes are in the object. Rejects if the pack is invalid. */
  finish(bytes: number): Promise<IngestFacts>;
};

/** Minimum distance between two notifications of the thread. */
const tellBytes = 4 * 2 ** 20;

/**
 * Verifies a pack in a thread while it is written, by reading back what has been stored. When the last byte is written,
 * little is left to verify.
 */
export function checkDuringWrite(object: CheckedObject, head: PackHead): CheckDuringWrite {
  const thread = new Worker(new URL('./check-worker.ts', import.meta.url), { workerData: object });
  const tell = (order: CheckOrder): void => thread.postMessage(order);
  const facts = new Promise<IngestFacts>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`The thread that checks a pack ended early (${code})`)));
  });
  // The error is reported when the writer finishes. A writer that fails does not need it.
  facts.catch(() => undefined);
  tell({ kind: 'head', head });
  let told = 0;
  return {
    written(bytes) {
      if (bytes - told < tellBytes) return;
      told = bytes;
      tell({ kind: 'written', bytes, isWhole: false });
    },
    finish(bytes) {
      tell({ kind: 'written', bytes, isWhole: true });
      return facts;
    },
  };
}
