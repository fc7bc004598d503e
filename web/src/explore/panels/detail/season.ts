import { hardlyKnownBelow, knownShare } from '@kc/pack/levels/known-share';
import { peakIn, seasonIndex } from '@kc/pack/season/peak';
import type { NodeDetail } from '@kc/rules/shapes';
import { decimal } from '../../format/numbers.ts';

export type Trend = NonNullable<NodeDetail['trend']>;
/** What the year is the year of. */
export type TrendOf = Pick<NodeDetail, 'keywords' | 'volume'>;

/** Months between publishing and the peak. */
export const leadMonths = 2;

/** The month of a clear season, 0 for the oldest of twelve. */
export function seasonPeak(trend: Trend, of: TrendOf): number | undefined {
  if (trend.months.includes(null) || isHardlyKnown(trend, of)) return undefined;
  const peak = peakIn(trend.months as readonly number[]);
  return peak < 0 ? undefined : peak;
}

/**
 * "Seasonal: the best month has 1.8 times an average month", or that there is no clear season, and why. Empty if any month
 * is unknown, or nobody searched.
 */
export function seasonText(trend: Trend, of: TrendOf): string {
  if (trend.months.includes(null)) return '';
  if (isHardlyKnown(trend, of)) return 'No clear season: the trend is hardly known';
  const index = seasonIndex(trend.months as readonly number[]);
  if (Number.isNaN(index)) return '';
  const times = `the best month has ${decimal(index)} times an average month`;
  return `${seasonPeak(trend, of) === undefined ? 'No clear season' : 'Seasonal'}: ${times}`;
}

/** Whether the year of a branch describes less than a fifth of it. The volume of a keyword is the mean of its months. */
function isHardlyKnown({ months, known, unit }: Trend, { keywords, volume }: TrendOf): boolean {
  if (keywords <= 1 || unit !== 'searches') return false;
  const knownVolume = months.reduce<number>((sum, searches) => sum + searches!, 0) / months.length;
  const figures = { keywords, volume: volume.value ?? Number.NaN, volumeKnown: volume.known, known, knownVolume };
  return knownShare(figures) < hardlyKnownBelow;
}

/**
 * The next month, from this one on, in which to publish for a peak: as in `2027-01`.
 *
 * @param peak 0 for the oldest of twelve
 * @param newest the last of the twelve, as in `2026-04`
 */
export function publishBy(peak: number, newest: string, today: Date, lead = leadMonths): string {
  const [year, last] = newest.split('-').map(Number) as [number, number];
  const now = 12 * today.getFullYear() + today.getMonth();
  const month = 12 * year + (last - 12 + peak) - lead;
  const next = month + 12 * Math.ceil((now - month) / 12);
  return `${Math.floor(next / 12)}-${String((next % 12) + 1).padStart(2, '0')}`;
}
