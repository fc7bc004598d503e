import { pointLevels } from '@kc/pack/vocabulary/choices';
import * as z from 'zod/mini';
import { limits } from './limits.ts';
import { unstoredText } from './text-shapes.ts';

/** A figure of branches, as a key of a sort names it. A score stands for itself by its formula. */
export const figureText = unstoredText({ min: 1, max: 1200 });
export const threshold = z.coerce.number<number>();

/** What is plotted: a level, or the children of the node. */
export const pointLevel = z.enum(pointLevels);

const sides = z.object({ below: z.optional(z.number()), above: z.optional(z.number()) });
const thresholds = z.object({ x: z.number(), y: z.number() });

/** One value per point in each list. `size` is null if unknown. */
const pointLists = z.object({
  nodes: z.array(z.number()),
  names: z.array(z.string()),
  pillars: z.array(z.number()),
  x: z.array(z.number()),
  y: z.array(z.number()),
  size: z.array(z.nullable(z.number())),
  hardly: z.array(z.number()),
});
export type PointLists = z.infer<typeof pointLists>;

/** The rows of a level as points of Opportunity. The meaning of each number: `pack/levels/points`. */
export const levelPoints = z.object({
  total: z.number(),
  placed: z.number(),
  hardly: z.number(),
  missing: thresholds,
  volume: z.optional(z.number()),
  medians: z.optional(thresholds),
  limits: z.optional(z.object({ x: z.tuple([z.number(), z.number()]), y: z.tuple([z.number(), z.number()]) })),
  quadrants: z.array(
    z.object({ rows: z.number(), hardly: z.number(), keywords: z.number(), volume: z.optional(z.number()) }),
  ),
  sides: z.object({ x: sides, y: sides }),
  points: pointLists,
  unplaced: z.array(z.object({ node: z.number(), name: z.string() })),
});
export type LevelPoints = z.infer<typeof levelPoints>;

/** Where the cells of a window begin along an axis, ascending, followed by the end of the last one. */
export const cellEdges = z.array(z.number()).check(
  z.minLength(2),
  z.maxLength(limits.maxCellEdges),
  z.refine((edges) => edges.every((edge, at) => at === 0 || edge > edges[at - 1]!)),
);

/**
 * A window of Opportunity: its largest points, and counts and volumes of the others. The meaning of each number:
 * `pack/levels/density`.
 */
export const plotDensity = z.object({
  inside: z.number(),
  beyond: z.object({ left: z.number(), right: z.number(), above: z.number(), below: z.number() }),
  points: pointLists,
  cells: z.object({
    at: z.array(z.number()),
    rows: z.array(z.number()),
    /** Absent if the volume of every row is known. */
    known: z.optional(z.array(z.number())),
    volume: z.array(z.number()),
  }),
});
export type PlotDensity = z.infer<typeof plotDensity>;
