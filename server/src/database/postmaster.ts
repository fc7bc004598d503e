import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, executable } from './binaries.ts';
import { databaseLock, type FileLock, InUse, tryLock } from './data-lock.ts';
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

/**
 * The running postmaster of a data folder, if this process can see it. The PID file alone proves nothing: its process
 * may have ended, or belong to another container, where the same number is somebody else.
 */
export function livePostmaster(folder: string): Postmaster | undefined {
  const lines = pidFile(folder);
  if (!lines) return undefined;
  const postmaster = { pid: Number(lines[0]), port: Number(lines[3]), host: lines[4]?.trim() || '127.0.0.1' };
  return runsIn(folder, postmaster.pid) ? postmaster : undefined;
}

/** The address of a postmaster that may run where this process cannot see it; `undefined` until it accepts connections. */
export function addressOf(folder: string): Postmaster | undefined {
  const lines = pidFile(folder);
  if (lines?.[7]?.trim() !== 'ready') return undefined;
  return { pid: Number(lines[0]), port: Number(lines[3]), host: lines[4]?.trim() || '127.0.0.1' };
}

/** For a recovery after a power failure, or a shutdown that another server began. */
const patienceMs = 60_000;
/** For the workers of a killed PostgreSQL to notice. */
const workersMs = 15_000;

/**
 * The home's PostgreSQL: the one that a killed server left behind, or a new one. The caller holds the data directory.
 *
 * A lock that PostgreSQL and its workers hold for life says whether there is one, wherever it runs. One that cannot be
 * reached from here is ended if this process can see it. Otherwise nothing is touched.
 *
 * @param before its previous address, for clients that still use it
 * @throws InUse if there is one that this process cannot see
 */
export async function openPostmaster(home: ClusterHome, before?: Postmaster): Promise<Postmaster> {
  const start = performance.now();
  const isOver = (milliseconds: number): boolean => performance.now() - start > milliseconds;
  for (let isSignalled = false; !isOver(patienceMs); await sleep(100)) {
    const live = livePostmaster(home.folder);
    if (live && isReachable(live, home.folder)) return live;
    const lock = live ? undefined : tryLock(databaseLock(home.dataDir));
    if (lock) return startPostmaster(home, lock, before);
    if (live && !isSignalled && addressOf(home.folder)) {
      isSignalled = true;
      process.kill(live.pid, 'SIGINT');
    }
    if (!live && isOver(workersMs)) break;
  }
  throw new InUse(
    `PostgreSQL still runs on ${home.folder}, although its server has ended: it is in a container or on a host that ` +
      'this server cannot see. Stop it there, then start again',
  );
}

const isReachable = ({ host, port }: Postmaster, folder: string): boolean =>
  addressOf(folder) !== undefined && (windows || existsSync(socketIn(host, port)));

const socketIn = (folder: string, port: number): string => join(folder, `.s.PGSQL.${port}`);

/**
 * Starts PostgreSQL on the home's folder and returns when it accepts connections. It gets its own process group, so
 * that Ctrl-C reaches only the server, which stops it after the last request, and it inherits the lock.
 *
 * @throws if it ends before it is ready, with the end of its log
 */
async function startPostmaster(home: ClusterHome, lock: FileLock, before?: Postmaster): Promise<Postmaster> {
  let host = '127.0.0.1';
  try {
    await forgetDead(home.folder);
    if (!windows) host = makeSocketFolder(home, before?.host);
    const port = before?.port ?? (windows ? randomInt(20_000, 40_000) : 5432);
    const log = openSync(logOf(home), 'w', 0o600);
    const as = home.user ? { uid: home.user.uid, gid: home.user.gid } : {};
    const child = spawn(
      executable(home.binaries.folder, 'postgres'),
      ['-D', home.folder, ...settings(host, port, home.settings)],
      {
        cwd: windows ? home.parent : '/',
        detached: true,
        // Windows has no containers that share a folder like this, and PostgreSQL's own check does.
        stdio: ['ignore', log, log, ...(windows ? [] : [lock.fd])],
        env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C', SystemRoot: process.env.SystemRoot },
        ...as,
      },
    );
    closeSync(log);
    child.unref();
    await untilReady(child, home);
    return { pid: child.pid!, host, port };
  } catch (error) {
    removeSocketFolder(host);
    throw error;
  } finally {
    // Here it would hide that the workers of a killed PostgreSQL still have it.
    lock.release();
  }
}

/** Fast shutdown: running transactions are rolled back, the data is written, then the process ends. */
export async function stopPostmaster(home: ClusterHome, { pid, host }: Postmaster): Promise<void> {
  if (windows) {
    spawnSync(executable(home.binaries.folder, 'pg_ctl'), ['stop', '-D', home.folder, '-m', 'fast'], {
      stdio: 'ignore',
    });
    return;
  }
  if (runsIn(home.folder, pid)) process.kill(pid, 'SIGINT');
  for (let waited = 0; runsIn(home.folder, pid) && waited < 15_000; waited += 20) await sleep(20);
  if (runsIn(home.folder, pid)) throw new Error(`PostgreSQL (process ${pid}) did not stop within 15 s`);
  removeSocketFolder(host);
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
 * Removes what a killed PostgreSQL left behind. Nothing runs on the folder, so the process ID in its file is that of
 * nobody or of somebody else, which PostgreSQL would take for itself and not start.
 */
async function forgetDead(folder: string): Promise<void> {
  const lines = pidFile(folder);
  if (!lines) return;
  const host = lines[4]?.trim();
  if (host && !(await isListening(socketIn(host, Number(lines[3]))))) removeSocketFolder(host);
  rmSync(join(folder, 'postmaster.pid'), { force: true });
}

/** A folder of sockets can have the same name in another container. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
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

/**
 * Whether a process is the postmaster of a folder: PostgreSQL works in its data folder. In a container, root may not
 * see where a process of another user works, but its arguments.
 */
function runsIn(folder: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (windows) return true;
  if (process.platform !== 'linux') return commandOf(pid).includes('postgres');
  try {
    const [works, own] = [statSync(`/proc/${pid}/cwd`), statSync(folder)];
    return works.dev === own.dev && works.ino === own.ino;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' && argumentsOf(pid).includes(folder);
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const commandOf = (pid: number): string =>
  spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
