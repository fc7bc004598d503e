import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { faultOf } from '../storage/faults.ts';
import type {
  ClusteringMessage,
  ClusteringOutcome,
  ClusteringProgress,
  ClusteringRequest,
} from './clustering-messages.ts';

const worker = new URL('./clustering-worker.ts', import.meta.url);

/**
 * Clusters stored lists in a separate process, which gets no environment variables, and no secrets but the keys of an S3
 * store. If the machine runs out of memory, that process dies instead of the server.
 *
 * Rejects with faults of the machine (storage, memory), or with the signal's reason once it is aborted.
 */
export function runClustering(
  request: ClusteringRequest,
  signal: AbortSignal,
  onProgress: (progress: ClusteringProgress) => void,
): Promise<ClusteringOutcome> {
  const child = fork(worker, [], {
    env: {},
    execArgv: [`--max-old-space-size=${Math.ceil(request.memoryBytes / 2 ** 20)}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  giveWay(child);
  child.send(request, () => undefined);
  return new Promise((resolve, reject) => {
    const abort = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    let said: ClusteringMessage | undefined;
    child.on('message', (message: ClusteringMessage) => {
      if (message.kind === 'progress') onProgress(message);
      else said = message;
    });
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(signal.reason);
      else if (said?.kind === 'outcome') resolve(said.outcome);
      else if (said?.kind === 'fault') reject(faultOf(said.of, said.text));
      else reject(new Error(`The process that clustered lists ended early (${killedBy ?? code})`));
    });
  });
}

/** Responses take priority. Where the system does not allow setting that, both run at the same priority. */
function giveWay({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Nothing depends on it.
  }
}
