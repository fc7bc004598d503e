import type { PointLists } from '@kc/rules/points-shapes';
import type { Scale } from './plot-scale.ts';
import { tieShifts } from './ties.ts';

/** Where the points are and how large, in CSS pixels, one value per point. */
export type PlacedPoints = {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly radius: Float64Array;
  /** Where they are as shares of the whole axes. */
  readonly shares: { readonly x: Float64Array; readonly y: Float64Array };
};

/** Radii in CSS pixels; the largest is a share of the plot's shorter side, within limits. */
const smallest = 3.5;
const biggest = { share: 0.07, least: 12, most: 40 };
/** Share of the plot that points may cover if none overlap. */
const maxCovered = 0.08;

/**
 * Areas are in proportion to sizes; an unknown size is drawn as the smallest. Points of equal values move apart.
 *
 * @param sizes those of the whole plot, so that a point is as large in every window of it
 */
export function placePoints(
  { x, y, size }: Pick<PointLists, 'x' | 'y' | 'size'>,
  across: Scale,
  up: Scale,
  isEqual: boolean,
  sizes: PointLists['size'] = size,
): PlacedPoints {
  const weightOf = (value: number | null) => (isEqual ? 1 : Math.max(0, value ?? 0));
  const weights = Float64Array.from(size, weightOf);
  const [width, height] = [Math.abs(across.to - across.from), Math.abs(up.to - up.from)];
  const most = sizes.reduce<number>((greatest, value) => Math.max(greatest, weightOf(value)), 0);
  const whole = sizes.reduce<number>((sum, value) => sum + weightOf(value), 0);
  const largest = Math.min(biggest.most, Math.max(biggest.least, Math.min(width, height) * biggest.share));
  const unit =
    most === 0 ? 0 : Math.min(largest / Math.sqrt(most), Math.sqrt((width * height * maxCovered) / (Math.PI * whole)));
  const shifts = tieShifts(x, y);
  return {
    x: Float64Array.from(x, (value, nth) => across.at(value) + shifts.across[nth]!),
    y: Float64Array.from(y, (value, nth) => up.at(value) + shifts.down[nth]!),
    shares: { x: Float64Array.from(x, across.shareOf), y: Float64Array.from(y, up.shareOf) },
    radius: weights.map((weight) => Math.max(smallest, Math.sqrt(weight) * unit)),
  };
}

/** Where points are, in CSS pixels. */
type Places = { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> };

/**
 * The nearest point in a direction, within 45° of it; undefined if there is none.
 *
 * @param across and @param down one of them 1 or -1, the other 0
 */
export function nearestPoint({ x, y }: Places, from: number, across: number, down: number): number | undefined {
  let best: number | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (let at = 0; at < x.length; at++) {
    if (at === from) continue;
    const [dx, dy] = [x[at]! - x[from]!, y[at]! - y[from]!];
    const along = dx * across + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * across);
    if (along <= 0 || aside > along) continue;
    // A point straight ahead is preferred to one that is a little nearer but to the side.
    const distance = along + 2 * aside;
    if (distance < bestDistance) [best, bestDistance] = [at, distance];
  }
  return best;
}
