import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { faultOf } from '../../storage/faults.ts';
import type { IngestMessage, IngestOrder, IngestOutcome, IngestRequest, ReadShare } from './ingest-messages.ts';

export type Reading = {
  /** The first `bytes` bytes of the file may be read. */
  allow(bytes: number): void;
  /** Rejects with faults of the machine (storage, memory), or with the signal's reason once it is aborted. */
  readonly outcome: Promise<IngestOutcome>;
};

const worker = new URL('./ingest-worker.ts', import.meta.url);
/**
 * Options of the reading process. Compiled code is cached, so that later processes start in a third of the time; if the
 * cache cannot be written, there is none. Half of the time for a small file is engine start-up: garbage collector
 * threads and the quick WebAssembly compiler cost more processor time than they save in a process that lives for one
 * file. The first 128 MB contain no garbage either: columns are outside the heap and are freed explicitly.
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
 * Reads a stored file into a pack in a separate process. Its memory and garbage collection do not affect the server,
 * and if the machine runs out of memory, that process dies instead of the server. It gets no environment variables. The
 * only secrets it has are the keys of an S3 store, if there is one: the request says where the file is.
 *
 * The file may still be arriving: the process waits for bytes that it may not read yet.
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

/**
 * Responses take priority over reading. Where the system does not allow setting that, both run at the same priority.
 */
function giveWay({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Nothing depends on it.
  }
}

/** {@link startReading} of a complete file. */
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
      else if (said?.kind === 'fault') reject(faultOf(said.of, said.text));
      else reject(new Error(`The process that read an upload ended early (${killedBy ?? code})`));
    });
  });
}

/** A process that has just ended receives no messages; `close` reports how it ended. */
function tell(child: ChildProcess, order: IngestOrder): void {
  if (child.connected) child.send(order, () => undefined);
}
