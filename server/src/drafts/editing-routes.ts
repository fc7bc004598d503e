import type { Draft, EditedDraft } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { api, personOf, type RequestContext } from '../accounts/require.ts';
import { asError } from '../http/refusals.ts';
import { type AdjustDeps, adjust } from './adjust.ts';
import { changeDraft } from './change-draft.ts';
import { usableDraft } from './draft-access.ts';
import { toDraftResponse } from './draft-responses.ts';
import { lease } from './lease.ts';
import { warmProcess } from './open-editor.ts';
import { publishDraft } from './publish.ts';
import { reviewDraft } from './review-draft.ts';
import type { ChangeDeps, WantedChange } from './wanted-change.ts';

const nothingMarked = { locked: [], new: [], confidence: {}, excluded: { total: 0, keywords: [] } };

/** The contract's calls that edit drafts. */
export function editingRoutes(deps: ChangeDeps & AdjustDeps) {
  const { db } = deps;

  async function present(context: RequestContext, id: string): Promise<Draft> {
    return toDraftResponse(await usableDraft(db, context, id), personOf(context).account.id, deps.now());
  }
  async function change(context: RequestContext, id: string, wanted: WantedChange): Promise<EditedDraft> {
    const effect = await changeDraft(deps, context, id, wanted);
    return { draft: await present(context, id), effect };
  }
  return {
    lease: api.drafts.lease.handler(async ({ input, context }) => {
      const { id } = await usableDraft(db, context, input.id);
      await lease(deps, context, id, input.takeOver);
      const draft = await usableDraft(db, context, id);
      warmProcess(deps, draft).catch((error: unknown) =>
        deps.log.warn({ err: error, draft: id }, 'A process that edits a draft could not be started'),
      );
      return toDraftResponse(draft, personOf(context).account.id, deps.now());
    }),
    operate: api.drafts.operate.handler(({ input: { id, after, operation }, context }) =>
      change(context, id, { kind: 'operate', after, operation }),
    ),
    undo: api.drafts.undo.handler(({ input: { id, after }, context }) => change(context, id, { kind: 'undo', after })),
    redo: api.drafts.redo.handler(({ input: { id, after }, context }) => change(context, id, { kind: 'redo', after })),
    adjust: api.drafts.adjust.handler(async ({ input, context }) =>
      present(context, await adjust(deps, context, input)),
    ),
    publish: api.drafts.publish.handler(async ({ input: { id, ...wanted }, context }) => {
      await publishDraft(deps, context, id, wanted);
      return present(context, id);
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
