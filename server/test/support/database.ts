import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg, { type ClientConfig } from 'pg';
import { expect, inject } from 'vitest';
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
  // Many tests make fifty calls at once, which a busy machine may need longer for than the product lets them wait.
  const db = openDatabase(connection, () => undefined, 10, 60_000);
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

/** How many transactions wait for a lock of another one. */
export async function waitingForLocks(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
  return rows[0]!.count;
}

/** Resolves when a transaction waits for a lock of another one. */
export const untilOneWaits = (db: Db): Promise<void> => expect.poll(() => waitingForLocks(db)).toBeGreaterThan(0);

/** From now on, a job that failed is due at once. In production it waits for seconds, and so would each test of faults. */
export async function repeatJobsAtOnce({ owner }: TestDatabase): Promise<void> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    await client.query(`
      create function due_at_once() returns trigger language plpgsql as $$ begin
        new.start_after = now();
        return new;
      end $$;
      create trigger due_at_once before insert or update on jobs.job for each row
        when (new.state = 'retry') execute function due_at_once()`);
  } finally {
    await client.end();
  }
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
