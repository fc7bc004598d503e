import { Worker } from 'node:worker_threads';
import type { Refusal } from '@kc/rules/result';
import type { StoragePlace } from '../storage/storage.ts';

/** A stored file to be read, and the object that the pack is written to. Crosses into the worker thread. */
export type IngestRequest = {
  readonly place: StoragePlace;
  readonly fileKey: string;
  readonly tempKey: string;
  /** Memory that reading may take, in bytes. */
  readonly memoryBytes: number;
};

/** What a record says of a file that was read. */
export type IngestFacts = {
  /** Length of the `keywords` array, 0 without one. */
  readonly keywords: number;
  readonly nodes: number;
  readonly rootName: string;
};

export type IngestOutcome =
  | { readonly ok: true; readonly facts: IngestFacts }
  | { readonly ok: false; readonly refusal: Refusal };

/** What the worker thread says. */
export type IngestMessage =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'outcome'; readonly outcome: IngestOutcome };

/**
 * Reads a stored file into a pack, in a thread of its own with a bounded heap.
 *
 * @param onProgress the share of the file read, 0 to 1
 * @returns what was read, or what is wrong with the file
 * @throws what went wrong with the machine: storage, memory; the reason of `signal` once it is aborted
 */
export function runIngest(
  request: IngestRequest,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<IngestOutcome> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const worker = new Worker(new URL('./ingest-worker.ts', import.meta.url), {
      workerData: request,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(request.memoryBytes / 2 ** 20) },
    });
    const abort = (): void => void worker.terminate();
    signal.addEventListener('abort', abort, { once: true });
    let outcome: IngestOutcome | undefined;
    worker.on('message', (message: IngestMessage) => {
      if (message.kind === 'progress') onProgress(message.share);
      else outcome = message.outcome;
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(signal.reason);
      else if (outcome) resolve(outcome);
      else reject(new Error(`The ingest worker ended early (${code})`));
    });
  });
}
