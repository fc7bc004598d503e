import { normalForm } from '../../../pack/src/names/normal-form.ts';
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

/**
 * A country in one spelling, two letters in lower case: Ahrefs' `gb`, "United Kingdom" and Google's 2826 are Semrush's `uk`.
 * Undefined for any other text.
 */
export function marketOf(country: string): string | undefined {
  const code = country.trim().toLowerCase();
  if (/^[a-z]{2}$/u.test(code)) return code === 'gb' ? 'uk' : code;
  return code.length < 2 || code.length > longestName ? undefined : marketsByName().get(plain(code));
}

/** In characters. */
const longestName = 64;

/** The languages in which tools may have written the name of a country. */
const languages = [
  ...['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ru', 'vi', 'ja', 'zh', 'pl', 'sv', 'da', 'nb', 'fi', 'cs', 'tr', 'ko'],
  ...['uk', 'hu', 'ro', 'el', 'id', 'bg'],
];
/** Names in use that are none of those of CLDR. */
const otherNames: readonly (readonly [string, string])[] = [
  ['united states of america', 'us'],
  ['great britain', 'uk'],
  ['turkey', 'tr'],
  ['czech republic', 'cz'],
  ['russian federation', 'ru'],
  ['republic of korea', 'kr'],
  ['viet nam', 'vn'],
];
let names: ReadonlyMap<string, string> | undefined;

/**
 * Countries by their names, and by the numbers of places in Google's interfaces: 2000 and the number of ISO 3166. The names come from CLDR by way of `Intl`, which lists them by code only: building this takes 50 ms.
 * The first language that has a name decides.
 */
function marketsByName(): ReadonlyMap<string, string> {
  if (names) return names;
  const found = new Map(otherNames);
  const codes = regionCodes();
  for (const language of languages) {
    // "Hong Kong SAR China" in the long style is "Hong Kong" in the short one.
    for (const style of ['long', 'short'] as const) {
      const regions = new Intl.DisplayNames([language], { type: 'region', fallback: 'none', style });
      for (const code of codes) {
        const name = plain(regions.of(code) ?? '');
        if (name !== '' && !found.has(name)) found.set(name, marketOf(code)!);
      }
    }
  }
  for (let number = 0; number < 1000; number++) {
    const digits = String(number).padStart(3, '0');
    const [, region] = /^und-([A-Z]{2})$/u.exec(Intl.getCanonicalLocales(`und-${digits}`)[0]!) ?? [];
    if (region !== undefined) found.set(`2${digits}`, marketOf(region)!);
  }
  names = found;
  return names;
}

const plain = (name: string): string => normalForm(name, 'NFC').toLowerCase().replace(/^the /u, '').trim();

/** All codes but those of former countries and the other aliases, such as VD for VN. */
function regionCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((one) => letters.map((other) => one + other))
    .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`);
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
