import { isYearHardlyKnown, peakIn, seasonIndex } from '@kc/pack/season/peak';
import type { NodeDetail } from '@kc/rules/shapes';
import { decimal } from '../../format/figure-text.ts';

export type Trend = NonNullable<NodeDetail['trend']>;
/** What the year is the year of. */
export type TrendOf = Pick<NodeDetail, 'keywords' | 'volume'>;

/** The month of a clear season, 0 for the oldest of twelve. */
export function seasonPeak(trend: Trend, of: TrendOf): number | undefined {
  if (trend.months.includes(null) || isHardlyKnown(trend, of)) return undefined;
  const peak = peakIn(trend.months as readonly number[]);
  return peak < 0 ? undefined : peak;
}

/**
 * "Seasonal: the best month has 1.8 times the searches of an average month", or that there is no clear season, and why. Empty
 * if any month is unknown, or nobody searched.
 */
export function seasonText(trend: Trend, of: TrendOf): string {
  if (trend.months.includes(null)) return '';
  if (isHardlyKnown(trend, of)) return 'No clear season: the trend is known for less than 20 %';
  const index = seasonIndex(trend.months as readonly number[]);
  if (Number.isNaN(index)) return '';
  const times = `the best month has ${decimal(index)} times the searches of an average month`;
  return `${seasonPeak(trend, of) === undefined ? 'No clear season' : 'Seasonal'}: ${times}`;
}

function isHardlyKnown({ months, known, unit }: Trend, { keywords, volume }: TrendOf): boolean {
  const figures = { keywords, volume: volume.value ?? Number.NaN, volumeKnown: volume.known, known };
  return unit === 'searches' && isYearHardlyKnown(months as readonly number[], figures);
}
