import { eachPiece, eachRun, type Pause } from '../format/in-pieces.ts';
import { counts, fates, type KeptTree } from './kept-tree.ts';

/** By branch: the sum of the known values of the keywords kept, how many are known, and the sum over the children's. */
export type KeptSum = { readonly sum: Float64Array; readonly known: Uint32Array; readonly ofChildren: Float64Array };

type Values = Float64Array | Float32Array;

/**
 * Adds the branches up: first the leaves of each, then, the last ones first, the branches among its children, which are one
 * run of branches. A repeat is taken off where it counts no more.
 *
 * @param values of each row, NaN for unknown
 * @param volumes what the values are weighted by
 * @param what in the place of the values: their products with the volumes, or the volumes of those that are known
 */
export async function sumKept(
  tree: KeptTree,
  values: Values | undefined,
  pause: Pause,
  volumes?: Float64Array,
  what?: 'products' | 'weights',
): Promise<KeptSum> {
  const { fate, branches, leafKeywords, repeats } = tree;
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
  const own = volumes ? Float64Array.from(leafKeywords.rows, valueAt) : undefined;
  for (let index = 0; index < repeats.rows.length; index++) {
    const value = valueAt(repeats.rows[index]!);
    if (Number.isNaN(value)) continue;
    sum[repeats.branch[index]!]! -= value;
    known[repeats.branch[index]!]! -= 1;
  }
  await eachRun(leafKeywords.starts, pause, (branch, from, end) => {
    const total = own ? addUp(own, from, end) : addRows(values, leafKeywords.rows, from, end);
    ofChildren[branch]! += total.sum;
    known[branch]! += total.known;
  });
  await eachPiece(count, pause, (from, end) => {
    for (let branch = count - 1 - from; branch >= count - end; branch--) {
      const row = rows[branch]!;
      if (fate[row] === fates.gone) continue;
      const last = starts[firstChild[branch]! + childCount[branch]!]!;
      for (let child = starts[firstChild[branch]!]!; child < last; child++) {
        ofChildren[branch]! += sum[child]!;
        known[branch]! += known[child]!;
      }
      const value = fate[row] === fates.branchKeyword ? valueAt(row) : Number.NaN;
      sum[branch]! += ofChildren[branch]! + (value || 0);
      if (!Number.isNaN(value)) known[branch]! += 1;
      // What is taken off again leaves a rest of the last digits.
      if (known[branch] === 0) sum[branch] = 0;
    }
  });
  return { sum, known, ofChildren };
}

/** Of the known values. A loop by itself, with all it needs at hand. */
function addRows(values: Values, rows: Uint32Array, from: number, end: number): { sum: number; known: number } {
  let sum = 0;
  let unknown = 0;
  for (let index = from; index < end; index++) {
    const value = values[rows[index]!]!;
    if (Number.isNaN(value)) unknown++;
    else sum += value;
  }
  return { sum, known: end - from - unknown };
}

function addUp(values: Float64Array, from: number, end: number): { sum: number; known: number } {
  let sum = 0;
  let unknown = 0;
  for (let index = from; index < end; index++) {
    if (Number.isNaN(values[index])) unknown++;
    else sum += values[index]!;
  }
  return { sum, known: end - from - unknown };
}

/** Means weighted by volume, over the keywords kept of which both are known; NaN where those weigh nothing. */
export async function weightedMeans(
  tree: KeptTree,
  values: Values | undefined,
  volumes: Float64Array | undefined,
  pause: Pause,
): Promise<Float64Array> {
  if (!values || !volumes) return new Float64Array(tree.branches.count).fill(Number.NaN);
  const above = (await sumKept(tree, values, pause, volumes, 'products')).sum;
  const below = (await sumKept(tree, values, pause, volumes, 'weights')).sum;
  return above.map((sum, branch) => (below[branch]! > 0 ? sum / below[branch]! : Number.NaN));
}

/** By branch: how many of the keywords kept have each of the four intents, and how many have any. */
export type KeptIntents = { readonly of: readonly Uint32Array[]; readonly known: Uint32Array };

/** @param column bits of each row */
export async function countIntents(tree: KeptTree, column: Uint8Array | undefined, pause: Pause): Promise<KeptIntents> {
  const { fate, branches, leafKeywords, repeats } = tree;
  const { count, rows } = branches;
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
  await eachRun(leafKeywords.starts, pause, (branch, from, end) => {
    const own = rows[branch]!;
    if (from === leafKeywords.starts[branch] && fate[own] === fates.branchKeyword) seen[column[own]!]! += 1;
    for (let index = from; index < end; index++) seen[column[leafKeywords.rows[index]!]!]! += 1;
    flush(branch, 1);
  });
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
  const { fate, branches, leafKeywords } = tree;
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
    for (let index = leafKeywords.starts[branch]!; index < leafKeywords.starts[branch + 1]!; index++) {
      offer(leafKeywords.rows[index]!);
    }
    for (let child = starts[firstChild[branch]!]!; child < starts[end]!; child++)
      if (top[child] !== none) offer(top[child]!);
    offer(rows[branch]!);
    top[branch] = best;
  }
  return top;
}
