import { createHash, randomUUID } from 'node:crypto';
import type { NodePath } from '@kc/pack/plan/node-paths';
import { defaultThresholds, type WarningKind, type WarningThresholds } from '@kc/pack/vocabulary/warnings';
import type { Dismissed } from '@kc/pack/warnings/open-warnings';
import { limits } from '@kc/rules/limits';
import { done, type Result, refuse } from '@kc/rules/result';
import { areDefaults } from '@kc/rules/warnings';
import type { Selectable } from 'kysely';
import { changesRow, countOf, type Queryable } from '../database/open.ts';
import type { DismissedWarningRow } from '../database/schema.ts';
import type { DataSet } from '../visualizations/data-sets.ts';

export type DismissedRecord = Selectable<DismissedWarningRow>;
type Judgement = Pick<DismissedRecord, 'kind' | 'subject' | 'dismissed_by' | 'dismissed_at'> & {
  /** Of the node. */
  readonly path: NodePath;
};

/** The dismissed warnings of some data, newest first, with the names of those who did so. */
export function listDismissed(
  db: Queryable,
  set: DataSet,
): Promise<(DismissedRecord & { display_name: string | null; email: string | null })[]> {
  return db
    .selectFrom('dismissed_warnings')
    .leftJoin('accounts', 'accounts.id', 'dismissed_warnings.dismissed_by')
    .selectAll('dismissed_warnings')
    .select(['accounts.display_name', 'accounts.email'])
    .where((e) => e.and(set))
    .orderBy('dismissed_at', 'desc')
    .orderBy('dismissed_warnings.id')
    .execute();
}

/**
 * Stores that a warning is no problem, unless it is stored already. Call this while the owner is locked.
 *
 * @returns the ID of the record
 */
export async function insertDismissed(tx: Queryable, set: DataSet, judgement: Judgement): Promise<Result<string>> {
  const { path, ...rest } = judgement;
  const subject_hash = subjectHash(rest.kind, path, rest.subject);
  const of = tx.selectFrom('dismissed_warnings').where((e) => e.and(set));
  const known = await of.select('id').where('subject_hash', '=', subject_hash).executeTakeFirst();
  if (known) return done(known.id);
  if ((await countOf(of)) >= limits.maxDismissedWarnings)
    return refuse('warnings/full', { max: limits.maxDismissedWarnings });
  const id = randomUUID();
  await tx
    .insertInto('dismissed_warnings')
    .values({ ...set, ...rest, paths: JSON.stringify([path]), id, subject_hash })
    .execute();
  return done(id);
}

export const subjectHash = (kind: WarningKind, path: NodePath, subject: string): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, path, subject]))
    .digest('hex');

/** What the queries need of {@link listDismissed}. */
export const dismissedOf = async (db: Queryable, set: DataSet): Promise<Dismissed[]> =>
  (await listDismissed(db, set)).map(({ kind, paths, subject }) => ({ kind, paths, subject }));

/** @returns whether there was such a record of this data */
export async function deleteDismissed(db: Queryable, set: DataSet, id: string): Promise<boolean> {
  return changesRow(
    db
      .deleteFrom('dismissed_warnings')
      .where('id', '=', id)
      .where((e) => e.and(set)),
  );
}

export async function thresholdsFor(db: Queryable, set: DataSet): Promise<WarningThresholds> {
  const found = await db
    .selectFrom('warning_thresholds')
    .select('thresholds')
    .where((e) => e.and(set))
    .executeTakeFirst();
  return { ...defaultThresholds, ...found?.thresholds };
}

/** The usual ones are not stored, so that they follow those of a later version, and an earlier one knows what is stored. */
export async function saveThresholds(db: Queryable, set: DataSet, values: WarningThresholds): Promise<void> {
  if (areDefaults(values)) {
    await db
      .deleteFrom('warning_thresholds')
      .where((e) => e.and(set))
      .execute();
    return;
  }
  const own = Object.entries(values).filter(
    ([name, value]) => defaultThresholds[name as keyof WarningThresholds] !== value,
  );
  const thresholds = JSON.stringify(Object.fromEntries(own));
  await db
    .insertInto('warning_thresholds')
    .values({ ...set, thresholds })
    .onConflict((conflict) => conflict.columns(['owner_id', 'of_sample', 'root_hash']).doUpdateSet({ thresholds }))
    .execute();
}
