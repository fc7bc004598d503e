import * as z from 'zod/mini';
import { route } from './contract-call.ts';
import { limits } from './limits.ts';
import { isViewState } from './saved-view.ts';
import { id, row } from './shapes.ts';
import { storableText } from './text-shapes.ts';

/** A saved view of a user's data; `state` satisfies `isViewState` of `saved-view`. */
const savedView = z.object({ id, name: z.string(), state: z.string() });
export type SavedView = z.infer<typeof savedView>;
const viewName = storableText({ max: limits.maxViewNameLength });
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
    .input(z.strictObject({ id, name: viewName, state, at: z.optional(row) }))
    .output(savedView),
  /** The named views come first, in this order; unknown IDs are ignored. */
  order: route('PUT', '/visualizations/{id}/views/order', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ id, ids: z.array(id).check(z.maxLength(limits.maxSavedViews)) }))
    .output(z.array(savedView)),
  rename: route('PUT', '/views/{id}/name', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ id, name: viewName }))
    .output(savedView),
  remove: route('DELETE', '/views/{id}', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ id }))
    .output(z.object({ id })),
};

/** A filter that a user saved under a name; `filter` is a canonical text of `pack/filter-text`. */
const filterPreset = z.object({ id, name: z.string(), filter: z.string() });
export type FilterPreset = z.infer<typeof filterPreset>;

const name = storableText({ max: limits.maxPresetNameLength });
const filter = storableText({ min: 1, max: limits.maxFilterTextLength });

/** The current user's own filters, for all visualizations. Nobody else sees them, administrators included. */
export const filterPresets = {
  /** In the order of their names. */
  list: route('GET', '/me/filter-presets', { who: 'approved', scope: 'read' }).output(z.array(filterPreset)),
  save: route('POST', '/me/filter-presets', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ name, filter }))
    .output(filterPreset),
  /** Another name, another filter, or both; what is absent stays. */
  change: route('PUT', '/me/filter-presets/{id}', { who: 'approved', scope: 'plan' })
    .input(
      z
        .strictObject({ id, name: z.optional(name), filter: z.optional(filter) })
        .check(z.refine((change) => change.name !== undefined || change.filter !== undefined)),
    )
    .output(filterPreset),
  remove: route('DELETE', '/me/filter-presets/{id}', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ id }))
    .output(z.object({ id })),
};

/** A score that a user saved under a name; `score` is a canonical text of `pack/score`, with its roll-up. */
const savedScore = z.object({ id, name: z.string(), score: z.string() });
export type SavedScore = z.infer<typeof savedScore>;
const score = storableText({ min: 1, max: limits.maxScoreTextLength });

/** The current user's own scores, for all visualizations. Nobody else sees them, administrators included. */
export const scores = {
  /** In the order of their names. */
  list: route('GET', '/me/scores', { who: 'approved', scope: 'read' }).output(z.array(savedScore)),
  save: route('POST', '/me/scores', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ name, score }))
    .output(savedScore),
  /** Another name, another formula, or both; what is absent stays. */
  change: route('PUT', '/me/scores/{id}', { who: 'approved', scope: 'plan' })
    .input(
      z
        .strictObject({ id, name: z.optional(name), score: z.optional(score) })
        .check(z.refine((change) => change.name !== undefined || change.score !== undefined)),
    )
    .output(savedScore),
  remove: route('DELETE', '/me/scores/{id}', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ id }))
    .output(z.object({ id })),
};
