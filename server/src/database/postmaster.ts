import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, executable } from './binaries.ts';
import { makeOwn, type OsUser } from './os-user.ts';

/** The location of the embedded PostgreSQL and the user who runs it. */
export type ClusterHome = {
  readonly dataDir: string;
  /** PostgreSQL's own data folder. */
  readonly folder: string;
  /** Contains `folder`; new clusters are created here and renamed. */
  readonly parent: string;
  readonly binaries: Binaries;
  /** The user that runs PostgreSQL; `undefined` for the server's own. */
  readonly user: OsUser | undefined;
  /** Settings of PostgreSQL that replace the server's own. Only clusters without data of value have any. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** A running PostgreSQL and its address: a socket folder, or loopback on Windows. */
export type Postmaster = { readonly pid: number; readonly host: string; readonly port: number };

/** The system's maximum length of a socket path, in bytes. */
const maxSocketPath = 107;
const socketPrefix = 'kc-';
const windows = process.platform === 'win32';

/** The running postmaster of a data folder, by its PID file; the file of a killed one counts as none. */
export function livePostmaster(folder: string): Postmaster | undefined {
  const lines = pidFile(folder);
  if (!lines) return undefined;
  const postmaster = { pid: Number(lines[0]), port: Number(lines[3]), host: lines[4]?.trim() || '127.0.0.1' };
  const isPostgres = windows || commandOf(postmaster.pid).includes('postgres');
  return isAlive(postmaster.pid) && isPostgres ? postmaster : undefined;
}

/**
 * Starts PostgreSQL on the home's folder and returns when it accepts connections. It gets its own process group, so
 * that Ctrl-C reaches only the server, which stops it after the last request.
 *
 * @param before its previous address, for clients that still use it
 * @throws if it ends before it is ready, with the end of its log
 */
export async function startPostmaster(home: ClusterHome, before?: Postmaster): Promise<Postmaster> {
  await forgetDead(home.folder);
  const host = windows ? '127.0.0.1' : makeSocketFolder(home, before?.host);
  const port = before?.port ?? (windows ? randomInt(20_000, 40_000) : 5432);
  const log = openSync(logOf(home), 'w', 0o600);
  const as = home.user ? { uid: home.user.uid, gid: home.user.gid } : {};
  const child = spawn(
    executable(home.binaries.folder, 'postgres'),
    ['-D', home.folder, ...settings(host, port, home.settings)],
    {
      cwd: windows ? home.parent : '/',
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C', SystemRoot: process.env.SystemRoot },
      ...as,
    },
  );
  closeSync(log);
  child.unref();
  await untilReady(child, home);
  return { pid: child.pid!, host, port };
}

/** Fast shutdown: running transactions are rolled back, the data is written, then the process ends. */
export async function stopPostmaster(home: ClusterHome, pid: number): Promise<void> {
  if (windows) {
    spawnSync(executable(home.binaries.folder, 'pg_ctl'), ['stop', '-D', home.folder, '-m', 'fast'], {
      stdio: 'ignore',
    });
    return;
  }
  const socketFolder = pidFile(home.folder)?.[4]?.trim();
  if (isAlive(pid)) process.kill(pid, 'SIGINT');
  for (let waited = 0; isAlive(pid) && waited < 15_000; waited += 20) await sleep(20);
  if (isAlive(pid)) throw new Error(`PostgreSQL (process ${pid}) did not stop within 15 s`);
  if (socketFolder) removeSocketFolder(socketFolder);
}

function settings(host: string, port: number, replaced: ClusterHome['settings'] = {}): string[] {
  const values: Record<string, string> = {
    listen_addresses: windows ? '127.0.0.1' : '',
    port: String(port),
    unix_socket_directories: windows ? '' : host,
    unix_socket_permissions: '0700',
    password_encryption: 'scram-sha-256',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    max_connections: '60',
    timezone: 'UTC',
    logging_collector: 'off',
    log_line_prefix: '%m [%p] ',
    log_statement: 'none',
    ...replaced,
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function untilReady(child: ChildProcess, home: ClusterHome): Promise<void> {
  let ended: string | undefined;
  child.once('exit', (code, signal) => {
    ended = `ended with ${signal ?? code}`;
  });
  child.once('error', (error) => {
    ended = error.message;
  });
  for (let waited = 0; waited < 60_000; waited += 20) {
    if (ended) throw new Error(`PostgreSQL ${ended}: ${readFileSync(logOf(home), 'utf8').trim().slice(-600)}`);
    const lines = pidFile(home.folder);
    if (Number(lines?.[0]) === child.pid && lines?.[7]?.trim() === 'ready') return;
    await sleep(20);
  }
  throw new Error('PostgreSQL was not ready within 60 s');
}

function makeSocketFolder(home: ClusterHome, again: string | undefined): string {
  if (again) return makeOwn(again, home.user);
  const longest = join(tmpdir(), `${socketPrefix}XXXXXX`, '.s.PGSQL.5432.lock');
  const base = Buffer.byteLength(longest) <= maxSocketPath ? tmpdir() : '/tmp';
  const folder = mkdtempSync(join(base, socketPrefix));
  if (home.user) chownSync(folder, home.user.uid, home.user.gid);
  return folder;
}

/**
 * Handles what a killed PostgreSQL left behind. Its PID stays taken until its parent reaps it, and PostgreSQL would
 * consider it running. After a while its workers have ended, and its PID file is removed.
 */
async function forgetDead(folder: string): Promise<void> {
  const lines = pidFile(folder);
  if (!lines || livePostmaster(folder)) return;
  const socketFolder = lines[4]?.trim();
  if (socketFolder) removeSocketFolder(socketFolder);
  const pid = Number(lines[0]);
  for (let waited = 0; commandState(pid).startsWith('Z') && waited < 3_000; waited += 50) await sleep(50);
  if (commandState(pid).startsWith('Z')) rmSync(join(folder, 'postmaster.pid'), { force: true });
}

function removeSocketFolder(folder: string): void {
  if (basename(folder).startsWith(socketPrefix)) rmSync(folder, { recursive: true, force: true });
}

/** PID, data folder, start time, port, socket folder, listen address, shared memory, state. */
function pidFile(folder: string): string[] | undefined {
  const file = join(folder, 'postmaster.pid');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : undefined;
}

const logOf = (home: ClusterHome): string => join(dirname(home.folder), 'postgres.log');

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return !commandState(pid).startsWith('Z');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The PID may belong to another program by now. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8');
  } catch {
    return spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
}

/** The state letter in /proc; empty without /proc. Z is a process that has ended. */
function commandState(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '';
  } catch {
    return '';
  }
}
