import { can } from '@kc/rules/access';
import { personOf, type RequestContext } from '../accounts/require.ts';
import type { Queryable, Tx } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import { mayImport } from '../visualizations/upload/sender.ts';
import { type DraftRecord, findDraft, type StoredDraftRow } from './draft-queries.ts';

/**
 * The draft, if this account may use it. Another one is reported as missing.
 *
 * @throws the refusal as the contract's error
 */
export async function usableDraft(db: Queryable, context: RequestContext, id: string): Promise<DraftRecord> {
  const draft = await findDraft(db, id);
  if (!draft) throw asError({ code: 'draft/not-found' });
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
  const asker = personOf(context).account.id;
  await tx.selectFrom('accounts').select('id').where('id', '=', asker).forShare().execute();
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
 * @throws the refusal as the contract's error
 */
export async function demandImport(db: Queryable, context: RequestContext, ownerId: string): Promise<void> {
  const now = { ...context, person: await context.readAgain(db) };
  allowed(await mayImport(db, now, ownerId));
}
