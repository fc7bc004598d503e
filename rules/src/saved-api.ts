/** What people save under names. Nobody sees what somebody else saved, administrators included. */

import * as z from 'zod/mini';
import { route } from './contract-call.ts';
import { limits } from './limits.ts';
import { isViewState } from './saved-view.ts';
import { id, row } from './shapes.ts';
import { storableText } from './text-shapes.ts';

const reads = { who: 'approved', scope: 'read' } as const;
const writes = { who: 'approved', scope: 'plan' } as const;
const saved = z.object({ id, name: z.string() });
const ofOne = z.strictObject({ id });

/** A saved view of a user's data; `state` satisfies `isViewState` of `saved-view`. */
const savedView = z.extend(saved, { state: z.string() });
export type SavedView = z.infer<typeof savedView>;
const viewName = storableText({ max: limits.maxViewNameLength });
const state = storableText({ max: limits.maxViewStateLength }).check(z.refine(isViewState));

/**
 * The user's own views of the data of a visualization, that is, of all data that its owner has under the same root.
 */
export const views = {
  list: route('GET', '/visualizations/{id}/views', reads).input(z.object({ id })).output(z.array(savedView)),
  /** Appended to the list, or inserted at position `at`, counted from 0. */
  save: route('POST', '/visualizations/{id}/views', writes)
    .input(z.strictObject({ id, name: viewName, state, at: z.optional(row) }))
    .output(savedView),
  /** The named views come first, in this order; unknown IDs are ignored. */
  order: route('PUT', '/visualizations/{id}/views/order', writes)
    .input(z.strictObject({ id, ids: z.array(id).check(z.maxLength(limits.maxSavedViews)) }))
    .output(z.array(savedView)),
  rename: route('PUT', '/views/{id}/name', writes)
    .input(z.strictObject({ id, name: viewName }))
    .output(savedView),
  remove: route('DELETE', '/views/{id}', writes).input(ofOne).output(z.object({ id })),
};

const presetName = storableText({ max: limits.maxPresetNameLength });

/** A saved filter; `filter` is a canonical text of `pack/filter-text`. */
const filterPreset = z.extend(saved, { filter: z.string() });
export type FilterPreset = z.infer<typeof filterPreset>;
const filter = storableText({ min: 1, max: limits.maxFilterTextLength });

/** The current user's own filters, for all visualizations. */
export const filterPresets = presets('/me/filter-presets', filterPreset, z.strictObject({ name: presetName, filter }));

/** A saved score; `score` is a canonical text of `pack/score`, with its roll-up. */
const savedScore = z.extend(saved, { score: z.string() });
export type SavedScore = z.infer<typeof savedScore>;
const score = storableText({ min: 1, max: limits.maxScoreTextLength });

/** The current user's own scores, for all visualizations. */
export const scores = presets('/me/scores', savedScore, z.strictObject({ name: presetName, score }));

/** @param input a name, and the text that is saved under it */
function presets<Preset extends z.ZodMiniObject, Input extends z.ZodMiniObject>(
  path: `/${string}`,
  preset: Preset,
  input: Input,
) {
  return {
    /** In the order of their names. */
    list: route('GET', path, reads).output(z.array(preset)),
    save: route('POST', path, writes).input(input).output(preset),
    /** Another name, another text, or both; what is absent stays. */
    change: route('PUT', `${path}/{id}`, writes)
      .input(z.extend(z.partial(input), { id }).check(z.refine(changesSomething)))
      .output(preset),
    remove: route('DELETE', `${path}/{id}`, writes).input(ofOne).output(z.object({ id })),
  };
}

/** Whether there is more than the ID. */
function changesSomething(change: object): boolean {
  return Object.values(change).filter((value) => value !== undefined).length > 1;
}
