import pg from 'pg';
import type { Log } from '../log.ts';
import { type Cluster, roles, startCluster } from './cluster.ts';
import { prepareHome } from './cluster-home.ts';
import { type Guard, takeGuard } from './guard.ts';
import { migrate } from './migrate.ts';
import { type Db, openDatabase } from './open.ts';
import { refuseUnfinishedRestore } from './unfinished-restore.ts';

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

export type DatabasePlace = {
  readonly dataDir: string;
  readonly dbOsUser: string;
  /** The folder of PostgreSQL binaries to use instead of the packaged ones. */
  readonly postgresBin?: string | undefined;
  readonly databaseUrl: string | undefined;
};

type Prepare = Parameters<typeof migrate>[2];

/** The data directory belongs to a running server. */
export class InUse extends Error {
  override readonly name = 'InUse';
}

/**
 * Opens the configured database and migrates it.
 *
 * @param onTaken called if another server took the data directory while the database was down
 * @throws InUse
 */
export async function startDatabase(
  place: DatabasePlace,
  log: Log,
  prepare: Prepare,
  onTaken: () => void,
): Promise<RunningDatabase> {
  refuseUnfinishedRestore(place.dataDir);
  return place.databaseUrl ? startRemote(place.databaseUrl, log, prepare) : startEmbedded(place, log, prepare, onTaken);
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
  onTaken: () => void,
): Promise<RunningDatabase> {
  const { cluster, guard, folder } = await openEmbedded(place, log, onTaken);
  if (!guard) throw new InUse(`Another server already uses ${place.dataDir}`);
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
  onTaken: () => void,
): Promise<{ cluster: Cluster; guard: Guard | undefined; folder: string }> {
  const home = prepareHome(place.dataDir, place.dbOsUser, log, place.postgresBin);
  const cluster = await startCluster(home);
  const guard = await takeGuard({
    connect: () => cluster.connect('app'),
    revive: () => cluster.revive(),
    onTaken,
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
 * it is started for the command and stopped afterwards.
 */
export async function withConnection<T>(
  place: DatabasePlace,
  log: Log,
  work: (database: CommandDatabase) => Promise<T>,
): Promise<T> {
  if (place.databaseUrl) {
    const { connection, user } = remote(place.databaseUrl);
    return work({ app: connection, owner: connection, appRole: user, isServed: false });
  }
  const { cluster, guard } = await openEmbedded(place, log, () => undefined);
  const [app, owner] = [cluster.connect('app'), cluster.connect('owner')];
  try {
    return await work({ app, owner, appRole: roles.app, isServed: !guard });
  } finally {
    await guard?.release();
    if (guard) await cluster.stop();
  }
}

/** Like {@link withConnection}, on a migrated database. */
export async function withDatabase<T>(
  place: DatabasePlace,
  log: Log,
  prepare: Prepare,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  refuseUnfinishedRestore(place.dataDir);
  return withConnection(place, log, async ({ app, owner, appRole, isServed }) => {
    if (!isServed) await migrate(owner, appRole, prepare);
    const db = openDatabase(app, () => undefined, 2);
    return work(db).finally(() => db.destroy());
  });
}
