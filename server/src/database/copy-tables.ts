import type { Readable, Writable } from 'node:stream';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { quietConnection } from './open.ts';

/** A table in the format of `COPY`: its columns in this order, as text. */
type CopiedTable = { readonly name: string; readonly columns: readonly string[] };

/** Created by the migrations themselves, which create it again. */
const ofMigrations = ['kysely_migration', 'kysely_migration_lock', 'schema_changes'];

const table = pg.escapeIdentifier;

/** A connection without time limits; closed when the work ends, whatever its result. */
export async function onConnection<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection, ...quietConnection });
  // If the connection breaks, the next query fails; without a listener, the error event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Everything that `work` reads is from one snapshot, however long it takes and whatever is written meanwhile. No
 * migration runs until it is done.
 */
export async function inSnapshot<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  const before = (await tablesOf(client)).map(({ name }) => name);
  await client.query('begin isolation level repeatable read, read only');
  try {
    // Before the first query, which determines the snapshot.
    if (before.length > 0) await client.query(`lock table ${before.map(table).join(', ')} in access share mode`);
    return await work();
  } finally {
    await client.query('rollback').catch(() => undefined);
  }
}

/** The last migration that was run; `undefined` if none was. */
export async function schemaOf(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ found: string | null }>(
    `select to_regclass('public.kysely_migration') as found`,
  );
  if (!rows[0]?.found) return undefined;
  const last = await client.query<{ name: string }>('select name from kysely_migration order by name desc limit 1');
  return last.rows[0]?.name;
}

/** All tables of the product, each after those that its rows refer to. */
export async function tablesOf(client: pg.Client): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable & { needs: string[] }>(
    `select c.relname::text as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns,
      array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid) as needs
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and c.relname <> all ($1)
    order by c.relname`,
    [ofMigrations],
  );
  const ordered: CopiedTable[] = [];
  for (let remaining = rows; remaining.length > 0; ) {
    const done = new Set(ordered.map(({ name }) => name));
    const next = remaining.filter(({ needs }) => needs.every((name) => done.has(name)));
    if (next.length === 0)
      throw new Error(`Tables point at each other: ${remaining.map(({ name }) => name).join(', ')}`);
    ordered.push(...next.map(({ name, columns }) => ({ name, columns })));
    remaining = remaining.filter((row) => !next.includes(row));
  }
  return ordered;
}

const copied = ({ name, columns }: CopiedTable): string => `copy ${table(name)} (${columns.map(table).join(', ')})`;

/** The rows of a table as text, and their number once all are read. */
export function copyOut(client: pg.Client, what: CopiedTable): { readonly rows: Readable; count(): number } {
  const rows = client.query(to(`${copied(what)} to stdout`));
  return { rows, count: () => rows.rowCount };
}

/** Writes rows of a table from text; their number once all are written. */
export function copyIn(client: pg.Client, what: CopiedTable): { readonly rows: Writable; count(): number } {
  const rows = client.query(from(`${copied(what)} from stdin`));
  return { rows, count: () => rows.rowCount };
}

/** Removes rows that migrations have inserted into a table. */
export async function emptyTable(client: pg.Client, { name }: CopiedTable): Promise<void> {
  // Checked first: one table rejects the statement itself, even without rows.
  const { rows } = await client.query(`select from ${table(name)} limit 1`);
  if (rows.length > 0) await client.query(`delete from ${table(name)}`);
}

/** Sets the sequences of a table to continue after the highest number in use. */
export async function advanceSequences(client: pg.Client, { name, columns }: CopiedTable): Promise<void> {
  for (const column of columns) {
    const { rows } = await client.query<{ sequence: string | null }>(
      'select pg_get_serial_sequence(quote_ident($1), $2) as sequence',
      [name, column],
    );
    const sequence = rows[0]?.sequence;
    if (!sequence) continue;
    const highest = `(select max(${table(column)}) from ${table(name)})`;
    await client.query(`select setval($1, coalesce(${highest}, 1), ${highest} is not null)`, [sequence]);
  }
}
