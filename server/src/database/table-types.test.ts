import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const source = ['account-tables', 'draft-tables', 'plan-tables', 'webhook-tables', 'schema']
  .map((file) => readFileSync(new URL(`${file}.ts`, import.meta.url), 'utf8'))
  .map((text) => text.replaceAll(/\/\*\*.*?\*\//gs, ''))
  .join('\n')
  // Of two files, each its own.
  .replace('database_identity: IdentityRow', 'database_identity: OwnIdentityRow')
  .replace('type IdentityRow = { id: string }', 'type OwnIdentityRow = { id: string }');

/** The members of an object type by their names, with those of a type that it adds to. */
function membersOf(type: string): Map<string, string> {
  const [, base, body] = new RegExp(`type ${type} =\\s*(?:(\\w+) &\\s*)?\\{([^}]*)\\}`).exec(source) ?? [];
  if (body === undefined) throw new Error(`There is no type ${type}`);
  const own = [...body.matchAll(/(\w+): ([^;]+)(?:;|$)/g)].map(([, name, is]) => [name!, is!.trim()] as const);
  return new Map([...(base === undefined ? [] : membersOf(base)), ...own]);
}

/** The table of each row type. */
const rowTypes = new Map(
  [...source.matchAll(/^\s+(\w+): (\w+Row);$/gm)].map(([, table, type]) => [table!, type!] as const),
);
/** Of the migrations, and those that only SQL reads. */
const untyped = new Set(['kysely_migration', 'kysely_migration_lock', 'schema_changes', 'activity_cursor']);
/** Lets its table have one row. */
const untypedColumn = 'settings.only_row';

const isOptional = (type: string): boolean => /^Optional|\| null\b/.test(type);

test('the types of the tables are those of the database after all migrations', async () => {
  const { rows } = await sql<{ table: string; name: string; nullable: boolean; has_default: boolean }>`
    select table_name as table, column_name as name, is_nullable = 'YES' as nullable,
      column_default is not null or is_identity = 'YES' as has_default
    from information_schema.columns where table_schema = 'public'`.execute(database.db);
  const columns = rows.filter(({ table, name }) => !untyped.has(table) && `${table}.${name}` !== untypedColumn);
  const inDatabase = columns.map(({ table, name, nullable }) => `${table}.${name}${nullable ? ' | null' : ''}`);
  const inTypes = [...rowTypes].flatMap(([table, type]) =>
    [...membersOf(type)].map(([name, is]) => `${table}.${name}${isOptional(is) ? ' | null' : ''}`),
  );
  expect(inTypes.sort()).toEqual(inDatabase.sort());
  const hasDefault = new Set(columns.filter((one) => one.has_default).map(({ table, name }) => `${table}.${name}`));
  const mayBeAbsent = [...rowTypes].flatMap(([table, type]) =>
    [...membersOf(type)].filter(([, is]) => /^(Defaulted|Generated)/.test(is)).map(([name]) => `${table}.${name}`),
  );
  expect(mayBeAbsent.filter((column) => !hasDefault.has(column))).toEqual([]);
});
