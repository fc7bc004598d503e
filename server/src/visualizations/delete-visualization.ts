import { limits } from '@kc/rules/limits';
import type { Transaction } from 'kysely';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { type Db, inTransaction } from '../database/open.ts';
import type { Database } from '../database/schema.ts';
import { lockActing, type MayDo } from './acting.ts';
import { deleteVisualization, listKeysOf, noteDeletedFiles, type VisualizationRecord } from './queries.ts';
import { dropViewsOf } from './saved-view-queries.ts';
import { deleteUpload } from './upload/upload-queries.ts';

export type DeletionDeps = {
  readonly db: Db;
  readonly mayDo: MayDo;
  /** Milliseconds since 1970. */
  now(): number;
  /** Queues the removal of files within the transaction. */
  queueFileDeletion(tx: Transaction<Database>, keys: readonly string[], removeAfter: Date): Promise<void>;
};

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
    const lists = await listKeysOf(tx, id);
    const gone = await deleteVisualization(tx, id);
    if (!gone) return;
    if (gone.upload_id) await deleteUpload(tx, gone.upload_id);
    await dropViewsOf(tx, gone);
    const keys = [gone.file_key, gone.pack_key, ...lists];
    await noteDeletedFiles(tx, keys, removeAfter);
    await queueFileDeletion(tx, keys, removeAfter);
    const details = { file: gone.file_name, visualization: id, active: gone.is_active };
    await audit(tx, { actor: actorId, action: 'delete-visualization', target: gone.user_id, details }, at);
    await notify(tx, { about: 'visualizations', accountId: gone.user_id });
  });
}
