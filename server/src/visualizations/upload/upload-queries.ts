import type { Refusal } from '@kc/rules/result';
import type { UploadState } from '@kc/rules/upload';
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import { changesRow, findsRow, isId, type Queryable, storableJson } from '../../database/open.ts';
import type { UploadRow } from '../../database/schema.ts';
import type { Checksum } from '../../storage/checksum.ts';
import { lockNumber, sendingPrefix } from './upload-session.ts';

export type Upload = Selectable<UploadRow>;

export type NewUpload = Omit<Insertable<UploadRow>, 'created_at' | 'touched_at'>;

export async function insertUpload(db: Queryable, upload: NewUpload, now: Date): Promise<void> {
  await db
    .insertInto('uploads')
    .values({ ...upload, created_at: now, touched_at: now })
    .execute();
}

export async function findUpload(db: Queryable, id: string): Promise<Upload | undefined> {
  if (!isId(id)) return undefined;
  return db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst();
}

/** An upload that nobody else changes until the transaction ends. */
export async function lockUpload(transaction: Queryable, id: string): Promise<Upload | undefined> {
  if (!isId(id)) return undefined;
  return transaction.selectFrom('uploads').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Between two chunks no server holds the lock of an upload. */
const betweenChunksMs = 5_000;

/**
 * An account's uploads that are not visualizations yet, newest first (`active` uploads are visualizations). Each says
 * whether it is being sent: a server holds its lock, as in `upload-locks`, or released it just now.
 */
export async function listOpenUploads(
  db: Queryable,
  userId: string,
  now: number,
): Promise<(Upload & { readonly isSending: boolean })[]> {
  if (!isId(userId)) return [];
  return db
    .selectFrom('uploads')
    .selectAll()
    .select(isSending(new Date(now - betweenChunksMs)).as('isSending'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'json')
    .where('state', '!=', 'active')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/**
 * Uploads that this account began and that are not complete, newest first. Each with the email of the account it is
 * for.
 */
export function listUnfinishedUploads(
  db: Queryable,
  uploaderId: string,
  now: number,
): Promise<(Upload & { readonly isSending: boolean; readonly receiverEmail: string })[]> {
  return db
    .selectFrom('uploads')
    .innerJoin('accounts', 'accounts.id', 'uploads.user_id')
    .selectAll('uploads')
    .select(['accounts.email as receiverEmail', isSending(new Date(now - betweenChunksMs)).as('isSending')])
    .where('uploader_id', '=', uploaderId)
    .where('kind', '=', 'json')
    .where('state', '=', 'receiving')
    .where('accounts.migrated_to', 'is', null)
    .orderBy('uploads.created_at', 'desc')
    .orderBy('uploads.id')
    .execute();
}

/** @param since a chunk that ended after this time is followed by another one */
const isSending = (since: Date) => sql<boolean>`state = 'receiving' and (
  (received > 0 and touched_at > ${since}) or ${isLockHeld(`'${sendingPrefix}' || uploads.id`)}
)`;

/** Whether some server holds a lock of its upload session. @param name an SQL expression without any user input */
export function isLockHeld(name: string): RawBuilder<boolean> {
  return sql`exists (
    select from pg_locks
    where locktype = 'advisory' and granted and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32 | objid::bigint) = ${sql.raw(lockNumber(name))}
  )`;
}

/** Whether a visualization can be created for this account: it exists, was not migrated and is not the sample's. */
export async function canOwnVisualizations(db: Queryable, userId: string): Promise<boolean> {
  if (!isId(userId)) return false;
  return findsRow(
    db
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', userId)
      .where('migrated_to', 'is', null)
      .where('is_sample', '=', false),
  );
}

/**
 * Blocks the creation of uploads until the transaction ends, so that space is granted once, and no row starts to refer
 * to an object while that is being checked.
 */
export async function holdCreations(transaction: Queryable): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('uploads: creation'))`.execute(transaction);
}

/** Bytes that running uploads may still send. */
export async function reservedBytes(db: Queryable): Promise<number> {
  const { bytes } = await db
    .selectFrom('uploads')
    .select(sql<number>`coalesce(sum(size - received), 0)::float8`.as('bytes'))
    .where('state', '=', 'receiving')
    .executeTakeFirstOrThrow();
  return bytes;
}

/**
 * Begins to append to an upload. From now on, {@link recordReceived} accepts bytes with the returned fence alone: a server
 * that was stopped while it received bytes, and resumes after another one took its place, records nothing.
 *
 * @returns the fence; `undefined` if the upload was deleted or is complete, or its offset is not `from`
 */
export async function beginAppending(db: Queryable, id: string, from: number): Promise<number | undefined> {
  const row = await db
    .updateTable('uploads')
    .set((e) => ({ fence: e('fence', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'receiving')
    .where('received', '=', from)
    .returning('fence')
    .executeTakeFirst();
  return row?.fence;
}

/** Bytes of an upload that became durable, the fence of {@link beginAppending}, and the checksum of the file up to `to`. */
export type Received = {
  readonly from: number;
  readonly to: number;
  readonly fence: number;
  readonly checksum?: Checksum | undefined;
};

/**
 * Records that the bytes up to `to` are durable; with the last byte the upload is `received`, or a list `kept`.
 *
 * @returns the new state; `undefined` if the upload was deleted, its offset is not `from`, or another request began to append
 *   after this one, in which case nothing changed
 */
export async function recordReceived(
  db: Queryable,
  id: string,
  { from, to, fence, checksum }: Received,
  now: Date,
): Promise<UploadState | undefined> {
  const row = await db
    .updateTable('uploads')
    .set({
      received: to,
      checksum: checksum ?? null,
      touched_at: now,
      state: sql<UploadState>`case when size > ${to} then state when kind = 'list' then 'kept' else 'received' end`,
    })
    .where('id', '=', id)
    .where('state', '=', 'receiving')
    .where('received', '=', from)
    .where('fence', '=', fence)
    .returning('state')
    .executeTakeFirst();
  return row?.state;
}

/** Forgets an incomplete upload. `undefined` if there is none. */
export async function deleteUnfinished(
  db: Queryable,
  id: string,
): Promise<Pick<Upload, 'file_key' | 'draft_id'> | undefined> {
  return db
    .deleteFrom('uploads')
    .where('id', '=', id)
    .where('state', '=', 'receiving')
    .returning(['file_key', 'draft_id'])
    .executeTakeFirst();
}

/**
 * Counts one more attempt to read the file. From now on the upload is this attempt's: a server that was stopped during an
 * earlier one, and continues after this one began, records nothing. `undefined` if there is nothing left to do.
 */
export function beginAttempt(db: Queryable, id: string, now: Date): Promise<Upload | undefined> {
  return db
    .updateTable('uploads')
    .set((e) => ({
      state: 'reading',
      share: 0,
      attempts: e('attempts', '+', 1),
      fence: e('fence', '+', 1),
      touched_at: now,
    }))
    .where('id', '=', id)
    .where('state', 'in', ['received', 'reading', 'saving'])
    .returningAll()
    .executeTakeFirst();
}

/** What {@link beginAttempt} returned. */
export type Attempt = Pick<Upload, 'id' | 'fence'>;

/** Takes back an attempt that the server itself interrupted by stopping. */
export async function forgetAttempt(db: Queryable, { id, fence }: Attempt): Promise<void> {
  await db
    .updateTable('uploads')
    .set((e) => ({ state: 'received', share: 0, attempts: e('attempts', '-', 1) }))
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', 'in', ['reading', 'saving'])
    .execute();
}

/** @returns whether the upload still exists, and no other attempt began to read it */
export async function recordStep(
  db: Queryable,
  { id, fence }: Attempt,
  step: 'reading' | 'saving',
  share: number,
  now: Date,
): Promise<boolean> {
  return changesRow(
    db
      .updateTable('uploads')
      .set({ state: step, share, touched_at: now })
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('state', 'in', ['reading', 'saving']),
  );
}

export async function recordFailure(db: Queryable, id: string, refusal: Refusal, now: Date): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ state: 'failed', refusal: storableJson(refusal), touched_at: now })
    .where('id', '=', id)
    .where('state', '!=', 'active')
    .execute();
}

/** Deletes uploads without activity since `before`: unfinished ones, and finished ones whose result is still stored. */
export async function deleteForgotten(db: Queryable, before: Date): Promise<readonly string[]> {
  const rows = await db
    .deleteFrom('uploads')
    .where('kind', '=', 'json')
    .where('touched_at', '<', before)
    .where('state', 'in', ['receiving', 'active', 'failed'])
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}
