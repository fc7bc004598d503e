import { addMembers, addValue, type Counts, findTop, OpenCounts } from '../tree/field-roll-up.ts';
import { counts, fates, type KeptTree } from './kept-tree.ts';

/** By branch: the value, or member, that most of the keywords kept have, the first one of the field's among equals. */
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
 * @param column number of each row's value, 0 for unknown; of sets the two halves of its bits
 */
export function topCategories(tree: KeptTree, column: Uint8Array | Uint32Array, values: number): KeptCategories {
  const { fate, branches, leafKeywords } = tree;
  const { count, starts, firstChild, childCount, rows } = branches;
  const found = { top: new Uint8Array(count), topCount: new Uint32Array(count), known: new Uint32Array(count) };
  if (count === 0) return found;
  const open = new OpenCounts(values);
  const add =
    column instanceof Uint8Array
      ? (to: Counts, row: number, sign: 1 | -1) => addValue(to, column[row]!, sign)
      : (to: Counts, row: number, sign: 1 | -1) => addMembers(to, column[2 * row]!, column[2 * row + 1]!, sign);
  /** Of each open branch, the branch among its children that comes next. */
  const next: number[] = [];
  const repeats = repeatsByBranch(tree);
  const enter = (branch: number): void => {
    open.push(branch);
    next[open.depth - 1] = starts[firstChild[branch]!]!;
    const to = open.last().counts;
    for (const row of repeats(branch)) add(to, row, -1);
    if (counts(fate[rows[branch]!]!)) add(to, rows[branch]!, 1);
    for (let index = leafKeywords.starts[branch]!; index < leafKeywords.starts[branch + 1]!; index++) {
      add(to, leafKeywords.rows[index]!, 1);
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
    found.known[branch] = of[0]!;
    findTop(of, branch, found);
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
