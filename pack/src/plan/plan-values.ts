import type { FilteredPack } from '../filter/filtered-pack.ts';
import { branchesOf } from '../filter/pack-branches.ts';
import type { Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { coveredRank, takePlanFields } from './plan-fields.ts';
import type { StatusRollUp } from './status-roll-up.ts';

/** What rows can be sorted by: the status with the most volume, and the share with a page in percent. */
export type PlanKey = 'plan' | 'covered';

/** The number of branches whose figures are read at a time. */
const pieceRows = 2 ** 14;

/**
 * The values by which rows are sorted. What is not planned has no status, so it comes last in both directions.
 *
 * Cost: 8 bytes per node, and the coverage of the branches among the rows.
 *
 * @param rows the rows that will be asked for
 */
export async function planValues(
  pack: PackReader | FilteredPack,
  rolled: StatusRollUp,
  by: PlanKey,
  rows: Uint32Array,
  pause: Pause,
): Promise<(row: number) => number> {
  const { starts } = await branchesOf('kept' in pack ? pack.whole : pack, pause);
  const isKeyword = await pack.column('is_keyword');
  const counts = 'kept' in pack ? pack.counts : (row: number) => isKeyword[row] === 1;
  const values = new Float64Array(pack.metadata.nodes).fill(Number.NaN);
  const branches: number[] = [];
  for (const row of rows) {
    if (starts[row] !== starts[row + 1]) branches.push(row);
    else if (counts(row))
      values[row] = by === 'plan' ? ordered(rolled.effective[row]!) : coveredOf(rolled.effective[row]!);
  }
  for (let from = 0; from < branches.length; from += pieceRows) {
    await pause();
    const piece = Uint32Array.from(branches.slice(from, from + pieceRows));
    const [status, covered] = await takePlanFields(rolled, piece);
    for (const [at, row] of piece.entries()) {
      // The first value of the field is for unknown, the second for what is not planned.
      values[row] = by === 'plan' ? ordered(status.value[at]! - 1) : covered.value[at]!;
    }
  }
  return (row) => values[row]!;
}

const ordered = (rank: number): number => (rank <= 0 ? Number.NaN : rank);
const coveredOf = (rank: number): number => (rank >= coveredRank ? 100 : 0);
