import { randomUUID } from 'node:crypto';
import { isAdmin } from '@kc/rules/account';
import type { DraftEffect } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { personOf, type RequestContext } from '../accounts/require.ts';
import { inTransaction, type Queryable, storableJson, type Tx } from '../database/open.ts';
import { consume, type Limit } from '../http/rate-limits.ts';
import { asError } from '../http/refusals.ts';
import { noteStored } from '../storage/stored-files.ts';
import { noteDeletedFiles } from '../visualizations/queries.ts';
import { demandStorage } from '../visualizations/quota.ts';
import { demandLease, leaseColumns, lockDraft, usableDraft } from './draft-access.ts';
import { announceDraft, type DraftRecord, findOperation, type StoredDraftRow } from './draft-queries.ts';
import { canUndo } from './draft-responses.ts';
import type { DraftChange } from './edit-history.ts';
import type { ChangedDraft } from './editing-messages.ts';
import { type ChangeDeps, changeInProcess, editingTurn, type WantedChange } from './editing-turn.ts';
import { publishRevision, type RevisionKeys, revisionColumns, storeObjects } from './revision.ts';

const operationLimit: Limit = {
  name: 'draft-operation',
  uses: limits.draftOperationsPerMinute,
  windowMs: 60_000,
};

/**
 * Changes a draft: writes the next revision, then stores it together with the operation, or neither. The lock only saves
 * work that would be refused in the end: what counts is that the transaction finds the draft as it was when the change
 * began.
 *
 * @throws the refusal as the contract's error
 */
export async function changeDraft(
  deps: ChangeDeps,
  context: RequestContext,
  id: string,
  wanted: WantedChange,
): Promise<DraftEffect> {
  const { db, now } = deps;
  const requesterId = personOf(context).account.id;
  await usableDraft(db, context, id);
  const wait = await consume(db, operationLimit, requesterId, now());
  if (wait > 0) throw asError({ code: 'sign-in/too-many', params: { seconds: wait } });
  return editingTurn(deps, id, () => changeLocked(deps, context, id, wanted));
}

async function changeLocked(
  deps: ChangeDeps,
  context: RequestContext,
  id: string,
  wanted: WantedChange,
): Promise<DraftEffect> {
  const { db, now, storage } = deps;
  const requesterId = personOf(context).account.id;
  const draft = await usableDraft(db, context, id);
  await demandChangeable(db, draft, { requesterId, after: wanted.after, now: now() });
  // Decided when the revision is stored; a refusal now saves the work.
  if (!isAdmin(personOf(context).account, context.builtInAdmins))
    await inTransaction(db, (tx) => demandStorage(tx, draft.begun_by, 0));
  const change = await changeOf(deps, draft, wanted);
  const viewId = randomUUID();
  const changed = await changeInProcess(deps, draft, viewId, change);
  const keys = await publishRevision(storage, changed.revision);
  await storeObjects(storage, [keys.fileKey, keys.packKey], () =>
    inTransaction(db, (tx) => storeChange(deps, tx, context, { draft, wanted, changed, viewId, keys })),
  );
  deps.log.info({ event: 'draft', draft: id, account: requesterId, change: wanted.kind }, 'Changed a draft');
  const { code, params, node } = changed.effect;
  const place = node === undefined ? {} : { node };
  return wanted.kind === 'redo' ? { code: 'draft/redone', ...place } : { code, ...(params && { params }), ...place };
}

/** The step that leads to the wanted revision. */
async function changeOf({ db }: ChangeDeps, draft: DraftRecord, wanted: WantedChange): Promise<DraftChange> {
  if (wanted.kind === 'undo') {
    if (!canUndo(draft)) throw asError({ code: 'draft/nothing-to-undo' });
    return { kind: 'undo' };
  }
  const operation =
    wanted.kind === 'operate' ? wanted.operation : await findOperation(db, draft.id, draft.operation + 1);
  if (!operation) throw asError({ code: 'draft/nothing-to-redo' });
  return { kind: 'apply', operation };
}

/** A revision that is written and waits for its row. */
type PendingChange = {
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
async function storeChange(
  deps: Pick<ChangeDeps, 'now' | 'queueFileDeletion'>,
  tx: Tx,
  context: RequestContext,
  { draft: began, wanted, changed, viewId, keys }: PendingChange,
): Promise<void> {
  const { draft, context: current } = await lockDraft(tx, context, began.id);
  const requesterId = personOf(context).account.id;
  const now = deps.now();
  await demandChangeable(tx, draft, { requesterId, after: wanted.after, now });
  if (draft.view_id !== began.view_id) throw asError({ code: 'draft/behind' });
  const operation = began.operation + (wanted.kind === 'undo' ? -1 : 1);
  if (wanted.kind === 'operate')
    await replaceOperations(tx, draft, operation, wanted.operation, requesterId, new Date(now));
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
      ...leaseColumns(requesterId, now),
    })
    .where('id', '=', draft.id)
    .execute();
  await announceDraft(tx, { ...draft, lease_by: requesterId }, draft.lease_by);
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
  { requesterId, after, now }: { readonly requesterId: string; readonly after: number; readonly now: number },
): Promise<void> {
  if (draft.state !== 'ready') throw asError({ code: 'draft/not-ready' });
  await demandLease(db, draft, requesterId, now);
  if (draft.operation !== after) throw asError({ code: 'draft/behind' });
}

/** Adds an operation. Those that were undone before it cannot be redone. */
async function replaceOperations(
  tx: Tx,
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

/**
 * Keeps the revision that a draft has had until now readable for a short time, under its own ID: requests for it may be
 * under way. Call this in the transaction that stores the next one.
 */
export async function keepPastRevision(
  { now, queueFileDeletion }: Pick<ChangeDeps, 'now' | 'queueFileDeletion'>,
  tx: Tx,
  draft: StoredDraftRow,
): Promise<void> {
  const { view_id, file_key, pack_key } = draft;
  if (view_id === null || file_key === null || pack_key === null) return;
  const removeAfter = new Date(now() + limits.pastRevisionMs);
  const keys = [file_key, pack_key];
  await noteDeletedFiles(tx, keys, removeAfter);
  const { pack_version, file_size, nodes, keywords, merged, root_name } = draft;
  const figures = { pack_version, file_size, nodes, keywords, merged, root_name };
  await tx
    .insertInto('past_revisions')
    .values({ view_id, draft_id: draft.id, file_key, pack_key, ...figures })
    .execute();
  await queueFileDeletion(tx, keys, removeAfter);
}
