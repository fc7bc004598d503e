import { noPause, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { noRow } from '../format/pack-format.ts';
import { countsOf } from '../levels/level-rows.ts';
import { branchesOf } from '../sums/branches.ts';
import type { View } from '../sums/filtered-pack.ts';
import { bestKeywords } from '../sums/kept-sums.ts';
import { wholeTree } from '../sums/kept-tree.ts';

/** The row of the keyword that stands for a node; {@link noRow} for a node without keywords. */
export type PrimaryKeywords = (row: number) => number;

/**
 * The keyword that a page for a node would be written for: of all in its branch, the one with the highest known volume, on a tie the one with
 * the lowest known difficulty, then the one that is first in the file. A keyword without children is its own.
 *
 * Computed once and cached by the open pack, or by the filtered one: 4 bytes per branch.
 * Cost: one pass over the nodes and one over the branches.
 */
export const primaryKeywordsOf = (pack: View, pause: Pause = noPause): Promise<PrimaryKeywords> => found(pack, pause);

const found = oncePerPack<PrimaryKeywords, Pause, View>(find);

async function find(pack: View, pause: Pause): Promise<PrimaryKeywords> {
  const { whole } = pack;
  const [isCounted, { starts }, tree] = [
    await countsOf(pack),
    await branchesOf(whole, pause),
    'kept' in pack ? pack.kept : await wholeTree(pack, pause),
  ];
  const [volume, difficulty, start] = [
    await whole.column('own_volume'),
    await whole.column('own_difficulty'),
    await whole.column('node_start'),
  ];
  // An unknown volume counts as less than any, an unknown difficulty as more than any.
  const volumes = volume?.map((value) => (Number.isNaN(value) ? -1 : value)) ?? new Float64Array(whole.rows);
  const ease = (row: number) => (difficulty && !Number.isNaN(difficulty[row]) ? difficulty[row]! : 1e9);
  const isBefore = (one: number, other: number) =>
    ease(one) === ease(other) ? start[one]! < start[other]! : ease(one) < ease(other);
  const best = await bestKeywords(tree, volumes, isBefore, pause);
  return (row) => {
    if (starts[row] !== starts[row + 1]) return best[starts[row]!]!;
    return isCounted(row) ? row : noRow;
  };
}
