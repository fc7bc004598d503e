import type { Tx } from '../database/open.ts';
import type { ServerParts } from '../server-parts.ts';
import { announceDraft, deleteDraft, listsOfDraft } from './draft-queries.ts';

type ListKeptDeps = Pick<ServerParts, 'queueClustering' | 'now'>;

/**
 * Goes on with the draft of a list that has arrived as a whole: the last one queues the clustering, within the
 * transaction that records it.
 */
export async function listKept(deps: ListKeptDeps, transaction: Tx, uploadId: string): Promise<void> {
  const list = await transaction
    .selectFrom('uploads')
    .select('draft_id')
    .where('id', '=', uploadId)
    .executeTakeFirstOrThrow();
  await listRemoved(deps, transaction, list.draft_id!);
}

/**
 * Goes on with the lists that a draft has left after one was cancelled. A draft of lists is deleted with its last one.
 */
export async function listRemoved(deps: ListKeptDeps, transaction: Tx, draftId: string): Promise<void> {
  // The lists of a draft may end at the same time: one after the other, each sees those before it.
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
