import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { countsOf } from '../levels/level-rows.ts';
import { branchesOf } from '../sums/branches.ts';
import type { FilteredPack } from '../sums/filtered-pack.ts';

/** The row of the keyword that stands for a node; {@link noRow} for a node without keywords. */
export type PrimaryKeywords = (row: number) => number;

/**
 * The keyword that a page for a node would be written for: of all below it, the one with the highest known volume, among
 * equals the one with the lowest known difficulty, then the one that comes first in the file. A keyword is its own.
 *
 * Computed once and cached by the open pack, or by the filtered one: 4 bytes per branch.
 * Cost: one pass over the nodes and one over the branches.
 */
export const primaryKeywordsOf = (pack: PackReader | FilteredPack, pause: Pause = noPause): Promise<PrimaryKeywords> =>
  found(pack, pause);

const found = oncePerPack<PrimaryKeywords, Pause, PackReader | FilteredPack>(find);

async function find(pack: PackReader | FilteredPack, pause: Pause): Promise<PrimaryKeywords> {
  const whole = 'kept' in pack ? pack.whole : pack;
  const [isCounted, { starts, count, inner }, parent] = [
    await countsOf(pack),
    await branchesOf(whole, pause),
    await whole.column('parent'),
  ];
  const [volume, difficulty, start] = [
    await whole.column('own_volume'),
    await whole.column('own_difficulty'),
    await whole.column('node_start'),
  ];
  /** An unknown volume is less than any, an unknown difficulty more than any. */
  const isBetter = (one: number, other: number): boolean => {
    const volumes = known(volume, one, -1) - known(volume, other, -1);
    if (volumes !== 0) return volumes > 0;
    const [easy, hard] = [known(difficulty, one, 1e9), known(difficulty, other, 1e9)];
    if (easy !== hard) return easy < hard;
    return start[one]! < start[other]!;
  };
  const best = new Uint32Array(count).fill(noRow);
  const offer = (branch: number, row: number): void => {
    if (row !== noRow && (best[branch] === noRow || isBetter(row, best[branch]!))) best[branch] = row;
  };
  const isBranch = (row: number) => starts[row] !== starts[row + 1];
  await eachPiece(count === 0 ? 0 : whole.metadata.nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      if (isCounted(row)) offer(starts[isBranch(row) ? row : parent[row]!]!, row);
    }
  });
  // Branches are in row order, so the ones below come later.
  await eachPiece(count, pause, (from, end) => {
    for (let branch = count - 1 - from; branch >= count - end; branch--) {
      for (let child = inner[branch]!; child < inner[branch + 1]!; child++) offer(branch, best[child]!);
    }
  });
  return (row) => {
    if (isBranch(row)) return best[starts[row]!]!;
    return isCounted(row) ? row : noRow;
  };
}

function known(values: ArrayLike<number> | undefined, row: number, otherwise: number): number {
  const value = values ? values[row]! : Number.NaN;
  return Number.isNaN(value) ? otherwise : value;
}
