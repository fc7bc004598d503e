import * as z from 'zod/mini';
import { changedNode, changeLevel, changeName, changesPage, thresholdText } from './change-shapes.ts';
import { route } from './contract-call.ts';
import { limits } from './limits.ts';
import { cellEdges, figureText, levelPoints, plotDensity, pointLevel, threshold } from './points-shapes.ts';
import { scoreCheck, scoreLevel, scoreText } from './score-shapes.ts';
import { filter, id, row } from './shapes.ts';

/** The rows of a level within a node, by two figures. What is large is decided by a third one. */
const plot = {
  id,
  level: pointLevel,
  within: z.optional(row),
  x: figureText,
  y: figureText,
  size: figureText,
  filter,
} as const;

/** The calls about the rows of a level: part of those about visualizations. */
export const levelCalls = {
  /** How a score is distributed over the rows of a level within a node, or what is wrong with its formula. */
  checkScore: route('POST', '/visualizations/{id}/score-check', { who: 'approved', scope: 'read' })
    .input(z.strictObject({ id, score: scoreText, level: scoreLevel, within: z.optional(row), filter }))
    .output(scoreCheck),
  /**
   * The rows of a level within a node as points: the largest exactly, and totals of the quadrants over all of them.
   * Figures are named like keys of a sort. Without a threshold, the median divides.
   */
  points: route('GET', '/visualizations/{id}/points', { who: 'approved', scope: 'read' })
    .input(
      z.object({
        ...plot,
        tx: z.optional(threshold),
        ty: z.optional(threshold),
        count: z.optional(z.coerce.number<number>().check(z.int(), z.gte(0), z.lte(limits.maxPointsOfLevel))),
      }),
    )
    .output(levelPoints),
  /** A window of such a plot: the largest points in it exactly, and the others counted by cell. */
  density: route('POST', '/visualizations/{id}/density', { who: 'approved', scope: 'read' })
    .input(
      z.strictObject({
        ...plot,
        edges: z.strictObject({ x: cellEdges, y: cellEdges }),
        count: z.optional(z.number().check(z.int(), z.gte(0), z.lte(limits.maxPointsOfLevel))),
      }),
    )
    .output(plotDensity),
};

/** The calls about what changed between two uploads: part of those about visualizations. */
export const changeCalls = {
  /**
   * What changed from the earlier upload `vs` of the same owner: counts, and a page of the changed nodes from `from`
   * on. `ct`: thresholds. `within`: a branch, whose nodes and what is gone from it are counted and listed.
   */
  changes: route('GET', '/visualizations/{id}/changes', { who: 'approved', scope: 'read' })
    .input(
      z.object({
        id,
        vs: id,
        level: z.optional(changeLevel),
        kind: z.optional(changeName),
        from: z.optional(row),
        within: z.optional(row),
        ct: z.optional(thresholdText),
        filter,
      }),
    )
    .output(changesPage),
  /** How one node changed from the earlier upload `vs`. */
  change: route('GET', '/visualizations/{id}/nodes/{node}/change', { who: 'approved', scope: 'read' })
    .input(z.object({ id, node: row, vs: id, ct: z.optional(thresholdText), filter }))
    .output(changedNode),
};
