import { can } from '@kc/rules/access';
import { shownName } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { personOf, type RequestContext } from '../accounts/require.ts';
import { audit } from '../database/audit.ts';
import { type Db, inTransaction, isId, type Queryable, type Tx } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import { mayImport } from '../visualizations/upload/sender.ts';
import { announceDraft, type DraftRecord, type StoredDraftRow, withDetails } from './draft-queries.ts';

/**
 * The draft, if this account may use it. Another one is reported as missing.
 *
 * @throws the refusal as the contract's error
 */
export async function usableDraft(db: Queryable, context: RequestContext, id: string): Promise<DraftRecord> {
  const named = db.selectFrom('drafts').selectAll().where('id', '=', id);
  const found = isId(id) ? await named.executeTakeFirst() : undefined;
  if (!found) throw asError({ code: 'draft/not-found' });
  const draft = await withDetails(db, found);
  demandUse(context, draft);
  return draft;
}

/**
 * Locks a draft for a change, and reads the asker's rights again: the request may have waited. The asker keeps them until
 * the transaction ends.
 *
 * @returns the draft, and the context with the asker as they are now
 * @throws the refusal as the contract's error
 */
export async function lockDraft(
  tx: Tx,
  context: RequestContext,
  id: string,
): Promise<{ readonly draft: StoredDraftRow; readonly context: RequestContext }> {
  const requesterId = personOf(context).account.id;
  await tx.selectFrom('accounts').select('id').where('id', '=', requesterId).forShare().execute();
  const now = { ...context, person: await context.readAgain(tx) };
  const draft = await tx.selectFrom('drafts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!draft) throw asError({ code: 'draft/not-found' });
  demandUse(now, draft);
  return { draft, context: now };
}

function demandUse(context: RequestContext, { owner_id, begun_by }: StoredDraftRow): void {
  const action = { do: 'drafts/use', ownerId: owner_id, begunBy: begun_by } as const;
  allowed(can(personOf(context).account, action, context.builtInAdmins));
}

/**
 * Whether this account may import lists for an owner right now.
 *
 * @param db a transaction, if the answer decides something in it
 * @returns the context with the asker as they are now
 * @throws the refusal as the contract's error
 */
export async function demandImport(db: Queryable, context: RequestContext, ownerId: string): Promise<RequestContext> {
  const now = { ...context, person: await context.readAgain(db) };
  allowed(await mayImport(db, now, ownerId));
  return now;
}

type LeaseDeps = { readonly db: Db; now(): number };

/**
 * Gives the requester the right to edit a draft for {@link limits.draftLeaseMs}, or renews it. While somebody else has it,
 * `takesOver` is required.
 *
 * @throws the refusal as the contract's error
 */
export async function lease(
  { db, now }: LeaseDeps,
  context: RequestContext,
  id: string,
  takesOver: boolean,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { draft } = await lockDraft(tx, context, id);
    if (draft.state !== 'ready') throw asError({ code: 'draft/not-ready' });
    const requesterId = personOf(context).account.id;
    const holder = holderOf(draft, now());
    if (holder !== undefined && holder !== requesterId) {
      if (!takesOver) throw await leaseHeldError(tx, 'draft/editing', holder);
      const line = { actor: requesterId, action: 'take-over', target: draft.owner_id } as const;
      await audit(tx, { ...line, details: { draft: id, name: draft.name, from: holder } }, now());
    }
    await tx.updateTable('drafts').set(leaseColumns(requesterId, now())).where('id', '=', id).execute();
    // Others only need to know that the editor is another one, or is back.
    if (holder !== requesterId) await announceDraft(tx, { ...draft, lease_by: requesterId }, draft.lease_by);
  });
}

/** Who edits a draft, as columns. */
export const leaseColumns = (accountId: string, now: number) => ({
  lease_by: accountId,
  lease_until: new Date(now + limits.draftLeaseMs),
});

/** Who has the right to edit a draft now. */
function holderOf({ lease_by, lease_until }: StoredDraftRow, now: number): string | undefined {
  return lease_by !== null && lease_until !== null && lease_until.getTime() > now ? lease_by : undefined;
}

/**
 * Refuses a change by anybody but the holder of the lease. A draft that nobody edits may be changed by anybody who may use it,
 * who gets the lease with the change.
 */
export async function demandLease(
  db: Queryable,
  draft: StoredDraftRow,
  requesterId: string,
  now: number,
): Promise<void> {
  const holder = holderOf(draft, now);
  if (holder !== undefined && holder !== requesterId) throw await leaseHeldError(db, 'draft/taken-over', holder);
}

async function leaseHeldError(db: Queryable, code: 'draft/editing' | 'draft/taken-over', holder: string) {
  const found = await db
    .selectFrom('accounts')
    .select(['email', 'display_name'])
    .where('id', '=', holder)
    .executeTakeFirst();
  const name = found ? shownName({ email: found.email, displayName: found.display_name }) : '';
  return asError({ code, params: { name } });
}
