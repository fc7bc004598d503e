import { eachPiece, eachRun, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { branchesOf, type KeptRepeats, keepRepeats, loadRepeatColumns, type PackBranches, runsOf } from './branches.ts';

/** The state of a node under a filter, above 0 if it is kept. `leafKeyword` and `branchKeyword` are keywords that match, so they count. */
export const fates = { gone: 0, leafKeyword: 1, branchKeyword: 2, leaf: 3, branch: 4 } as const;

/**
 * The shape of what a filter keeps of a tree, and how its branches are totalled.
 *
 * A node that matches and has no kept children is a leaf here, whatever it is in the pack.
 */
export type KeptTree = {
  readonly pack: PackReader;
  /** One of {@link fates} for each node. */
  readonly fate: Uint8Array;
  /** One of {@link fates} for each branch. */
  readonly branchFate: Uint8Array;
  /** The branches of the pack with their numbers and runs. Excluded branches have 0 in every sum. */
  readonly branches: PackBranches;
  readonly leafKeywords: LeafKeywords;
  readonly repeats: KeptRepeats;
  /** By branch, over what is kept: as the branch columns of the same names. */
  readonly childCount: Uint32Array;
  readonly leaves: Uint32Array;
  readonly keywords: Uint32Array;
  readonly childKeywords: Uint32Array;
};

/**
 * Rows with fate `leafKeyword` in ascending order. The children of branch `b` are those from `starts[b]` to before
 * `starts[b + 1]`.
 */
export type LeafKeywords = { readonly rows: Uint32Array; readonly starts: Uint32Array };

/** @param matches 1 for each node that matches the filter itself. Overwritten with the fates. */
export async function keepTree(pack: PackReader, matches: Uint8Array, pause: Pause): Promise<KeptTree> {
  const [branches, isKeyword, all] = [
    await branchesOf(pack, pause),
    await pack.column('is_keyword'),
    await loadRepeatColumns(pack, pause),
  ];
  await pause();
  const repeats = await keepRepeats(all, (row) => matches[row] === 1 && isKeyword[row] === 1, pause);
  const { count, rows, inner } = branches;
  const fate = matches;
  const branchFate = new Uint8Array(count);
  const childCount = new Uint32Array(count);
  await pause();
  const leafKeywords = await keepLeaves(branches, isKeyword, fate, childCount, pause);
  const leaves = childCount.slice();
  const keywords = new Uint32Array(count);
  const childKeywords = new Uint32Array(count);
  // Unsigned numbers wrap below zero here, and back when the keywords are added.
  await eachPiece(repeats.branch.length, pause, (from, end) => {
    for (let index = from; index < end; index++) keywords[repeats.branch[index]!]! -= 1;
  });
  await eachPiece(count, pause, (from, end) => {
    for (let branch = count - 1 - from; branch >= count - end; branch--) {
      const last = inner[branch + 1]!;
      let ofChildren = leafKeywords.starts[branch + 1]! - leafKeywords.starts[branch]!;
      for (let child = inner[branch]!; child < last; child++) {
        if (branchFate[child] === fates.gone) continue;
        childCount[branch]! += 1;
        leaves[branch]! += leaves[child]!;
        ofChildren += keywords[child]!;
      }
      const row = rows[branch]!;
      const isMatch = fate[row] === 1;
      childKeywords[branch] = ofChildren;
      keywords[branch]! += ofChildren + Number(isMatch);
      if (isMatch && childCount[branch] === 0) leaves[branch] = 1;
      fate[row] = isMatch ? fates.branchKeyword : childCount[branch]! > 0 ? fates.branch : fates.gone;
      branchFate[branch] = fate[row]!;
    }
  });
  if (fate[0] === fates.gone) fate[0] = count > 0 ? fates.branch : fates.leaf;
  else if (count === 0) fate[0] = isKeyword[0] === 1 ? fates.leafKeyword : fates.leaf;
  if (count > 0) branchFate[0] = fate[0]!;
  return { pack, fate, branchFate, branches, leafKeywords, repeats, childCount, leaves, keywords, childKeywords };
}

/** The whole tree in the form of a filtered one. */
export const wholeTree = oncePerPack(
  async (pack: PackReader, pause: Pause) =>
    keepTree(pack, (await pack.column('is_keyword')).slice(0, pack.metadata.nodes), pause),
  {
    nameOf: () => '',
    sizeOf: ({ fate, leafKeywords, branches }) => fate.length + 4 * leafKeywords.rows.length + 21 * branches.count,
  },
);

export const counts = (fate: number): boolean => fate === fates.leafKeyword || fate === fates.branchKeyword;

/** Sets the fate of rows without children, and adds the kept ones to `childCount`. */
async function keepLeaves(
  branches: PackBranches,
  isKeyword: Uint8Array,
  fate: Uint8Array,
  childCount: Uint32Array,
  pause: Pause,
): Promise<LeafKeywords> {
  const { count } = branches;
  // One extra element, because a row that is not kept is also written.
  const rows = new Uint32Array((await countOnes(fate, pause)) + 1);
  const keptStarts = new Uint32Array(count + 1);
  const runs = runsOf(branches);
  const leaves: Leaves = { ...branches, isKeyword, fate, keptOf: childCount, runs, rows, keptStarts, next: 0 };
  await eachRun(runs, pause, (run, endRun, from, end) => keepRuns(leaves, run, endRun, from, end));
  keptStarts[count] = leaves.next;
  return { rows: rows.subarray(0, leaves.next), starts: keptStarts };
}

type Leaves = Pick<PackBranches, 'starts'> & {
  readonly isKeyword: Uint8Array;
  readonly fate: Uint8Array;
  /** By branch: the number of kept children that have no children. */
  readonly keptOf: Uint32Array;
  readonly runs: Uint32Array;
  readonly rows: Uint32Array;
  readonly keptStarts: Uint32Array;
  /** The number of rows kept so far. */
  next: number;
};

/**
 * Sets the fate of rows without children. The inner loop is branchless, because it is hard to predict which rows are
 * kept. The fate of children with children is set later.
 */
function keepRuns(leaves: Leaves, run: number, endRun: number, from: number, end: number): void {
  const { starts, isKeyword, fate, keptOf, runs, rows, keptStarts } = leaves;
  let { next } = leaves;
  let row = from;
  for (let branch = run; branch < endRun; branch++) {
    const until = Math.min(end, runs[branch + 1]!);
    if (row === runs[branch]) keptStarts[branch] = next;
    let kept = 0;
    if (starts[row] === starts[until]) {
      for (; row < until; row++) {
        const isMatch = fate[row]!;
        const isCounted = isMatch & isKeyword[row]!;
        fate[row] = isMatch * fates.leaf - isCounted * (fates.leaf - fates.leafKeyword);
        rows[next] = row;
        next += isCounted;
        kept += isMatch;
      }
    } else {
      for (; row < until; row++) {
        if (starts[row] !== starts[row + 1]) continue;
        const isMatch = fate[row]!;
        const isCounted = isMatch & isKeyword[row]!;
        fate[row] = isMatch * fates.leaf - isCounted * (fates.leaf - fates.leafKeyword);
        rows[next] = row;
        next += isCounted;
        kept += isMatch;
      }
    }
    keptOf[branch]! += kept;
  }
  leaves.next = next;
}

/** The number of ones among bytes that are 0 or 1. */
async function countOnes(bytes: Uint8Array, pause: Pause): Promise<number> {
  let ones = 0;
  await eachPiece(bytes.length, pause, (from, end) => {
    ones += onesIn(bytes, from, end);
  });
  return ones;
}

/** Adds four bytes at a time as one word, for at most 255 words, so that none of the four sums overflows its byte. */
function onesIn(bytes: Uint8Array, from: number, end: number): number {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + from, (end - from) >> 2);
  let ones = 0;
  for (let at = from + 4 * words.length; at < end; at++) ones += bytes[at]!;
  for (let at = 0; at < words.length; ) {
    const until = Math.min(words.length, at + 255);
    let sums = 0;
    for (; at < until; at++) sums = (sums + words[at]!) | 0;
    ones += (sums & 0xff) + ((sums >>> 8) & 0xff) + ((sums >>> 16) & 0xff) + (sums >>> 24);
  }
  return ones;
}
