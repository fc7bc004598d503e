import { OpenCounts } from './field-roll-up.ts';
import { counts, fates, type KeptTree } from './kept-tree.ts';

/** By branch: the value that most of the keywords kept have, the first one of the field's among equals. */
export type KeptCategories = {
  readonly top: Uint8Array;
  readonly topCount: Uint32Array;
  readonly known: Uint32Array;
};

/**
 * Counts are held for the open branches alone: the tree is walked down and up, and when a branch is left its counts are added
 * to its parent's. Repeats are taken off when their branch is opened.
 * Cost: one pass over the nodes, as many steps as there are values for a branch.
 *
 * @param column number of each row's value, 0 for unknown
 */
export function topCategories(tree: KeptTree, column: Uint8Array, values: number): KeptCategories {
  const { fate, branches } = tree;
  const { count, starts, firstChild, childCount, rows } = branches;
  const found = { top: new Uint8Array(count), topCount: new Uint32Array(count), known: new Uint32Array(count) };
  if (count === 0) return found;
  const open = new OpenCounts(values);
  /** Of each open branch, the branch among its children that comes next. */
  const next: number[] = [];
  const repeats = repeatsByBranch(tree);
  const enter = (branch: number): void => {
    open.push(branch);
    const level = open.depth - 1;
    next[level] = starts[firstChild[branch]!]!;
    for (const row of repeats(branch)) open.add(level, column[row]!, -1);
    if (counts(fate[rows[branch]!]!)) open.add(level, column[rows[branch]!]!, 1);
    const end = firstChild[branch]! + childCount[branch]!;
    for (let row = firstChild[branch]!; row < end; row++) {
      if (fate[row] === fates.leafKeyword) open.add(level, column[row]!, 1);
    }
  };
  enter(0);
  while (open.depth > 0) {
    const { branch, counts: of } = open.last();
    const child = next[open.depth - 1]!;
    if (child < starts[firstChild[branch]! + childCount[branch]!]!) {
      next[open.depth - 1] = child + 1;
      if (fate[rows[child]!] !== fates.gone) enter(child);
      continue;
    }
    for (let value = 1; value < values; value++) {
      found.known[branch]! += of[value]!;
      if (of[value]! <= found.topCount[branch]!) continue;
      found.topCount[branch] = of[value]!;
      found.top[branch] = value;
    }
    open.pop();
  }
  return found;
}

/** Rows of the repeats that are taken off at a branch. */
function repeatsByBranch({ branches, repeats }: KeptTree): (branch: number) => Uint32Array {
  const start = new Uint32Array(branches.count + 1);
  for (const branch of repeats.branch) start[branch + 1]! += 1;
  for (let branch = 0; branch < branches.count; branch++) start[branch + 1]! += start[branch]!;
  const rows = new Uint32Array(repeats.rows.length);
  const next = start.slice();
  for (const [index, branch] of repeats.branch.entries()) rows[next[branch]!++] = repeats.rows[index]!;
  return (branch) => rows.subarray(start[branch], start[branch + 1]);
}
