import { isAdmin } from '@kc/rules/account';
import { canStart, canStop } from '@kc/rules/draft';
import type { Draft } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import type { Transaction } from 'kysely';
import { api, personOf, type RequestContext } from '../accounts/require.ts';
import { audit } from '../database/audit.ts';
import { inTransaction } from '../database/open.ts';
import type { Database } from '../database/schema.ts';
import { asError } from '../http/refusals.ts';
import { noteStored } from '../storage/stored-files.ts';
import { listedOwner } from '../visualizations/access.ts';
import type { MayImport } from '../visualizations/acting.ts';
import { noteDeletedFiles } from '../visualizations/queries.ts';
import { announceDraft } from './announce-draft.ts';
import { type CreateDraftDeps, createDraft } from './create-draft.ts';
import { usableDraft } from './draft-access.ts';
import { type DraftRecord, withDetails } from './draft-queries.ts';
import { toDraftResponse } from './draft-responses.ts';
import { deleteDraft, keysOf, listDrafts, listsOfDraft } from './draft-store.ts';
import { demandImport } from './import-access.ts';

export type DraftRouteDeps = CreateDraftDeps & {
  /** Whether an account may import lists for an owner right now. */
  readonly mayImport: MayImport;
  queueClustering(transaction: Transaction<Database>, draftId: string): Promise<void>;
  queueFileDeletion(tx: Transaction<Database>, keys: readonly string[], removeAfter: Date): Promise<void>;
};

/** The contract's calls about drafts, except for editing. */
export function draftRoutes(deps: DraftRouteDeps) {
  const { db, now } = deps;
  const respond = async (context: RequestContext, id: string): Promise<Draft> => {
    const draft = await usableDraft(db, context, id);
    return toDraftResponse(draft, personOf(context).account.id, now());
  };
  return {
    list: api.drafts.list.handler(async ({ input, context }) => {
      const { account } = personOf(context);
      const owner = listedOwner(context, input.userId);
      const drafts = await listDrafts(db, owner, isAdmin(account, context.builtInAdmins) ? undefined : account.id);
      return Promise.all(drafts.map(async (draft) => toDraftResponse(await withDetails(db, draft), account.id, now())));
    }),
    get: api.drafts.get.handler(({ input, context }) => respond(context, input.id)),
    create: api.drafts.create.handler(async ({ input, context }) =>
      respond(context, await createDraft(deps, context, input)),
    ),
    stop: api.drafts.stop.handler(async ({ input, context }) => {
      const draft = await usableDraft(db, context, input.id);
      if (!canStop(draft.state)) throw asError({ code: 'draft/not-ready' });
      await inTransaction(db, async (transaction) => {
        await transaction
          .updateTable('drafts')
          .set({ state: 'stopped', stage: null, refusal: null, touched_at: new Date(now()) })
          .where('id', '=', draft.id)
          .where('state', 'in', ['queued', 'working'])
          .execute();
        await announceDraft(transaction, draft);
      });
      return respond(context, draft.id);
    }),
    start: api.drafts.start.handler(async ({ input, context }) => {
      const draft = await usableDraft(db, context, input.id);
      if (!canStart(draft.state)) throw asError({ code: 'draft/not-ready' });
      await inTransaction(db, async (transaction) => {
        await demandImport(transaction, context, draft.owner_id);
        // The work goes on in the name of whoever began the draft, and would be stopped at once.
        const begun = await deps.mayImport(transaction, draft.begun_by, draft.owner_id);
        if (!begun.ok) throw asError({ code: 'draft/right-lost' });
        const { numUpdatedRows } = await transaction
          .updateTable('drafts')
          .set({ state: 'queued', stage: null, share: 0, attempts: 0, refusal: null, touched_at: new Date(now()) })
          .where('id', '=', draft.id)
          .where('state', 'in', ['stopped', 'failed'])
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return;
        await deps.queueClustering(transaction, draft.id);
        await announceDraft(transaction, draft);
      });
      return respond(context, draft.id);
    }),
    remove: api.drafts.remove.handler(async ({ input, context }) => {
      const draft = await usableDraft(db, context, input.id);
      await discard(deps, draft, personOf(context).account.id);
      return { id: draft.id };
    }),
  };
}

const discardable = ['receiving', 'queued', 'working', 'ready', 'stopped', 'failed', 'published'] as const;

/** Removes a draft with its lists and objects. @param actorId for the audit log */
async function discard(deps: DraftRouteDeps, draft: DraftRecord, actorId: string): Promise<void> {
  const { db, now } = deps;
  await inTransaction(db, async (transaction) => {
    const lists = await listsOfDraft(transaction, draft.id);
    const gone = await deleteDraft(transaction, draft.id, discardable);
    if (!gone) throw asError({ code: 'draft/not-ready' });
    const removeAfter = new Date(now() + limits.deletedFilesMs);
    const keys = keysOf(gone, lists);
    // Of lists that never arrived as a whole, only what did counts until it is removed.
    const arrived = lists.map(({ file_key, received }) => ({ key: file_key, bytes: received }));
    if (arrived.length > 0) await noteStored(transaction, gone.begun_by, arrived);
    if (keys.length > 0) await noteDeletedFiles(transaction, keys, removeAfter);
    await deps.queueFileDeletion(transaction, keys, removeAfter);
    const details = { draft: draft.id, name: draft.name };
    await audit(transaction, { actor: actorId, action: 'discard', target: draft.owner_id, details }, now());
    await announceDraft(transaction, draft);
  });
}
