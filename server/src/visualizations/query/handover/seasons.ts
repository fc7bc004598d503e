import { peakValue } from '@kc/pack/season/own-peaks';
import { peaksOf } from '@kc/pack/season/season';
import { firstMonthValue, seasonValues } from '@kc/pack/season/season-name';
import { publishBy } from '@kc/rules/plan';
import type { Handover } from './handover-lines.ts';
import type { HandoverSource } from './handover-query.ts';

export type Season = {
  /** As on the screen: "March", "Month 8 of 12" if nobody knows which month that is, or "No clear season". */
  readonly month: string;
  /** The first day of the month to publish in, in milliseconds since 1970. */
  readonly publishBy: number | undefined;
};

/** The seasons of some rows; undefined for a row whose trend is unknown. */
export async function seasonsOf(
  { pack, figures, pause }: Handover,
  { newestMonth, now, lead }: HandoverSource,
  rows: readonly number[],
): Promise<(row: number) => Season | undefined> {
  const rising = Uint32Array.from(new Set(rows)).sort();
  const peaks = await peaksOf(figures, rising, pause);
  const newest = pack.metadata.trend?.newest ?? newestMonth;
  const values = seasonValues(newest);
  const current = new Date(now).toISOString().slice(0, 7);
  const found = new Map<number, Season>();
  for (const [at, row] of rising.entries()) {
    const value = peaks ? peakValue(peaks.peak[at]!, newest) : 0;
    if (value === 0) continue;
    const isDated = value >= firstMonthValue && newest !== undefined;
    const month = isDated ? publishBy(peaks!.peak[at]!, newest, current, lead) : undefined;
    found.set(row, {
      month: values[value]!,
      publishBy: month === undefined ? undefined : Date.parse(`${month}-01T00:00:00Z`),
    });
  }
  return (row) => found.get(row);
}
