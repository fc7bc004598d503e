import type { PointLists } from '@kc/rules/points-shapes';
import type { Scale } from './plot-scale.ts';

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
const biggest = { share: 0.07, min: 12, max: 40 };
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
  const maxWeight = sizes.reduce<number>((greatest, value) => Math.max(greatest, weightOf(value)), 0);
  const whole = sizes.reduce<number>((sum, value) => sum + weightOf(value), 0);
  const largest = Math.min(biggest.max, Math.max(biggest.min, Math.min(width, height) * biggest.share));
  const unit =
    maxWeight === 0
      ? 0
      : Math.min(largest / Math.sqrt(maxWeight), Math.sqrt((width * height * maxCovered) / (Math.PI * whole)));
  const shifts = tieShifts(x, y);
  return {
    x: Float64Array.from(x, (value, i) => across.at(value) + shifts.across[i]!),
    y: Float64Array.from(y, (value, i) => up.at(value) + shifts.down[i]!),
    shares: { x: Float64Array.from(x, across.shareOf), y: Float64Array.from(y, up.shareOf) },
    radius: weights.map((weight) => Math.max(smallest, Math.sqrt(weight) * unit)),
  };
}

/** The distance from one tied point to the next, and of the outermost one from its place at most, in CSS pixels. */
const spacing = 7;
const farthest = 24;
/** Turns by the golden angle fill a disc evenly. Source: Vogel 1979, "A better way to construct the sunflower head". */
const goldenAngle = Math.PI * (3 - Math.sqrt(5));

/**
 * How far points of equal values are moved apart, in CSS pixels: points of equal size would hide one another. The first
 * of them stays in its place; the others surround it, as in a sunflower.
 *
 * @param x the values of points, as @param y
 * @returns the shift of each point across and down
 */
function tieShifts(x: ArrayLike<number>, y: ArrayLike<number>): { across: Float64Array; down: Float64Array } {
  const groups = new Map<string, number[]>();
  for (let at = 0; at < x.length; at++) {
    const place = `${x[at]} ${y[at]}`;
    const group = groups.get(place);
    if (group) group.push(at);
    else groups.set(place, [at]);
  }
  const across = new Float64Array(x.length);
  const down = new Float64Array(x.length);
  for (const group of groups.values()) {
    const unit = Math.min(spacing, farthest / Math.sqrt(Math.max(1, group.length - 1)));
    for (const [i, at] of group.entries()) {
      across[at] = unit * Math.sqrt(i) * Math.cos(i * goldenAngle);
      down[at] = unit * Math.sqrt(i) * Math.sin(i * goldenAngle);
    }
  }
  return { across, down };
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
