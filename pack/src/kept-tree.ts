import { holdRepeats, type KeptRepeats, keepRepeats } from './held-repeats.ts';
import type { Pause } from './match-rows.ts';
import type { PackReader } from './pack-reader.ts';

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

/** @param matches of each node 1 where it is itself asked for; becomes the fates */
export async function keepTree(pack: PackReader, matches: Uint8Array, pause: Pause): Promise<KeptTree> {
  const [branches, isKeyword, all] = [await branchesOf(pack), await pack.column('is_keyword'), await holdRepeats(pack)];
  await pause();
  const repeats = keepRepeats(all, (row) => matches[row] === 1 && isKeyword[row] === 1);
  const { count, starts, firstChild, rows } = branches;
  const fate = matches;
  const childCount = new Uint32Array(count);
  const leaves = new Uint32Array(count);
  const keywords = new Uint32Array(count);
  const childKeywords = new Uint32Array(count);
  // Below zero wraps around, and comes back when the keywords are counted.
  for (const branch of repeats.branch) keywords[branch]! -= 1;
  await pause();
  for (let branch = count - 1; branch >= 0; branch--) {
    const first = firstChild[branch]!;
    const end = first + branches.childCount[branch]!;
    let children = 0;
    let leaf = 0;
    let ofChildren = 0;
    for (let row = first; row < end; row++) {
      if (starts[row] !== starts[row + 1] || fate[row] === 0) continue;
      children++;
      fate[row] = isKeyword[row] === 1 ? fates.leafKeyword : fates.leaf;
      ofChildren += isKeyword[row]!;
    }
    leaf = children;
    for (let child = starts[first]!; child < starts[end]!; child++) {
      if (fate[rows[child]!] === 0) continue;
      children++;
      leaf += leaves[child]!;
      ofChildren += keywords[child]!;
    }
    const row = rows[branch]!;
    const isAsked = fate[row] === 1;
    childCount[branch] = children;
    childKeywords[branch] = ofChildren;
    keywords[branch]! += ofChildren + Number(isAsked);
    leaves[branch] = leaf + Number(isAsked && children === 0);
    fate[row] = isAsked ? fates.branchKeyword : children > 0 ? fates.branch : fates.gone;
  }
  if (fate[0] === fates.gone) fate[0] = count > 0 ? fates.branch : fates.leaf;
  else if (count === 0) fate[0] = isKeyword[0] === 1 ? fates.leafKeyword : fates.leaf;
  return { pack, fate, branches, repeats, childCount, leaves, keywords, childKeywords };
}

export const counts = (fate: number): boolean => fate === fates.leafKeyword || fate === fates.branchKeyword;

const rowsOfBranches = new WeakMap<PackReader, Uint32Array>();

async function branchesOf(pack: PackReader): Promise<PackBranches> {
  const [starts, firstChild, childCount] = await Promise.all([
    pack.column('branch'),
    pack.column('first_child'),
    pack.column('child_count'),
  ]);
  const count = firstChild.length;
  const rows = rowsOfBranches.get(pack) ?? new Uint32Array(count);
  if (!rowsOfBranches.has(pack)) {
    for (let row = 0; row < pack.metadata.nodes; row++) if (starts[row] !== starts[row + 1]) rows[starts[row]!] = row;
    rowsOfBranches.set(pack, rows);
  }
  return { count, starts, firstChild, childCount, rows };
}
