import { type PlanMark, planMarks } from '../filter/filter.ts';
import type { Pause } from '../format/in-pieces.ts';
import { countsOf } from '../levels/level-rows.ts';
import { markFields } from '../slice/mark-fields.ts';
import type { CategoryField, NumberField } from '../slice/slice.ts';
import { branchesOf } from '../sums/branches.ts';
import type { View } from '../sums/filtered-pack.ts';
import { type StatusCoverage, type StatusRollUp, statusRanks } from './status-roll-up.ts';

/** The values of the field `status`, by rank, after the one for unknown. */
export const planStatusValues = ['', 'none', 'idea', 'planned', 'written', 'live'] as const;
/** The lowest rank of a status that means that there is a page. */
export const coveredRank = 3;
/** The statuses that mean that there is a page. */
export const coveredMarks: readonly PlanMark[] = ['written', 'live'];

/**
 * Two fields for some rows. The status with the most volume (or with the most keywords, if the volume of fewer than half is known), on a tie
 * the furthest one; and the share that has a page, in percent.
 */
export async function takePlanFields(rolled: StatusRollUp, rows: Uint32Array): Promise<[CategoryField, NumberField]> {
  const all = await rolled.coverageAt(rows);
  const ranks = all.map(mainRank);
  const status: CategoryField = {
    name: markFields.status,
    kind: 'category',
    values: planStatusValues,
    value: Uint8Array.from(ranks, (rank) => rank + 1),
    count: Uint32Array.from(all, ({ ofStatus }, at) => ofStatus[ranks[at]!]?.keywords ?? 0),
    known: Uint32Array.from(all, ({ keywords }) => keywords),
  };
  const covered: NumberField = {
    name: markFields.covered,
    kind: 'number',
    rollUp: 'mean',
    value: Float64Array.from(all, coveredPercent),
    known: Uint32Array.from(all, ({ keywords }) => keywords),
  };
  return [status, covered];
}

/** The rank of the status with the most weight; -1 for a branch without keywords. */
function mainRank(coverage: StatusCoverage): number {
  const of = weightOf(coverage);
  let main = -1;
  for (let rank = 0; rank < statusRanks; rank++) {
    if (coverage.keywords > 0 && (main < 0 || of(rank) >= of(main))) main = rank;
  }
  return main;
}

function coveredPercent(coverage: StatusCoverage): number {
  const of = weightOf(coverage);
  let [all, covered] = [0, 0];
  for (let rank = 0; rank < statusRanks; rank++) {
    all += of(rank);
    if (rank >= coveredRank) covered += of(rank);
  }
  return coverage.keywords === 0 ? Number.NaN : (100 * covered) / all;
}

/** The weight of each rank: its volume if that is known for at least half of the keywords and not 0, otherwise its keywords. */
function weightOf({ keywords, volumeKnown, ofStatus }: StatusCoverage): (rank: number) => number {
  const isByVolume = 2 * volumeKnown >= keywords && ofStatus.some(({ volume }) => volume > 0);
  return (rank) => (isByVolume ? ofStatus[rank]!.volume : ofStatus[rank]!.keywords);
}

/** 1 for each row whose status, or else that of its nearest ancestor with one, is one of these. */
export function markPlanned({ effective }: StatusRollUp, marks: readonly PlanMark[]): Uint8Array {
  const wanted = new Uint8Array(statusRanks);
  for (const mark of marks) wanted[mark === 'none' ? 0 : planMarks.indexOf(mark) + 1] = 1;
  return effective.map((rank) => wanted[rank]!);
}

/** The keys of a plan that rows can be sorted by: the two fields of {@link takePlanFields}. */
type PlanKey = 'plan' | 'covered';

/** The number of branches whose figures are read at a time. */
const pieceRows = 2 ** 14;

/**
 * The values by which rows are sorted, in their order. Rows that are not planned have an unknown status, so they come last in both directions.
 *
 * Cost: the coverage of the branches among the rows.
 */
export async function planValues(
  pack: View,
  rolled: StatusRollUp,
  by: PlanKey,
  rows: Uint32Array,
  pause: Pause,
): Promise<Float64Array> {
  const { starts } = await branchesOf(pack.whole, pause);
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
