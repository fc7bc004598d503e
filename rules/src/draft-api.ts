import * as z from 'zod/mini';
import { route } from './contract-call.ts';
import {
  draft,
  draftMarks,
  draftOperation,
  draftReport,
  editedDraft,
  listHeader,
  newDraft,
  rememberedReading,
  reviewPage,
  reviewTab,
  stageRates,
} from './draft-shapes.ts';
import { limits } from './limits.ts';
import { id } from './shapes.ts';
import { storableText } from './text-shapes.ts';

/**
 * Clustered lists that are not published. An administrator sees all of them, another user those that they began
 * themselves. A revision is read like a visualization, under its `viewId`.
 */
export const drafts = {
  /** Of the current user, or of the user that an administrator names. Newest first. */
  list: route('GET', '/drafts', { who: 'approved', scope: 'import' })
    .input(z.object({ userId: z.optional(id) }))
    .output(z.array(draft)),
  get: route('GET', '/drafts/{id}', { who: 'approved', scope: 'import' }).input(z.object({ id })).output(draft),
  /** Begins a draft of lists. They are then sent with tus to the addresses that its `files` have. */
  create: route('POST', '/drafts', { who: 'approved', scope: 'import' }).input(newDraft).output(draft),
  /** Begins a draft of a visualization: to adjust it, or to divide the branch at an address. */
  adjust: route('POST', '/visualizations/{id}/draft', { who: 'approved', scope: 'import' })
    .input(z.strictObject({ id, branch: z.optional(id) }))
    .output(draft),
  /** Ends the clustering of a draft; its lists are kept. */
  stop: route('POST', '/drafts/{id}/stop', { who: 'approved', scope: 'import' })
    .input(z.strictObject({ id }))
    .output(draft),
  /** Clusters the lists of a stopped or failed draft again. */
  start: route('POST', '/drafts/{id}/start', { who: 'approved', scope: 'import' })
    .input(z.strictObject({ id }))
    .output(draft),
  /** Discards a draft in any state but `publishing`, with its lists. */
  remove: route('DELETE', '/drafts/{id}', { who: 'approved', scope: 'import' })
    .input(z.strictObject({ id }))
    .output(z.object({ id })),
  /** The right to edit, for `limits.draftLeaseMs`: refused as a conflict while somebody else has it. */
  lease: route('PUT', '/drafts/{id}/lease', { who: 'approved', scope: 'import' })
    .input(z.strictObject({ id, takeOver: z.boolean() }))
    .output(draft),
  /** Changes a draft. `after` is the last operation that the page knows; a conflict if there is a newer one. */
  operate: route('POST', '/drafts/{id}/operations', { who: 'approved', scope: 'import' })
    .input(z.strictObject({ id, after: z.number(), operation: draftOperation }))
    .output(editedDraft),
  undo: route('POST', '/drafts/{id}/undo', { who: 'approved', scope: 'import' })
    .input(z.strictObject({ id, after: z.number() }))
    .output(editedDraft),
  redo: route('POST', '/drafts/{id}/redo', { who: 'approved', scope: 'import' })
    .input(z.strictObject({ id, after: z.number() }))
    .output(editedDraft),
  marks: route('GET', '/drafts/{id}/marks', { who: 'approved', scope: 'import' })
    .input(z.object({ id }))
    .output(draftMarks),
  /** What an update did, by falling volume: `limits.reviewPageRows` rows after so many. */
  review: route('GET', '/drafts/{id}/review/{tab}', { who: 'approved', scope: 'import' })
    .input(z.object({ id, tab: reviewTab, after: z.optional(z.coerce.number<number>().check(z.int(), z.gte(0))) }))
    .output(reviewPage),
  report: route('GET', '/drafts/{id}/report', { who: 'approved', scope: 'import' })
    .input(z.object({ id }))
    .output(draftReport),
  /** Makes the revision that ends with operation `after` the active visualization of its owner, by way of ingest. */
  publish: route('POST', '/drafts/{id}/publish', { who: 'approved', scope: 'import' })
    .input(
      z.strictObject({
        id,
        after: z.number(),
        name: storableText({ min: 1, max: limits.maxDraftNameLength }),
        description: storableText({ max: limits.maxDescriptionLength }),
      }),
    )
    .output(draft),
};

/** How long clustering takes on this server. */
export const clustering = {
  rates: route('GET', '/clustering/rates', { who: 'approved', scope: 'import' }).output(stageRates),
};

/** What the current user corrected in the reading of lists. It is remembered when a draft is created. */
export const listReadings = {
  /** A POST, so that headers are in no log of addresses. */
  find: route('POST', '/list-readings/find', { who: 'approved', scope: 'import' })
    .input(z.strictObject({ header: listHeader }))
    .output(z.object({ found: z.optional(rememberedReading) })),
  forget: route('POST', '/list-readings/forget', { who: 'approved', scope: 'import' })
    .input(z.strictObject({ header: listHeader }))
    .output(z.object({})),
};
