import { sql } from 'kysely';
import type { Db } from '../../src/database/open.ts';

/**
 * What may change though nothing was done, each with its reason: rows, or a column, that a digest leaves out.
 *
 * `event_streams` empties by itself when a stream closes.
 */
const without: Readonly<Record<string, string>> = {
  // Every request records that the user was seen, and after a change of role a new token is set.
  sessions:
    "select md5((to_jsonb(t) - '{last_seen_at,token_hash,previous_hash,previous_until,rotation_due}'::text[])::text) as row from sessions t",
  // Refusals are logged, a limited number of times per hour.
  audit_log: "select md5(t::text) as row from audit_log t where action <> 'refused'",
  rate_limits: "select md5(t::text) as row from rate_limits t where key not like 'audit-refusal%'",
  event_streams: '',
};

/** A text for the rows of each table: equal texts, equal rows. */
export type Digest = Readonly<Record<string, string>>;

/** Every table of the product. */
export async function digest(db: Db): Promise<Digest> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db);
  const parts = tables
    .map(({ name }) => ({ name, rows: without[name] ?? `select md5(t::text) as row from "${name}" t` }))
    .filter(({ rows }) => rows !== '')
    .map(
      ({ name, rows }) =>
        `select '${name}' as name, md5(coalesce(string_agg(row, '' order by row), '')) as sum from (${rows}) r`,
    );
  const { rows } = await sql.raw<{ name: string; sum: string }>(parts.join(' union all ')).execute(db);
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}

/** Names of the tables whose rows are not what they were. */
export const changedTables = (before: Digest, after: Digest): string[] =>
  Object.keys(after).filter((table) => after[table] !== before[table]);
