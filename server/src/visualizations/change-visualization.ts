import { limits } from '@kc/rules/limits';
import { cleanDescription, type FieldMap } from '@kc/rules/upload';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction, type Tx } from '../database/open.ts';
import type { ServerParts } from '../server-parts.ts';
import { lockActing } from './acting.ts';
import type { Activation } from './ingest/activate.ts';
import {
  changeRecord,
  deleteVisualization,
  findByUpload,
  noteDeletedFiles,
  type VisualizationRecord,
} from './queries.ts';
import { dropViewsOf } from './saved-views.ts';
import { lockUpload } from './upload/upload-queries.ts';

/** Changes the description beside a visualization's name. @param actorId who asks */
export async function describe(
  { db, mayDo, now }: Pick<Activation, 'db' | 'mayDo' | 'now'>,
  actorId: string,
  { id, user_id, file_name }: Pick<VisualizationRecord, 'id' | 'user_id' | 'file_name'>,
  description: string,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await lockActing(transaction, mayDo, actorId, { do: 'visualizations/change', ownerId: user_id });
    if (!(await changeRecord(transaction, id, { description: cleanDescription(description) }))) return;
    const details = { file: file_name, visualization: id };
    await audit(transaction, { actor: actorId, action: 'describe', target: user_id, details }, now());
    await notify(transaction, { about: 'visualizations', accountId: user_id });
  });
}

/**
 * Records which month the newest of a file's twelve is, for files that only number them. Months that the file names take
 * precedence.
 *
 * @param actorId who asks
 * @param month as in `2026-04`; null if nobody knows any more
 */
export async function nameNewestMonth(
  { db, mayDo, now }: Pick<Activation, 'db' | 'mayDo' | 'now'>,
  actorId: string,
  { id, user_id, file_name }: Pick<VisualizationRecord, 'id' | 'user_id' | 'file_name'>,
  month: string | null,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await lockActing(transaction, mayDo, actorId, { do: 'visualizations/change', ownerId: user_id });
    if (!(await changeRecord(transaction, id, { newest_month: month }))) return;
    const details = { file: file_name, visualization: id, ...(month !== null && { month }) };
    await audit(transaction, { actor: actorId, action: 'newest-month', target: user_id, details }, now());
    await notify(transaction, { about: 'visualizations', accountId: user_id });
  });
}

export type FieldMapDeps = Pick<ServerParts, 'db' | 'mayDo' | 'queueRebuild' | 'now'>;

type Corrected = Pick<VisualizationRecord, 'id' | 'user_id' | 'file_name'>;

/**
 * Changes how the members of a visualization's file are read. Its pack is rebuilt in the background; until then it
 * shows the file as it was read before. The file itself never changes.
 *
 * @param actorId who asks, for the audit log
 */
export function mapFields(deps: FieldMapDeps, actorId: string, record: Corrected, map: FieldMap): Promise<void> {
  return inTransaction(deps.db, async (transaction) => {
    await lockActing(transaction, deps.mayDo, actorId, { do: 'visualizations/change', ownerId: record.user_id });
    await store(deps, transaction, actorId, record, map);
  });
}

/**
 * Changes how the members of an upload are read: by the ingest that is to come, or of the visualization that it has
 * become. Both lock the upload's row, so that a correction is never lost in between.
 *
 * @returns whether there is such an upload
 */
export function mapUploadFields(
  deps: FieldMapDeps,
  actorId: string,
  uploadId: string,
  map: FieldMap,
): Promise<boolean> {
  return inTransaction(deps.db, async (transaction) => {
    const upload = await lockUpload(transaction, uploadId);
    if (upload?.uploader_id !== actorId || upload.kind !== 'json' || upload.state === 'failed') return false;
    const record = await findByUpload(transaction, uploadId);
    if (record) await store(deps, transaction, actorId, record, map);
    else
      await transaction
        .updateTable('uploads')
        .set({ field_map: stored(map) })
        .where('id', '=', uploadId)
        .execute();
    return true;
  });
}

async function store(
  { queueRebuild, now }: FieldMapDeps,
  transaction: Tx,
  actor: string,
  { id, user_id, file_name }: Corrected,
  map: FieldMap,
): Promise<void> {
  if (!(await changeRecord(transaction, id, { field_map: stored(map) }))) return;
  await queueRebuild(transaction, id);
  const details = { file: file_name, visualization: id };
  await audit(transaction, { actor, action: 'map-fields', target: user_id, details }, now());
  await notify(transaction, { about: 'visualizations', accountId: user_id });
}

const stored = (map: FieldMap): string | null => (Object.keys(map).length === 0 ? null : JSON.stringify(map));

export type DeletionDeps = Pick<ServerParts, 'db' | 'mayDo' | 'queueFileDeletion' | 'now'>;

/**
 * Deletes a visualization in one transaction: its record, and the upload it came from, so that a repeated ingest cannot
 * create it again. The original, the pack and the lists stay on disk for a day for backups in progress.
 *
 * Saved views are deleted with the last visualization that shows their data.
 *
 * No other visualization becomes active: an administrator decides what the user sees. Deleting a deleted visualization
 * changes nothing.
 *
 * @param actorId who asks
 * @throws the refusal as the contract's error if they may not do it any more
 */
export async function removeVisualization(
  { db, mayDo, now, queueFileDeletion }: DeletionDeps,
  actorId: string,
  { id, user_id, uploaded_by }: Pick<VisualizationRecord, 'id' | 'user_id' | 'uploaded_by'>,
): Promise<void> {
  const at = now();
  const removeAfter = new Date(at + limits.deletedFilesMs);
  await inTransaction(db, async (tx) => {
    await lockActing(tx, mayDo, actorId, {
      do: 'visualizations/delete',
      ownerId: user_id,
      uploadedBy: uploaded_by,
    });
    const lists = await tx
      .selectFrom('visualization_lists')
      .select('file_key')
      .where('visualization_id', '=', id)
      .execute();
    const gone = await deleteVisualization(tx, id);
    if (!gone) return;
    if (gone.upload_id) await tx.deleteFrom('uploads').where('id', '=', gone.upload_id).execute();
    await dropViewsOf(tx, gone);
    const keys = [gone.file_key, gone.pack_key, ...lists.map((list) => list.file_key)];
    await noteDeletedFiles(tx, keys, removeAfter);
    await queueFileDeletion(tx, keys, removeAfter);
    const details = { file: gone.file_name, visualization: id, active: gone.is_active };
    await audit(tx, { actor: actorId, action: 'delete-visualization', target: gone.user_id, details }, at);
    await notify(tx, { about: 'visualizations', accountId: gone.user_id });
  });
}
