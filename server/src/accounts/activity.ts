import type { ActivityFilter, ActivityLine } from '@kc/rules/admin-shapes';
import { sql } from 'kysely';
import type { Queryable } from '../database/open.ts';

/**
 * Lines of the audit log.
 *
 * An account is named by its email. A deleted account is named by the email in the line about its deletion; once that
 * email was removed from the log, by its ID.
 *
 * @param place only lines older than the one with the ID `before`; or, oldest first, those after `after`
 */
export async function listActivity(
  db: Queryable,
  { kind, text }: ActivityFilter,
  place: { readonly before?: number | undefined } | { readonly after: number },
  count: number,
): Promise<ActivityLine[]> {
  // The database accepts no NUL in a text, so no line has one.
  if (text?.includes('\0')) return [];
  let query = db
    .selectFrom('audit_log as line')
    .leftJoin('accounts as actor', 'actor.id', 'line.actor')
    .leftJoin('accounts as target', 'target.id', 'line.target')
    .leftJoinLateral(deletionOf('actor').as('gone_actor'), (join) => join.on('actor.id', 'is', null))
    .leftJoinLateral(deletionOf('target').as('gone_target'), (join) => join.on('target.id', 'is', null))
    .select(['line.id', 'line.at', 'line.action as kind', 'line.result', 'line.details'])
    .select(['line.actor as actorId', 'line.target as targetId'])
    .select((eb) => [
      eb.fn.coalesce('actor.email', 'gone_actor.email', 'line.actor').as('actor'),
      eb.fn.coalesce('target.email', 'gone_target.email', 'line.target').as('target'),
      eb('gone_actor.deletion', 'is not', null).as('actorDeleted'),
      eb('gone_target.deletion', 'is not', null).as('targetDeleted'),
    ])
    .orderBy('line.id', 'after' in place ? 'asc' : 'desc')
    .limit(count);
  if (kind) query = query.where('line.action', '=', kind);
  if ('after' in place) query = query.where('line.id', '>', place.after);
  else if (place.before !== undefined) query = query.where('line.id', '<', place.before);
  if (text?.trim()) {
    const pattern = `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(
      sql<boolean>`concat_ws(' ', line.action, line.result, line.actor, actor.email, gone_actor.email, line.target, target.email, gone_target.email, line.details::text) ilike ${pattern}`,
    );
  }
  const rows = await query.execute();
  return rows.map((row) => ({
    ...row,
    at: row.at.getTime(),
    actorDeleted: Boolean(row.actorDeleted),
    targetDeleted: Boolean(row.targetDeleted),
  }));
}

/**
 * The line about the deletion of a line's actor or target, with its email, if any. An account that was merged into
 * another one was deleted with it.
 */
function deletionOf(who: 'actor' | 'target') {
  return sql<{ deletion: string; email: string | null }>`(
    with recursive person(id) as (
      select ${sql.ref(`line.${who}`)}
      union
      select merged.details->>'to' from audit_log merged join person on merged.target = person.id
        where merged.action in ('migrate', 'duplicate')
    )
    select deleted.id as deletion, deleted.details->>'email' as email
      from audit_log deleted join person on deleted.target = person.id
      where deleted.action in ('delete', 'delete-records')
      order by deleted.id desc limit 1
  )`;
}

const settledMs = 60_000;

/**
 * Lines up to the first one that is younger than a minute. A line may become visible after one with a higher number, but no
 * transaction takes longer than that, so whoever goes on after the last of these misses none. A time that is far
 * ahead says that the clock was put back since.
 *
 * @param lines oldest first
 */
export function settledLines(lines: readonly ActivityLine[], now: number): readonly ActivityLine[] {
  const end = lines.findIndex(({ at }) => Math.abs(now - at) < settledMs);
  return end < 0 ? lines : lines.slice(0, end);
}
