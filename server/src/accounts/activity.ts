import type { ActivityFilter, ActivityLine } from '@kc/rules/shapes';
import { sql } from 'kysely';
import type { Queryable } from '../database/open.ts';

/**
 * Lines of the audit log, newest first.
 *
 * Accounts are named by their email while they are there; a line outlives its account and shows the id then.
 *
 * @param before only lines older than the one with this id
 */
export async function listActivity(
  db: Queryable,
  { kind, text }: ActivityFilter,
  before: number | undefined,
  count: number,
): Promise<ActivityLine[]> {
  // The database takes no NUL in a text, so no line has one.
  if (text?.includes('\0')) return [];
  let query = db
    .selectFrom('audit_log as line')
    .leftJoin('accounts as actor', 'actor.id', 'line.actor')
    .leftJoin('accounts as target', 'target.id', 'line.target')
    .select(['line.id', 'line.at', 'line.action as kind', 'line.result', 'line.details'])
    .select((eb) => eb.fn.coalesce('actor.email', 'line.actor').as('actor'))
    .select((eb) => eb.fn.coalesce('target.email', 'line.target').as('target'))
    .orderBy('line.id', 'desc')
    .limit(count);
  if (kind) query = query.where('line.action', '=', kind);
  if (before !== undefined) query = query.where('line.id', '<', before);
  if (text?.trim()) {
    const pattern = `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(
      sql<boolean>`concat_ws(' ', line.action, line.result, line.actor, actor.email, line.target, target.email, line.details::text) ilike ${pattern}`,
    );
  }
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, at: row.at.getTime() }));
}
