import { lazily } from '../../../ui/lazily.ts';

const written = lazily(() => new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' }));

/**
 * "Apr 2026", or "month 12" where the file names none.
 *
 * @param month 0 for the oldest of twelve
 * @param newest the last of them, as in `2026-04`
 */
export function monthName(month: number, newest: string | undefined): string {
  if (newest === undefined) return `month ${month + 1}`;
  const [year, last] = newest.split('-').map(Number);
  return written().format(new Date(Date.UTC(year!, last! - 12 + month, 1)));
}

/** The month with the greatest value, the latest among equals; undefined where all that are known are the same. */
export function peakOf(months: readonly (number | null)[]): number | undefined {
  const known = months.filter((value) => value !== null);
  const greatest = Math.max(...known);
  return known.every((value) => value === greatest) ? undefined : months.lastIndexOf(greatest);
}
