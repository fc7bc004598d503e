import type { ActivityFilter, ActivityLine } from '@kc/rules/admin-shapes';
import { sql } from 'kysely';
import type { Queryable } from '../database/open.ts';

/** After the line with an ID, oldest first; or before one, newest first; or the newest. */
type Place = { readonly before?: number | undefined } | { readonly after: number };
/** From the line `first` to before the line `end`. */
type Range = { readonly first: number; readonly end: number };

/** Lines that one statement searches for a text: a second or two, of the fifteen after which the database ends it. */
const searchedAtOnce = 250_000;

/**
 * Lines of the audit log.
 *
 * An account is named by its email. A deleted account is named by the email in the line about its deletion; once that
 * email was removed from the log, by its ID.
 *
 * Cost: with a text, lines are read until there are `count` that have it, or none are left: a second for some 200,000.
 *
 * @param place only lines older than the one with the ID `before`; or, oldest first, those after `after`
 */
export async function listActivity(
  db: Queryable,
  { kind, text }: ActivityFilter,
  place: Place,
  count: number,
): Promise<ActivityLine[]> {
  // The database accepts no NUL in a text, so no line has one.
  if (text?.includes('\0')) return [];
  if (!text?.trim()) return linesOf(db, kind, place, count);
  const pattern = `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
  const search = { pattern, people: await peopleLike(db, pattern) };
  const lines: ActivityLine[] = [];
  for (const range of await rangesOf(db, place)) {
    lines.push(...(await linesOf(db, kind, place, count - lines.length, { ...search, range })));
    if (lines.length === count) break;
  }
  return lines;
}

/** What is searched for, as a pattern and as the IDs of people whose emails it is part of; and in which lines. */
type Search = { readonly pattern: string; readonly people: readonly string[]; readonly range: Range };

async function linesOf(
  db: Queryable,
  kind: ActivityFilter['kind'],
  place: Place,
  count: number,
  search?: Search,
): Promise<ActivityLine[]> {
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
  if (search) query = query.where(sql<boolean>`line.id in (${matching(search, kind, place, count)})`);
  else if ('after' in place) query = query.where('line.id', '>', place.after);
  else if (place.before !== undefined) query = query.where('line.id', '<', place.before);
  const rows = await query.execute();
  return rows.map((row) => ({
    ...row,
    at: row.at.getTime(),
    actorDeleted: Boolean(row.actorDeleted),
    targetDeleted: Boolean(row.targetDeleted),
  }));
}

/** The IDs of lines that have a text. Nobody is looked up for them: that takes longer than all else. */
function matching({ pattern, people, range }: Search, kind: ActivityFilter['kind'], place: Place, count: number) {
  const known = sql`${sql.val([...people])}::text[]`;
  return sql`
    select id from audit_log where id >= ${range.first} and id < ${range.end}
      and ${kind ? sql`action = ${kind}` : sql`true`}
      and (concat_ws(' ', action, result, actor) ilike ${pattern} or target ilike ${pattern}
        or details::text ilike ${pattern} or actor = any(${known}) or target = any(${known}))
    order by id ${'after' in place ? sql`asc` : sql`desc`} limit ${count}`;
}

/** The IDs of accounts whose email has a text, and of deleted ones that were named by such an email, themselves or merged. */
async function peopleLike(db: Queryable, pattern: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive gone(id) as (
      select target from audit_log
        where action in ('delete', 'delete-records') and details->>'email' ilike ${pattern}
      union
      select merged.target from audit_log merged join gone on merged.details->>'to' = gone.id
        where merged.action in ('migrate', 'duplicate')
    )
    select id from accounts where email ilike ${pattern}
    union
    select id from gone where not exists (select from accounts where accounts.id = gone.id)`.execute(db);
  return rows.map(({ id }) => id);
}

/** The lines at a place, in ranges that are searched one after the other. */
async function rangesOf(db: Queryable, place: Place): Promise<Range[]> {
  const bounds = db.selectFrom('audit_log').select(({ fn }) => [fn.min('id').as('first'), fn.max('id').as('last')]);
  const { first, last } = await bounds.executeTakeFirstOrThrow();
  // The log is empty.
  if (first === null || last === null) return [];
  const from = Math.max(Number(first), 'after' in place ? place.after + 1 : 0);
  const end = Math.min(Number(last) + 1, 'before' in place && place.before !== undefined ? place.before : Infinity);
  const ranges: Range[] = [];
  for (let at = from; at < end; at += searchedAtOnce)
    ranges.push({ first: at, end: Math.min(end, at + searchedAtOnce) });
  return 'after' in place ? ranges : ranges.reverse();
}

/**
 * The line about the deletion of a line's actor or target, with its email, if any. An account that was merged into
 * another one was deleted with it.
 *
 * Only an order that no index has makes the database look for the few deletions, instead of reading the whole log from its end.
 */
function deletionOf(who: 'actor' | 'target') {
  return sql<{ deletion: string; email: string | null }>`(
    with recursive person(id) as (
      select ${sql.ref(`line.${who}`)} where ${sql.ref(`${who}.id`)} is null
      union
      select merged.details->>'to' from audit_log merged join person on merged.target = person.id
        where merged.action in ('migrate', 'duplicate')
    )
    select deleted.id as deletion, deleted.details->>'email' as email
      from audit_log deleted join person on deleted.target = person.id
      where deleted.action in ('delete', 'delete-records')
      order by deleted.id + 0 desc limit 1
  )`;
}

const settledMs = 60_000;

/**
 * Lines up to the first one that is younger than a minute. A line may become visible after one with a higher number, but no
 * transaction takes longer than that, so a reader that continues after the last of these misses none. A time that is far
 * ahead says that the clock was put back since.
 *
 * @param lines oldest first
 */
export function settledLines(lines: readonly ActivityLine[], now: number): readonly ActivityLine[] {
  const end = lines.findIndex(({ at }) => Math.abs(now - at) < settledMs);
  return end < 0 ? lines : lines.slice(0, end);
}
