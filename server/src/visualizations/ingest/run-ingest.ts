import type { ChildProcess } from 'node:child_process';
import { giveWay, outcomeOf, startWorker } from '../../worker-process.ts';
import type { IngestOrder, IngestOutcome, IngestRequest, ReadShare } from './ingest-messages.ts';

export type Reading = {
  /** The first `bytes` bytes of the file may be read. */
  allow(bytes: number): void;
  /** Rejects with faults of the machine (storage, memory), or with the signal's reason once it is aborted. */
  readonly outcome: Promise<IngestOutcome>;
};

const worker = new URL('./ingest-worker.ts', import.meta.url);

/**
 * Options of the reading process. Half of the time for a small file is engine start-up: garbage collector
 * threads and the quick WebAssembly compiler cost more processor time than they save in a process that lives for one
 * file. The first 128 MB contain no garbage either: columns are outside the heap and are freed explicitly.
 */
export const readingProcess = {
  execArgv: [
    '--single-threaded-gc',
    '--no-liftoff',
    '--initial-old-space-size=128',
    '--external-memory-accounted-in-global-limit',
  ],
} as const;

/**
 * Reads a stored file into a pack in a separate process. Its memory and garbage collection do not affect the server.
 *
 * The file may still be arriving: the process waits for bytes that it may not read yet.
 */
export function startReading(
  request: IngestRequest,
  signal: AbortSignal,
  onProgress: (progress: ReadShare) => void,
): Reading {
  const child = startWorker(worker, { ...readingProcess, memoryBytes: request.memoryBytes });
  giveWay(child);
  sendOrder(child, { kind: 'read', ...request });
  return {
    allow: (bytes) => sendOrder(child, { kind: 'allow', bytes }),
    outcome: outcomeOf(child, { what: 'read an upload', signal, onProgress }),
  };
}

export type StartReading = typeof startReading;

/** {@link startReading} of a complete file. @param start what replaces it */
export function runIngest(
  request: IngestRequest,
  signal: AbortSignal,
  onProgress: (progress: ReadShare) => void = () => undefined,
  start: StartReading = startReading,
): Promise<IngestOutcome> {
  const reading = start(request, signal, onProgress);
  reading.allow(request.fileBytes);
  return reading.outcome;
}

/** A process that has just ended receives no messages; `close` reports how it ended. */
function sendOrder(child: ChildProcess, order: IngestOrder): void {
  if (child.connected) child.send(order, () => undefined);
}
