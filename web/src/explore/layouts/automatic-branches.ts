import type { HeldTree } from '../store/held-tree.ts';
import type { LayoutOptions } from './layout.ts';

/** Children of one node that a tree shows unless the run is unfolded. */
export const shownRun = 60;

/**
 * The branches that a tree opens by itself: level by level down to `depth`, the heaviest of a level first, until the
 * picture is about `rows` lines high. The last branch opened may exceed that by its run, and the focus is always open.
 *
 * What a person opened or closed does not count, so that closing one branch never opens another. A branch counts with
 * all the lines it will have, held or not, so that a branch that arrives later does not close one that is open.
 *
 * Cost: the children of the branches opened, sorted by weight.
 */
export function automaticBranches(
  tree: HeldTree,
  { focus, depth }: Pick<LayoutOptions, 'focus' | 'depth'>,
  rows: number,
): ReadonlySet<number> {
  const opened = new Set<number>();
  let lines = 1;
  let branches = [focus];
  for (let level = 0; level < depth && branches.length > 0; level++) {
    const below: number[] = [];
    for (const branch of branches.sort((a, b) => weightOf(tree, b) - weightOf(tree, a))) {
      if (level > 0 && lines >= rows) return opened;
      opened.add(branch);
      // Its children take the place of its own line.
      lines += linesOf(tree.childCount[branch]!) - 1;
      for (const child of tree.children(branch).subarray(0, shownRun)) {
        if (tree.childCount[child]! > 0) below.push(child);
      }
    }
    branches = below;
  }
  return opened;
}

/** A long run is its heaviest children and one line for the others. */
const linesOf = (children: number) => Math.min(children, shownRun + 1);

/** Its keywords, as the lines say; in a tree without any, its leaves. */
const weightOf = (tree: HeldTree, row: number) => tree.keywords[row]! || tree.leaves[row]!;
