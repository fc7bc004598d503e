import { sql } from 'kysely';
import type { Db } from '../../src/database/open.ts';

/**
 * Rows and columns that a digest leaves out, each with the reason why it may change without an action.
 *
 * `event_streams` rows disappear by themselves when a stream closes.
 */
const without: Readonly<Record<string, string>> = {
  // Every request updates the last-seen time, and a change of role causes a new token.
  sessions:
    "select md5((to_jsonb(t) - '{last_seen_at,token_hash,previous_hash,previous_until,rotation_due}'::text[])::text) as row from sessions t",
  // Refusals are written to the audit log, up to a limit per hour.
  audit_log: "select md5(t::text) as row from audit_log t where action <> 'refused'",
  rate_limits: "select md5(t::text) as row from rate_limits t where key not like 'audit-refusal%'",
  event_streams: '',
};

/** A text per table, equal if the rows are equal. */
export type Digest = Readonly<Record<string, string>>;

/** The query of a database's digest: its tables stay the same. */
const queries = new WeakMap<Db, Promise<string>>();

/** Computes the digest of every table of the product. */
export async function digest(db: Db): Promise<Digest> {
  const query = queries.get(db) ?? digestQuery(db);
  queries.set(db, query);
  const { rows } = await sql.raw<{ name: string; sum: string }>(await query).execute(db);
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}

async function digestQuery(db: Db): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db);
  return tables
    .map(({ name }) => ({ name, rows: without[name] ?? `select md5(t::text) as row from "${name}" t` }))
    .filter(({ rows }) => rows !== '')
    .map(
      ({ name, rows }) =>
        `select '${name}' as name, md5(coalesce(string_agg(row, '' order by row), '')) as sum from (${rows}) r`,
    )
    .join(' union all ');
}

/** Names of the tables whose rows have changed. */
export const changedTables = (before: Digest, after: Digest): string[] =>
  Object.keys(after).filter((table) => after[table] !== before[table]);
