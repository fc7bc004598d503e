import { type ChildProcess, fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { constants, setPriority, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type FaultKind, faultKindOf, faultOf } from './storage/storage.ts';

/**
 * Compiled code is kept here, so that later processes start in a third of the time. If it cannot be written, nothing is
 * kept.
 */
const codeCache = fileURLToPath(new URL('../../node_modules/.cache/keyword-clustering', import.meta.url));

type WorkerOptions = {
  /** Memory that its JavaScript heap may take, in bytes. */
  readonly memoryBytes: number;
  /** More options of Node. */
  readonly execArgv?: readonly string[];
  /** Settings of the system's libraries. */
  readonly env?: Readonly<Record<string, string>>;
};

/**
 * Starts a process that works on stored objects for the server. It gets none of the server's environment variables, and no
 * secrets but the keys of an S3 store. If the machine runs out of memory, that process dies instead of the server. A signal
 * does not open Node's inspector in it, through which anybody on the machine could run code as the server's user.
 */
export function startWorker(file: URL, { memoryBytes, execArgv = [], env }: WorkerOptions): ChildProcess {
  return fork(file, [], {
    env: { NODE_COMPILE_CACHE: codeCache, ...env },
    execArgv: ['--disable-sigusr1', ...execArgv, `--max-old-space-size=${Math.ceil(memoryBytes / 2 ** 20)}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** Responses take priority. Where the system does not allow setting that, both run at the same priority. */
export function giveWay({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Nothing depends on it.
  }
}

/** What a process says of one piece of work: how far it is, and then what came of it. */
export type WorkerMessage<Progress, Outcome> =
  | ({ readonly kind: 'progress' } & Progress)
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'fault'; readonly text: string; readonly of: FaultKind };

/** A process needed more memory for its heap than it was given. It would need it again. */
export class HeapExhausted extends Error {
  constructor(what: string) {
    super(`The process that ${what} ran out of memory`);
    this.name = 'HeapExhausted';
  }
}

type Work<Progress> = {
  /** What the process does, for the message when it ends early: "read an upload". */
  readonly what: string;
  /** Its abortion ends the process. */
  readonly signal: AbortSignal;
  onProgress(progress: Progress): void;
  /** How long it may take; by default, as long as it wants. */
  readonly patience?: Patience;
};

/** In milliseconds: how long a process may say nothing, and how long it may take altogether. */
export type Patience = { readonly silentMs: number; readonly wholeMs: number };

/** A process was ended because it worked for too long, in milliseconds, in silence or altogether. */
export class TookTooLong extends Error {
  readonly isSilent: boolean;
  readonly ms: number;

  constructor(what: string, isSilent: boolean, ms: number) {
    super(`The process that ${what} ${isSilent ? 'made no progress' : 'was not done'} after ${ms / 1_000} s`);
    this.name = 'TookTooLong';
    this.isSilent = isSilent;
    this.ms = ms;
  }
}

/**
 * What came of the work of a process. Rejects with faults of the machine (storage, memory), with {@link HeapExhausted}, {@link TookTooLong},
 * or with the signal's reason once it is aborted.
 */
export function outcomeOf<Progress, Outcome>(
  child: ChildProcess,
  { what, signal, onProgress, patience }: Work<Progress>,
): Promise<Outcome> {
  type Message = WorkerMessage<Progress, Outcome>;
  return new Promise((resolve, reject) => {
    const end = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    let tooLong: TookTooLong | undefined;
    const endAfter = (ms: number, isSilent: boolean): NodeJS.Timeout =>
      setTimeout(() => {
        tooLong = new TookTooLong(what, isSilent, ms);
        end();
      }, ms).unref();
    const silence = patience && endAfter(patience.silentMs, true);
    const whole = patience && endAfter(patience.wholeMs, false);
    let result: Exclude<Message, { kind: 'progress' }> | undefined;
    child.on('message', (message: Message) => {
      silence?.refresh();
      if (message.kind === 'progress') onProgress(message);
      else result = message;
    });
    // A process that could not be started may not be ended either, which is an error of its own.
    child.on('error', reject);
    child.once('close', (code, killedBy) => {
      signal.removeEventListener('abort', end);
      clearTimeout(silence);
      clearTimeout(whole);
      if (signal.aborted) reject(signal.reason);
      else if (result?.kind === 'outcome') resolve(result.outcome);
      else if (result?.kind === 'fault') reject(faultOf(result.of, result.text));
      // V8's own end of a process, as opposed to the kernel's.
      else if (killedBy === 'SIGABRT' || code === 134) reject(new HeapExhausted(what));
      else reject(tooLong ?? new Error(`The process that ${what} ended early (${killedBy ?? code})`));
    });
  });
}

/**
 * The other side, in the process itself. It ends with its server, however that ends; Ctrl-C reaches the whole process group and
 * is handled by the server. If the machine runs out of memory, the kernel should end this process, not the server.
 */
export async function workForServer<Order>(onOrder: (order: Order) => void): Promise<void> {
  process.umask(0o077);
  process.once('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.on('message', onOrder);
  // Only Linux has this file.
  await writeFile('/proc/self/oom_score_adj', '900').catch(() => undefined);
}

/** In the process itself: does its one piece of work, says what came of it, and ends. */
export async function sayOutcome(work: () => Promise<unknown>): Promise<void> {
  try {
    await say({ kind: 'outcome', outcome: await work() });
  } catch (error) {
    await say(faultIn(error));
  }
  process.exit();
}

/** Tells the server something. Settles when it has been sent. */
export const say = <Message extends { readonly kind: string }>(message: Message): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

export function faultIn(error: unknown): Extract<WorkerMessage<unknown, unknown>, { kind: 'fault' }> {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'fault', text, of: faultKindOf(error) };
}

/**
 * Bytes that this process may use: the limit of its cgroup if it has one, as in a container or a systemd unit with
 * `MemoryMax`, otherwise the memory of the machine.
 */
export const memoryLimit = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
