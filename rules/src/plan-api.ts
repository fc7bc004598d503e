import * as z from 'zod/mini';
import { route } from './contract-call.ts';
import { limits } from './limits.ts';
import {
  address,
  batch,
  leadInMonths,
  planAnswer,
  planContinuation,
  planFigures,
  planHistory,
  planLinks,
  planPage,
  planPeople,
  planSet,
  planSuggestions,
  planTarget,
  planTotals,
  revision,
  tagList,
} from './plan-shapes.ts';
import { filter, id, row } from './shapes.ts';

/**
 * The plan of the data that a visualization shows: of all data that its owner has under the same root. Everybody has a
 * plan of their own for the sample.
 */
export const plans = {
  /** The entries that have changed since a revision, in the order of their last change. */
  read: route('GET', '/visualizations/{id}/plan', { who: 'approved', scope: 'read' })
    .input(z.object({ id, since: z.optional(revision) }))
    .output(planPage),
  /** Changes fields of some entries, each field by itself: see `mergeChange`. `base`: the last revision that the page has read. */
  change: route('POST', '/visualizations/{id}/plan/changes', { who: 'approved', scope: 'plan' })
    .input(
      z.strictObject({
        id,
        batch,
        base: revision,
        targets: z.array(planTarget).check(z.minLength(1), z.maxLength(limits.maxPlanTargets)),
        set: z.optional(planSet),
        addTags: z.optional(tagList),
        removeTags: z.optional(tagList),
      }),
    )
    .output(planAnswer),
  /** Undoes a write, except for fields that somebody has changed since. */
  undo: route('POST', '/visualizations/{id}/plan/undo', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ id, batch, undone: batch }))
    .output(planAnswer),
  /** Moves entries to other nodes. Their earlier paths are kept, because other uploads may still have those. */
  move: route('POST', '/visualizations/{id}/plan/moves', { who: 'approved', scope: 'plan' })
    .input(
      z.strictObject({
        id,
        batch,
        moves: z
          .array(z.strictObject({ entry: id, node: address }))
          .check(z.minLength(1), z.maxLength(limits.maxPlanTargets)),
      }),
    )
    .output(planAnswer),
  /** What was changed in an entry, newest first: the last `limits.maxPlanHistory` changes. */
  history: route('GET', '/visualizations/{id}/plan/history', { who: 'approved', scope: 'read' })
    .input(z.object({ id, entry: id }))
    .output(planHistory),
  /** The people of this server who can be made owners, as far as the asker may know of them; see `offeredOwners`. */
  people: route('GET', '/visualizations/{id}/plan/people', { who: 'approved', scope: 'read' })
    .input(z.object({ id }))
    .output(planPeople),
  /** How much is planned, and how much is covered by pages: of all data, and of the branch of a row. */
  totals: route('GET', '/visualizations/{id}/plan/totals', { who: 'approved', scope: 'read' })
    .input(z.object({ id, branch: z.optional(row) }))
    .output(planTotals),
  /** The figures of all entries under a filter of the map. */
  figures: route('GET', '/visualizations/{id}/plan/figures', { who: 'approved', scope: 'read' })
    .input(z.object({ id, filter }))
    .output(planFigures),
  /** For entries without a node in this upload, nodes that they may have become; and entries whose keywords have changed. */
  suggestions: route('GET', '/visualizations/{id}/plan/suggestions', { who: 'approved', scope: 'read' })
    .input(z.object({ id }))
    .output(planSuggestions),
  /** Suggested links between the page of an entry and those of others. */
  links: route('GET', '/visualizations/{id}/plan/links', { who: 'approved', scope: 'read' })
    .input(z.object({ id, entry: id }))
    .output(planLinks),
  /** Sets how many months before a peak to publish. */
  lead: route('PUT', '/visualizations/{id}/plan/lead', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ id, lead: leadInMonths }))
    .output(z.object({ lead: leadInMonths })),
  /** The plan of another root that an upload could continue, if its own root has none. */
  offer: route('GET', '/visualizations/{id}/plan/continuation', { who: 'approved', scope: 'read' })
    .input(z.object({ id }))
    .output(planContinuation),
  /** Lets uploads under this root continue a plan, or with `null` have one of their own. The first choice stays; `isContinued` says which it is. */
  choose: route('POST', '/visualizations/{id}/plan/continuation', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ id, plan: z.nullable(id) }))
    .output(z.object({ isContinued: z.boolean() })),
};
