import { randomBytes } from 'node:crypto';
import type { ClientConfig } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { releases } from '../../../tools/releases.ts';
import { cloneDatabase, createDatabase, dropDatabase, templates } from '../../test/support/cluster.ts';
import { testCluster } from '../../test/support/database.ts';
import { lossesOf, readSchema } from '../../test/support/schema-losses.ts';
import { roles } from './cluster.ts';
import { onConnection } from './copy-tables.ts';
import { migrate, migrations, schemas } from './migrate.ts';
import type { Contract } from './migrations-1.ts';

const names: string[] = [];
afterAll(async () => {
  for (const name of names) await dropDatabase(testCluster(), name);
});

async function database(make: (name: string) => Promise<void>): Promise<ClientConfig> {
  const name = `expand_${randomBytes(8).toString('hex')}`;
  await make(name);
  names.push(name);
  return { ...testCluster().owner, database: name };
}

const released = releases();
const [last] = released;

/** Why a migration must not take something away; `undefined` if it may. */
function refusal(contract: Contract | undefined): string | undefined {
  if (!contract) return 'It takes away what the last release uses, and has no `contract`';
  const first = released.find(({ name }) => name === contract.release);
  if (!first) return `${contract.release} is no release: what it does without, the last release still uses`;
  if (first.schema !== contract.schema) return `The newest migration of ${first.name} is ${first.schema}`;
  return undefined;
}

test('REL-55 every release names a schema of this version', () => {
  expect(last).toBeDefined();
  expect(released.filter(({ schema }) => !schemas.includes(schema))).toEqual([]);
});

test('REL-55 no migration takes away what servers of the last release use', async () => {
  const connection = await database((name) => createDatabase(testCluster(), name));
  const later = schemas.slice(schemas.indexOf(last!.schema) + 1);
  expect(later.length).toBeGreaterThan(0);
  await migrate(connection, roles.app, undefined, last!.schema);
  const used = await readSchema(connection);
  let before: readonly string[] = [];
  for (const schema of later) {
    await migrate(connection, roles.app, undefined, schema);
    const losses = lossesOf(used, await readSchema(connection));
    const own = losses.filter((loss) => !before.includes(loss));
    before = losses;
    // What a release has used is taken away in a later one: migrate.ts, `Contract`.
    if (own.length > 0) expect(refusal(migrations[schema]!.contract), `${schema}: ${own.join('; ')}`).toBeUndefined();
  }
});

test('REL-55 the job runner has the tables of the last release', async () => {
  const connection = await database((name) => cloneDatabase(testCluster(), name, templates.jobs));
  const { rows } = await onConnection(connection, (client) => client.query('select version from jobs.version'));
  // Servers of the last release cannot run jobs beside ones with other tables: say in CHANGELOG.md that they must be stopped.
  expect(rows).toEqual([{ version: last!.jobs }]);
});

test.each([
  ['drop table pending_moves', ['pending_moves.visualization_id is gone', 'pending_moves.moves is gone']],
  ['alter table presets drop column kind', ['presets.kind is gone']],
  ['alter table presets rename to saved', ['presets.kind is gone']],
  ['alter table plans rename column lead_months to lead', ['plans.lead_months is gone']],
  ['alter table plans alter lead_months type bigint', ['plans.lead_months is int8, not int2']],
  ['alter table plans alter lead_months drop default', ['plans.lead_months must be given']],
  ['alter table uploads alter checksum set not null', ['uploads.checksum must not be null']],
  ['alter table uploads add column shelf text not null', ['uploads.shelf must be given']],
  ['alter table uploads add check (size < 7)', ['uploads has the new rule CHECK ((size < 7))']],
  ['create unique index on uploads (size)', ['uploads has the new key btree (size)']],
  ['alter table stored_files drop constraint stored_files_pkey', ['stored_files lacks the key btree (key)']],
  [`revoke insert on uploads from ${roles.app}`, ['the right uploads INSERT is gone']],
  ['alter table uploads add column shelf text', []],
  [`alter table uploads add column shelf text not null default 'here'`, []],
  ['create table places (id text primary key, name text not null unique)', []],
  [`alter table uploads add column shelf text check (shelf <> '')`, []],
  ['create index on uploads (size)', []],
])('REL-55 of "%s", servers of before miss %j', async (statement, missed) => {
  const connection = await database((name) => cloneDatabase(testCluster(), name, templates.tables));
  const before = await readSchema(connection);
  await onConnection(connection, (client) => client.query(statement));
  const losses = lossesOf(before, await readSchema(connection));
  expect(losses).toEqual(expect.arrayContaining(missed));
  if (missed.length === 0) expect(losses).toEqual([]);
});

test('REL-55 only a release that is out can have stopped to use something', () => {
  expect(refusal(undefined)).toMatch(/has no `contract`/);
  expect(refusal({ release: '99.0.0', schema: last!.schema })).toMatch(/^99\.0\.0 is no release/);
  expect(refusal({ release: last!.name, schema: '001-accounts' })).toBe(
    `The newest migration of ${last!.name} is ${last!.schema}`,
  );
  expect(refusal({ release: last!.name, schema: last!.schema })).toBeUndefined();
});
