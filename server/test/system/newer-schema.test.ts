import { afterAll, beforeAll, expect, test } from 'vitest';
import { onConnection } from '../../src/database/copy-tables.ts';
import { prepareJobs } from '../../src/jobs/jobs.ts';
import { cookieOf } from '../support/app.ts';
import { databaseUrl, type TestDatabase, testDatabase } from '../support/database.ts';
import { type ServerProcess, serverProcesses } from '../support/process.ts';
import { insertAccount } from '../support/rows.ts';

/** A server whose database others migrate, in the order of the tests. */
const processes = serverProcesses();
let database: TestDatabase;
let server: ServerProcess;
let ingesting: ServerProcess;
let cookie: string;
beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  await insertAccount(database.db, 'ann', {});
  cookie = await cookieOf(database, 'ann');
  const dataDir = processes.newFolder();
  const variables = { DATABASE_URL: databaseUrl(database), SECRET: 's'.repeat(32) };
  server = await processes.start(dataDir, variables);
  ingesting = await processes.start(dataDir, { ...variables, ROLE: 'ingest' });
});
afterAll(async () => {
  await processes.dispose();
  await database.close();
});

const asOwner = (statements: string) => onConnection(database.owner, (client) => client.query(statements));
const noted = (name: string, needs: string): string =>
  `insert into kysely_migration (name, timestamp) values ('${name}', '2030-01-01');
   insert into schema_changes (name, needs) values ('${name}', ${needs});`;

async function ask(path: string, of = server): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await fetch(`${of.url}${path}`, { headers: { cookie } });
  return { status: answer.status, body: await answer.json() };
}

test('REL-55 a server works on while a newer one adds to the schema', async () => {
  await asOwner(`alter table accounts add column nickname text; ${noted('998-nicknames', 'null')}`);
  expect(await ask('/readyz')).toEqual({ status: 200, body: { ok: true } });
  expect((await ask('/api/visualizations')).status).toBe(200);
});

test('REL-55 what a newer schema lets fail is answered with 503, the server is not ready, and says why', async () => {
  await asOwner(`alter table accounts rename column status to stage; ${noted('999-stages', "'998-nicknames'")}`);
  // The first request after it may be the one that notices.
  expect(await ask('/api/visualizations')).toMatchObject({
    status: 503,
    body: { data: { code: 'fault/unavailable' } },
  });
  for (const one of [server, ingesting])
    expect(await ask('/readyz', one)).toMatchObject({
      status: 503,
      body: { reason: 'A newer version has migrated the database to 999-stages, with which this one cannot work' },
    });
  expect((await ask('/healthz')).status).toBe(200);
  expect((await ask('/api/session')).status).toBe(503);
  expect(server.complaint()).toContain('"event":"schema"');
});

test('REL-55 a server of this version does not start on such a schema', async () => {
  const variables = { DATABASE_URL: databaseUrl(database), SECRET: 's'.repeat(32) };
  await expect(processes.start(processes.newFolder(), variables)).rejects.toThrow(
    'The database was made by a newer version of this server.',
  );
});
