/** Where points are, in CSS pixels. */
export type Places = { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> };

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
