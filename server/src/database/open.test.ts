import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCluster } from '../../test/support/cluster.ts';
import { type TestDatabase, testCluster, testDatabase } from '../../test/support/database.ts';
import { isUnavailable, openDatabase } from './open.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const setting = async (name: string) =>
  (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(database.db)).rows[0]?.value;

test('SEC-27 the server works as a role that is neither superuser nor owner of a table', async () => {
  const { rows } = await sql<{ superuser: boolean; owned: number }>`
    select usesuper as superuser, (select count(*) from pg_tables where tableowner = current_user) as owned
    from pg_user where usename = current_user`.execute(database.db);
  expect(rows).toEqual([{ superuser: false, owned: 0 }]);
  await expect(sql`create table mine (id int)`.execute(database.db)).rejects.toThrow(/permission denied/);
});

test('SEC-27 statements, locks and idle transactions end by themselves', async () => {
  expect(await setting('statement_timeout')).toBe('15s');
  expect(await setting('lock_timeout')).toBe('5s');
  expect(await setting('idle_in_transaction_session_timeout')).toBe('15s');
});

test('REL-09 a commit is on the disk, and pages carry checksums', async () => {
  // The clusters of tests do not sync to disk, so this one has the settings of the server's own.
  const { cluster, stop } = await startTestCluster({});
  const ours = openDatabase(cluster.superuser, () => undefined, 1);
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums']) {
    const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(ours);
    expect(rows, name).toEqual([{ value: 'on' }]);
  }
  await ours.destroy();
  await stop();
});

test('the database listens on no network and requires a password from every client', async () => {
  expect(await setting('listen_addresses')).toBe('');
  const superuser = openDatabase(testCluster().superuser, () => undefined, 1);
  const { rows } = await sql`select distinct auth_method as method from pg_hba_file_rules`.execute(superuser);
  await superuser.destroy();
  expect(rows).toEqual([{ method: 'scram-sha-256' }]);
});

// Shows P12.3.
test('SEC-26 nobody can rewrite the audit log', async () => {
  const { db } = database;
  const line = { at: new Date(0), actor: 'system', action: 'claim', target: 'x', details: '{}' } as const;
  await db.insertInto('audit_log').values(line).execute();
  await expect(db.updateTable('audit_log').set({ actor: 'other' }).execute()).rejects.toThrow();
  await expect(db.deleteFrom('audit_log').execute()).rejects.toThrow();
});

test('counts come as numbers', async () => {
  const { count } = await database.db
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBe(0);
});

test.each([
  ['53300', true],
  ['57P01', true],
  ['ECONNREFUSED', true],
  ['23505', false],
  ['40001', false],
])('the error %s means that the database cannot be used now: %s', (code, expected) => {
  expect(isUnavailable(Object.assign(new Error('refused'), { code }))).toBe(expected);
});

/** Whether a connection exists. When it does not, its client has been told: the answer comes after that. */
async function isConnected(pid: number): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity where pid = ${pid}`.execute(database.db);
  return rows.length > 0;
}

test('REL-12 a connection that breaks between two statements of a transaction ends that transaction, not the process', async () => {
  const { db } = database;
  const work = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(db);
    await expect.poll(() => isConnected(rows[0]!.pid)).toBe(false);
    await sql`select 1`.execute(tx);
  });
  await expect(work).rejects.toThrow();
  expect((await sql`select 1`.execute(db)).rows).toHaveLength(1);
});
