import { hardlyKnownBelow, type KnownFigures, knownShare } from '../levels/known-share.ts';
import { trendMonths } from '../upload/trend-text.ts';

/** The best month of a clear season has at least this many times the searches of an average month. */
const seasonalFrom = 1.3;

/** Stand for a month: the year is unknown, or there is no clear season. */
export const unknownPeak = -1;
export const noPeak = -2;

/**
 * The month with the most searches, 0 to 11 from the oldest, on a tie the latest one. {@link noPeak} unless there is a clear season: it must
 * have at least {@link seasonalFrom} times the searches of an average month. {@link unknownPeak} if any month is unknown.
 *
 * @param at the index of the first of the twelve months
 */
export function peakIn(months: ArrayLike<number>, at = 0): number {
  let peak = 0;
  let sum = 0;
  for (let month = 0; month < trendMonths; month++) {
    sum += months[at + month]!;
    if (months[at + month]! >= months[at + peak]!) peak = month;
  }
  if (Number.isNaN(sum)) return unknownPeak;
  return sum > 0 && months[at + peak]! * trendMonths >= seasonalFrom * sum * (1 - rounding) ? peak : noPeak;
}

/**
 * Whether the year of a branch is hardly known, see `known-share`. The known volume is the mean of the months, because that of the keywords
 * with a known year is not stored. If the year of every keyword is known, it is not compared: months and volumes of a file may disagree.
 *
 * @param months twelve monthly search volumes
 */
export function isYearHardlyKnown(months: ArrayLike<number>, of: Omit<KnownFigures, 'knownVolume'>): boolean {
  if (of.known >= of.keywords) return false;
  let sum = 0;
  for (let month = 0; month < trendMonths; month++) sum += months[month]!;
  return knownShare({ ...of, knownVolume: sum / trendMonths }) < hardlyKnownBelow;
}

/** Months are stored in 32 bits. Their rounding errors must not decide whether a season of exactly 1.3 is clear. */
const rounding = 1e-6;

/** The searches of the best month divided by those of an average month; NaN if any month is unknown, or all are 0. */
export function seasonIndex(months: ArrayLike<number>): number {
  let sum = 0;
  let max = 0;
  for (let month = 0; month < trendMonths; month++) {
    sum += months[month]!;
    max = Math.max(max, months[month]!);
  }
  return sum > 0 ? (max * trendMonths) / sum : Number.NaN;
}
