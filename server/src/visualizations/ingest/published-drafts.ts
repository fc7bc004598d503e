import type { Refusal } from '@kc/rules/result';
import { notify } from '../../database/notifications.ts';
import { type Queryable, storableJson } from '../../database/open.ts';
import { findByUpload } from '../queries.ts';
import type { Upload } from '../upload/upload-queries.ts';

type Published = Pick<Upload, 'id' | 'draft_id'>;

/**
 * Records that the visualization of an upload exists, for the draft that the upload was published from. The lists of the
 * draft are from now on the visualization's, too. Can be repeated.
 */
export async function draftSucceeded(tx: Queryable, upload: Published, now: Date): Promise<void> {
  if (upload.draft_id === null) return;
  const record = await findByUpload(tx, upload.id);
  if (!record) return;
  await tx
    .insertInto('visualization_lists')
    .columns(['visualization_id', 'place', 'name', 'size', 'file_key'])
    .expression(
      tx
        .selectFrom('uploads')
        .select((e) => [e.val(record.id).as('visualization_id'), 'place', 'file_name', 'size', 'file_key'])
        .where('draft_id', '=', upload.draft_id)
        .where('kind', '=', 'list')
        .where('state', '=', 'kept'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await settle(tx, upload, { state: 'published', refusal: null, touched_at: now });
}

/** Gives a draft back to its editor: ingest refused the upload that was made from it. */
export async function draftRefused(tx: Queryable, upload: Published, refusal: Refusal, now: Date): Promise<void> {
  await settle(tx, upload, { state: 'ready', refusal: storableJson(refusal), upload_id: null, touched_at: now });
}

async function settle(
  tx: Queryable,
  { id, draft_id }: Published,
  columns: {
    readonly state: 'published' | 'ready';
    readonly refusal: string | null;
    readonly upload_id?: null;
    readonly touched_at: Date;
  },
): Promise<void> {
  if (draft_id === null) return;
  const draft = await tx
    .updateTable('drafts')
    .set(columns)
    .where('id', '=', draft_id)
    .where('upload_id', '=', id)
    .where('state', '=', 'publishing')
    .returning(['owner_id', 'begun_by'])
    .executeTakeFirst();
  for (const accountId of new Set(draft && [draft.owner_id, draft.begun_by])) {
    await notify(tx, { about: 'drafts', accountId });
  }
}
