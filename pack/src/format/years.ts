import { trendMonths } from '../upload/trend-text.ts';
import { around, type RowSource } from './pack-reader.ts';

/**
 * Reads the trends of some rows or branches.
 *
 * @param places branches for `trend`, rows for `own_trend`
 * @param take called for each place that has a trend, with its index in `places` and its twelve months, oldest first; NaN for unknown
 */
export async function eachYear(
  pack: Pick<RowSource, 'gather'>,
  list: 'trend' | 'own_trend',
  places: Uint32Array,
  take: (at: number, months: Float64Array) => void,
): Promise<void> {
  const ends = (await pack.gather(list, around(places)))!;
  const having = Array.from(places.keys()).filter((at) => ends[2 * at] !== ends[2 * at + 1]);
  const wanted = Uint32Array.from({ length: trendMonths * having.length }, (_, month) => {
    return ends[2 * having[Math.floor(month / trendMonths)]!]! + (month % trendMonths);
  });
  const values = Float64Array.from((await pack.gather(list === 'trend' ? 'month' : 'own_month', wanted))!);
  for (const [nth, at] of having.entries()) take(at, values.subarray(trendMonths * nth, trendMonths * (nth + 1)));
}
