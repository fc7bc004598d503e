import type { FilteredPack } from '../filter/filtered-pack.ts';
import { branchesOf } from '../filter/pack-branches.ts';
import type { Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { countsOf } from '../levels/level-rows.ts';
import { coveredRank, takePlanFields } from './plan-fields.ts';
import type { StatusRollUp } from './status-roll-up.ts';

/** What rows can be sorted by: the status with the most volume, and the share with a page in percent. */
export type PlanKey = 'plan' | 'covered';

/** The number of branches whose figures are read at a time. */
const pieceRows = 2 ** 14;

/**
 * The values by which rows are sorted, in their order. What is not planned has no status, so it comes last in both directions.
 *
 * Cost: the coverage of the branches among the rows.
 */
export async function planValues(
  pack: PackReader | FilteredPack,
  rolled: StatusRollUp,
  by: PlanKey,
  rows: Uint32Array,
  pause: Pause,
): Promise<Float64Array> {
  const { starts } = await branchesOf('kept' in pack ? pack.whole : pack, pause);
  const counts = await countsOf(pack);
  const values = new Float64Array(rows.length).fill(Number.NaN);
  const branches: number[] = [];
  for (const [at, row] of rows.entries()) {
    if (starts[row] !== starts[row + 1]) branches.push(at);
    else if (counts(row))
      values[at] = by === 'plan' ? ordered(rolled.effective[row]!) : coveredOf(rolled.effective[row]!);
  }
  for (let from = 0; from < branches.length; from += pieceRows) {
    await pause();
    const piece = branches.slice(from, from + pieceRows);
    const [status, covered] = await takePlanFields(
      rolled,
      Uint32Array.from(piece, (at) => rows[at]!),
    );
    for (const [nth, at] of piece.entries()) {
      // The first value of the field is for unknown, the second for what is not planned.
      values[at] = by === 'plan' ? ordered(status.value[nth]! - 1) : covered.value[nth]!;
    }
  }
  return values;
}

const ordered = (rank: number): number => (rank <= 0 ? Number.NaN : rank);
const coveredOf = (rank: number): number => (rank >= coveredRank ? 100 : 0);
