import { noPause, type Pause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { CategoryField } from '../slice/slice.ts';
import type { View } from '../sums/filtered-pack.ts';
import { keptTrends, searchesOf } from '../sums/kept-trends.ts';
import { rollUpsOf } from '../sums/roll-ups.ts';
import { trendMonths } from '../upload/trend-text.ts';
import { ownPeaks, peakValue } from './own-peaks.ts';
import { isYearHardlyKnown, noPeak, peakIn, unknownPeak } from './peak.ts';
import { firstMonthValue, seasonFieldName, seasonValues } from './season-name.ts';

/** The peaks of some rows. */
type Peaks = {
  /** As in `peakIn`. A branch whose year is hardly known has none: {@link noPeak}. */
  readonly peak: Int8Array;
  /** The number of distinct keywords of each row whose year is known. */
  readonly known: Uint32Array;
};

/**
 * The peak months of some rows. The peak of a branch is that of the summed searches of its keywords that a filter keeps, if these are
 * known for enough of it; see `isYearHardlyKnown`.
 *
 * @returns undefined if the file has no trends
 */
export async function peaksOf(pack: View, rows: Uint32Array, pause: Pause = noPause): Promise<Peaks | undefined> {
  const { whole } = pack;
  const own = await ownPeaks(whole, { pause });
  if (!own) return undefined;
  const peak = new Int8Array(rows.length).fill(unknownPeak);
  const known = new Uint32Array(rows.length);
  const branches = await pack.branchesOf(rows);
  const isKeyword = await pack.gather('is_keyword', rows);
  for (const [at, row] of rows.entries()) {
    if (branches[at] !== noRow || isKeyword[at] === 0) continue;
    peak[at] = own[row]!;
    known[at] = Number(own[row] !== unknownPeak);
  }
  const inner = Uint32Array.from(rows.keys()).filter((at) => branches[at] !== noRow);
  await addBranches(pack, { inner, rows, branches, pause }, { peak, known });
  return { peak, known };
}

type Inner = {
  /** The indices of the rows that have children. */
  readonly inner: Uint32Array;
  readonly rows: Uint32Array;
  /** The branch of each row. */
  readonly branches: Uint32Array;
  readonly pause: Pause;
};

async function addBranches(pack: View, request: Inner, { peak, known }: Peaks): Promise<void> {
  const { inner, pause } = request;
  if (inner.length === 0) return;
  const rows = inner.map((at) => request.rows[at]!);
  const branches = inner.map((at) => request.branches[at]!);
  const [years, totals] = [(await searchesOf(pack, rows, pause))!, await rollUpsOf(pack, rows)];
  const [keywords, volume, volumeKnown] = [
    await totals.column('keywords'),
    await totals.column('volume'),
    await totals.column('volume_known'),
  ];
  const ofKept = 'kept' in pack ? (await keptTrends(pack.kept, pause)).known : undefined;
  const knownIn = ofKept ? branches.map((branch) => ofKept[branch]!) : (await pack.gather('trend_known', branches))!;
  for (const [index, at] of inner.entries()) {
    known[at] = knownIn[index]!;
    if (known[at] === 0) continue;
    const year = years.subarray(trendMonths * index, trendMonths * (index + 1));
    const figures = {
      keywords: keywords[index]!,
      volume: volume[index]!,
      volumeKnown: volumeKnown[index]!,
      known: known[at]!,
    };
    peak[at] = isYearHardlyKnown(year, figures) ? noPeak : peakIn(year);
  }
}

/** The peak month of some rows as a category. */
export async function takeSeason(
  pack: View,
  rows: Uint32Array,
  newest: string | undefined,
  pause: Pause = noPause,
): Promise<CategoryField> {
  const { peak, known } = (await peaksOf(pack, rows, pause))!;
  const value = Uint8Array.from(peak, (one) => peakValue(one, newest));
  return { name: seasonFieldName(newest), kind: 'category', values: seasonValues(newest), value, count: known, known };
}

/** The sort value of a peak month, in the order of {@link seasonValues}; NaN if there is no month. */
export const monthOrder = (value: number): number => (value < firstMonthValue ? Number.NaN : value);
