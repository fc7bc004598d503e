import type { ReviewRange } from '@kc/cluster/draft/review';
import { isAdmin } from '@kc/rules/account';
import { canStart, canStop } from '@kc/rules/draft';
import type { Draft, EditedDraft, ReviewPage } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { api, personOf, type RequestContext } from '../accounts/require.ts';
import { audit } from '../database/audit.ts';
import { changesRow, inTransaction } from '../database/open.ts';
import { asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { noteStored } from '../storage/stored-files.ts';
import { listedOwner } from '../visualizations/access.ts';
import { noteDeletedFiles } from '../visualizations/queries.ts';
import { holdCreations } from '../visualizations/upload/upload-queries.ts';
import { changeDraft } from './change-draft.ts';
import { clusteringTimeRoutes } from './clustering-times.ts';
import { adjust, createDraft, demandRoomFor } from './create-draft.ts';
import { demandImport, lease, lockDraft, usableDraft } from './draft-access.ts';
import { announceDraft, deleteDraft, keysOf, listDrafts, listsOfDraft, withDetails } from './draft-queries.ts';
import { toDraftResponse } from './draft-responses.ts';
import { createEditors } from './editing-process.ts';
import { type ChangeDeps, editingTurn, reviewInProcess, type WantedChange, warmProcess } from './editing-turn.ts';
import type { ImportDeps } from './import-file.ts';
import { importRoutes, importSettingsRoutes } from './import-file.ts';
import { listReadingRoutes } from './list-readings.ts';
import { publishDraft } from './publish.ts';

type DraftDeps = ChangeDeps & Pick<ServerParts, 'mayImport' | 'queueClustering'>;

/** The contract's calls about drafts. */
function draftRoutes(deps: DraftDeps) {
  const { db, now } = deps;
  const respond = async (context: RequestContext, id: string): Promise<Draft> => {
    const draft = await usableDraft(db, context, id);
    return toDraftResponse(draft, personOf(context).account.id, now());
  };
  const change = async (context: RequestContext, id: string, wanted: WantedChange): Promise<EditedDraft> => {
    const effect = await changeDraft(deps, context, id, wanted);
    return { draft: await respond(context, id), effect };
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
      const { id } = await usableDraft(db, context, input.id);
      await inTransaction(db, async (transaction) => {
        const { draft } = await lockDraft(transaction, context, id);
        if (!canStop(draft.state)) throw asError({ code: 'draft/not-ready' });
        await transaction
          .updateTable('drafts')
          .set({ state: 'stopped', stage: null, refusal: null, touched_at: new Date(now()) })
          .where('id', '=', id)
          .execute();
        await announceDraft(transaction, draft);
      });
      return respond(context, id);
    }),
    start: api.drafts.start.handler(async ({ input, context }) => {
      const draft = await usableDraft(db, context, input.id);
      if (!canStart(draft.state)) throw asError({ code: 'draft/not-ready' });
      await inTransaction(db, async (transaction) => {
        await holdCreations(transaction);
        const current = await demandImport(transaction, context, draft.owner_id);
        await demandRoomFor(transaction, current, draft.id);
        // The work continues in the name of the account that created the draft, and would be stopped at once.
        const right = await deps.mayImport(transaction, draft.begun_by, draft.owner_id);
        if (!right.ok) throw asError({ code: 'draft/right-lost' });
        const queued = transaction
          .updateTable('drafts')
          .set({ state: 'queued', stage: null, share: 0, attempts: 0, refusal: null, touched_at: new Date(now()) })
          .where('id', '=', draft.id)
          .where('state', 'in', ['stopped', 'failed']);
        if (!(await changesRow(queued))) return;
        await deps.queueClustering(transaction, draft.id);
        await announceDraft(transaction, draft);
      });
      return respond(context, draft.id);
    }),
    remove: api.drafts.remove.handler(async ({ input, context }) => {
      const draft = await usableDraft(db, context, input.id);
      await discard(deps, context, draft.id);
      return { id: draft.id };
    }),
    lease: api.drafts.lease.handler(async ({ input, context }) => {
      const { id } = await usableDraft(db, context, input.id);
      await lease(deps, context, id, input.takeOver);
      const draft = await usableDraft(db, context, id);
      warmProcess(deps, draft).catch((error: unknown) =>
        deps.log.warn({ err: error, draft: id }, 'A process that edits a draft could not be started'),
      );
      return toDraftResponse(draft, personOf(context).account.id, now());
    }),
    operate: api.drafts.operate.handler(({ input: { id, after, operation }, context }) =>
      change(context, id, { kind: 'operate', after, operation }),
    ),
    undo: api.drafts.undo.handler(({ input: { id, after }, context }) => change(context, id, { kind: 'undo', after })),
    redo: api.drafts.redo.handler(({ input: { id, after }, context }) => change(context, id, { kind: 'redo', after })),
    adjust: api.drafts.adjust.handler(async ({ input, context }) =>
      respond(context, await adjust(deps, context, input)),
    ),
    publish: api.drafts.publish.handler(async ({ input: { id, ...wanted }, context }) => {
      await publishDraft(deps, context, id, wanted);
      return respond(context, id);
    }),
    marks: api.drafts.marks.handler(async ({ input, context }) => {
      const { marks } = await usableDraft(db, context, input.id);
      return marks ?? nothingMarked;
    }),
    review: api.drafts.review.handler(({ input: { id, tab, after = 0 }, context }) =>
      reviewDraft(deps, context, id, { tab, after, count: limits.reviewPageRows }),
    ),
    report: api.drafts.report.handler(async ({ input, context }) => {
      const { report } = await usableDraft(db, context, input.id);
      if (!report) throw asError({ code: 'draft/not-ready' });
      return report;
    }),
  };
}

const nothingMarked = { locked: [], new: [], confidence: {}, excluded: { total: 0, keywords: [] } };

const discardable = ['receiving', 'queued', 'working', 'ready', 'stopped', 'failed', 'published'] as const;

/** Removes a draft with its lists and objects. @throws the refusal as the contract's error */
async function discard(deps: DraftDeps, context: RequestContext, id: string): Promise<void> {
  const { db, now } = deps;
  const actor = personOf(context).account.id;
  await inTransaction(db, async (transaction) => {
    const { draft } = await lockDraft(transaction, context, id);
    const lists = await listsOfDraft(transaction, draft.id);
    const deleted = await deleteDraft(transaction, draft.id, discardable);
    if (!deleted) throw asError({ code: 'draft/not-ready' });
    const removeAfter = new Date(now() + limits.deletedFilesMs);
    const keys = keysOf(deleted, lists);
    // Of lists that never arrived as a whole, only what did counts until it is removed.
    const arrived = lists.map(({ file_key, received }) => ({ key: file_key, bytes: received }));
    if (arrived.length > 0) await noteStored(transaction, deleted.begun_by, arrived);
    if (keys.length > 0) await noteDeletedFiles(transaction, keys, removeAfter);
    await deps.queueFileDeletion(transaction, keys, removeAfter);
    const details = { draft: draft.id, name: draft.name };
    await audit(transaction, { actor, action: 'discard', target: draft.owner_id, details }, now());
    await announceDraft(transaction, draft);
  });
}

/**
 * A part of what an update did, as the draft is now.
 *
 * @throws the refusal as the contract's error
 */
async function reviewDraft(
  deps: ChangeDeps,
  context: RequestContext,
  id: string,
  range: ReviewRange,
): Promise<ReviewPage> {
  await usableDraft(deps.db, context, id);
  return editingTurn(deps, id, async () => {
    // The draft may have changed while this waited.
    const draft = await usableDraft(deps.db, context, id);
    if (draft.state !== 'ready') throw asError({ code: 'draft/not-ready' });
    return reviewInProcess(deps, draft, range);
  });
}

/** Starts what drafts need: the contract's calls, the raw routes, and the processes that edit. */
export function startDrafts(deps: Omit<DraftDeps, 'editors'> & Pick<ImportDeps, 'uploads'>) {
  const editors = createEditors(deps.memoryBytes);
  return {
    routes: {
      drafts: draftRoutes({ ...deps, editors }),
      clustering: clusteringTimeRoutes(deps.db),
      listReadings: listReadingRoutes(deps.db),
      imports: importSettingsRoutes(deps),
    },
    raw: importRoutes(deps),
    /** To be called when the app no longer responds. */
    stop: editors.stop,
  };
}
