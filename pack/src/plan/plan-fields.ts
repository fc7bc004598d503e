import { type PlanMark, planMarks } from '../filter/filter.ts';
import { markFields } from '../slice/mark-fields.ts';
import type { CategoryField, NumberField } from '../slice/slice.ts';
import { type StatusCoverage, type StatusRollUp, statusRanks } from './status-roll-up.ts';

/** The values of the field `status`, by rank, after the one for unknown. */
export const planStatusValues = ['', 'none', 'idea', 'planned', 'written', 'live'] as const;
/** From this rank on, there is a page. */
export const coveredRank = 3;
/** What a node has whose effective status has one. */
export const coveredMarks: readonly PlanMark[] = ['written', 'live'];

/**
 * For some rows the status with the most volume (or the most keywords, where the volume of fewer than half is known),
 * the furthest on a tie; and the share with a page in percent.
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

/** -1 for a branch without keywords. */
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

/** By volume if it is known for at least half of the keywords and there is any, as in `coveredShare` of the rules. */
function weightOf({ keywords, volumeKnown, ofStatus }: StatusCoverage): (rank: number) => number {
  const isByVolume = 2 * volumeKnown >= keywords && ofStatus.some(({ volume }) => volume > 0);
  return (rank) => (isByVolume ? ofStatus[rank]!.volume : ofStatus[rank]!.keywords);
}

/** 1 for each row whose status, or that of the nearest ancestor with one, is one of these. */
export function markPlanned({ effective }: StatusRollUp, marks: readonly PlanMark[]): Uint8Array {
  const wanted = new Uint8Array(statusRanks);
  for (const mark of marks) wanted[mark === 'none' ? 0 : planMarks.indexOf(mark) + 1] = 1;
  return effective.map((rank) => wanted[rank]!);
}
