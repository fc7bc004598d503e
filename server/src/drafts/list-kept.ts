import type { Tx } from '../database/open.ts';
import type { ServerParts } from '../server-parts.ts';
import { announceDraft, deleteDraft, listsOfDraft } from './draft-queries.ts';

type ListKeptDeps = Pick<ServerParts, 'queueClustering' | 'now'>;

/** Continues the draft of a list that has arrived completely, within the transaction that records its last byte: see {@link continueDraft}. */
export async function listKept(deps: ListKeptDeps, transaction: Tx, uploadId: string): Promise<void> {
  const list = await transaction
    .selectFrom('uploads')
    .select('draft_id')
    .where('id', '=', uploadId)
    .executeTakeFirstOrThrow();
  await continueDraft(deps, transaction, list.draft_id!);
}

/**
 * Continues a draft after one of its lists has arrived or was cancelled. Once all that remain have arrived, it queues the clustering;
 * if none remains, it deletes the draft.
 */
export async function continueDraft(deps: ListKeptDeps, transaction: Tx, draftId: string): Promise<void> {
  // Lists of a draft may end at the same time. With the draft locked, each sees what became of those before it.
  const draft = await transaction
    .selectFrom('drafts')
    .selectAll()
    .where('id', '=', draftId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const lists = await listsOfDraft(transaction, draft.id);
  await announceDraft(transaction, draft);
  if (draft.state !== 'receiving' || lists.some(({ state }) => state !== 'kept')) return;
  if (lists.length === 0) {
    await deleteDraft(transaction, draft.id, ['receiving']);
    return;
  }
  await transaction
    .updateTable('drafts')
    .set({ state: 'queued', touched_at: new Date(deps.now()) })
    .where('id', '=', draft.id)
    .execute();
  await deps.queueClustering(transaction, draft.id);
}
