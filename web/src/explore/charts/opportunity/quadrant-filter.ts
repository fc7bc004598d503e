import {
  type AreaLevel,
  type AreaPart,
  type BranchFigure,
  type BranchPart,
  branchFigures,
  branchLevelOf,
  type Filter,
  type Range,
  type StepRange,
} from '@kc/pack/filter/filter';
import { isCost } from '@kc/pack/levels/quadrants';
import type { PointLevel } from '@kc/pack/vocabulary/choices';
import { figureOf, rangeOf, withRange } from '../../model/change-filter.ts';
import type { Metric } from '../../tree-data/figures.ts';
import { boxOf } from './lasso.ts';

/** The nearest values on both sides of a threshold. */
type Sides = { readonly below?: number | undefined; readonly above?: number | undefined };

/** One axis, its threshold, and the wanted side of it. */
export type Cut = { readonly of: Metric; readonly at: number; readonly isHigh: boolean; readonly sides: Sides };

/**
 * The filter that also keeps exactly one quadrant of a level; undefined if a filter cannot use one of the figures.
 *
 * Clusters and pillars are judged as a whole, keywords by themselves.
 */
export function filterOfQuadrant(filter: Filter, level: PointLevel, cuts: readonly Cut[]): Filter | undefined {
  let changed: Filter | undefined = filter;
  for (const cut of cuts) changed = changed && withCut(changed, level, cut);
  return changed;
}

/** The smallest and the greatest value of an axis. */
type Limits = readonly [number, number];

/** A quadrant of a level as an area. It can have any figures, also a score or a field of the file. */
export function areaOfQuadrant(
  areasOf: AreaLevel,
  [x, y]: readonly [Cut, Cut],
  limits: { readonly x: Limits; readonly y: Limits },
): AreaPart {
  return boxOf({ areasOf, x: x.of, y: y.of }, endsOf(x, limits.x), endsOf(y, limits.y));
}

/** From the smallest to the greatest value on the wanted side. */
function endsOf({ of, at, isHigh, sides }: Cut, [min, max]: Limits): Limits {
  if (isHigh) return [isCost(of) ? (sides.above ?? at) : at, Math.max(max, at)];
  return [Math.min(min, at), isCost(of) ? at : (sides.below ?? at)];
}

function withCut(filter: Filter, level: PointLevel, cut: Cut): Filter | undefined {
  const range = rangeOfCut(cut);
  if (level === 'keywords') {
    const of = figureOf(cut.of);
    return of && withRange(filter, of, within(rangeOf(filter, of), range));
  }
  const of = branchFigures.find((figure): figure is BranchFigure => figure === cut.of);
  const levelOfPart = branchLevelOf(level);
  if (!of || !levelOfPart) return undefined;
  const isSame = (part: BranchPart) => part.level === levelOfPart && part.of === of;
  const part = { level: levelOfPart, of, ...within(filter.branches.find(isSame), range) } as const;
  return { ...filter, branches: [...filter.branches.filter((other) => !isSame(other)), part] };
}

/** Ranges include their ends, and a value equal to a threshold is on the good side: the other side begins beyond it. */
function rangeOfCut({ of, at, isHigh, sides }: Cut): Range {
  if (isHigh) return { from: isCost(of) ? roundestFrom(at, sides.above ?? at) : at, to: undefined };
  return { from: undefined, to: isCost(of) ? at : roundestFrom(at, sides.below ?? at) };
}

/** What both ranges contain. */
function within(existing: StepRange | undefined, range: Range): StepRange {
  const [from, to] = [highest(existing?.from, range.from), lowest(existing?.to, range.to)];
  return { from, to, ...(existing?.isBelow && existing.to === to && { isBelow: true }) };
}

const highest = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
const lowest = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

const maxDecimals = 15;

/** The number with the fewest decimals that lies beyond `at`, and not beyond `end`. */
function roundestFrom(at: number, end: number): number {
  const isUp = end > at;
  for (let decimals = 0; decimals < maxDecimals; decimals++) {
    const scale = 10 ** decimals;
    const value = (isUp ? Math.floor(end * scale) : Math.ceil(end * scale)) / scale;
    if (isUp ? value > at && value <= end : value < at && value >= end) return value;
  }
  return end;
}
