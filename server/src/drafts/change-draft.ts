import { randomUUID } from 'node:crypto';
import { isAdmin } from '@kc/rules/account';
import type { DraftEffect } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { personOf, type RequestContext } from '../accounts/require.ts';
import { inTransaction } from '../database/open.ts';
import { consume, type Limit } from '../http/rate-limits.ts';
import { asError } from '../http/refusals.ts';
import { demandStorage } from '../visualizations/quota.ts';
import { usableDraft } from './draft-access.ts';
import { type DraftRecord, findOperation } from './draft-queries.ts';
import { canUndo } from './draft-responses.ts';
import type { DraftChange } from './edit-history.ts';
import { type ChangeDeps, editingTurn, type WantedChange } from './editing-turn.ts';
import { changeInProcess } from './open-editor.ts';
import { publishRevision, storeObjects } from './revision.ts';
import { demandChangeable, storeChange } from './store-change.ts';

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
  const asker = personOf(context).account.id;
  await usableDraft(db, context, id);
  const wait = await consume(db, operationLimit, asker, now());
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
  const asker = personOf(context).account.id;
  const draft = await usableDraft(db, context, id);
  await demandChangeable(db, draft, { asker, after: wanted.after, now: now() });
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
  deps.log.info({ event: 'draft', draft: id, account: asker, change: wanted.kind }, 'Changed a draft');
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
