import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { GoneWeights } from '../layout/gone.ts';
import type { LayoutOptions } from '../layout/layout.ts';
import { branchesBelow, fairRun, lineCounter, shownOf, shownRun, weigher } from './automatic-branches.ts';

/** The room that the tree has. */
export type TreeRoom = {
  readonly lines: number;
  readonly width: number;
  /**
   * The left edge of the first level, and the width of a level whose longest name has so many UTF-8 bytes, in CSS
   * pixels.
   */
  readonly left: number;
  readonly widthOf: (longestName: number) => number;
};

/** A level leaves this share of the free lines to those below it. */
const forDeeper = 1 / 3;
/** The focus shows at least this many children, even in a lower view. */
const leastOfFocus = 5;

/**
 * The branches that a tree opens automatically with automatic depth, and how many children of each it shows: enough to
 * fill the view, and none outside it.
 *
 * Every branch of a level opens before any of them shows more than one child; if not all fit, the heaviest open first.
 * A level leaves some lines to the next one, unless the next one does not fit the width.
 *
 * Cost: the children of the branches opened, sorted by weight.
 */
export function readableBranches(
  tree: LoadedTree,
  options: Pick<LayoutOptions, 'focus' | 'sizeBy'>,
  room: TreeRoom,
  gone?: GoneWeights,
): ReadonlyMap<number, number> {
  const linesOf = lineCounter(tree, gone);
  const first = openLevels(tree, options, room, linesOf, Number.POSITIVE_INFINITY);
  return openLevels(tree, options, room, linesOf, first.deepest).opened;
}

function openLevels(
  tree: LoadedTree,
  { focus, sizeBy }: Pick<LayoutOptions, 'focus' | 'sizeBy'>,
  room: TreeRoom,
  linesOf: ReturnType<typeof lineCounter>,
  lastLevel: number,
) {
  const weightOf = weigher(tree, sizeBy);
  const run = Math.min(shownRun, Math.max(leastOfFocus, room.lines) - linesOf(focus, 0));
  let opened = new Map([[focus, run]]);
  let lines = linesOf(focus, run);
  let right = room.left + room.widthOf(tree.nameBytes(focus)) + room.widthOf(longestName(tree, [focus], opened));
  let below = branchesBelow(tree, [focus], opened);
  let level = 1;
  for (; level <= lastLevel && below.length > 0 && lines < room.lines; level++) {
    const branches = below.sort((a, b) => weightOf(b) - weightOf(a));
    const free = room.lines - lines;
    const least = branches.reduce((sum, branch) => sum + linesOf(branch, 1) - 1, 0);
    const share = level === lastLevel ? free : Math.min(free, Math.max(least, Math.floor(free * (1 - forDeeper))));
    const longer = fairRun(linesOf, branches, share, 1);
    const next = new Map(opened);
    let more = 0;
    for (const branch of branches) {
      const ofBranch = linesOf(branch, longer) - 1;
      if (more + ofBranch > free) continue;
      more += ofBranch;
      next.set(branch, longer);
    }
    const added = branches.filter((branch) => next.has(branch));
    const wider = right + room.widthOf(longestName(tree, added, next));
    if (added.length === 0 || wider > room.width) break;
    [opened, lines, right] = [next, lines + more, wider];
    below = branchesBelow(tree, added, opened);
  }
  return { opened, deepest: level - 1 };
}

/** Of the children that are shown, in UTF-8 bytes. */
function longestName(tree: LoadedTree, branches: readonly number[], opened: ReadonlyMap<number, number>): number {
  let longest = 0;
  for (const branch of branches) {
    const shown = shownOf(tree.childCount[branch]!, opened.get(branch)!);
    for (const child of tree.children(branch).subarray(0, shown)) longest = Math.max(longest, tree.nameBytes(child));
  }
  return longest;
}
