import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { GoneWeights } from '../layout/gone.ts';
import type { LayoutOptions } from '../layout/layout.ts';
import { automaticBranches, shownOf, shownRun } from './automatic-branches.ts';
import { readableBranches, type TreeRoom } from './readable-branches.ts';

/**
 * The open part of a tree, with the vertical position of each entry. Entry `i` of every column is one node, one tail, or
 * what a branch has lost. Entries are in breadth-first order, so the children of one entry are neighbours. Heights are
 * counted in slots: one for each entry without entries below it.
 */
export type BranchPlan = {
  readonly entries: number;
  /** Loaded row of the node; for a tail, of the parent. */
  readonly row: Int32Array;
  /** Whether it stands for several children: those that are not shown, or those that are gone. */
  readonly isTail: Uint8Array;
  readonly isGone: Uint8Array;
  /** Whether its children are shown, loaded or not. */
  readonly isOpen: Uint8Array;
  readonly level: Uint16Array;
  /** Entries below entry `i`: `[firstChild[i], firstChild[i] + children[i])`. */
  readonly firstChild: Int32Array;
  readonly children: Int32Array;
  /** First slot and number of slots of the entry with its descendants. */
  readonly start: Float64Array;
  readonly slots: Float64Array;
  /** Position of the entry itself, in slots: midway between its first and last child. */
  readonly centre: Float64Array;
  /** Longest name of each level, in UTF-8 bytes. */
  readonly longestName: readonly number[];
};

/**
 * @param room what the tree may fill by itself; what the user opened or unfolded is added to that
 * @param gone what branches have lost, if that is drawn
 */
export function planBranches(
  tree: LoadedTree,
  options: LayoutOptions,
  room: TreeRoom,
  gone: GoneWeights | undefined,
): BranchPlan {
  const automatic =
    options.autoLevels === undefined
      ? automaticBranches(tree, options, room.lines, gone)
      : readableBranches(tree, options, room, gone);
  const rows: number[] = [options.focus];
  const isTail: number[] = [0];
  const isGone: number[] = [0];
  const open: number[] = [];
  const levels: number[] = [0];
  const firstChild: number[] = [];
  const children: number[] = [];
  const longestName: number[] = [];
  for (let entry = 0; entry < rows.length; entry++) {
    const [row, level] = [rows[entry]!, levels[entry]!];
    firstChild[entry] = rows.length;
    children[entry] = 0;
    open[entry] = 0;
    if (isTail[entry] === 1) continue;
    longestName[level] = Math.max(longestName[level] ?? 0, tree.nameBytes(row));
    if (level > 0 && !isOpen(row, automatic, options)) continue;
    open[entry] = 1;
    const loaded = tree.children(row);
    const run = options.opened?.has(row) ? shownRun : (automatic.get(row) ?? shownRun);
    const shown = options.unfolded?.has(row)
      ? loaded.length
      : Math.min(loaded.length, shownOf(tree.childCount[row]!, run));
    const add = (of: number, tail: 0 | 1, lost: 0 | 1) => {
      rows.push(of);
      isTail.push(tail);
      isGone.push(lost);
      levels.push(level + 1);
    };
    for (let i = 0; i < shown; i++) add(loaded[i]!, 0, 0);
    if (shown > 0 && shown < tree.childCount[row]!) add(row, 1, 0);
    if (shown > 0 && gone && gone.at(row).nodes > 0) add(row, 1, 1);
    children[entry] = rows.length - firstChild[entry]!;
  }
  return {
    entries: rows.length,
    row: Int32Array.from(rows),
    isTail: Uint8Array.from(isTail),
    isGone: Uint8Array.from(isGone),
    isOpen: Uint8Array.from(open),
    level: Uint16Array.from(levels),
    ...place(Int32Array.from(firstChild), Int32Array.from(children)),
    longestName,
  };
}

/** Branches open automatically, unless the user decided otherwise. */
function isOpen(row: number, automatic: ReadonlyMap<number, number>, { opened, closed }: LayoutOptions): boolean {
  return opened?.has(row) === true || (automatic.has(row) && closed?.has(row) !== true);
}

/**
 * One pass upwards counts the slots, one downwards assigns them, one upwards centres parents between their children.
 */
function place(firstChild: Int32Array, children: Int32Array) {
  const entries = children.length;
  const slots = new Float64Array(entries);
  const start = new Float64Array(entries);
  const centre = new Float64Array(entries);
  for (let entry = entries - 1; entry >= 0; entry--) {
    const [first, end] = [firstChild[entry]!, firstChild[entry]! + children[entry]!];
    for (let child = first; child < end; child++) slots[entry] = slots[entry]! + slots[child]!;
    if (first === end) slots[entry] = 1;
  }
  for (let entry = 0; entry < entries; entry++) {
    let next = start[entry]!;
    const [first, end] = [firstChild[entry]!, firstChild[entry]! + children[entry]!];
    for (let child = first; child < end; child++) {
      start[child] = next;
      next += slots[child]!;
    }
  }
  for (let entry = entries - 1; entry >= 0; entry--) {
    const [first, count] = [firstChild[entry]!, children[entry]!];
    centre[entry] = count === 0 ? start[entry]! + 0.5 : (centre[first]! + centre[first + count - 1]!) / 2;
  }
  return { firstChild, children, slots, start, centre };
}
