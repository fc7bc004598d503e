import { normalForm } from '../names/normal-form.ts';

/** Three numbers with points, slashes or dashes between them, the year last. */
const numeric = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?=$|[\sT])/u;

/** Whether the day or the month of dates such as 03/04/2026 comes first; with points it is always the day. */
export function dayOrder(values: readonly string[]): 'day' | 'month' | 'unclear' | 'none' {
  let isAny = false;
  for (const value of values) {
    const [, first, separator, second] = numeric.exec(value.trim()) ?? [];
    if (first === undefined) continue;
    isAny = true;
    if (separator === '.' || Number(first) > 12) return 'day';
    if (Number(second) > 12) return 'month';
  }
  return isAny ? 'unclear' : 'none';
}

/** The languages in which tools and people write the names of months. */
const languages = [
  ...['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'da', 'nb', 'sv', 'fi', 'pl', 'cs', 'hu', 'ro', 'ru', 'uk', 'tr', 'el'],
  ...['vi', 'id', 'bg'],
];
/** Abbreviations of Excel that are none of CLDR: German, Russian and Ukrainian. */
const otherNames: readonly (readonly [string, number])[] = Object.entries({
  ...{ mrz: 3, фев: 2, мар: 3, июн: 6, июл: 7, сен: 9, ноя: 11 },
  ...{ кві: 4, тра: 5, чер: 6, сер: 8, жов: 10, лис: 11, гру: 12 },
});
let namesOfMonths: ReadonlyMap<string, number> | undefined;

/** The month that a name or its abbreviation in one of many languages stands for, from 1; undefined for another word. */
export function monthNamed(word: string): number | undefined {
  namesOfMonths ??= new Map([
    ...otherNames,
    ...languages.flatMap((language) =>
      (['long', 'short'] as const).flatMap((style) =>
        Array.from({ length: 12 }, (_, month) => {
          const day = Date.UTC(2026, month, 15);
          // Some languages inflect the month of a day.
          const alone = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' }).format(day);
          const ofDay = new Intl.DateTimeFormat(language, { day: 'numeric', month: style, timeZone: 'UTC' })
            .formatToParts(day)
            .find(({ type }) => type === 'month')!.value;
          return [alone, ofDay].map((name) => [plain(name), month + 1] as const);
        }).flat(),
      ),
    ),
  ]);
  return namesOfMonths.get(plain(word));
}

const plain = (word: string): string => normalForm(word.toLowerCase().replaceAll('.', ''), 'NFC').trim();

/** "2026-04-15" for a date as people write it, "2026-04" for a month; the text itself if it is neither. */
export function isoDate(text: string, isDayFirst: boolean): string {
  const [, first, , second, year] = numeric.exec(text) ?? [];
  if (first !== undefined) {
    const [day, month] = isDayFirst ? [first, second!] : [second!, first];
    return dateOf(year!, Number(month), day);
  }
  const [, years, months, days] =
    /^(\d{4})\s?[年년.]\s?(\d{1,2})\s?[月월.]\s?(\d{1,2})/u.exec(text) ??
    /^(\d{4})\/(\d{1,2})\/(\d{1,2})/u.exec(text) ??
    [];
  if (days !== undefined) return dateOf(years!, Number(months), days);
  const week = /^(\d{4})-?W(\d{2})$/u.exec(text);
  if (week) return lastDayOfWeek(Number(week[1]), Number(week[2]));
  const month = /\d{4}/u.test(text) ? monthOfName(text) : undefined;
  if (month) return `${month.year}-${String(month.month).padStart(2, '0')}`;
  return dateInWords(text.replace(/^\p{L}{2,12}\.?,\s+/u, '')) ?? text;
}

/** Days with the name of their month: "15 April 2026", "15-Apr-26", "1er avril 2026", "15 de abril de 2026", "Apr 15, 2026". */
function dateInWords(text: string): string | undefined {
  const words =
    /^(\d{1,2})(?:\.|er|st|nd|rd|th|º)?[\s-](?:de\s|of\s)?(\p{L}{3,12}\.?)(?:\s|-|,\s)(?:de\s)?(\d{4}|\d{2})(?!\d)/u.exec(
      text,
    );
  const month = words && monthNamed(words[2]!);
  if (words && month) return dateOf(words[3]!, month, words[1]!);
  const american = /^(\p{L}{3,12}\.?)[\s-](\d{1,2})(?:st|nd|rd|th)?(?:,\s?|\s)(\d{4})/u.exec(text);
  const named = american && monthNamed(american[1]!);
  return american && named ? dateOf(american[3]!, named, american[2]!) : undefined;
}

/** The Sunday of a week by ISO 8601: 4 January is always in the first one. */
function lastDayOfWeek(year: number, week: number): string {
  const fourth = new Date(Date.UTC(year, 0, 4));
  const monday = fourth.getUTCDate() - ((fourth.getUTCDay() + 6) % 7);
  return new Date(Date.UTC(year, 0, monday + 7 * week - 1)).toISOString().slice(0, 10);
}

const fullYear = (year: string): string => (year.length === 2 ? `20${year}` : year);

const dateOf = (year: string, month: number, day: string): string =>
  `${fullYear(year)}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;

/**
 * The month that a column is for: "Mar 2026", "Mar-26", "abr/26", "Searches: Mar 2026", "2026-03", "03/2026" or its first day;
 * undefined for other names. A remark behind it in parentheses does not count.
 */
export function monthOfName(name: string): { readonly year: number; readonly month: number } | undefined {
  const text = name
    .trim()
    .replace(/^[^:：]{2,60}[:：]\s*/u, '')
    .replace(/\([^()]*\)$/u, '')
    .trimEnd();
  const named =
    /^(?<name>\p{L}{3,12}\.?)(?:[\s\-/.]|\s?['’])(?:de\s|del\s)?(?<year>\d{4}|\d{2})(?:\s?[гр]\.?)?$/u.exec(text) ??
    /^(?<year>\d{4})[\s-](?<name>\p{L}{3,12}\.?)$/u.exec(text);
  const month = named && monthNamed(named.groups!.name!);
  if (named && month) return { year: Number(fullYear(named.groups!.year!)), month };
  const [, year, number] =
    /^(\d{4})[-/.](\d{1,2})(?:[-/.]01)?$/u.exec(text) ??
    /^(20\d{2})(0[1-9]|1[0-2])$/u.exec(text) ??
    /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]$/u.exec(text) ??
    [];
  const [, monthFirst, yearLast] = /^(\d{1,2})[-/.](\d{4})$/u.exec(text) ?? [];
  const found = { year: Number(year ?? yearLast), month: Number(number ?? monthFirst) };
  return found.month >= 1 && found.month <= 12 && found.year >= 1970 && found.year <= 2105 ? found : undefined;
}
