import pg, { type ClientConfig } from 'pg';
import { inject } from 'vitest';
import { roles } from './cluster.ts';
import { migrate } from './migrate.ts';
import { type Db, openDatabase } from './open.ts';

/** A migrated database of one test file. */
export type TestDatabase = {
  readonly db: Db;
  /** As the server's own role, for what needs a connection of its own. */
  readonly connection: ClientConfig;
  readonly owner: ClientConfig;
  close(): Promise<void>;
};

let made = 0;

/** A fresh database with every table and no row. The caller closes it after its tests. */
export async function testDatabase(prepare?: Parameters<typeof migrate>[2]): Promise<TestDatabase> {
  const cluster = inject('cluster');
  const database = `test_${process.pid}_${made++}`;
  await asSuperuser(cluster.superuser, `create database ${database} owner ${roles.owner}`);
  // Nothing here outlives the run, so no commit needs to wait for the disk.
  await asSuperuser(cluster.superuser, `alter database ${database} set synchronous_commit = off`);
  const owner = { ...cluster.owner, database };
  const connection = { ...cluster.app, database };
  await migrate(owner, roles.app, prepare);
  const db = openDatabase(connection, () => undefined, 10);
  return {
    db,
    connection,
    owner,
    async close() {
      await db.destroy();
      await asSuperuser(cluster.superuser, `drop database ${database} with (force)`);
    },
  };
}

async function asSuperuser(connection: ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(statement);
  await client.end();
}
