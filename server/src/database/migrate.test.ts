import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg, { type ClientConfig } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, dropDatabase } from '../../test/support/cluster.ts';
import { cuttingProxy } from '../../test/support/cutting-proxy.ts';
import { testCluster } from '../../test/support/database.ts';
import { proof, sample } from '../../test/support/proof.ts';
import { roles } from './cluster.ts';
import { migrate, migrations, schemas } from './migrate.ts';

const names: string[] = [];
let expected: string[];
/** A database that goes from schema to schema, in the order of the tests. */
let growing: ClientConfig;
beforeAll(async () => {
  growing = await emptyDatabase();
  const reference = await emptyDatabase();
  await migrate(reference, roles.app);
  expected = await shapeOf(reference);
});
afterAll(async () => {
  for (const name of names) await dropDatabase(testCluster(), name);
});

/** Connects as the owner of a database without tables. */
async function emptyDatabase(): Promise<ClientConfig> {
  const name = `schema_${randomBytes(8).toString('hex')}`;
  await createDatabase(testCluster(), name);
  names.push(name);
  return { ...testCluster().owner, database: name };
}

async function query(connection: ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Every column, constraint and index, and who may do what. */
async function shapeOf(connection: ClientConfig): Promise<string[]> {
  const rows = await query(
    connection,
    `select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as line
       from information_schema.columns where table_schema = 'public'
     union all
     select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
       from pg_constraint where connamespace = 'public'::regnamespace
     union all
     select indexdef from pg_indexes where schemaname = 'public'
     union all
     select concat_ws(' ', table_name, grantee, privilege_type)
       from information_schema.table_privileges where table_schema = 'public' and grantee = '${roles.app}'
     order by 1`,
  );
  return rows.map(({ line }) => String(line));
}

/** By the name of its last migration: the hash of the shape that a schema had when its version was released. */
const released = JSON.parse(
  readFileSync(new URL('../../../fixtures/schemas.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>;
const hashOf = (shape: readonly string[]): string =>
  createHash('sha256').update(shape.join('\n')).digest('hex').slice(0, 16);

test.each(schemas)(
  'REL-30 the schema %s is the one that was released: no migration is changed afterwards',
  async (schema) => {
    await migrate(growing, roles.app, undefined, schema);
    // For a new migration, add its line to fixtures/schemas.json. For an old one, add a migration instead of changing it.
    expect(hashOf(await shapeOf(growing)), schema).toBe(released[schema]);
  },
);

test('REL-01 no table is unlogged, so that PostgreSQL can start after any kill', async () => {
  const unlogged = `select oid::regclass::text from pg_class where relpersistence = 'u'`;
  await migrate(growing, roles.app);
  expect(await query(growing, unlogged)).toEqual([]);
  const older = await emptyDatabase();
  await migrate(older, roles.app, undefined, '049-schema-changes');
  await query(older, 'alter table event_streams set unlogged');
  await migrate(older, roles.app);
  expect(await query(older, unlogged)).toEqual([]);
});

const at = "'2026-01-15T00:00:00Z'";
/** A person with a visualization, in the words of the oldest schema that has both. */
const people = `
  insert into accounts (id, email, status, created_at, updated_at) values ('ann', 'ann@example.com', 'approved', ${at}, ${at});
  insert into visualizations (id, user_id, file_name, storage_path, uploaded_by, uploaded_at, is_active, file_size, description,
    keywords, nodes, root_name, file_key, pack_key)
  values ('one', 'ann', 'shoes.json', 'ann/shoes.json', 'ann', ${at}, true, 10, 'spring', 2, 3, 'shoes', 'file-1', 'pack-1');
  insert into uploads (id, uploader_id, user_id, file_name, description, size, received, file_key, pack_key, created_at, touched_at)
  values ('${'a'.repeat(32)}', 'ann', 'ann', 'half.json', '', 100, 40, 'file-2', 'pack-2', ${at}, ${at})`;

// All of them in `npm run prove -- migrations`.
test.each(sample(schemas.slice(1, -1), 2))(
  'REL-30 a database of schema %s is brought up to date with everything in it',
  async (schema) => {
    const connection = await emptyDatabase();
    await migrate(connection, roles.app, undefined, schema);
    await query(connection, people);
    await migrate(connection, roles.app);
    expect(await shapeOf(connection)).toEqual(expected);
    expect(await query(connection, 'select email, status from accounts')).toEqual([
      { email: 'ann@example.com', status: 'approved' },
    ]);
    expect(
      await query(connection, 'select id, description, is_active, root_name, file_key from visualizations'),
    ).toEqual([{ id: 'one', description: 'spring', is_active: true, root_name: 'shoes', file_key: 'file-1' }]);
    expect(await query(connection, 'select received::int, state, file_key from uploads')).toEqual([
      { received: 40, state: 'receiving', file_key: 'file-2' },
    ]);
  },
);

/** Dumps by the first schema that they fit, and the last: a later one has another shape of a table. */
const dumps = [{ first: '025-warnings', last: '032-upload-fences' }] as const;

const renamed: Readonly<Record<string, string>> = { filter_presets: 'presets' };

/** All rows of all tables, as JSON. */
async function rowsOf(connection: ClientConfig): Promise<Map<string, Record<string, unknown>[]>> {
  const tables = await query(
    connection,
    `select table_name from information_schema.tables
     where table_schema = 'public' and table_name not like 'kysely%' order by 1`,
  );
  const rows = new Map<string, Record<string, unknown>[]>();
  for (const { table_name: name } of tables) {
    const found = await query(connection, `select to_jsonb(t) as row from "${name}" t`);
    rows.set(
      String(name),
      found.map(({ row }) => row as Record<string, unknown>),
    );
  }
  return rows;
}

const fitting = dumps.flatMap(({ first, last }) =>
  schemas.slice(schemas.indexOf(first), schemas.indexOf(last) + 1).map((schema) => ({ first, schema })),
);
test.each(sample(fitting, 2))(
  'REL-30 plans and judgements in a database of schema $schema come through',
  async ({ first, schema }) => {
    const connection = await emptyDatabase();
    await migrate(connection, roles.app, undefined, schema);
    await query(connection, people);
    await query(connection, readFileSync(new URL(`../../../fixtures/databases/${first}.sql`, import.meta.url), 'utf8'));
    const before = await rowsOf(connection);
    await migrate(connection, roles.app);
    expect(await shapeOf(connection)).toEqual(expected);
    const after = await rowsOf(connection);
    let compared = 0;
    for (const [table, rows] of before) {
      const now = after.get(renamed[table] ?? table)!;
      expect(now.length, table).toBe(rows.length);
      const columns = Object.keys(rows[0] ?? {}).filter((column) => column in (now[0] ?? {}));
      const pick = (row: Record<string, unknown>) => JSON.stringify(columns.map((column) => row[column]));
      expect(now.map(pick).sort(), table).toEqual(rows.map(pick).sort());
      compared += rows.length;
    }
    expect(compared).toBeGreaterThan(8);
    // A dismissed warning has the path that it had, as the newest of several.
    expect(after.get('dismissed_warnings')!.map(({ paths }) => paths)).toEqual([[[['trail', 0]]]]);
  },
);

test('REL-38 of servers that start together, one makes its tables and grants rights at a time', async () => {
  const database = await emptyDatabase();
  let preparing = 0;
  let most = 0;
  const prepare = async (owner: ClientConfig) => {
    most = Math.max(most, ++preparing);
    for (let turn = 0; turn < 5; turn++) await query(owner, 'select 1');
    preparing--;
  };
  await Promise.all([1, 2, 3].map(() => migrate(database, roles.app, prepare)));
  expect(most).toBe(1);
  expect(await shapeOf(database)).toEqual(expected);
});

test('REL-30 files that a database knew stay known, and those that counted still do', async () => {
  const connection = await emptyDatabase();
  await migrate(connection, roles.app, undefined, '045-checksums');
  await query(
    connection,
    `insert into stored_keys (key) values ('file-1'), ('file-2');
     insert into stored_files (key, account_id, bytes) values ('file-2', 'ann', 7), ('file-3', 'ann', 8)`,
  );
  await migrate(connection, roles.app);
  expect(await query(connection, 'select key, account_id, bytes::int from stored_files order by key')).toEqual([
    { key: 'file-1', account_id: null, bytes: null },
    { key: 'file-2', account_id: 'ann', bytes: 7 },
    { key: 'file-3', account_id: 'ann', bytes: 8 },
  ]);
});

test('REL-30 a migration whose connection breaks at any moment is completed by the next start', async () => {
  const { runs } = proof(3);
  const proxy = await cuttingProxy();
  const { host, port } = testCluster().owner;
  proxy.leadTo(`${host}/.s.PGSQL.${port}`);
  const { hostname, port: proxyPort } = new URL(proxy.url);
  const through = (connection: ClientConfig) => ({ ...connection, host: hostname, port: Number(proxyPort) });
  await migrate(through(await emptyDatabase()), roles.app);
  const whole = proxy.sent;
  for (let run = 0; run < runs; run++) {
    const connection = await emptyDatabase();
    proxy.cutAfter((whole * (run + 1)) / (runs + 1));
    await expect(migrate(through(connection), roles.app)).rejects.toThrow();
    await migrate(connection, roles.app);
    expect(await shapeOf(connection)).toEqual(expected);
  }
  expect(proxy.cuts).toBe(runs);
  await proxy.close();
});

/** As a newer version would leave it. @param needs the migration that servers must know at least, if it has noted that */
async function migratedFurther(needs?: string | null): Promise<ClientConfig> {
  const connection = await emptyDatabase();
  await migrate(connection, roles.app);
  await query(connection, `insert into kysely_migration (name, timestamp) values ('999-later', '2030-01-01')`);
  if (needs !== undefined)
    await query(
      connection,
      `insert into schema_changes (name, needs) values ('999-later', ${needs === null ? 'null' : `'${needs}'`})`,
    );
  return connection;
}

test.each([null, '045-checksums'])(
  'REL-55 a server starts on a schema of a newer version that needs %s at least, and leaves it as it is',
  async (needs) => {
    const connection = await migratedFurther(needs);
    await migrate(connection, roles.app);
    expect(await shapeOf(connection)).toEqual(expected);
    expect((await query(connection, 'select name from kysely_migration order by name desc limit 1'))[0]).toEqual({
      name: '999-later',
    });
  },
);

test('REL-55 a migration notes which servers can go on beside those that know it', async () => {
  const connection = await emptyDatabase();
  await migrate(connection, roles.app);
  const notes = await query(connection, 'select name, needs from schema_changes order by name');
  expect(notes).toEqual(
    schemas
      .slice(schemas.indexOf('049-schema-changes'))
      .map((name) => ({ name, needs: migrations[name]!.contract?.schema ?? null })),
  );
});

test.each([undefined, '998-later'])(
  'REL-30 a database of a newer version that needs %s is refused, and left as it is',
  async (needs) => {
    const connection = await migratedFurther(needs);
    await expect(migrate(connection, roles.app)).rejects.toThrow(
      'The database was made by a newer version of this server. Start that version, or restore a backup.',
    );
    expect(await shapeOf(connection)).toEqual(expected);
  },
);
