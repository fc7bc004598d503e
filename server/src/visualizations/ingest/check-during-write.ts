import { Worker } from 'node:worker_threads';
import type { PackHead } from '@kc/pack/write/pack-check';
import type { StoragePlace } from '../../storage/storage.ts';
import type { IngestFacts } from './run-ingest.ts';

/** What the thread that checks is told: what it will find, then how many bytes of it are there, and when that is all. */
export type CheckOrder =
  | { readonly kind: 'head'; readonly head: PackHead }
  | { readonly kind: 'written'; readonly bytes: number; readonly isWhole: boolean };

/** The storage and the object that a pack is being written to. Crosses into the thread that checks. */
export type CheckedObject = { readonly place: StoragePlace; readonly key: string };

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
