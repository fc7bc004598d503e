import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg, { type ClientConfig } from 'pg';
import type { TestProject } from 'vitest/node';
import { roles, startCluster } from '../../src/database/cluster.ts';
import { prepareHome } from '../../src/database/cluster-home.ts';
import { migrate } from '../../src/database/migrate.ts';
import { livePostmaster } from '../../src/database/postmaster.ts';
import { prepareJobs } from '../../src/jobs/jobs.ts';
import { createLog } from '../../src/log.ts';

/** How tests connect to the cluster of their run, for each role. */
export type TestCluster = Readonly<Record<'superuser' | 'owner' | 'app', ClientConfig>>;

declare module 'vitest' {
  interface ProvidedContext {
    /** One per worker. */
    clusters: readonly TestCluster[];
  }
}

/** Migrated databases that {@link cloneDatabase} copies: copying is cheaper than migrating. */
export const templates = { tables: 'template_tables', jobs: 'template_jobs' } as const;

/** Starts an embedded PostgreSQL with templates per worker, because one has only enough connections for one file. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = await Promise.all(Array.from({ length: project.config.maxWorkers }, () => startTestCluster()));
  const stop = async () => void (await Promise.all(started.map((one) => one.stop())));
  try {
    await Promise.all(started.map(({ cluster }) => makeTemplates(cluster)));
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide(
    'clusters',
    started.map(({ cluster }) => cluster),
  );
  return stop;
}

/**
 * No data outlives the run, so nothing needs to survive a failure of the machine: nobody waits for the disk, and pages
 * are written once. Planned restarts, and processes that are killed, lose nothing by it. Servers that tests start as
 * processes of their own have the settings of production.
 */
const throwAway = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Tables that were never analysed seem large enough for parallel scans, and starting their processes takes longer than
  // reading the few rows.
  max_parallel_workers_per_gather: '0',
} as const;

/**
 * Starts an embedded PostgreSQL in its own folder, which is removed when it stops.
 *
 * @param settings of PostgreSQL, instead of the server's own
 */
export async function startTestCluster(
  settings: Readonly<Record<string, string>> = throwAway,
): Promise<{ cluster: TestCluster; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'kc-test-'));
  // The database user must be able to enter the folder. Otherwise, under root, its files would be stored elsewhere and
  // left behind.
  chmodSync(folder, 0o711);
  const home = prepareHome(folder, 'nobody', createLog('ERROR'));
  const running = await startCluster({ ...home, settings });
  // A run that a signal ends has no teardown, and PostgreSQL would keep running in its own process group.
  const endWithRun = () => endAtOnce(home.folder);
  process.once('exit', endWithRun);
  return {
    cluster: {
      superuser: running.connect('superuser'),
      owner: running.connect('owner'),
      app: running.connect('app'),
    },
    async stop() {
      process.off('exit', endWithRun);
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL's immediate shutdown: it ends its child processes and writes nothing. */
function endAtOnce(folder: string): void {
  const postmaster = livePostmaster(folder);
  if (postmaster) process.kill(postmaster.pid, 'SIGQUIT');
}

async function makeTemplates(cluster: TestCluster): Promise<void> {
  await makeTemplate(cluster, templates.tables);
  await makeTemplate(cluster, templates.jobs, prepareJobs);
}

async function makeTemplate(
  cluster: TestCluster,
  template: string,
  prepare?: Parameters<typeof migrate>[2],
): Promise<void> {
  await createDatabase(cluster, template);
  await migrate({ ...cluster.owner, database: template }, roles.app, prepare);
  await sealTemplate(cluster, template);
}

/** A database can be copied only while it has no connections, so this disallows them. */
export const sealTemplate = (cluster: TestCluster, template: string): Promise<void> =>
  asSuperuser(cluster, `alter database ${template} allow_connections false`);

/** Creates a copy of a template, owned by the owner role. Without syncing, copying its files is the cheapest way. */
export const cloneDatabase = (cluster: TestCluster, name: string, template: string): Promise<void> =>
  createDatabase(cluster, name, ` template ${template} strategy file_copy`);

/** Creates an empty database, owned by the owner role. */
export async function createDatabase(cluster: TestCluster, name: string, from = ''): Promise<void> {
  await asSuperuser(cluster, `create database ${name} owner ${roles.owner}${from}`);
}

export const dropDatabase = (cluster: TestCluster, name: string): Promise<void> =>
  asSuperuser(cluster, `drop database if exists ${name} with (force)`);

async function asSuperuser({ superuser }: TestCluster, statement: string): Promise<void> {
  const client = new pg.Client(superuser);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
