import { createHash, randomUUID } from 'node:crypto';
import type { NodePath } from '@kc/pack/plan/node-paths';
import { shownName } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { deletedOwner, ownerAccount, ownerText, type PlanFields } from '@kc/rules/plan';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { countOf, isId, type Queryable } from '../database/open.ts';
import type { PlanChangeRow, PlanEntryRow, PlanRow } from '../database/plan-tables.ts';
import { asError } from '../http/refusals.ts';
import type { DataSet } from '../visualizations/data-sets.ts';

export type PlanRecord = Selectable<PlanRow>;
export type EntryRecord = Selectable<PlanEntryRow>;

/** Rows of one statement: PostgreSQL allows 65,535 parameters. */
const rowsAtATime = 3_000;

/** A short name of a path, equal for equal paths. */
export const pathHash = (path: NodePath): string =>
  createHash('sha256').update(JSON.stringify(path)).digest('hex').slice(0, 32);

const plansOf = (db: Queryable, set: DataSet) =>
  db
    .selectFrom('plans')
    .selectAll()
    .where((e) => e.and(set));

export const findPlan = (db: Queryable, set: DataSet): Promise<PlanRecord | undefined> =>
  plansOf(db, set).executeTakeFirst();

/** {@link findPlan}, locked: writes to a plan follow each other. */
export const findLockedPlan = (tx: Queryable, set: DataSet): Promise<PlanRecord | undefined> =>
  plansOf(tx, set).forUpdate().executeTakeFirst();

/** The plan of some data, which is created if there is none. Locked. */
export async function lockPlan(tx: Queryable, set: DataSet, at: Date): Promise<PlanRecord> {
  await tx
    .insertInto('plans')
    .values({ id: randomUUID(), ...set, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findLockedPlan(tx, set))!;
}

/** All entries that are in the plan, in a fixed order. */
export function placesOf(
  db: Queryable,
  planId: string,
): Promise<Pick<EntryRecord, 'id' | 'kind' | 'paths' | 'fields' | 'keywords' | 'volume'>[]> {
  return db
    .selectFrom('plan_entries')
    .select(['id', 'kind', 'paths', 'fields', 'keywords', 'volume'])
    .where('plan_id', '=', planId)
    .where('is_planned', '=', true)
    .orderBy('added_at')
    .orderBy('id')
    .execute();
}

const allEntries = (db: Queryable, planId: string) =>
  db.selectFrom('plan_entries').selectAll().where('plan_id', '=', planId);

/**
 * Entries that changed after a revision, oldest change first, and whether there are more. All entries of one revision
 * are on one page. Entries that were removed long ago are left out.
 */
export async function changedSince(
  db: Queryable,
  planId: string,
  since: number,
  now: Date,
): Promise<{ entries: EntryRecord[]; upTo: number | undefined }> {
  const last = await db
    .selectFrom('plan_entries')
    .select('rev')
    .where('plan_id', '=', planId)
    .where('rev', '>', since)
    .orderBy('rev')
    .orderBy('id')
    .offset(limits.planPageEntries)
    .limit(1)
    .executeTakeFirst();
  const keptSince = new Date(now.getTime() - limits.planRemovedKeptMs);
  const entries = await allEntries(db, planId)
    .where('rev', '>', since)
    .$if(last !== undefined, (query) => query.where('rev', '<=', last!.rev))
    .where((e) => e.or([e('removed_at', 'is', null), e('removed_at', '>', keptSince)]))
    .orderBy('rev')
    .orderBy('id')
    .execute();
  return { entries, upTo: last?.rev };
}

export async function entriesById(db: Queryable, planId: string, ids: readonly string[]): Promise<EntryRecord[]> {
  const known = [...new Set(ids)].filter(isId);
  if (known.length === 0) return [];
  return allEntries(db, planId)
    .where(sql<boolean>`id = any(${sql.val(known)}::text[])`)
    .orderBy('added_at')
    .orderBy('id')
    .execute();
}

/** All entries of a plan, in the plan or removed, in a fixed order. */
export const entriesOf = (db: Queryable, planId: string): Promise<EntryRecord[]> =>
  allEntries(db, planId).orderBy('added_at').orderBy('id').execute();

/** Entries that have, or had, any of some paths; the ones that are in the plan first, then the last removed. */
export function entriesAtPaths(db: Queryable, planId: string, hashes: readonly string[]): Promise<EntryRecord[]> {
  return allEntries(db, planId)
    .where(sql<boolean>`path_hashes && ${sql.val([...hashes])}::text[]`)
    .orderBy('is_planned', 'desc')
    .orderBy('removed_at', 'desc')
    .orderBy('id')
    .execute();
}

export const countEntries = (db: Queryable, planId: string): Promise<number> =>
  countOf(db.selectFrom('plan_entries').where('plan_id', '=', planId).where('is_planned', '=', true));

/** The refusal of more entries than a plan can have, as the contract's error. */
export const planFull = () =>
  asError({ code: 'plan/full', params: { max: limits.maxPlanEntries.toLocaleString('en') } });

/** Inserts entries, or replaces what a write may change of them. */
export async function storeEntries(tx: Queryable, entries: readonly EntryRecord[]): Promise<void> {
  for (let from = 0; from < entries.length; from += rowsAtATime) {
    const rows = entries.slice(from, from + rowsAtATime).map((entry) => ({
      ...entry,
      paths: JSON.stringify(entry.paths),
      fields: JSON.stringify(entry.fields),
      marks: JSON.stringify(entry.marks),
    }));
    await tx
      .insertInto('plan_entries')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(({ ref }) => ({
          is_planned: ref('excluded.is_planned'),
          path_hashes: ref('excluded.path_hashes'),
          paths: ref('excluded.paths'),
          fields: ref('excluded.fields'),
          marks: ref('excluded.marks'),
          fingerprint: ref('excluded.fingerprint'),
          keywords: ref('excluded.keywords'),
          volume: ref('excluded.volume'),
          rev: ref('excluded.rev'),
          removed_at: ref('excluded.removed_at'),
        })),
      )
      .execute();
  }
}

type NewChange = Omit<Selectable<PlanChangeRow>, 'id'>;

export async function addChanges(tx: Queryable, changes: readonly NewChange[]): Promise<void> {
  for (let from = 0; from < changes.length; from += rowsAtATime) {
    const rows = changes.slice(from, from + rowsAtATime).map((change) => ({
      ...change,
      before: JSON.stringify(change.before),
      after: JSON.stringify(change.after),
    }));
    await tx.insertInto('plan_changes').values(rows).execute();
  }
}

/** The last changes of an entry of a plan, newest first, also those from before it came to this plan. */
export function historyOf(db: Queryable, planId: string, entryId: string): Promise<Selectable<PlanChangeRow>[]> {
  return db
    .selectFrom('plan_changes')
    .innerJoin('plan_entries', 'plan_entries.id', 'plan_changes.entry_id')
    .selectAll('plan_changes')
    .where('plan_entries.plan_id', '=', planId)
    .where('plan_entries.id', '=', entryId)
    .orderBy('plan_changes.id', 'desc')
    .limit(limits.maxPlanHistory)
    .execute();
}

/**
 * The names of some accounts: their display name, or the part of their address before the @. An account that was merged
 * into another has the name of that one; a deleted one has none.
 */
export async function namesOf(db: Queryable, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string; display_name: string; email: string }>`
    select a.id, n.display_name, n.email from accounts a join accounts n on n.id = coalesce(a.migrated_to, a.id)
    where a.id = any(${sql.val([...new Set(ids)])}::text[]) order by a.id`.execute(db);
  return rows.map(({ id, ...named }) => ({ id, name: nameFor(named) }));
}

/** What a person is called in plans: their name, which is never their email, or the part of it before the @. */
export const nameFor = ({ display_name, email }: { readonly display_name: string; readonly email: string }): string =>
  shownName({ displayName: display_name.split('@')[0]!, email });

/** Entries for reading: an owner who has an account here is called by the name that it has now. */
export async function withOwnerNames<Row extends { readonly fields: PlanFields }>(
  db: Queryable,
  entries: readonly Row[],
): Promise<Row[]> {
  const accounts = entries.flatMap(({ fields }) => ownerAccount(fields.assignee) ?? []);
  const names = new Map((await namesOf(db, accounts)).map(({ id, name }) => [id, name]));
  return entries.map((entry) => {
    const account = ownerAccount(entry.fields.assignee);
    if (account === undefined) return entry;
    return { ...entry, fields: { ...entry.fields, assignee: names.get(account) ?? deletedOwner } };
  });
}

/** The accounts that are owners of entries of a plan. */
export async function ownersIn(db: Queryable, planId: string): Promise<string[]> {
  const found = await db
    .selectFrom('plan_entries')
    .select(sql<string>`fields->>'assignee'`.as('owner'))
    .distinct()
    .where('plan_id', '=', planId)
    .where('is_planned', '=', true)
    .where(sql<boolean>`starts_with(fields->>'assignee', ${ownerText({ account: '' })})`)
    .execute();
  return found.flatMap(({ owner }) => ownerAccount(owner) ?? []);
}
