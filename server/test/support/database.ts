import { randomBytes } from 'node:crypto';
import type { ClientConfig } from 'pg';
import { inject } from 'vitest';
import type { migrate } from '../../src/database/migrate.ts';
import { type Db, openDatabase } from '../../src/database/open.ts';
import { cloneDatabase, dropDatabase, type TestCluster, templates } from './cluster.ts';

/** A migrated database for one test file. */
export type TestDatabase = {
  readonly db: Db;
  /** Connects with the server's role, for tests that need a separate connection. */
  readonly connection: ClientConfig;
  readonly owner: ClientConfig;
  close(): Promise<void>;
};

/**
 * Creates a database with all tables and no rows. The caller closes it after its tests.
 *
 * @param prepare if given (it is always `prepareJobs`), the job runner's tables exist as well
 */
export async function testDatabase(prepare?: Parameters<typeof migrate>[2]): Promise<TestDatabase> {
  const cluster = testCluster();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await cloneDatabase(cluster, name, prepare ? templates.jobs : templates.tables);
  const connection = { ...cluster.app, database: name };
  const db = openDatabase(connection, () => undefined, 10);
  return {
    db,
    connection,
    owner: { ...cluster.owner, database: name },
    async close() {
      await db.destroy();
      await dropDatabase(cluster, name);
    },
  };
}

/** The connection URL of the owner of a test database, in the form of `DATABASE_URL`. */
export function databaseUrl({ owner }: TestDatabase): string {
  const { user, password, host, port, database } = owner;
  return `postgresql://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host!)}`;
}

/** The cluster of the worker that runs this file. */
export function testCluster(): TestCluster {
  const clusters = inject('clusters');
  const worker = Number(process.env.VITEST_POOL_ID ?? 1);
  return clusters[worker % clusters.length]!;
}
