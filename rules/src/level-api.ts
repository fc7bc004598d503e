import * as z from 'zod/mini';
import { api } from './contract-call.ts';
import { limits } from './limits.ts';
import { cellEdges, figureText, levelPoints, plotDensity, threshold } from './points-shapes.ts';
import { scoreCheck, scoreLevel, scoreText } from './score-shapes.ts';
import { filter, id, row } from './shapes.ts';

/** The rows of a level within a node, by two figures. What is large is decided by a third one. */
const plot = {
  id,
  level: scoreLevel,
  within: z.optional(row),
  x: figureText,
  y: figureText,
  size: figureText,
  filter,
} as const;

/** The calls about the rows of a level: part of those about visualizations. */
export const levelCalls = {
  /** How a score is distributed over the rows of a level within a node, or what is wrong with its formula. */
  checkScore: api
    .route({ method: 'POST', path: '/visualizations/{id}/score-check' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id, score: scoreText, level: scoreLevel, within: z.optional(row), filter }))
    .output(scoreCheck),
  /**
   * The rows of a level within a node as points: the largest exactly, and totals of the quadrants over all of them.
   * Figures are named like keys of a sort. Without a threshold, the median divides.
   */
  points: api
    .route({ method: 'GET', path: '/visualizations/{id}/points' })
    .meta({ who: 'approved' })
    .input(
      z.object({
        ...plot,
        tx: z.optional(threshold),
        ty: z.optional(threshold),
        count: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(limits.maxPointsOfLevel))),
      }),
    )
    .output(levelPoints),
  /** A window of such a plot: the largest points in it exactly, and the others counted by cell. */
  density: api
    .route({ method: 'POST', path: '/visualizations/{id}/density' })
    .meta({ who: 'approved' })
    .input(
      z.strictObject({
        ...plot,
        edges: z.strictObject({ x: cellEdges, y: cellEdges }),
        count: z.optional(z.number().check(z.int(), z.gte(0), z.lte(limits.maxPointsOfLevel))),
      }),
    )
    .output(plotDensity),
};
