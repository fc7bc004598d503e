import { spawnSync } from 'node:child_process';
import { closeSync, constants, ftruncateSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';

/** The data directory belongs to a running server or command. The message says what to do. */
export class InUse extends Error {
  override readonly name = 'InUse';
}

/**
 * A lock of the kernel, kept by an open file: until it is closed by everybody who has it, however they end. Processes
 * that see neither each other's process IDs nor sockets exclude each other, as in two containers on one volume.
 */
export type FileLock = {
  /** For a child process that is to keep the lock as well. */
  readonly fd: number;
  release(): void;
};

/** Who holds the lock of a data directory: its server, or a command that does without one. */
type Holder = 'server' | 'command';

const lockName = 'server.lock';
/** Held by PostgreSQL itself: it may outlive its server. */
export const databaseLock = (dataDir: string): string => join(dataDir, 'postgres.lock');
export const lockNames: readonly string[] = [lockName, 'postgres.lock'];

/** For what a killed process still has to close. */
const patienceMs = 1_000;

/**
 * Locks a data directory, creating it if necessary, before anything in it is read or written. Servers that keep their
 * database elsewhere may share one.
 *
 * Source: SECURITY.md, REL-08.
 *
 * @throws InUse, or Error if it is a file or cannot be made
 */
export async function holdDataDir(
  dataDir: string,
  as: Holder,
  mode: 'exclusive' | 'shared' = 'exclusive',
): Promise<FileLock> {
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Error(`DATA_DIR names ${dataDir}, which is a file: name a folder`);
  makeFolder(dataDir);
  const file = join(dataDir, lockName);
  let lock = tryLock(file, mode);
  for (let waited = 0; !lock && waited < patienceMs; waited += 100) {
    await sleep(100);
    lock = tryLock(file, mode);
  }
  if (!lock) throw new InUse(refusal(dataDir, as));
  ftruncateSync(lock.fd);
  if (mode === 'exclusive') {
    const who: z.infer<typeof note> = { as, pid: process.pid, host: hostname(), since: new Date().toISOString() };
    writeSync(lock.fd, `${JSON.stringify(who)}\n`, 0);
  }
  return lock;
}

/**
 * As `mkdirSync` does with `recursive`, which never returns where a folder cannot be made although its parent is there, as below
 * /proc (Node 24).
 */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another server may have been faster.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    throw new Error(`DATA_DIR cannot be made: ${(error as Error).message}`, { cause: error });
  }
}

/** Whether the data directory is held by a server, and not by another command. */
export const isServed = (dataDir: string): boolean => noteOf(dataDir)?.as !== 'command';

/** Where the holder of a data directory runs, for a message. */
export function whereabouts(dataDir: string): string {
  const found = noteOf(dataDir);
  return found ? ` (process ${found.pid} on ${found.host}, since ${found.since})` : '';
}

function refusal(dataDir: string, as: Holder): string {
  const where = whereabouts(dataDir);
  if (!isServed(dataDir)) return `A command already uses ${dataDir}${where}: wait until it has ended`;
  const hint =
    as === 'server'
      ? 'If servers are replaced by an orchestrator, it must stop the old one before it starts the new one'
      : 'This command needs the data directory for itself';
  return `Another server already uses ${dataDir}${where}: stop it first. ${hint}`;
}

const note = z.object({ as: z.enum(['server', 'command']), pid: z.number(), host: z.string(), since: z.string() });

function noteOf(dataDir: string): z.infer<typeof note> | undefined {
  try {
    return note.parse(JSON.parse(readFileSync(join(dataDir, lockName), 'utf8')));
  } catch {
    // Servers that share the directory leave no note, and Windows does not let others read a locked file.
    return undefined;
  }
}

/** @returns `undefined` if somebody else has the lock */
export function tryLock(file: string, mode: 'exclusive' | 'shared' = 'exclusive'): FileLock | undefined {
  const fd = process.platform === 'linux' ? lockByProgram(file, mode) : lockByOpening(file, mode);
  return fd === undefined ? undefined : { fd, release: () => closeSync(fd) };
}

/**
 * Node has no call for `flock`, but the lock belongs to the open file, and not to the process that requested it: the
 * program locks what it inherits, and it stays locked here.
 */
function lockByProgram(file: string, mode: 'exclusive' | 'shared'): number | undefined {
  const fd = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  const run = spawnSync('flock', [mode === 'shared' ? '-s' : '-x', '-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', fd],
    encoding: 'utf8',
  });
  if (run.status === 0) return fd;
  closeSync(fd);
  if (run.status === 1) return undefined;
  const why = run.error ? 'the program flock (of util-linux or BusyBox) is needed' : run.stderr.trim();
  throw new Error(`${file} cannot be locked: ${why}`);
}

/** macOS can lock while it opens. Windows can refuse others a file that is open, or not. */
function lockByOpening(file: string, mode: 'exclusive' | 'shared'): number | undefined {
  const flags = { win32: { exclusive: 0x1000_0000, shared: 0 }, other: { exclusive: 0x20, shared: 0x10 } };
  const lock = flags[process.platform === 'win32' ? 'win32' : 'other'][mode];
  const atOnce = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;
  try {
    return openSync(file, constants.O_RDWR | constants.O_CREAT | lock | atOnce, 0o600);
  } catch (error) {
    if (['EAGAIN', 'EWOULDBLOCK', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
