import * as z from 'zod/mini';
import { route } from './contract-call.ts';
import { limits } from './limits.ts';
import { isViewState } from './saved-view.ts';
import { id, row } from './shapes.ts';
import { storableText } from './text-shapes.ts';

/** A saved view of a user's data; `state` satisfies `isViewState` of `saved-view`. */
const savedView = z.object({ id, name: z.string(), state: z.string() });
export type SavedView = z.infer<typeof savedView>;
const name = storableText({ max: limits.maxViewNameLength });
const state = storableText({ max: limits.maxViewStateLength }).check(z.refine(isViewState));

/**
 * The user's own views of the data of a visualization, that is, of all data that its owner has under the same root.
 */
export const views = {
  list: route('GET', '/visualizations/{id}/views', { who: 'approved', scope: 'read' })
    .input(z.object({ id }))
    .output(z.array(savedView)),
  /** Appended to the list, or inserted at position `at`, counted from 0. */
  save: route('POST', '/visualizations/{id}/views', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ id, name, state, at: z.optional(row) }))
    .output(savedView),
  /** The named views come first, in this order; unknown IDs are ignored. */
  order: route('PUT', '/visualizations/{id}/views/order', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ id, ids: z.array(id).check(z.maxLength(limits.maxSavedViews)) }))
    .output(z.array(savedView)),
  rename: route('PUT', '/views/{id}/name', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ id, name }))
    .output(savedView),
  remove: route('DELETE', '/views/{id}', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ id }))
    .output(z.object({ id })),
};
