import * as z from 'zod/mini';
import { route } from './contract-call.ts';
import { unplacedDetail, unplacedPage } from './keyword-shapes.ts';
import {
  branchMembers,
  field,
  filter,
  histogram,
  id,
  keywordCursor,
  keywordLimit,
  keywordPage,
  matchMode,
  nodeDetail,
  row,
  searchAnswer,
  withheldField,
} from './shapes.ts';
import { queryText } from './text-shapes.ts';

/** The calls that read the figures of a visualization: part of those about visualizations. The visitors of a link have them, too. */
export const readingCalls = {
  /**
   * The fields of the file beyond the metrics: first those that a slice's `field` may name, then those that it may
   * not.
   */
  fields: route('GET', '/visualizations/{id}/fields', { who: 'approved', scope: 'read' })
    .input(z.object({ id }))
    .output(z.array(z.union([field, withheldField]))),
  node: route('GET', '/visualizations/{id}/nodes/{node}', { who: 'approved', scope: 'read' })
    .input(z.object({ id, node: row, filter }))
    .output(nodeDetail),
  /**
   * A branch's keywords at any depth, the heaviest first, a page at a time; a keyword that occurs twice is listed
   * twice. `next` is the `after` of the next page, absent at the end.
   */
  keywords: route('GET', '/visualizations/{id}/nodes/{node}/keywords', { who: 'approved', scope: 'read' })
    .input(z.object({ id, node: row, after: z.optional(keywordCursor), limit: keywordLimit, filter }))
    .output(keywordPage),
  /** For each set field, the number of keywords of a branch that have each member; each keyword counts once. */
  members: route('GET', '/visualizations/{id}/nodes/{node}/members', { who: 'approved', scope: 'read' })
    .input(z.object({ id, node: row, filter }))
    .output(z.array(branchMembers)),
  /** Keywords that no node names, by name: `limit` of them after the first `skip`. */
  notInHierarchy: route('GET', '/visualizations/{id}/not-in-hierarchy', { who: 'approved', scope: 'read' })
    .input(z.object({ id, q: z.optional(queryText), match: matchMode, skip: z.optional(row), limit: keywordLimit }))
    .output(unplacedPage),
  notInHierarchyKeyword: route('GET', '/visualizations/{id}/not-in-hierarchy/{row}', {
    who: 'approved',
    scope: 'read',
  })
    .input(z.object({ id, row }))
    .output(unplacedDetail),
  /**
   * The node with an ID (16 hex digits), with its ancestors root first, the node itself last. If only another
   * visualization of the same user has it: its deepest ancestor that exists here, and its name as `gone`. An empty path
   * if none has it, which is no error: links and drafts name nodes that are gone.
   */
  locate: route('GET', '/visualizations/{id}/locate', { who: 'approved', scope: 'read' })
    .input(z.object({ id, address: queryText, filter }))
    .output(
      z.object({
        path: z.array(z.number()),
        gone: z.optional(z.string()),
        /** The name of the node itself, if the filter excludes it and the path ends before it. */
        hidden: z.optional(z.string()),
      }),
    ),
  /**
   * The distribution of the keywords of the whole tree over a figure or field, named as in a filter, or over `type`,
   * `intent`, `depth` or `growth`: those that the other conditions of the filter keep, each counted once. For
   * `cluster-FIGURE` and `pillar-FIGURE`, the distribution of the branches. With `sum`, a figure that adds up over keywords, intents
   * and values of categories have its sum as well.
   */
  histogram: route('GET', '/visualizations/{id}/histogram', { who: 'approved', scope: 'read' })
    .input(z.object({ id, of: queryText, sum: z.optional(queryText), filter }))
    .output(histogram),
  /** The best hits after the first `skip`, and the positions of all hits below the node `under`, if given. */
  search: route('GET', '/visualizations/{id}/search', { who: 'approved', scope: 'read' })
    .input(
      z.object({
        id,
        q: queryText,
        match: matchMode,
        limit: z.optional(z.coerce.number<number>().check(z.int(), z.gte(1), z.lte(200))),
        skip: z.optional(row),
        under: z.optional(row),
        filter,
      }),
    )
    .output(searchAnswer),
};
