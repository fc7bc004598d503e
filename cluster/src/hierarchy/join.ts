import type { Neighbours } from '../neighbours/neighbours.ts';
import { stray } from './stray.ts';

/** So many of a group's members must be similar to a row that joins it. */
const votes = 3;

/**
 * The group that a row joins: the one whose members among the row's neighbours are the most similar. The mean is over
 * the nearest three, or all members of a smaller group.
 *
 * @param of the group of each neighbour, or `stray`
 * @param sizes of the groups, in rows
 * @param least mean similarity
 * @returns `stray` if no group is similar enough
 */
export function joinedGroup(
  { count, to, similarity }: Neighbours,
  row: number,
  of: (neighbour: number) => number,
  sizes: ArrayLike<number>,
  least: number,
): number {
  const sums = new Map<number, { readonly sum: number; readonly voters: number }>();
  for (let at = row * count; at < (row + 1) * count; at++) {
    const group = to[at]! < 0 ? stray : of(to[at]!);
    if (group === stray) continue;
    const { sum, voters } = sums.get(group) ?? { sum: 0, voters: 0 };
    if (voters < votes) sums.set(group, { sum: sum + similarity[at]!, voters: voters + 1 });
  }
  let best = stray;
  let bestMean = 0;
  for (const [group, { sum }] of sums) {
    const mean = sum / Math.min(votes, sizes[group]!);
    if (mean < least || mean <= bestMean) continue;
    best = group;
    bestMean = mean;
  }
  return best;
}

/** How many rows each group has; rows of group −1 do not count. */
export function rowsPerGroup(of: Int32Array, groups: number): Uint32Array {
  const sizes = new Uint32Array(groups);
  for (const group of of) if (group >= 0) sizes[group]!++;
  return sizes;
}
