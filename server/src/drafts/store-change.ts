import { isAdmin } from '@kc/rules/account';
import type { Transaction } from 'kysely';
import { personOf, type RequestContext } from '../accounts/require.ts';
import type { Queryable } from '../database/open.ts';
import type { Database } from '../database/schema.ts';
import { storableJson } from '../database/storable-json.ts';
import { asError } from '../http/refusals.ts';
import { noteStored } from '../storage/stored-files.ts';
import { demandStorage } from '../visualizations/quota.ts';
import { announceDraft } from './announce-draft.ts';
import { lockDraft } from './draft-access.ts';
import type { StoredDraftRow } from './draft-queries.ts';
import type { ChangedDraft } from './editing-messages.ts';
import { demandLease, leaseColumns } from './lease.ts';
import { keepPastRevision, type ReplacementDeps, revisionColumns } from './replace-revision.ts';
import type { RevisionKeys } from './revision.ts';
import type { WantedChange } from './wanted-change.ts';

/** A revision that is written and waits for its row. */
export type PendingChange = {
  /** The draft as it was when the change began. */
  readonly draft: StoredDraftRow;
  readonly wanted: WantedChange;
  readonly changed: ChangedDraft;
  readonly viewId: string;
  readonly keys: RevisionKeys;
};

/**
 * Stores operation and revision, and announces them. Rights, lease and state are read again: the asker may have lost them
 * while the revision was written.
 *
 * @throws the refusal as the contract's error
 */
export async function storeChange(
  deps: ReplacementDeps,
  tx: Transaction<Database>,
  context: RequestContext,
  { draft: began, wanted, changed, viewId, keys }: PendingChange,
): Promise<void> {
  const { draft, context: current } = await lockDraft(tx, context, began.id);
  const asker = personOf(context).account.id;
  const now = deps.now();
  await demandChangeable(tx, draft, { asker, after: wanted.after, now });
  if (draft.view_id !== began.view_id) throw asError({ code: 'draft/behind' });
  const operation = began.operation + (wanted.kind === 'undo' ? -1 : 1);
  if (wanted.kind === 'operate') await replaceOperations(tx, draft, operation, wanted.operation, asker, new Date(now));
  const { fileBytes, packBytes } = changed.revision;
  if (!isAdmin(personOf(current).account, current.builtInAdmins))
    await demandStorage(tx, draft.begun_by, fileBytes + packBytes);
  await noteStored(tx, draft.begun_by, [
    { key: keys.fileKey, bytes: fileBytes },
    { key: keys.packKey, bytes: packBytes },
  ]);
  await keepPastRevision(deps, tx, draft);
  await tx
    .updateTable('drafts')
    .set({
      ...revisionColumns(viewId, keys, changed.revision),
      operation,
      stop: changed.stop ?? null,
      counts: JSON.stringify(changed.counts),
      marks: storableJson(changed.marks),
      refusal: null,
      touched_at: new Date(now),
      ...leaseColumns(asker, now),
    })
    .where('id', '=', draft.id)
    .execute();
  await announceDraft(tx, { ...draft, lease_by: asker }, draft.lease_by);
}

/**
 * Refuses a change of a draft that cannot be edited now, that somebody else edits, or that has changed since the asker
 * looked at it.
 *
 * @param after the number of the last operation that the asker knows
 */
export async function demandChangeable(
  db: Queryable,
  draft: StoredDraftRow,
  { asker, after, now }: { readonly asker: string; readonly after: number; readonly now: number },
): Promise<void> {
  if (draft.state !== 'ready') throw asError({ code: 'draft/not-ready' });
  await demandLease(db, draft, asker, now);
  if (draft.operation !== after) throw asError({ code: 'draft/behind' });
}

/** Adds an operation. Those that were undone before it are gone for good. */
async function replaceOperations(
  tx: Transaction<Database>,
  { id }: StoredDraftRow,
  number: number,
  operation: Extract<WantedChange, { kind: 'operate' }>['operation'],
  accountId: string,
  at: Date,
): Promise<void> {
  await tx.deleteFrom('draft_operations').where('draft_id', '=', id).where('number', '>=', number).execute();
  await tx
    .insertInto('draft_operations')
    .values({ draft_id: id, number, account_id: accountId, operation: JSON.stringify(operation), at })
    .execute();
}
