import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import { type Cluster, passwordsFile, roles, servedCluster, startCluster } from './cluster.ts';
import { prepareHome } from './cluster-home.ts';
import { type FileLock, holdDataDir, InUse, isServed, whereabouts } from './data-lock.ts';
import { migrate } from './migrate.ts';
import { codeOf, type Db, isUnavailable, openDatabase } from './open.ts';

/** The open database, embedded or not. */
export type RunningDatabase = {
  readonly db: Db;
  /** With the server's own role, for dedicated connections. */
  connection(): pg.ClientConfig;
  /** The data folder of the embedded one. */
  readonly folder: string | undefined;
  /** Whether no other server uses it: the embedded one is guarded. */
  readonly alone: boolean;
  stop(): Promise<void>;
};

type DatabasePlace = {
  readonly dataDir: string;
  readonly dbOsUser: string;
  /** The folder of PostgreSQL binaries to use instead of the packaged ones. */
  readonly postgresBin?: string | undefined;
  readonly databaseUrl: string | undefined;
};

type Prepare = Parameters<typeof migrate>[2];

/** How long a command waits for the database of a server that is starting. */
const servedMs = 10_000;

/**
 * Opens the configured database and migrates it. The data directory is held until the database is stopped.
 *
 * @param onLockLost called if another server took the data directory while the database was down
 * @throws InUse
 */
export async function startDatabase(
  place: DatabasePlace,
  log: Log,
  prepare: Prepare,
  onLockLost: () => void,
): Promise<RunningDatabase> {
  const lock = await holdDataDir(place.dataDir, 'server', place.databaseUrl ? 'shared' : 'exclusive');
  try {
    refuseUnfinishedRestore(place.dataDir);
    const database = await (place.databaseUrl
      ? startRemote(place.databaseUrl, log, prepare)
      : startEmbedded(place, log, prepare, onLockLost));
    return { ...database, stop: () => database.stop().finally(() => lock.release()) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startRemote(databaseUrl: string, log: Log, prepare: Prepare): Promise<RunningDatabase> {
  const { connection, user } = remote(databaseUrl);
  await migrate(connection, user, prepare);
  const db = openDatabase(connection, (error) => log.warn({ err: error }, 'A database connection broke'));
  return { db, connection: () => connection, folder: undefined, alone: false, stop: () => db.destroy() };
}

function remote(databaseUrl: string): { connection: pg.ClientConfig; user: string } {
  const { user } = new pg.Client({ connectionString: databaseUrl });
  return { connection: { connectionString: databaseUrl, ...(user ? { user } : {}) }, user: user ?? '' };
}

async function startEmbedded(
  place: DatabasePlace,
  log: Log,
  prepare: Prepare,
  onLockLost: () => void,
): Promise<RunningDatabase> {
  const { cluster, guard, folder } = await openEmbedded(place, log, onLockLost);
  // One of an earlier version, which holds no lock.
  if (!guard) throw new InUse(`Another server already uses ${place.dataDir}: stop it first`);
  const connection = () => cluster.connect('app');
  try {
    await migrate(cluster.connect('owner'), roles.app, prepare);
  } catch (error) {
    await guard.release();
    await cluster.stop();
    throw error;
  }
  let stopping = false;
  const db = openDatabase(connection(), (error) => {
    if (!stopping) log.warn({ err: error }, 'A database connection broke');
  });
  return {
    db,
    connection,
    folder,
    alone: true,
    async stop() {
      stopping = true;
      await db.destroy();
      await guard.release();
      await cluster.stop();
    },
  };
}

/** The embedded PostgreSQL and its lock, unless another server holds it. */
async function openEmbedded(
  place: DatabasePlace,
  log: Log,
  onLockLost: () => void,
): Promise<{ cluster: Cluster; guard: Guard | undefined; folder: string }> {
  const home = prepareHome(place.dataDir, place.dbOsUser, log, place.postgresBin);
  const cluster = await startCluster(home);
  const guard = await takeGuard({
    connect: () => cluster.connect('app'),
    revive: () => cluster.revive(),
    onLockLost,
    log,
  });
  return { cluster, guard, folder: home.folder };
}

/** How a command reaches the database. */
export type CommandDatabase = {
  /** With the server's own role. */
  readonly app: pg.ClientConfig;
  /** With the role that owns the tables. */
  readonly owner: pg.ClientConfig;
  readonly appRole: string;
  /** Whether a server is known to use it right now. */
  readonly isServed: boolean;
};

/**
 * Runs a command on the existing database, with or without a running server. If the embedded database is not running,
 * it is started for the command and stopped afterwards; meanwhile the command holds the data directory.
 *
 * @param dataLock the lock of the data directory, if the command has it already
 * @throws InUse if another command runs without a server, or the server's database cannot be reached from here
 */
export async function withConnection<T>(
  place: DatabasePlace,
  log: Log,
  work: (database: CommandDatabase) => Promise<T>,
  dataLock?: FileLock,
): Promise<T> {
  const lock = dataLock ?? (await holdForCommand(place));
  try {
    if (place.databaseUrl) {
      const { connection, user } = remote(place.databaseUrl);
      return await work({ app: connection, owner: connection, appRole: user, isServed: false });
    }
    return await (lock ? withOwnCluster(place, log, work) : withServedCluster(place, log, work));
  } finally {
    if (!dataLock) lock?.release();
  }
}

/** @returns `undefined` if the server has it */
async function holdForCommand({ dataDir, databaseUrl }: DatabasePlace): Promise<FileLock | undefined> {
  try {
    return await holdDataDir(dataDir, 'command', databaseUrl ? 'shared' : 'exclusive');
  } catch (error) {
    if (error instanceof InUse && !databaseUrl && isServed(dataDir)) return undefined;
    throw error;
  }
}

async function withOwnCluster<T>(
  place: DatabasePlace,
  log: Log,
  work: (database: CommandDatabase) => Promise<T>,
): Promise<T> {
  const { cluster, guard } = await openEmbedded(place, log, () => undefined);
  const [app, owner] = [cluster.connect('app'), cluster.connect('owner')];
  try {
    return await work({ app, owner, appRole: roles.app, isServed: !guard });
  } finally {
    await guard?.release();
    if (guard) await cluster.stop();
  }
}

async function withServedCluster<T>(
  place: DatabasePlace,
  log: Log,
  work: (database: CommandDatabase) => Promise<T>,
): Promise<T> {
  const home = prepareHome(place.dataDir, place.dbOsUser, log, place.postgresBin);
  let connect = servedCluster(home);
  // The server may have begun to start just now.
  for (let waited = 0; !(connect && (await answers(connect('app')))); waited += 200) {
    if (waited >= servedMs)
      throw new InUse(
        `The database of the server that uses ${place.dataDir}${whereabouts(place.dataDir)} cannot be reached from ` +
          'here: run this command where the server runs, in the same container, or stop the server first',
      );
    await sleep(200);
    connect = servedCluster(home);
  }
  return work({ app: connect('app'), owner: connect('owner'), appRole: roles.app, isServed: true });
}

async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    // At its first start, the roles and the database do not exist at once.
    if (isUnavailable(error) || /^(28|3D)/.test(codeOf(error) ?? '')) return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Like {@link withConnection}, on a database that a server has made before, and migrated. @throws Error if there is none */
export async function withDatabase<T>(
  place: DatabasePlace,
  log: Log,
  prepare: Prepare,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  refuseUnfinishedRestore(place.dataDir);
  // Opening it would create one, for which no server is ever started if only the variable is wrong.
  if (hasNoDatabase(place))
    throw new Error(
      `${place.dataDir} has no database: set DATA_DIR as for the server, and start that once before this`,
    );
  return withConnection(place, log, async ({ app, owner, appRole, isServed }) => {
    if (!isServed) await migrate(owner, appRole, prepare);
    const db = openDatabase(app, () => undefined, 2);
    return work(db).finally(() => db.destroy());
  });
}

/** Whether no server has made the embedded database of a data directory yet. */
export const hasNoDatabase = ({ dataDir, databaseUrl }: DatabasePlace): boolean =>
  !databaseUrl && !existsSync(passwordsFile(dataDir));

/** A file in the data directory while a backup is being restored into it. It contains the backup's ID. */
export const restoreMark = (dataDir: string): string => join(dataDir, 'restore.unfinished');

/** The ID of the backup that is being restored here, or was last; `undefined` if none is. */
export function unfinishedRestore(dataDir: string): string | undefined {
  const mark = restoreMark(dataDir);
  return existsSync(mark) ? readFileSync(mark, 'utf8').trim() : undefined;
}

/** @throws Error if a restore into this directory is incomplete */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (unfinishedRestore(dataDir) === undefined) return;
  throw new Error(`A restore into ${dataDir} was not finished: run it again, or remove ${dataDir} and start over`);
}

/** A lock inside the database, by which servers of earlier versions know that it is in use. */
const guardKey = 7102;

type Guard = { release(): Promise<void> };

type GuardOptions = {
  connect(): pg.ClientConfig;
  /** Called before each attempt while the connection is lost. */
  revive(): Promise<void>;
  /** Another server took the lock meanwhile: this one must end. */
  onLockLost(): void;
  readonly log: Log;
};

/**
 * Takes the lock for this process, which holds the data directory, on a dedicated connection, and notices when the
 * database has ended. It may still see a server that was just killed, so this retries for a second.
 *
 * @returns `undefined` if another server holds it Source: SECURITY.md, REL-08.
 */
async function takeGuard(options: GuardOptions): Promise<Guard | undefined> {
  let released = false;
  let client: pg.Client | undefined;

  const tryOnce = async (): Promise<boolean> => {
    const next = new pg.Client({ ...options.connect(), connectionTimeoutMillis: 2_000, keepAlive: true });
    next.on('error', () => undefined);
    await next.connect();
    const { rows } = await next.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [guardKey]);
    if (!rows[0]?.held) {
      await next.end();
      return false;
    }
    client = next;
    next.once('end', () => void regain());
    return true;
  };

  const regain = async (): Promise<void> => {
    while (!released) {
      await sleep(1_000);
      if (released) return;
      try {
        await options.revive();
        if (await tryOnce()) return;
        return options.onLockLost();
      } catch (error) {
        options.log.error({ err: error }, 'The database does not respond; retrying');
      }
    }
  };

  for (let attempt = 0; !(await tryOnce()); attempt++) {
    if (attempt === 5) return undefined;
    await sleep(200);
  }
  return {
    async release() {
      released = true;
      await client?.end();
    },
  };
}
