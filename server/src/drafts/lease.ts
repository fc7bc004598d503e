import { shownName } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { personOf, type RequestContext } from '../accounts/require.ts';
import { audit } from '../database/audit.ts';
import { type Db, inTransaction, type Queryable } from '../database/open.ts';
import { asError } from '../http/refusals.ts';
import { lockDraft } from './draft-access.ts';
import { announceDraft, type StoredDraftRow } from './draft-queries.ts';

type LeaseDeps = { readonly db: Db; now(): number };

/**
 * Gives the right to edit a draft to the asker for {@link limits.draftLeaseMs}, or renews it. While somebody else has it,
 * it is only taken over.
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
    const asker = personOf(context).account.id;
    const holder = holderOf(draft, now());
    if (holder !== undefined && holder !== asker) {
      if (!takesOver) throw await heldError(tx, 'draft/editing', holder);
      const line = { actor: asker, action: 'take-over', target: draft.owner_id } as const;
      await audit(tx, { ...line, details: { draft: id, name: draft.name, from: holder } }, now());
    }
    await tx.updateTable('drafts').set(leaseColumns(asker, now())).where('id', '=', id).execute();
    // Others only need to know that the editor is another one, or is back.
    if (holder !== asker) await announceDraft(tx, { ...draft, lease_by: asker }, draft.lease_by);
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
 * Refuses a change by anybody but the holder of the lease. A draft that nobody edits may be changed: whoever does so gets
 * the lease with the change.
 */
export async function demandLease(db: Queryable, draft: StoredDraftRow, askerId: string, now: number): Promise<void> {
  const holder = holderOf(draft, now);
  if (holder !== undefined && holder !== askerId) throw await heldError(db, 'draft/taken-over', holder);
}

async function heldError(db: Queryable, code: 'draft/editing' | 'draft/taken-over', holder: string) {
  const found = await db
    .selectFrom('accounts')
    .select(['email', 'display_name'])
    .where('id', '=', holder)
    .executeTakeFirst();
  const name = found ? shownName({ email: found.email, displayName: found.display_name }) : '';
  return asError({ code, params: { name } });
}
