import type { SizeBy } from '../../model/encodings.ts';
import { figuresOf } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { GoneWeights, LayoutOptions } from '../layout/layout.ts';

/** Number of children of one node that a tree shows unless the run is unfolded. */
export const shownRun = 60;

/** With fewer children than this, and a line for the others, opening a branch says too little. */
const minRun = 3;

/**
 * The branches that a tree opens automatically, and how many children of each it shows: level by level down to `depth`,
 * until the tree is `rows` lines high. The branches of a level share the remaining lines evenly: each shows as many of
 * its heaviest children as the others may, and if not all can show a few, the heaviest branches do. The focus is always
 * open, and shows up to {@link shownRun}.
 *
 * Branches that the user opened or closed do not count, so closing one branch never opens another. A branch counts with
 * all its future lines, loaded or not, so a branch that loads later does not close an open one.
 *
 * Cost: the children of the branches opened, sorted by weight.
 */
export function automaticBranches(
  tree: LoadedTree,
  { focus, depth, sizeBy }: Pick<LayoutOptions, 'focus' | 'depth' | 'sizeBy'>,
  rows: number,
  gone?: GoneWeights,
): ReadonlyMap<number, number> {
  const weightOf = weigher(tree, sizeBy);
  const linesOf = lineCounter(tree, gone);
  const opened = new Map([[focus, shownRun]]);
  let lines = linesOf(focus, shownRun);
  let below = branchesBelow(tree, [focus], opened);
  for (let level = 1; level < depth && below.length > 0; level++) {
    const branches = below.sort((a, b) => weightOf(b) - weightOf(a));
    const run = fairRun(linesOf, branches, rows - lines);
    for (const branch of branches) {
      const more = linesOf(branch, run) - 1;
      if (lines + more > rows) return opened;
      lines += more;
      opened.set(branch, run);
    }
    below = branchesBelow(tree, branches, opened);
  }
  return opened;
}

/** Number of children shown when up to `run` of them may be: a line for a single other child would not be shorter. */
export const shownOf = (children: number, run: number) => (children <= run + 1 ? children : run);

type LinesOf = (branch: number, run: number) => number;

/** How many lines a branch takes that shows up to `run` children: one more if it has lost some and that is drawn. */
export const lineCounter =
  (tree: LoadedTree, gone: GoneWeights | undefined): LinesOf =>
  (branch, run) =>
    Math.min(tree.childCount[branch]!, run + 1) + (gone && gone.at(branch).nodes > 0 ? 1 : 0);

/** The longest run with which all branches fit into `room` more lines than their own, within limits. */
export function fairRun(linesOf: LinesOf, branches: readonly number[], room: number, min = minRun): number {
  let [low, high] = [min, shownRun];
  while (low < high) {
    const run = (low + high + 1) >>> 1;
    const more = branches.reduce((sum, branch) => sum + linesOf(branch, run) - 1, 0);
    if (more <= room) low = run;
    else high = run - 1;
  }
  return low;
}

/** The branches among the children that are shown. */
export function branchesBelow(
  tree: LoadedTree,
  branches: readonly number[],
  opened: ReadonlyMap<number, number>,
): number[] {
  return branches.flatMap((branch) =>
    [...tree.children(branch).subarray(0, shownOf(tree.childCount[branch]!, opened.get(branch)!))].filter(
      (child) => tree.childCount[child]! > 0,
    ),
  );
}

/**
 * The weight of a branch: the figure on its line; its keywords if that is not a figure, and its leaves in a tree
 * without keywords.
 */
export function weigher(tree: LoadedTree, sizeBy: SizeBy): (row: number) => number {
  const figures = sizeBy === 'equal' || sizeBy === 'keywords' ? undefined : figuresOf(tree, sizeBy);
  // An unknown figure has no weight.
  if (figures && figures.value[0]! > 0) return (row) => figures.value[row]! || 0;
  return (row) => tree.keywords[row]! || tree.leaves[row]!;
}
