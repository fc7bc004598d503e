import * as z from 'zod/mini';
import { api } from './contract-call.ts';
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
import { storableText } from './storable-text.ts';

/**
 * Clustered lists that are not published. An administrator sees all of them, another user those that they began
 * themselves. A revision is read like a visualization, under its `viewId`.
 */
export const drafts = {
  /** Of the current user, or of the user that an administrator names. Newest first. */
  list: api
    .route({ method: 'GET', path: '/drafts' })
    .meta({ who: 'approved' })
    .input(z.object({ userId: z.optional(id) }))
    .output(z.array(draft)),
  get: api
    .route({ method: 'GET', path: '/drafts/{id}' })
    .meta({ who: 'approved' })
    .input(z.object({ id }))
    .output(draft),
  /** Begins a draft of lists. They are then sent with tus to the addresses that its `files` have. */
  create: api.route({ method: 'POST', path: '/drafts' }).meta({ who: 'approved' }).input(newDraft).output(draft),
  /** Begins a draft of a visualization: to adjust it, or to divide the branch at an address. */
  adjust: api
    .route({ method: 'POST', path: '/visualizations/{id}/draft' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id, branch: z.optional(id) }))
    .output(draft),
  /** Ends the clustering of a draft; its lists are kept. */
  stop: api
    .route({ method: 'POST', path: '/drafts/{id}/stop' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id }))
    .output(draft),
  /** Clusters the lists of a stopped or failed draft again. */
  start: api
    .route({ method: 'POST', path: '/drafts/{id}/start' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id }))
    .output(draft),
  /** Discards a draft in any state but `publishing`, with its lists. */
  remove: api
    .route({ method: 'DELETE', path: '/drafts/{id}' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id }))
    .output(z.object({ id })),
  /** The right to edit, for `limits.draftLeaseMs`: refused as a conflict while somebody else has it. */
  lease: api
    .route({ method: 'PUT', path: '/drafts/{id}/lease' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id, takeOver: z.boolean() }))
    .output(draft),
  /** Changes a draft. `after` is the last operation that the page knows; a conflict if there is a newer one. */
  operate: api
    .route({ method: 'POST', path: '/drafts/{id}/operations' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id, after: z.number(), operation: draftOperation }))
    .output(editedDraft),
  undo: api
    .route({ method: 'POST', path: '/drafts/{id}/undo' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id, after: z.number() }))
    .output(editedDraft),
  redo: api
    .route({ method: 'POST', path: '/drafts/{id}/redo' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id, after: z.number() }))
    .output(editedDraft),
  marks: api
    .route({ method: 'GET', path: '/drafts/{id}/marks' })
    .meta({ who: 'approved' })
    .input(z.object({ id }))
    .output(draftMarks),
  /** What an update did, by falling volume: `limits.reviewPageRows` rows after so many. */
  review: api
    .route({ method: 'GET', path: '/drafts/{id}/review/{tab}' })
    .meta({ who: 'approved' })
    .input(z.object({ id, tab: reviewTab, after: z.optional(z.coerce.number().check(z.int(), z.gte(0))) }))
    .output(reviewPage),
  report: api
    .route({ method: 'GET', path: '/drafts/{id}/report' })
    .meta({ who: 'approved' })
    .input(z.object({ id }))
    .output(draftReport),
  /** Makes the revision that ends with operation `after` the active visualization of its owner, by way of ingest. */
  publish: api
    .route({ method: 'POST', path: '/drafts/{id}/publish' })
    .meta({ who: 'approved' })
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
  rates: api.route({ method: 'GET', path: '/clustering/rates' }).meta({ who: 'approved' }).output(stageRates),
};

/** What the current user corrected in the reading of lists. It is remembered when a draft is begun. */
export const listReadings = {
  /** A POST, so that headers are in no log of addresses. */
  find: api
    .route({ method: 'POST', path: '/list-readings/find' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ header: listHeader }))
    .output(z.object({ found: z.optional(rememberedReading) })),
  forget: api
    .route({ method: 'POST', path: '/list-readings/forget' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ header: listHeader }))
    .output(z.object({})),
};
