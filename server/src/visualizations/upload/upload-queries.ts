import type { Refusal } from '@kc/rules/result';
import type { UploadState } from '@kc/rules/upload';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Queryable } from '../../database/open.ts';
import { storableJson } from '../../database/storable-text.ts';
import type { UploadRow } from '../../database/visualization-tables.ts';
import { isId } from '../queries.ts';
import { lockNumber, sendingPrefix } from './upload-session.ts';

export type Upload = Selectable<UploadRow>;

export type NewUpload = Pick<
  Upload,
  'id' | 'uploader_id' | 'user_id' | 'file_name' | 'description' | 'size' | 'file_key' | 'pack_key'
> &
  Partial<Pick<Upload, 'file_modified'>>;

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

/** Between two chunks nobody holds an upload. */
const betweenChunksMs = 5_000;

/**
 * Uploads for an account that are no visualization, newest first; `active` ones are. Each with whether it is being sent: a
 * server holds it now, as `upload-locks` does, or did just before.
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
    .where('state', '!=', 'active')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Uploads that this person began and that are not wholly received, newest first. Each with the email it is for. */
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
    .where('state', '=', 'receiving')
    .where('accounts.migrated_to', 'is', null)
    .orderBy('uploads.created_at', 'desc')
    .orderBy('uploads.id')
    .execute();
}

/** @param since a chunk that ended after that is followed by another one */
const isSending = (since: Date) => sql<boolean>`state = 'receiving' and (
  (received > 0 and touched_at > ${since}) or ${isLockHeld(`'${sendingPrefix}' || uploads.id`)}
)`;

/** Whether some server has a lock of its upload session. @param name in SQL, with nothing in it that anybody sent */
export function isLockHeld(name: string): RawBuilder<boolean> {
  return sql`exists (
    select from pg_locks
    where locktype = 'advisory' and granted and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32 | objid::bigint) = ${sql.raw(lockNumber(name))}
  )`;
}

/** Forgets an upload in whatever state. */
export async function deleteUpload(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('uploads').where('id', '=', id).execute();
}

/** Whether a visualization can be made for this account: it exists, was not migrated and is not the sample's row. */
export async function canOwnVisualizations(db: Queryable, userId: string): Promise<boolean> {
  if (!isId(userId)) return false;
  const found = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', userId)
    .where('migrated_to', 'is', null)
    .where('is_sample', '=', false)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Holds everybody off who begins an upload, until the transaction ends: so that room is given once, and no object gets
 * spoken of while it is looked up whether one is.
 */
export async function holdCreations(transaction: Queryable): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('uploads: creation'))`.execute(transaction);
}

/** Bytes that uploads under way may still bring. */
export async function reservedBytes(db: Queryable): Promise<number> {
  const { bytes } = await db
    .selectFrom('uploads')
    .select(sql<number>`coalesce(sum(size - received), 0)::float8`.as('bytes'))
    .where('state', '=', 'receiving')
    .executeTakeFirstOrThrow();
  return bytes;
}

/**
 * Records that the bytes up to `to` are durable; with the last byte the upload is `received`.
 *
 * @returns the new state, `undefined` when the upload is gone or does not stand at `from`: then nothing changed
 */
export async function recordReceived(
  db: Queryable,
  id: string,
  from: number,
  to: number,
  now: Date,
): Promise<UploadState | undefined> {
  const row = await db
    .updateTable('uploads')
    .set({
      received: to,
      touched_at: now,
      state: sql<UploadState>`case when size = ${to} then 'received' else state end`,
    })
    .where('id', '=', id)
    .where('state', '=', 'receiving')
    .where('received', '=', from)
    .returning('state')
    .executeTakeFirst();
  return row?.state;
}

/** Forgets an upload whose last byte has not come. `undefined` when there is none. */
export async function deleteUnfinished(db: Queryable, id: string): Promise<Pick<Upload, 'file_key'> | undefined> {
  return db
    .deleteFrom('uploads')
    .where('id', '=', id)
    .where('state', '=', 'receiving')
    .returning('file_key')
    .executeTakeFirst();
}

/** Counts one more attempt to read the file; `undefined` when there is nothing (left) to do. */
export function beginAttempt(db: Queryable, id: string, now: Date): Promise<Upload | undefined> {
  return db
    .updateTable('uploads')
    .set((e) => ({ state: 'reading', share: 0, attempts: e('attempts', '+', 1), touched_at: now }))
    .where('id', '=', id)
    .where('state', 'in', ['received', 'reading', 'saving'])
    .returningAll()
    .executeTakeFirst();
}

/** Takes an attempt back that the server itself broke off by stopping. */
export async function forgetAttempt(db: Queryable, id: string): Promise<void> {
  await db
    .updateTable('uploads')
    .set((e) => ({ state: 'received', share: 0, attempts: e('attempts', '-', 1) }))
    .where('id', '=', id)
    .where('state', 'in', ['reading', 'saving'])
    .execute();
}

/** @returns whether the upload is still there: it goes with the account it is for or from */
export async function recordStep(
  db: Queryable,
  id: string,
  step: 'reading' | 'saving',
  share: number,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('uploads')
    .set({ state: step, share, touched_at: now })
    .where('id', '=', id)
    .where('state', 'in', ['reading', 'saving'])
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function recordFailure(db: Queryable, id: string, refusal: Refusal, now: Date): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ state: 'failed', refusal: storableJson(refusal), touched_at: now })
    .where('id', '=', id)
    .where('state', '!=', 'active')
    .execute();
}

export async function recordSuccess(db: Queryable, id: string, warning: Refusal | undefined, now: Date): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ state: 'active', share: 1, warning: warning ? JSON.stringify(warning) : null, touched_at: now })
    .where('id', '=', id)
    .execute();
}

/** Uploads that nothing happened to since `before`: unfinished ones, and finished ones that are only remembered. */
export async function findForgotten(db: Queryable, before: Date): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where('touched_at', '<', before)
    .where('state', 'in', ['receiving', 'active', 'failed'])
    .execute();
  return rows.map((row) => row.id);
}

/** Deletes an upload if it is still forgotten. */
export async function deleteForgotten(db: Queryable, id: string, before: Date): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('uploads')
    .where('id', '=', id)
    .where('touched_at', '<', before)
    .where('state', 'in', ['receiving', 'active', 'failed'])
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
