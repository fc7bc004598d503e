import { leadMonths, mostLeadMonths } from './lead-months.ts';

/** All leads that a plan can have. */
export const leads: readonly number[] = Array.from({ length: mostLeadMonths + 1 }, (_, months) => months);

/** "2 months before the peak" */
export const leadText = (lead: number): string =>
  lead === 0 ? 'In the month of the peak' : `${lead} ${lead === 1 ? 'month' : 'months'} before the peak`;

/**
 * The next month, from the current one on, in which to publish for a peak that comes every year.
 *
 * @param peak one of twelve months, 0 for the oldest
 * @param newest the last of the twelve; months are as in `2026-04`
 * @param current the month of today
 */
export function publishBy(peak: number, newest: string, current: string, lead = leadMonths): string {
  const now = numberOf(current);
  const month = numberOf(newest) - 11 + peak - lead;
  const next = month + 12 * Math.ceil((now - month) / 12);
  return `${Math.floor(next / 12)}-${String((next % 12) + 1).padStart(2, '0')}`;
}

/** Months since the year 0. */
function numberOf(month: string): number {
  const [year, ofYear] = month.split('-').map(Number) as [number, number];
  return 12 * year + ofYear - 1;
}
