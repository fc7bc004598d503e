import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { roles, startCluster } from '../../server/src/database/cluster.ts';
import { prepareHome } from '../../server/src/database/cluster-home.ts';
import { livePostmaster } from '../../server/src/database/postmaster.ts';
import { createLog } from '../../server/src/log.ts';
import { type Swift, startSwift } from '../../server/test/support/swift.ts';
import { urlOf } from '../database.ts';
import { freePort, newDataDir, type RunningServer, removeDataDir, startServer } from '../server.ts';
import { type Balancer, startBalancer } from './balancer.ts';

/** Two servers behind a load balancer, with one PostgreSQL and one S3 store, and no folder in common. */
export type Deployment = {
  readonly balancer: Balancer;
  readonly replicas: readonly Replica[];
  readonly startedLast: Replica;
  /** Runs a query of a test. */
  query<Row extends object>(text: string): Promise<Row[]>;
  /** Ends PostgreSQL without any farewell, and starts it again once no server is ready without it. */
  restartDatabase(): Promise<void>;
  /** Ends the S3 store without any farewell, and starts it again. */
  readonly store: Pick<Swift, 'pause' | 'resume'>;
  stop(): Promise<void>;
};

export type Replica = {
  readonly server: RunningServer;
  readonly role: Role;
  /** `kill -9` */
  kill(): Promise<void>;
  /** Starts it again, on the same port and folder. The balancer passes nothing to one that only reads uploads. */
  revive(role?: Role): Promise<void>;
};
type Role = 'all' | 'serve' | 'ingest';

const database = 'replicas';

/** @param lastRelease the folder of other code, which the second server runs; it then starts first, on an empty database */
export async function startDeployment(lastRelease?: string): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), 'kc-replicas-'));
  // The database user must be able to enter it.
  chmodSync(folder, 0o711);
  const home = prepareHome(folder, 'nobody', createLog('ERROR'));
  const cluster = await startCluster(home);
  await onDatabase(cluster.connect('superuser'), `create database ${database} owner ${roles.owner}`);
  const swift: Swift = await startSwift();
  const { bucket, prefix, endpoint, region, credentials } = await swift.newBucket();
  const replicas: Replica[] = [];
  const balancer = await startBalancer(() =>
    replicas.filter(({ role }) => role !== 'ingest').map(({ server }) => server.url),
  );
  const env = {
    DATABASE_URL: urlOf(cluster.connect('owner'), database),
    STORAGE_URL: `s3://${bucket}/${prefix}?endpoint=${endpoint}&region=${region}`,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    SECRET: randomBytes(32).toString('hex'),
    BASE_URL: balancer.url,
    TRUSTED_PROXIES: '127.0.0.1, ::1',
    SAMPLE: 'off',
  };
  const second = await startReplica(env, lastRelease);
  const startedLast = await startReplica(env);
  replicas.push(startedLast, second);
  await balancer.awaitReady(2);
  return {
    balancer,
    replicas,
    startedLast,
    query: (text) => onDatabase(cluster.connect('owner', database), text),
    async restartDatabase() {
      process.kill(livePostmaster(home.folder)!.pid, 'SIGQUIT');
      await balancer.awaitReady(0);
      await cluster.revive();
    },
    store: swift,
    async stop() {
      balancer.close();
      for (const { server } of replicas) {
        await server.stop();
        removeDataDir(server.dataDir);
      }
      await swift.stop();
      await cluster.stop();
      removeDataDir(folder);
    },
  };
}

async function startReplica(env: Readonly<Record<string, string>>, folder?: string): Promise<Replica> {
  const [dataDir, port] = [newDataDir(), await freePort()];
  let role: Role = 'all';
  const start = () => startServer({ dataDir, port, env: { ...env, ROLE: role }, ...(folder && { folder }) });
  let server = await start();
  return {
    get role() {
      return role;
    },
    get server() {
      return server;
    },
    async kill() {
      server.process.kill('SIGKILL');
      await server.ended;
    },
    async revive(as = role) {
      role = as;
      server = await start();
    },
  };
}

async function onDatabase<Row extends object>(connection: pg.ClientConfig, text: string): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
