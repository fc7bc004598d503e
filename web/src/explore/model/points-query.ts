import type { Level } from '@kc/pack/levels/level';
import type { Metric } from '../tree-data/figures.ts';

/** The points of a level as the server places them. Equal queries have equal answers. Nodes are pack rows. */
export type PointsQuery = {
  readonly level: Level;
  readonly within: number;
  readonly filter: string;
  readonly x: Metric;
  readonly y: Metric;
  /** What decides which points are the largest. */
  readonly size: Metric;
  /** Where quadrants are divided; without one, at the median. */
  readonly tx?: number;
  readonly ty?: number;
  /** 0 for totals without points; as many as possible if absent. */
  readonly count?: number;
};

/** Where the cells of a window begin, followed by the end of the last one; in values of the axes. */
export type DensityEdges = { readonly x: number[]; readonly y: number[] };
