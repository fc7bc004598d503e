import { hardlyKnownBelow, type KnownFigures, knownShare } from '../levels/known-share.ts';
import { trendMonths } from '../upload/trend-text.ts';

/** The best month of a clear season has at least this many times the searches of an average month. */
const seasonalFrom = 1.3;

/** Instead of a month: the year is unknown, or no month is clearly the best. */
export const unknownPeak = -1;
export const noPeak = -2;

/**
 * The month of twelve in which searches peak, 0 for the oldest and the latest of equal ones, if there is a clear season:
 * its searches are at least {@link seasonalFrom} times those of an average month. Otherwise {@link noPeak}, or {@link
 * unknownPeak} if any month is unknown.
 *
 * @param at where the twelve months begin
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
 * Whether the year of a branch says too little about it: its keywords with a known year have less than a fifth of its volume,
 * where the volume of a keyword is the mean of its months. A file whose months do not fit its volumes may still know them all.
 *
 * @param months twelve searches
 */
export function isYearHardlyKnown(months: ArrayLike<number>, of: Omit<KnownFigures, 'knownVolume'>): boolean {
  if (of.known >= of.keywords) return false;
  let sum = 0;
  for (let month = 0; month < trendMonths; month++) sum += months[month]!;
  return knownShare({ ...of, knownVolume: sum / trendMonths }) < hardlyKnownBelow;
}

/** Months have 32 bits: the digits after that are noise, which must not decide about exactly 1.3. */
const rounding = 1e-6;

/** The searches of the best month divided by those of an average month; NaN if any month is unknown, or all are 0. */
export function seasonIndex(months: ArrayLike<number>): number {
  let sum = 0;
  let most = 0;
  for (let month = 0; month < trendMonths; month++) {
    sum += months[month]!;
    most = Math.max(most, months[month]!);
  }
  return sum > 0 ? (most * trendMonths) / sum : Number.NaN;
}
