import { randomBytes } from 'node:crypto';
import { isAdmin } from '@kc/rules/account';
import type { DraftSettings } from '@kc/rules/draft-shapes';
import { personOf, type RequestContext } from '../accounts/require.ts';
import { audit } from '../database/audit.ts';
import { inTransaction } from '../database/open.ts';
import { asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { changeable } from '../visualizations/access.ts';
import { canOwnVisualizations, holdCreations } from '../visualizations/upload/upload-queries.ts';
import { demandDraftQuota, demandPace } from './create-draft.ts';
import { demandImport } from './draft-access.ts';
import { announceDraft } from './draft-queries.ts';

export type AdjustDeps = Pick<ServerParts, 'db' | 'now' | 'queueClustering'>;

/** A map that is adjusted comes with its own groups. A branch is clustered like a list. */
const settings: DraftSettings = { preset: 'balanced', grouping: 'columns' };

/**
 * Begins a draft of a visualization, which stays as it is: to adjust it, or to cluster the branch at an address anew.
 *
 * @returns the draft's ID
 * @throws the refusal as the contract's error
 */
export async function adjust(
  { db, now, queueClustering }: AdjustDeps,
  context: RequestContext,
  { id: baseId, branch }: { readonly id: string; readonly branch?: string | undefined },
): Promise<string> {
  if (branch !== undefined && !/^[0-9a-f]{16}$/.test(branch)) throw asError({ code: 'request/invalid' });
  const id = randomBytes(16).toString('hex');
  const { account } = personOf(context);
  await demandPace({ db, now }, account.id);
  await inTransaction(db, async (tx) => {
    await holdCreations(tx);
    const base = await changeable(tx, { ...context, person: await context.readAgain(tx) }, baseId);
    const owner = base.user_id;
    await demandImport(tx, context, owner);
    if (!(await canOwnVisualizations(tx, owner))) throw asError({ code: 'account/not-found' });
    await demandDraftQuota(tx, owner, account.id, !isAdmin(account, context.builtInAdmins));
    const at = new Date(now());
    const name = base.file_name.replace(/\.json$/i, '');
    await tx
      .insertInto('drafts')
      .values({
        id,
        owner_id: owner,
        begun_by: account.id,
        name,
        description: base.description,
        origin: 'visualization',
        base_id: base.id,
        branch: branch ?? null,
        state: 'queued',
        settings: JSON.stringify(settings),
        created_at: at,
        touched_at: at,
      })
      .execute();
    await queueClustering(tx, id);
    const details = { draft: id, visualization: base.id, name };
    await audit(tx, { actor: account.id, action: 'import', target: owner, details }, now());
    await announceDraft(tx, { owner_id: owner, begun_by: account.id, lease_by: null });
  });
  return id;
}
