import { eachPiece, eachRun, type Pause, pauseBetween, pieceLength } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import { addMembers, type Counts, findTop, OpenCounts } from '../tree/field-roll-up.ts';
import { fates, type KeptTree, type LeafKeywords } from './kept-tree.ts';

/**
 * By branch: the sum of the known values of the kept keywords, the number of known values, and the sum over the
 * children.
 */
export type KeptSum = { readonly sum: Float64Array; readonly known: Uint32Array; readonly ofChildren: Float64Array };

type Values = Float64Array | Float32Array;

/**
 * Computes branch totals: first the leaves of each branch, then, last branch first, its child branches, which are
 * contiguous. A repeat is subtracted where it must not count again.
 *
 * @param values of each row, NaN for unknown
 */
export async function sumKept(tree: KeptTree, values: Values | undefined, pause: Pause): Promise<KeptSum> {
  const { branchFate, branches, leafKeywords, repeats } = tree;
  const { count, rows, inner } = branches;
  const sum = new Float64Array(count);
  const known = new Uint32Array(count);
  const ofChildren = new Float64Array(count);
  if (!values) return { sum, known, ofChildren };
  await eachPiece(repeats.rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) {
      const value = values[repeats.rows[index]!]!;
      if (Number.isNaN(value)) continue;
      sum[repeats.branch[index]!]! -= value;
      known[repeats.branch[index]!]! -= 1;
    }
  });
  await eachRun(leafKeywords.starts, pause, (run, endRun, from, end) => {
    addRuns(values, leafKeywords, ofChildren, known, run, endRun, from, end);
  });
  await eachPiece(count, pause, (from, end) => {
    for (let branch = count - 1 - from; branch >= count - end; branch--) {
      if (branchFate[branch] === fates.gone) continue;
      const last = inner[branch + 1]!;
      for (let child = inner[branch]!; child < last; child++) {
        ofChildren[branch]! += sum[child]!;
        known[branch]! += known[child]!;
      }
      const value = branchFate[branch] === fates.branchKeyword ? values[rows[branch]!]! : Number.NaN;
      sum[branch]! += ofChildren[branch]! + (value || 0);
      if (!Number.isNaN(value)) known[branch]! += 1;
      // Subtraction leaves rounding errors in the last digits.
      if (known[branch] === 0) sum[branch] = 0;
    }
  });
  return { sum, known, ofChildren };
}

/** Adds up the known values of runs. A separate function, so that the inner loop has only local variables. */
function addRuns(
  values: Values,
  { rows, starts }: LeafKeywords,
  sums: Float64Array,
  known: Uint32Array,
  run: number,
  endRun: number,
  from: number,
  end: number,
): void {
  let index = from;
  for (let branch = run; branch < endRun; branch++) {
    const first = index;
    const until = Math.min(end, starts[branch + 1]!);
    let sum = 0;
    let unknown = 0;
    for (; index < until; index++) {
      const value = values[rows[index]!]!;
      if (Number.isNaN(value)) unknown++;
      else sum += value;
    }
    sums[branch]! += sum;
    known[branch]! += until - first - unknown;
  }
}

/** By branch: the sums of values times weights, and of weights, over the kept keywords for which both are known, and their number. */
type WeighedSums = { readonly products: Float64Array; readonly weights: Float64Array; readonly known: Uint32Array };

/** Like {@link sumKept}, with both sums in one pass. */
export async function sumWeighed(
  tree: KeptTree,
  values: Values,
  weights: Float64Array,
  pause: Pause,
): Promise<WeighedSums> {
  const { branchFate, branches, leafKeywords, repeats } = tree;
  const { count, rows } = branches;
  const sums = { products: new Float64Array(count), weights: new Float64Array(count), known: new Uint32Array(count) };
  const add = (branch: number, row: number, sign: 1 | -1): void => {
    const product = values[row]! * weights[row]!;
    if (Number.isNaN(product)) return;
    sums.products[branch]! += sign * product;
    sums.weights[branch]! += sign * weights[row]!;
    sums.known[branch]! += sign;
  };
  await eachPiece(repeats.rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) add(repeats.branch[index]!, repeats.rows[index]!, -1);
  });
  await eachRun(leafKeywords.starts, pause, (run, endRun, from, end) => {
    addWeighedRuns(values, weights, leafKeywords, sums, run, endRun, from, end);
  });
  await eachPiece(count, pause, (from, end) => {
    for (let branch = from; branch < end; branch++)
      if (branchFate[branch] === fates.branchKeyword) add(branch, rows[branch]!, 1);
  });
  for (const added of [sums.products, sums.weights, sums.known]) await addChildren(branches, added, pause);
  for (const sum of [sums.products, sums.weights])
    await eachPiece(count, pause, (from, end) => {
      // Subtraction leaves rounding errors in the last digits.
      for (let branch = from; branch < end; branch++) if (sums.known[branch] === 0) sum[branch] = 0;
    });
  return sums;
}

/** {@link addRuns} of values times weights. */
function addWeighedRuns(
  values: Values,
  weights: Float64Array,
  { rows, starts }: LeafKeywords,
  sums: WeighedSums,
  run: number,
  endRun: number,
  from: number,
  end: number,
): void {
  let index = from;
  for (let branch = run; branch < endRun; branch++) {
    const until = Math.min(end, starts[branch + 1]!);
    let products = 0;
    let weight = 0;
    let known = 0;
    for (; index < until; index++) {
      const row = rows[index]!;
      const product = values[row]! * weights[row]!;
      if (Number.isNaN(product)) continue;
      products += product;
      weight += weights[row]!;
      known++;
    }
    sums.products[branch]! += products;
    sums.weights[branch]! += weight;
    sums.known[branch]! += known;
  }
}

/** Volume-weighted means over the kept keywords for which both are known; NaN if the total weight is zero. */
export async function weightedMeans(
  tree: KeptTree,
  values: Values | undefined,
  volumes: Float64Array | undefined,
  pause: Pause,
): Promise<Float64Array> {
  if (!values || !volumes) return new Float64Array(tree.branches.count).fill(Number.NaN);
  const { products, weights } = await sumWeighed(tree, values, volumes, pause);
  return products.map((sum, branch) => (weights[branch]! > 0 ? sum / weights[branch]! : Number.NaN));
}

/**
 * Means weighted by impressions, over the kept keywords for which both are known and the impressions are not 0;
 * `weighed` is their number. A branch without such keywords has its plain mean.
 */
export async function meansByImpressions(
  tree: KeptTree,
  values: Values | undefined,
  impressions: Float64Array | undefined,
  { sum, known }: KeptSum,
  pause: Pause,
): Promise<{ readonly means: Float64Array; readonly weighed: Uint32Array }> {
  const plain = sum.map((total, branch) => total / known[branch]!);
  if (!values || !impressions) return { means: plain, weighed: new Uint32Array(sum.length) };
  const some = impressions.map((count) => (count > 0 ? count : Number.NaN));
  const { products, weights, known: weighed } = await sumWeighed(tree, values, some, pause);
  const means = plain.map((mean, branch) => (weighed[branch]! > 0 ? products[branch]! / weights[branch]! : mean));
  return { means, weighed };
}

/** By branch: the number of kept keywords with each of the four intents, and with any intent. */
type KeptIntents = { readonly of: readonly Uint32Array[]; readonly known: Uint32Array };

/** @param column the intent bits of each row */
export async function countIntents(tree: KeptTree, column: Uint8Array | undefined, pause: Pause): Promise<KeptIntents> {
  const { branchFate, branches, leafKeywords, repeats } = tree;
  const { count, rows } = branches;
  const of = [0, 1, 2, 3].map(() => new Uint32Array(count));
  const known = new Uint32Array(count);
  if (!column) return { of, known };
  /** How often each combination of bits occurs in one branch. */
  const seen = new Int32Array(256);
  const flush = (branch: number, sign: 1 | -1): void => {
    for (let bits = 1; bits < 16; bits++) {
      if (seen[bits] === 0) continue;
      known[branch]! += sign * seen[bits]!;
      for (let kind = 0; kind < 4; kind++) if (bits & (1 << kind)) of[kind]![branch]! += sign * seen[bits]!;
      seen[bits] = 0;
    }
  };
  await eachPiece(repeats.rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) {
      seen[column[repeats.rows[index]!]!]! += 1;
      flush(repeats.branch[index]!, -1);
    }
  });
  await eachRun(leafKeywords.starts, pause, (run, endRun, from, end) => {
    let index = from;
    for (let branch = run; branch < endRun; branch++) {
      const until = Math.min(end, leafKeywords.starts[branch + 1]!);
      countBits(seen, column, leafKeywords.rows, index, until);
      // A long run comes in several parts; the keyword of the branch itself is counted with the last one.
      if (until === leafKeywords.starts[branch + 1] && branchFate[branch] === fates.branchKeyword) {
        seen[column[rows[branch]!]!]! += 1;
      }
      flush(branch, 1);
      index = until;
    }
  });
  for (const counted of [...of, known]) await addChildren(branches, counted, pause);
  return { of, known };
}

function countBits(seen: Int32Array, column: Uint8Array, rows: Uint32Array, from: number, end: number): void {
  for (let index = from; index < end; index++) seen[column[rows[index]!]!]! += 1;
}

/** By branch: the number of repeated occurrences of keywords, which are not counted again. */
export async function countRepeats({ branches, repeats }: KeptTree, pause: Pause): Promise<Uint32Array> {
  const counted = new Uint32Array(branches.count);
  await eachPiece(repeats.rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) counted[repeats.branch[index]!]! += 1;
  });
  await addChildren(branches, counted, pause);
  return counted;
}

/** By branch: the number of kept nodes, including the branch itself. */
export async function countNodes({ branchFate, branches, childCount }: KeptTree, pause: Pause): Promise<Uint32Array> {
  const { count, inner } = branches;
  const counted = new Uint32Array(count);
  await eachPiece(count, pause, (from, end) => {
    for (let branch = count - 1 - from; branch >= count - end; branch--) {
      if (branchFate[branch] === fates.gone) continue;
      const last = inner[branch + 1]!;
      let nodes = 1 + childCount[branch]!;
      // A kept child with children was already counted among the children.
      for (let child = inner[branch]!; child < last; child++) if (counted[child]! > 0) nodes += counted[child]! - 1;
      counted[branch] = nodes;
    }
  });
  return counted;
}

function addChildren(
  { count, inner }: KeptTree['branches'],
  values: Uint32Array | Float64Array,
  pause: Pause,
): Promise<void> {
  return eachPiece(count, pause, (from, end) => {
    for (let branch = count - 1 - from; branch >= count - end; branch--) {
      const last = inner[branch + 1]!;
      for (let child = inner[branch]!; child < last; child++) values[branch]! += values[child]!;
    }
  });
}

/**
 * By branch: the row of the kept keyword with the greatest value, {@link noRow} if none is known.
 *
 * @param isBefore whether the first of two keywords with equal values wins; if not, the other one does
 */
export async function bestKeywords(
  { branchFate, branches, leafKeywords }: KeptTree,
  values: Float64Array | undefined,
  isBefore: (one: number, other: number) => boolean,
  pause: Pause,
): Promise<Uint32Array> {
  const { count, rows, inner } = branches;
  const best = new Uint32Array(count).fill(noRow);
  if (!values) return best;
  const offer = (branch: number, row: number): void => {
    const known = best[branch]!;
    if (row === noRow || Number.isNaN(values[row])) return;
    if (known === noRow || values[row]! > values[known]! || (values[row] === values[known] && isBefore(row, known)))
      best[branch] = row;
  };
  await eachRun(leafKeywords.starts, pause, (run, endRun, from, end) => {
    let index = from;
    for (let branch = run; branch < endRun; branch++) {
      const until = Math.min(end, leafKeywords.starts[branch + 1]!);
      offer(branch, bestOf(values, isBefore, leafKeywords.rows, index, until));
      index = until;
    }
  });
  await eachPiece(count, pause, (from, end) => {
    for (let branch = count - 1 - from; branch >= count - end; branch--) {
      const last = inner[branch + 1]!;
      if (branchFate[branch] === fates.branchKeyword) offer(branch, rows[branch]!);
      for (let child = inner[branch]!; child < last; child++) offer(branch, best[child]!);
    }
  });
  return best;
}

/** The best row of a run. A separate function, so that the inner loop has only local variables. */
function bestOf(
  values: Float64Array,
  isBefore: (one: number, other: number) => boolean,
  rows: Uint32Array,
  from: number,
  end: number,
): number {
  let best = noRow;
  let most = Number.NEGATIVE_INFINITY;
  for (let index = from; index < end; index++) {
    const row = rows[index]!;
    const value = values[row]!;
    // Also skips NaN, which is unknown.
    if (!(value >= most)) continue;
    if (value === most && best !== noRow && !isBefore(row, best)) continue;
    best = row;
    most = value;
  }
  return best;
}

/** By branch: the value or member that most of the kept keywords have; on a tie, the first one of the field. */
type KeptCategories = {
  readonly top: Uint8Array;
  readonly topCount: Uint32Array;
  readonly known: Uint32Array;
};

/**
 * Counts exist only for the open branches: the walk goes down and up the tree, and when a branch is complete its counts
 * are added to its parent's. Repeats are subtracted when their branch is opened.
 * Cost: one pass over the nodes, and per branch as many steps as there are values.
 *
 * @param column the value number of each row, 0 for unknown; for sets, the two halves of the bits
 */
export async function topCategories(
  tree: KeptTree,
  column: Uint8Array | Uint32Array,
  values: number,
  pause: Pause,
): Promise<KeptCategories> {
  const { branchFate, branches, leafKeywords } = tree;
  const { count, rows, inner } = branches;
  const found = { top: new Uint8Array(count), topCount: new Uint32Array(count), known: new Uint32Array(count) };
  if (count === 0) return found;
  const open = new OpenCounts(values);
  const add = (to: Counts, of: Uint32Array, from: number, end: number, sign: 1 | -1): void =>
    column instanceof Uint8Array
      ? addValues(to, column, of, from, end, sign)
      : addSets(to, column, of, from, end, sign);
  const passed = pauseBetween(pause);
  /** For each open branch, its next child branch. */
  const next: number[] = [];
  const repeats = repeatsByBranch(tree);
  const enter = (branch: number): void => {
    open.push(branch);
    next[open.depth - 1] = inner[branch]!;
    const to = open.last().counts;
    const taken = repeats(branch);
    add(to, taken, 0, taken.length, -1);
    if (branchFate[branch] === fates.branchKeyword) add(to, rows, branch, branch + 1, 1);
  };
  enter(0);
  while (open.depth > 0) {
    const { branch, counts: of } = open.last();
    const child = next[open.depth - 1]!;
    if (child < inner[branch + 1]!) {
      next[open.depth - 1] = child + 1;
      if (branchFate[child] !== fates.gone) enter(child);
      continue;
    }
    const last = leafKeywords.starts[branch + 1]!;
    for (let from = leafKeywords.starts[branch]!; from < last; from += pieceLength) {
      const end = Math.min(last, from + pieceLength);
      add(of, leafKeywords.rows, from, end, 1);
      const waiting = passed(end - from);
      if (waiting) await waiting;
    }
    found.known[branch] = of[0]!;
    findTop(of, branch, found);
    open.pop();
    const waiting = passed(values);
    if (waiting) await waiting;
  }
  return found;
}

function addValues(to: Counts, column: Uint8Array, rows: Uint32Array, from: number, end: number, sign: 1 | -1): void {
  let known = 0;
  for (let index = from; index < end; index++) {
    const value = column[rows[index]!]!;
    if (value === 0) continue;
    to[value]! += sign;
    known += sign;
  }
  to[0]! += known;
}

function addSets(to: Counts, sets: Uint32Array, rows: Uint32Array, from: number, end: number, sign: 1 | -1): void {
  for (let index = from; index < end; index++) {
    const row = rows[index]!;
    addMembers(to, sets[2 * row]!, sets[2 * row + 1]!, sign);
  }
}

/** The rows of the repeats that are subtracted at a branch. */
function repeatsByBranch({ branches, repeats }: KeptTree): (branch: number) => Uint32Array {
  const start = new Uint32Array(branches.count + 1);
  for (const branch of repeats.branch) start[branch + 1]! += 1;
  for (let branch = 0; branch < branches.count; branch++) start[branch + 1]! += start[branch]!;
  const rows = new Uint32Array(repeats.rows.length);
  const next = start.slice();
  for (const [index, branch] of repeats.branch.entries()) rows[next[branch]!++] = repeats.rows[index]!;
  return (branch) => rows.subarray(start[branch], start[branch + 1]);
}
