import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { StorageFull, StorageUnreadable } from '../../storage/storage.ts';
import type { IngestMessage, IngestOrder, IngestOutcome, IngestRequest, ReadShare } from './ingest-messages.ts';

export type Reading = {
  /** The first so many bytes of the file are there and may be read. */
  allow(bytes: number): void;
  /** Rejects with what went wrong with the machine: storage, memory; with the signal's reason once it is aborted. */
  readonly outcome: Promise<IngestOutcome>;
};

const worker = new URL('./ingest-worker.ts', import.meta.url);
/**
 * How the process that reads is started. Compiled code is kept, so that the next one begins in a third of the time; where
 * it cannot be written, none is. Half of what a small file takes is the engine: a collector with threads of its own and a
 * quick compiler for WebAssembly before the good one cost more processor time than they save in a process that lives for
 * one file. Nor is there anything to collect in its first 128 MB: columns lie beside them, and are given back by hand.
 */
export const readingProcess = {
  env: {
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../../node_modules/.cache/keyword-clustering', import.meta.url)),
  },
  execArgv: [
    '--single-threaded-gc',
    '--no-liftoff',
    '--initial-old-space-size=128',
    '--external-memory-accounted-in-global-limit',
  ],
} as const;

/**
 * Reads a stored file into a pack, in a process of its own: what a file takes of memory and of the collector is not the
 * server's, and when the machine has none left that process dies, not the server. It knows
 * nothing of the environment, so no secret either.
 *
 * The file may still be arriving: what is not allowed yet is waited for.
 */
export function startReading(
  request: IngestRequest,
  signal: AbortSignal,
  onProgress: (progress: ReadShare) => void,
): Reading {
  const child = fork(worker, [], {
    env: readingProcess.env,
    execArgv: [...readingProcess.execArgv, `--max-old-space-size=${Math.ceil(request.memoryBytes / 2 ** 20)}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  giveWay(child);
  tell(child, { kind: 'read', ...request });
  return {
    allow: (bytes) => tell(child, { kind: 'allow', bytes }),
    outcome: outcomeOf(child, signal, onProgress),
  };
}

/** Answers to people come before reading. Where the system does not let us say so, both run alike. */
function giveWay({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Nothing depends on it.
  }
}

/** {@link startReading} of a file that is there to its last byte. */
export function runIngest(
  request: IngestRequest,
  signal: AbortSignal,
  onProgress: (progress: ReadShare) => void = () => undefined,
): Promise<IngestOutcome> {
  const reading = startReading(request, signal, onProgress);
  reading.allow(request.fileBytes);
  return reading.outcome;
}

function outcomeOf(
  child: ChildProcess,
  signal: AbortSignal,
  onProgress: (progress: ReadShare) => void,
): Promise<IngestOutcome> {
  return new Promise((resolve, reject) => {
    const abort = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    let said: IngestMessage | undefined;
    child.on('message', (message: IngestMessage) => {
      if (message.kind === 'progress') onProgress(message);
      else said = message;
    });
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(signal.reason);
      else if (said?.kind === 'outcome') resolve(said.outcome);
      else if (said?.kind === 'fault') reject(faultOf(said));
      else reject(new Error(`The process that read an upload ended early (${killedBy ?? code})`));
    });
  });
}

function faultOf({ of, text }: Extract<IngestMessage, { kind: 'fault' }>): Error {
  if (of === 'full') return new StorageFull(text);
  return of === 'unreadable' ? new StorageUnreadable(text) : new Error(text);
}

/** A process that has just ended hears nothing any more: how it ended is told by `close`. */
function tell(child: ChildProcess, order: IngestOrder): void {
  if (child.connected) child.send(order, () => undefined);
}
