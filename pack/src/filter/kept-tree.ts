import { eachPiece, eachRun, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { holdRepeats, type KeptRepeats, keepRepeats } from './held-repeats.ts';

/** What becomes of a node under a filter. What is kept is above 0; a keyword that counts is one of the first two. */
export const fates = { gone: 0, leafKeyword: 1, branchKeyword: 2, leaf: 3, branch: 4 } as const;

/**
 * The shape of what a filter keeps of a tree, and how its branches are added up.
 *
 * A node that matches and has no child that is kept is a leaf here, whatever it is in the pack.
 */
export type KeptTree = {
  readonly pack: PackReader;
  /** Of each node, one of {@link fates}. */
  readonly fate: Uint8Array;
  /** Branches of the pack, their numbers and runs; those that are gone have 0 in every sum. */
  readonly branches: PackBranches;
  readonly leafKeywords: LeafKeywords;
  readonly repeats: KeptRepeats;
  /** By branch. */
  readonly childCount: Uint32Array;
  readonly leaves: Uint32Array;
  readonly keywords: Uint32Array;
  readonly childKeywords: Uint32Array;
};

/** Where the branches of a pack are: columns as they are there, and the row of each branch. */
export type PackBranches = {
  readonly count: number;
  /** Row → its branch, or where that would be: see the column `branch`. */
  readonly starts: Uint32Array;
  readonly firstChild: Uint32Array;
  readonly childCount: Uint32Array;
  readonly rows: Uint32Array;
};

/** Rows of fate `leafKeyword`, rising: those among the children of branch `b` from `starts[b]` to before `starts[b + 1]`. */
export type LeafKeywords = { readonly rows: Uint32Array; readonly starts: Uint32Array };

/** @param matches of each node 1 where it is itself asked for; becomes the fates */
export async function keepTree(pack: PackReader, matches: Uint8Array, pause: Pause): Promise<KeptTree> {
  const [branches, isKeyword, all] = [
    await branchesOf(pack, pause),
    await pack.column('is_keyword'),
    await holdRepeats(pack),
  ];
  await pause();
  const repeats = keepRepeats(all, (row) => matches[row] === 1 && isKeyword[row] === 1);
  const { count, starts, firstChild, rows } = branches;
  const fate = matches;
  const childCount = new Uint32Array(count);
  await pause();
  const leafKeywords = await keepLeaves(branches, isKeyword, fate, childCount, pause);
  const leaves = childCount.slice();
  const keywords = new Uint32Array(count);
  const childKeywords = new Uint32Array(count);
  // Below zero wraps around, and comes back when the keywords are counted.
  for (const branch of repeats.branch) keywords[branch]! -= 1;
  await eachPiece(count, pause, (from, end) => {
    for (let branch = count - 1 - from; branch >= count - end; branch--) {
      const first = firstChild[branch]!;
      const last = starts[first + branches.childCount[branch]!]!;
      let ofChildren = leafKeywords.starts[branch + 1]! - leafKeywords.starts[branch]!;
      for (let child = starts[first]!; child < last; child++) {
        if (fate[rows[child]!] === 0) continue;
        childCount[branch]! += 1;
        leaves[branch]! += leaves[child]!;
        ofChildren += keywords[child]!;
      }
      const row = rows[branch]!;
      const isAsked = fate[row] === 1;
      childKeywords[branch] = ofChildren;
      keywords[branch]! += ofChildren + Number(isAsked);
      if (isAsked && childCount[branch] === 0) leaves[branch] = 1;
      fate[row] = isAsked ? fates.branchKeyword : childCount[branch]! > 0 ? fates.branch : fates.gone;
    }
  });
  if (fate[0] === fates.gone) fate[0] = count > 0 ? fates.branch : fates.leaf;
  else if (count === 0) fate[0] = isKeyword[0] === 1 ? fates.leafKeyword : fates.leaf;
  return { pack, fate, branches, leafKeywords, repeats, childCount, leaves, keywords, childKeywords };
}

export const counts = (fate: number): boolean => fate === fates.leafKeyword || fate === fates.branchKeyword;

/** Settles the fate of rows without children, and adds those that are kept to `childCount`. */
async function keepLeaves(
  { count, starts, firstChild, childCount: children }: PackBranches,
  isKeyword: Uint8Array,
  fate: Uint8Array,
  childCount: Uint32Array,
  pause: Pause,
): Promise<LeafKeywords> {
  // What is never written to takes no memory.
  const rows = new Uint32Array(fate.length);
  const keptStarts = new Uint32Array(count + 1);
  const runs = new Uint32Array(count + 1);
  runs.set(firstChild);
  // Runs stand one behind the other.
  if (count > 0) runs[count] = firstChild[count - 1]! + children[count - 1]!;
  let next = 0;
  await eachRun(runs, pause, (branch, from, end) => {
    if (from === runs[branch]) keptStarts[branch] = next;
    const isMixed = starts[from] !== starts[end];
    const kept = isMixed
      ? keepMixedRun(fate, isKeyword, rows, next, from, end, starts)
      : keepRun(fate, isKeyword, rows, next, from, end);
    childCount[branch]! += kept.leaves;
    next += kept.keywords;
  });
  keptStarts[count] = next;
  return { rows: rows.subarray(0, next), starts: keptStarts };
}

/**
 * Settles rows that all have no children. By itself, with all it needs at hand, and without a jump in the loop: which rows
 * are kept is hard to foretell.
 */
function keepRun(
  fate: Uint8Array,
  isKeyword: Uint8Array,
  rows: Uint32Array,
  next: number,
  from: number,
  end: number,
): { leaves: number; keywords: number } {
  let leaves = 0;
  let at = next;
  for (let row = from; row < end; row++) {
    const isAsked = fate[row]!;
    const isCounted = isAsked & isKeyword[row]!;
    fate[row] = isAsked * fates.leaf - isCounted * (fates.leaf - fates.leafKeyword);
    rows[at] = row;
    at += isCounted;
    leaves += isAsked;
  }
  return { leaves, keywords: at - next };
}

/** The same where some of the rows have children, whose fate is settled later. */
function keepMixedRun(
  fate: Uint8Array,
  isKeyword: Uint8Array,
  rows: Uint32Array,
  next: number,
  from: number,
  end: number,
  starts: Uint32Array,
): { leaves: number; keywords: number } {
  let leaves = 0;
  let at = next;
  for (let row = from; row < end; row++) {
    if (starts[row] !== starts[row + 1]) continue;
    const one = keepRun(fate, isKeyword, rows, at, row, row + 1);
    leaves += one.leaves;
    at += one.keywords;
  }
  return { leaves, keywords: at - next };
}

const branchesOfPacks = new WeakMap<PackReader, Promise<PackBranches>>();

/** Found once and kept with the pack. */
function branchesOf(pack: PackReader, pause: Pause): Promise<PackBranches> {
  const found = branchesOfPacks.get(pack) ?? findBranches(pack, pause);
  branchesOfPacks.set(pack, found);
  found.catch(() => branchesOfPacks.delete(pack));
  return found;
}

async function findBranches(pack: PackReader, pause: Pause): Promise<PackBranches> {
  const [starts, firstChild, childCount] = await Promise.all([
    pack.column('branch'),
    pack.column('first_child'),
    pack.column('child_count'),
  ]);
  const count = firstChild.length;
  const rows = new Uint32Array(count);
  await eachPiece(pack.metadata.nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) if (starts[row] !== starts[row + 1]) rows[starts[row]!] = row;
  });
  return { count, starts, firstChild, childCount, rows };
}
