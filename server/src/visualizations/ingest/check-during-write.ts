import { Worker } from 'node:worker_threads';
import type { PackHead } from '@kc/pack/write/pack-check';
import type { CheckedObject, CheckOrder } from './check-messages.ts';
import type { IngestFacts } from './ingest-messages.ts';

export type CheckDuringWrite = {
  /** The first so many bytes are in the object. */
  written(bytes: number): void;
  /** All of it is, so many bytes. Rejects when it is not what it should be. */
  finish(bytes: number): Promise<IngestFacts>;
};

/** The thread is told no more often. */
const tellBytes = 4 * 2 ** 20;

/**
 * Checks a pack in a thread of its own while it is written: what has been written is read again from where it lies. With the
 * last byte there is little left to be checked.
 */
export function checkDuringWrite(object: CheckedObject, head: PackHead): CheckDuringWrite {
  const thread = new Worker(new URL('./check-worker.ts', import.meta.url), { workerData: object });
  const tell = (order: CheckOrder): void => thread.postMessage(order);
  const facts = new Promise<IngestFacts>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`The thread that checks a pack ended early (${code})`)));
  });
  // Who finishes hears of it; a writer that fails has no use for it.
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
