import pg from 'pg';
import type { Log } from '../log.ts';
import { type Cluster, roles, startCluster } from './cluster.ts';
import { prepareHome } from './cluster-home.ts';
import { type Guard, takeGuard } from './guard.ts';
import { migrate } from './migrate.ts';
import { type Db, openDatabase } from './open.ts';

/** The database at work, whichever it is. */
export type RunningDatabase = {
  readonly db: Db;
  /** As the server's own role, for what holds a connection of its own. */
  connection(): pg.ClientConfig;
  /** Where the embedded one keeps its files. */
  readonly folder: string | undefined;
  /** Whether no other server works on it: the embedded one is guarded. */
  readonly alone: boolean;
  stop(): Promise<void>;
};

export type DatabasePlace = {
  readonly dataDir: string;
  readonly dbOsUser: string;
  readonly databaseUrl: string | undefined;
};

type Prepare = Parameters<typeof migrate>[2];

/** The data directory belongs to a server that runs. */
export class InUse extends Error {
  override readonly name = 'InUse';
}

/**
 * The database of the configuration, up to date and open.
 *
 * @param onTaken another server took the data directory while the database was away
 * @throws InUse
 */
export function startDatabase(
  place: DatabasePlace,
  log: Log,
  prepare: Prepare,
  onTaken: () => void,
): Promise<RunningDatabase> {
  return place.databaseUrl ? startRemote(place.databaseUrl, log, prepare) : startEmbedded(place, log, prepare, onTaken);
}

async function startRemote(databaseUrl: string, log: Log, prepare: Prepare): Promise<RunningDatabase> {
  const { user } = new pg.Client({ connectionString: databaseUrl });
  const connection = { connectionString: databaseUrl, ...(user ? { user } : {}) };
  await migrate(connection, user ?? '', prepare);
  const db = openDatabase(connection, (error) => log.warn({ err: error }, 'A database connection broke'));
  return { db, connection: () => connection, folder: undefined, alone: false, stop: () => db.destroy() };
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

/** The embedded PostgreSQL running, and its guard unless another server has it. */
async function openEmbedded(
  place: DatabasePlace,
  log: Log,
  onTaken: () => void,
): Promise<{ cluster: Cluster; guard: Guard | undefined; folder: string }> {
  const home = prepareHome(place.dataDir, place.dbOsUser, log);
  const cluster = await startCluster(home);
  const guard = await takeGuard({
    connect: () => cluster.connect('app'),
    revive: () => cluster.revive(),
    onTaken,
    log,
  });
  return { cluster, guard, folder: home.folder };
}

/**
 * Runs a command beside a server that may be running or not. If none is, the database is started for it, and stopped.
 */
export async function withDatabase<T>(
  place: DatabasePlace,
  log: Log,
  prepare: Prepare,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  if (place.databaseUrl) {
    const remote = await startRemote(place.databaseUrl, log, prepare);
    return work(remote.db).finally(() => remote.stop());
  }
  const { cluster, guard } = await openEmbedded(place, log, () => undefined);
  const db = openDatabase(cluster.connect('app'), () => undefined, 2);
  try {
    if (guard) await migrate(cluster.connect('owner'), roles.app, prepare);
    return await work(db);
  } finally {
    await db.destroy();
    await guard?.release();
    if (guard) await cluster.stop();
  }
}
