import type { FieldMap } from '@kc/rules/field-map';
import type { Transaction } from 'kysely';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { type Db, inTransaction } from '../database/open.ts';
import type { Database } from '../database/schema.ts';
import { lockActing, type MayDo } from './acting.ts';
import { findByUpload, setFieldMap, type VisualizationRecord } from './queries.ts';
import { lockUpload, setUploadFieldMap } from './upload/upload-queries.ts';

export type FieldMapDeps = {
  readonly db: Db;
  readonly mayDo: MayDo;
  /** Queues the rebuild of a visualization's pack within the transaction. */
  queueRebuild(tx: Transaction<Database>, visualizationId: string): Promise<void>;
  /** Milliseconds since 1970. */
  now(): number;
};

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
    else await setUploadFieldMap(transaction, uploadId, stored(map));
    return true;
  });
}

async function store(
  { queueRebuild, now }: FieldMapDeps,
  transaction: Transaction<Database>,
  actor: string,
  { id, user_id, file_name }: Corrected,
  map: FieldMap,
): Promise<void> {
  if (!(await setFieldMap(transaction, id, stored(map)))) return;
  await queueRebuild(transaction, id);
  const details = { file: file_name, visualization: id };
  await audit(transaction, { actor, action: 'map-fields', target: user_id, details }, now());
  await notify(transaction, { about: 'visualizations', accountId: user_id });
}

const stored = (map: FieldMap): string | null => (Object.keys(map).length === 0 ? null : JSON.stringify(map));
