import { type Pause, pauseBetween, pieceLength } from '../format/in-pieces.ts';
import { addMembers, type Counts, findTop, OpenCounts } from '../tree/field-roll-up.ts';
import { fates, type KeptTree } from './kept-tree.ts';

/** By branch: the value or member that most of the kept keywords have; on a tie, the first one of the field. */
export type KeptCategories = {
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
