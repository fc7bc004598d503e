import type { ClientConfig } from 'pg';
import { roles } from '../../src/database/cluster.ts';
import { onConnection } from '../../src/database/copy-tables.ts';

/** What a server can use of a schema. A view that stands for a table counts as one. */
export type Schema = {
  /** By `table.column`. */
  readonly columns: ReadonlyMap<string, Column>;
  /** What a row must fulfil. */
  readonly rules: readonly Rule[];
  /** What tells rows apart, for `on conflict`. Of a view, the keys of the table behind it count. */
  readonly keys: readonly Rule[];
  readonly views: ReadonlySet<string>;
  /** `table privilege` of the server's role. */
  readonly rights: ReadonlySet<string>;
};

type Column = { readonly type: string; readonly nullable: boolean; readonly filled: boolean };

/** As PostgreSQL writes it, with the columns of which it speaks as `table.column`. */
type Rule = { readonly table: string; readonly text: string; readonly columns: readonly string[] };

export async function readSchema(connection: ClientConfig): Promise<Schema> {
  return onConnection(connection, async (client) => {
    const ask = async <Row>(text: string): Promise<Row[]> => (await client.query(text)).rows as Row[];
    const columns = await ask<Column & { name: string }>(
      `select table_name || '.' || column_name as name, udt_name as type, is_nullable = 'YES' as nullable,
         column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as filled
       from information_schema.columns where table_schema = 'public'`,
    );
    const rules = await ask<Rule>(
      `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as text,
         array(select conrelid::regclass || '.' || attname from pg_attribute
           where attrelid = conrelid and attnum = any (conkey)) as columns
       from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n' and conrelid <> 0`,
    );
    const keys = await ask<Rule>(
      `select indrelid::regclass::text as table, regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', '') as text,
         array(select indrelid::regclass || '.' || attname from pg_attribute
           where attrelid = indrelid and attnum = any (indkey)) as columns
       from pg_index join pg_class on pg_class.oid = indexrelid
       where indisunique and relnamespace = 'public'::regnamespace`,
    );
    const views = await ask<{ name: string }>(`select viewname as name from pg_views where schemaname = 'public'`);
    const rights = await ask<{ right: string }>(
      `select table_name || ' ' || privilege_type as right from information_schema.table_privileges
       where table_schema = 'public' and grantee = '${roles.app}'`,
    );
    return {
      columns: new Map(columns.map(({ name, ...column }) => [name, column])),
      rules,
      keys,
      views: new Set(views.map(({ name }) => name)),
      rights: new Set(rights.map(({ right }) => right)),
    };
  });
}

/**
 * What a server that knows only the schema `before` would miss in the schema `after`, or could no longer write. That a column may
 * be null from now on is none: who writes null is a newer server, and has to consider what an older one makes of it.
 */
export function lossesOf(before: Schema, after: Schema): string[] {
  const tables = new Set([...before.columns.keys()].map(tableOf));
  const isNew = (column: string): boolean => !before.columns.has(column);
  // What speaks of new columns alone, rows of older servers fulfil: they leave these columns out.
  const binds = ({ table, columns }: Rule): boolean =>
    tables.has(table) && !(columns.length > 0 && columns.every(isNew));
  return [
    ...[...before.columns].flatMap(([name, column]) => lossOfColumn(name, column, after.columns.get(name))),
    ...[...after.columns]
      .filter(([name, { nullable, filled }]) => isNew(name) && tables.has(tableOf(name)) && !nullable && !filled)
      .map(([name]) => `${name} must be given`),
    ...without(after.rules.filter(binds), before.rules).map(({ table, text }) => `${table} has the new rule ${text}`),
    ...without(after.keys.filter(binds), before.keys).map(({ table, text }) => `${table} has the new key ${text}`),
    ...without(before.keys, after.keys)
      .filter(({ table }) => !after.views.has(table))
      .map(({ table, text }) => `${table} lacks the key ${text}`),
    ...[...before.rights].filter((right) => !after.rights.has(right)).map((right) => `the right ${right} is gone`),
  ];
}

function lossOfColumn(name: string, before: Column, after: Column | undefined): string[] {
  if (!after) return [`${name} is gone`];
  return [
    ...(after.type === before.type ? [] : [`${name} is ${after.type}, not ${before.type}`]),
    ...(before.nullable && !after.nullable ? [`${name} must not be null`] : []),
    ...(before.filled && !after.filled && !after.nullable ? [`${name} must be given`] : []),
  ];
}

const tableOf = (column: string): string => column.split('.')[0]!;

const without = (rules: readonly Rule[], others: readonly Rule[]): Rule[] =>
  rules.filter(({ table, text }) => !others.some((other) => other.table === table && other.text === text));
