import { counts, fates, type KeptTree } from './kept-tree.ts';

/** By branch: the sum of the known values of the keywords kept, how many are known, and the sum over the children's. */
export type KeptSum = { readonly sum: Float64Array; readonly known: Uint32Array; readonly ofChildren: Float64Array };

type Values = Float64Array | Float32Array;

/**
 * Adds the branches up, the last ones first: children are one run of rows, and the branches among them one of branches, so
 * one pass goes through both backwards. A repeat is taken off where it counts no more.
 *
 * @param values of each row, NaN for unknown
 * @param volumes what the values are weighted by
 * @param what in the place of the values: their products with the volumes, or the volumes of those that are known
 */
export function sumKept(
  tree: KeptTree,
  values: Values | undefined,
  volumes?: Float64Array,
  what?: 'products' | 'weights',
): KeptSum {
  const { fate, branches, repeats } = tree;
  const { count, starts, firstChild, childCount, rows } = branches;
  const sum = new Float64Array(count);
  const known = new Uint32Array(count);
  const ofChildren = new Float64Array(count);
  if (!values) return { sum, known, ofChildren };
  const valueAt = (row: number): number => {
    const value = values[row]!;
    if (!volumes) return value;
    return what === 'products' ? value * volumes[row]! : Number.isNaN(value) ? value : volumes[row]!;
  };
  for (let index = 0; index < repeats.rows.length; index++) {
    const value = valueAt(repeats.rows[index]!);
    if (Number.isNaN(value)) continue;
    sum[repeats.branch[index]!]! -= value;
    known[repeats.branch[index]!]! -= 1;
  }
  for (let branch = count - 1; branch >= 0; branch--) {
    if (fate[rows[branch]!] === fates.gone) continue;
    const first = firstChild[branch]!;
    const end = first + childCount[branch]!;
    let total = 0;
    let of = 0;
    for (let row = first; row < end; row++) {
      if (fate[row] !== fates.leafKeyword) continue;
      const value = valueAt(row);
      if (Number.isNaN(value)) continue;
      total += value;
      of++;
    }
    for (let child = starts[first]!; child < starts[end]!; child++) {
      total += sum[child]!;
      of += known[child]!;
    }
    ofChildren[branch] = total;
    const row = rows[branch]!;
    const own = fate[row] === fates.branchKeyword ? valueAt(row) : Number.NaN;
    if (!Number.isNaN(own)) {
      total += own;
      of++;
    }
    sum[branch]! += total;
    known[branch]! += of;
    // What is taken off again leaves a rest of the last digits.
    if (known[branch] === 0) sum[branch] = 0;
  }
  return { sum, known, ofChildren };
}

/** Means weighted by volume, over the keywords kept of which both are known; NaN where those weigh nothing. */
export function weightedMeans(
  tree: KeptTree,
  values: Values | undefined,
  volumes: Float64Array | undefined,
): Float64Array {
  if (!values || !volumes) return new Float64Array(tree.branches.count).fill(Number.NaN);
  const above = sumKept(tree, values, volumes, 'products').sum;
  const below = sumKept(tree, values, volumes, 'weights').sum;
  return above.map((sum, branch) => (below[branch]! > 0 ? sum / below[branch]! : Number.NaN));
}

/** By branch: how many of the keywords kept have each of the four intents, and how many have any. */
export type KeptIntents = { readonly of: readonly Uint32Array[]; readonly known: Uint32Array };

/** @param column bits of each row */
export function countIntents(tree: KeptTree, column: Uint8Array | undefined): KeptIntents {
  const { fate, branches, repeats } = tree;
  const { count, firstChild, childCount, rows } = branches;
  const of = [0, 1, 2, 3].map(() => new Uint32Array(count));
  const known = new Uint32Array(count);
  if (!column) return { of, known };
  /** How often each combination of bits comes in one branch. */
  const seen = new Int32Array(256);
  const flush = (branch: number, sign: 1 | -1): void => {
    for (let bits = 1; bits < 16; bits++) {
      if (seen[bits] === 0) continue;
      known[branch]! += sign * seen[bits]!;
      for (let kind = 0; kind < 4; kind++) if (bits & (1 << kind)) of[kind]![branch]! += sign * seen[bits]!;
      seen[bits] = 0;
    }
  };
  for (let index = 0; index < repeats.rows.length; index++) {
    seen[column[repeats.rows[index]!]!]! += 1;
    flush(repeats.branch[index]!, -1);
  }
  for (let branch = 0; branch < count; branch++) {
    const own = rows[branch]!;
    if (fate[own] === fates.gone) continue;
    if (fate[own] === fates.branchKeyword) seen[column[own]!]! += 1;
    const end = firstChild[branch]! + childCount[branch]!;
    for (let row = firstChild[branch]!; row < end; row++) if (fate[row] === fates.leafKeyword) seen[column[row]!]! += 1;
    flush(branch, 1);
  }
  for (const counted of [...of, known]) addChildren(branches, counted);
  return { of, known };
}

/** By branch: the further occurrences of keywords that count once. */
export function countRepeats({ branches, repeats }: KeptTree): Uint32Array {
  const counted = new Uint32Array(branches.count);
  for (const branch of repeats.branch) counted[branch]! += 1;
  addChildren(branches, counted);
  return counted;
}

/** By branch: the nodes kept, its own counted. */
export function countNodes({ fate, branches }: KeptTree): Uint32Array {
  const { count, starts, firstChild, childCount, rows } = branches;
  const counted = new Uint32Array(count);
  for (let branch = 0; branch < count; branch++) {
    const first = firstChild[branch]!;
    const end = first + childCount[branch]!;
    for (let row = first; row < end; row++)
      if (starts[row] === starts[row + 1] && fate[row]! > 0) counted[branch]! += 1;
    if (fate[rows[branch]!]! > 0) counted[branch]! += 1;
  }
  addChildren(branches, counted);
  return counted;
}

function addChildren({ count, starts, firstChild, childCount }: KeptTree['branches'], values: Uint32Array): void {
  for (let branch = count - 1; branch >= 0; branch--) {
    const end = starts[firstChild[branch]! + childCount[branch]!]!;
    for (let child = starts[firstChild[branch]!]!; child < end; child++) values[branch]! += values[child]!;
  }
}

/**
 * By branch: the row of the keyword with the highest known volume, the first in the file among equals.
 *
 * @param place in the file, by row
 */
export function topKeywords(
  tree: KeptTree,
  volume: Float64Array | undefined,
  place: Uint32Array,
  none: number,
): Uint32Array {
  const { fate, branches } = tree;
  const { count, starts, firstChild, childCount, rows } = branches;
  const top = new Uint32Array(count).fill(none);
  if (!volume) return top;
  const better = (one: number, other: number) =>
    other === none || volume[one]! > volume[other]! || (volume[one] === volume[other] && place[one]! < place[other]!);
  for (let branch = count - 1; branch >= 0; branch--) {
    let best = none;
    const offer = (row: number) => {
      if (counts(fate[row]!) && !Number.isNaN(volume[row]!) && better(row, best)) best = row;
    };
    const end = firstChild[branch]! + childCount[branch]!;
    for (let row = firstChild[branch]!; row < end; row++) if (fate[row] === fates.leafKeyword) offer(row);
    for (let child = starts[firstChild[branch]!]!; child < starts[end]!; child++)
      if (top[child] !== none) offer(top[child]!);
    offer(rows[branch]!);
    top[branch] = best;
  }
  return top;
}
