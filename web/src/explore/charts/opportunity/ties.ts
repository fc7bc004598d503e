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
export function tieShifts(x: ArrayLike<number>, y: ArrayLike<number>): { across: Float64Array; down: Float64Array } {
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
    for (const [nth, at] of group.entries()) {
      across[at] = unit * Math.sqrt(nth) * Math.cos(nth * goldenAngle);
      down[at] = unit * Math.sqrt(nth) * Math.sin(nth * goldenAngle);
    }
  }
  return { across, down };
}
