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

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const numeric = /(?<!\d)(20\d{2})(-?)(\d{2})\2(\d{2})(?!\d)/gu;
const worded = /(?<!\p{L})(\p{L}{3})\p{L}*\.? (\d{1,2}), (20\d{2})(?!\d)/gu;

/** The last day in a text, as `2026-04-30`. */
function dayIn(text: string): string | undefined {
  const found = [
    ...[...text.matchAll(numeric)].map(([, year, , month, day]) => dayText(year!, Number(month), Number(day))),
    ...[...text.matchAll(worded)].map(([, month, day, year]) =>
      dayText(year!, months.indexOf(month!.toLowerCase()) + 1, Number(day)),
    ),
  ];
  return found.findLast((day) => day !== undefined);
}

function dayText(year: string, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
