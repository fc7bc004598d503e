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
let namesOfMonths: ReadonlyMap<string, number> | undefined;

/** The month that a name or its abbreviation in one of many languages stands for, from 1; undefined for another word. */
function monthNamed(word: string): number | undefined {
  namesOfMonths ??= new Map(
    languages.flatMap((language) =>
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
  );
  return namesOfMonths.get(plain(word));
}

const plain = (word: string): string => normalForm(word.toLowerCase().replaceAll('.', ''), 'NFC').trim();

/** "2026-04-15" for a date as people write it; the text itself if it is none. */
export function isoDate(text: string, isDayFirst: boolean): string {
  const [, first, , second, year] = numeric.exec(text) ?? [];
  if (first !== undefined) {
    const [day, month] = isDayFirst ? [first, second!] : [second!, first];
    return dateOf(year!, Number(month), day);
  }
  const words = /^(\d{1,2})\.?\s+(?:de\s+)?(\p{L}{3,}\.?)\s+(?:de\s+)?(\d{4})/u.exec(text);
  const month = words && monthNamed(words[2]!);
  if (words && month) return dateOf(words[3]!, month, words[1]!);
  const american = /^(\p{L}{3,}\.?)\s+(\d{1,2}),?\s+(\d{4})/u.exec(text);
  const named = american && monthNamed(american[1]!);
  if (american && named) return dateOf(american[3]!, named, american[2]!);
  const japanese = /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})/u.exec(text);
  return japanese ? dateOf(japanese[1]!, Number(japanese[2]), japanese[3]!) : text;
}

const dateOf = (year: string, month: number, day: string): string =>
  `${year.length === 2 ? `20${year}` : year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;

/** The month that a column is for: "Mar 2026", "Searches: Mar 2026", "2026-03" or "03/2026"; undefined for other names. */
export function monthOfName(name: string): { readonly year: number; readonly month: number } | undefined {
  const text = name.trim().replace(/^[^:：]{2,60}[:：]\s*/u, '');
  const named = /^(\p{L}{3,}\.?)\s+(?:de\s+)?(\d{4})(?:\s?г\.?)?$/u.exec(text);
  const month = named && monthNamed(named[1]!);
  if (named && month) return { year: Number(named[2]), month };
  const [, year, number] =
    /^(\d{4})[-/.](\d{1,2})$/u.exec(text) ?? /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]$/u.exec(text) ?? [];
  const [, monthFirst, yearLast] = /^(\d{1,2})[-/.](\d{4})$/u.exec(text) ?? [];
  const found = { year: Number(year ?? yearLast), month: Number(number ?? monthFirst) };
  return found.month >= 1 && found.month <= 12 && found.year >= 1970 && found.year <= 2105 ? found : undefined;
}
