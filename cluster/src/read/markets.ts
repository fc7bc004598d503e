import { isoDate } from '../../../pack/src/upload/written-dates.ts';
import type { Reading } from './reading.ts';

/**
 * The market and the day of an export by the name of its file, such as `drupal_broad-match_us_2026-04-30.csv` or
 * `x-organic.Positions-us-20250911.csv`.
 */
export function originOfName(name: string): Pick<Reading, 'market' | 'exported'> {
  const market =
    /(?<=[-_])([a-z]{2})(?=[-_]\d{4}-?\d{2}-?\d{2}(?!\d))/iu.exec(name)?.[1] ?? /google_([a-z]{2})_/iu.exec(name)?.[1];
  return { market: market && marketOf(market), exported: dayIn(name) };
}

/** The last day that the lines above a header name, such as "May 1, 2025 - April 30, 2026". */
export const dayOfTitles = (titles: readonly string[]): string | undefined =>
  titles.map(dayIn).findLast((day) => day !== undefined);

/** A two-letter country in one spelling: Ahrefs' `gb` is Semrush's `uk`. Undefined for any other text. */
export function marketOf(country: string): string | undefined {
  const code = country.trim().toLowerCase();
  if (!/^[a-z]{2}$/u.test(code)) return undefined;
  return code === 'gb' ? 'uk' : code;
}

/**
 * Days as tools write them in titles and in the names of files: "2026-04-30", "20260430", "30.04.2026", "30 avril 2026", "30. April
 * 2026", "Apr 30, 2026". Day and month of "03/04/2026" cannot be told apart.
 */
const days =
  /(?<!\d)20\d{2}(-?)\d{2}\1\d{2}(?!\d)|(?<!\d)\d{1,2}\.\d{1,2}\.20\d{2}(?!\d)|(?<!\d)20\d{2}年\s?\d{1,2}月\s?\d{1,2}|(?<!\d)\d{1,2}(?:\.|er|º)?\s(?:de\s)?\p{L}{3,12}\.?\s(?:de\s)?20\d{2}(?!\d)|(?<!\p{L})\p{L}{3,12}\.? \d{1,2}, 20\d{2}(?!\d)/gu;

/** The last day in a text, as `2026-04-30`. */
const dayIn = (text: string): string | undefined =>
  [...text.matchAll(days)]
    .map(([day]) =>
      /^\d{4}-?\d{2}-?\d{2}$/u.test(day) ? day.replace(/^(\d{4})-?(\d{2})-?/u, '$1-$2-') : isoDate(day, true),
    )
    .findLast((day) => /^20\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u.test(day));
