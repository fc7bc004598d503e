import { isDeepStrictEqual } from 'node:util';
import type { FieldMap } from '@kc/rules/upload';
import { type Selectable, sql, type Updateable } from 'kysely';
import { changesRow, isId, type Queryable } from '../database/open.ts';
import type { VisualizationRow } from '../database/schema.ts';

export type VisualizationRecord = Selectable<VisualizationRow>;
/** A record with its owner's email. */
export type OwnedRecord = VisualizationRecord & { readonly user_email: string };

const owned = (db: Queryable) =>
  db
    .selectFrom('visualizations')
    .innerJoin('accounts', 'accounts.id', 'visualizations.user_id')
    .selectAll('visualizations')
    .select('accounts.email as user_email');

export async function findVisualization(db: Queryable, id: string): Promise<OwnedRecord | undefined> {
  if (!isId(id)) return undefined;
  return owned(db).where('visualizations.id', '=', id).executeTakeFirst();
}

/** A user's own visualizations, the active one first, then the newest; the sample last if it is shown. */
export async function listVisualizations(db: Queryable, userId: string, withSample: boolean): Promise<OwnedRecord[]> {
  if (!isId(userId)) return [];
  return owned(db)
    .where((e) =>
      e.or([
        e.and([e('user_id', '=', userId), e('visualizations.is_sample', '=', false)]),
        ...(withSample ? [e('visualizations.is_sample', '=', true)] : []),
      ]),
    )
    .orderBy('visualizations.is_sample')
    .orderBy('is_active', 'desc')
    .orderBy('uploaded_at', 'desc')
    .orderBy('visualizations.id')
    .execute();
}

/** Other visualizations of the same user whose packs have this version's format, newest first. */
export function listOthers(
  db: Queryable,
  { id, user_id }: Pick<VisualizationRecord, 'id' | 'user_id'>,
  version: number,
  most: number,
): Promise<{ pack_key: string }[]> {
  return db
    .selectFrom('visualizations')
    .select('pack_key')
    .where('user_id', '=', user_id)
    .where('id', '!=', id)
    .where('pack_version', '=', version)
    .orderBy('uploaded_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute();
}

export function findByUpload(db: Queryable, uploadId: string): Promise<VisualizationRecord | undefined> {
  return db.selectFrom('visualizations').selectAll().where('upload_id', '=', uploadId).executeTakeFirst();
}

/** @returns whether it was inserted: an existing record of the same upload stays unchanged */
export const insertVisualization = (db: Queryable, record: VisualizationRecord): Promise<boolean> =>
  changesRow(
    db
      .insertInto('visualizations')
      .values(record)
      .onConflict((conflict) => conflict.doNothing()),
  );

/**
 * Waits for its turn to change which visualization of these users is active. Locks in the order of IDs, so that two who
 * change each other's data cannot deadlock.
 *
 * @returns the current account of an ID: the one that it was migrated to meanwhile, or itself; `undefined` if it was deleted
 */
export async function lockOwners(tx: Queryable, ids: readonly string[]): Promise<(id: string) => string | undefined> {
  const current = new Map<string, string | undefined>();
  for (const id of [...new Set(ids)].sort()) current.set(id, await lockOwner(tx, id));
  return (id) => current.get(id);
}

async function lockOwner(transaction: Queryable, userId: string): Promise<string | undefined> {
  const found = await transaction
    .selectFrom('accounts')
    .select(['id', 'migrated_to'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return found?.migrated_to ? lockOwner(transaction, found.migrated_to) : found?.id;
}

/** Makes one visualization of a user active. The others are deactivated first: the index allows one at a time. */
export async function flipActive(transaction: Queryable, userId: string, id: string): Promise<void> {
  await transaction
    .updateTable('visualizations')
    .set({ is_active: false })
    .where('user_id', '=', userId)
    .where('is_active', '=', true)
    .where('id', '!=', id)
    .execute();
  await transaction.updateTable('visualizations').set({ is_active: true }).where('id', '=', id).execute();
}

/** @returns whether the record exists */
export async function changeRecord(
  transaction: Queryable,
  id: string,
  change: Pick<Updateable<VisualizationRow>, 'description' | 'newest_month' | 'field_map'>,
): Promise<boolean> {
  return changesRow(transaction.updateTable('visualizations').set(change).where('id', '=', id));
}

/** Which of these storage keys a row refers to, including deleted files until their time is over. */
export async function referencedKeys(db: Queryable, keys: readonly string[], now: Date): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await sql<{ key: string }>`
    select k.key from unnest(${sql.val([...keys])}::text[]) as k (key)
    where exists (select from uploads u where k.key in (u.file_key, u.pack_key))
       or exists (select from visualizations v where k.key in (v.file_key, v.pack_key))
       or exists (select from drafts r where k.key in (r.graph_key, r.file_key, r.pack_key))
       or exists (select from visualization_lists l where k.key = l.file_key)
       or exists (select from deleted_files d where d.key = k.key and d.remove_after > ${now})`.execute(db);
  return new Set(rows.map((row) => row.key));
}

/** Keeps stored files that no record will refer to until `removeAfter`. */
export async function noteDeletedFiles(db: Queryable, keys: readonly string[], removeAfter: Date): Promise<void> {
  await db
    .insertInto('deleted_files')
    .values(keys.map((key) => ({ key, remove_after: removeAfter })))
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ remove_after: removeAfter }))
    .execute();
}

/** Ends the retention of deleted files: of these, or of all whose time is over. */
export async function endGrace(db: Queryable, which: { keys: readonly string[] } | { before: Date }): Promise<void> {
  const files = db.deleteFrom('deleted_files');
  await ('keys' in which
    ? files.where('key', 'in', [...which.keys])
    : files.where('remove_after', '<=', which.before)
  ).execute();
}

/** Visualizations whose packs do not have this version's format, or not their present field map; the active ones first. */
export function findOutdatedPacks(db: Queryable, version: number): Promise<{ id: string; pack_key: string }[]> {
  return db
    .selectFrom('visualizations')
    .select(['id', 'pack_key'])
    .where((e) => e.or([e('pack_version', '!=', version), e('field_map', 'is distinct from', e.ref('pack_field_map'))]))
    .where('is_sample', '=', false)
    .orderBy('is_active', 'desc')
    .orderBy('uploaded_at', 'desc')
    .execute();
}

/** @returns the deleted record; `undefined` if it was already deleted */
export function deleteVisualization(db: Queryable, id: string): Promise<VisualizationRecord | undefined> {
  return db.deleteFrom('visualizations').where('id', '=', id).returningAll().executeTakeFirst();
}

/** Whether two files are read in the same way. */
export const isSameMap = (one: FieldMap | null, other: FieldMap | null): boolean =>
  isDeepStrictEqual(one ?? {}, other ?? {});
