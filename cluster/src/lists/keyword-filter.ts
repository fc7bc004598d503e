import { keyOf } from '../../../pack/src/names/text-key.ts';
import type { Keywords, NamedTexts } from '../merge/keywords.ts';
import type { Postings } from '../merge/postings.ts';
import type { TextColumn } from '../merge/text-column.ts';
import type { ReadLists } from './read-lists.ts';

/** Which keywords of lists a person wants, before they are clustered. */
export type KeywordFilter = {
  /** Keywords with a lower volume are left out. An unknown volume is not low. */
  readonly minVolume?: number | undefined;
  /** Keywords with one of these words or phrases are left out. */
  readonly leaveOut?: readonly string[] | undefined;
  /** Words and phrases that name a brand: keywords with one of them get "yes" in the column {@link brandColumn}. */
  readonly brands?: readonly string[] | undefined;
};

/** How many keywords a filter leaves out, by the first reason that holds, and how many of the others name a brand. */
export type FilterCounts = {
  readonly kept: number;
  readonly belowVolume: number;
  readonly withWords: number;
  readonly branded: number;
};

/** The name of the column that says whether a keyword names a brand. */
const brandColumn = 'Branded';

/** The lists without the keywords that a filter leaves out, and the numbers of these. */
export function filteredLists(lists: ReadLists, filter: KeywordFilter): { lists: ReadLists; counts: FilterCounts } {
  const { keywords } = lists;
  const { text, figures } = keywords;
  const isUnwanted = matcher(filter.leaveOut ?? []);
  const isBranded = matcher(filter.brands ?? []);
  const least = filter.minVolume ?? 0;
  const kept: number[] = [];
  const branded: boolean[] = [];
  let belowVolume = 0;
  let withWords = 0;
  for (let keyword = 0; keyword < text.length; keyword++) {
    const key = keyOf(text[keyword]!);
    if ((figures.volume?.[keyword] ?? Number.NaN) < least) belowVolume++;
    else if (isUnwanted(key)) withWords++;
    else {
      kept.push(keyword);
      branded.push(isBranded(key));
    }
  }
  const counts = { kept: kept.length, belowVolume, withWords, branded: branded.filter(Boolean).length };
  const all = kept.length === text.length ? keywords : someOf(keywords, Uint32Array.from(kept));
  const hasBrands = (filter.brands ?? []).length > 0;
  return { lists: { ...lists, keywords: hasBrands ? withBrands(all, branded) : all }, counts };
}

/** Tells whether a key has one of some words or phrases as whole words; in scripts without spaces, anywhere. */
function matcher(phrases: readonly string[]): (key: string) => boolean {
  const wanted = phrases
    .map((phrase) => keyOf(phrase))
    .filter((phrase) => phrase !== '')
    .map((phrase) => (withoutBlanks.test(phrase) ? phrase : ` ${phrase} `));
  if (wanted.length === 0) return () => false;
  return (key) => {
    const words = ` ${key} `;
    return wanted.some((phrase) => words.includes(phrase));
  };
}

const withoutBlanks =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

function withBrands(keywords: Keywords, branded: readonly boolean[]): Keywords {
  const texts: NamedTexts = {
    name: brandColumn,
    meaning: 'keep',
    values: ['no', 'yes'],
    codes: Int32Array.from(branded, Number),
  };
  return { ...keywords, texts: [...keywords.texts.filter(({ name }) => name !== brandColumn), texts] };
}

/** Copies some keywords with all that is known about them. @param rows in their order */
function someOf(keywords: Keywords, rows: Uint32Array): Keywords {
  const column = <Of extends TextColumn>(texts: Of): Of => ({
    ...texts,
    codes: Int32Array.from(rows, (row) => texts.codes[row]!),
  });
  return {
    text: Array.from(rows, (row) => keywords.text[row]!),
    figures: Object.fromEntries(
      Object.entries(keywords.figures).map(([name, values]) => [name, Float64Array.from(rows, (row) => values![row]!)]),
    ),
    intents: Uint8Array.from(rows, (row) => keywords.intents[row]!),
    serpFeatures: keywords.serpFeatures && column(keywords.serpFeatures),
    trend: keywords.trend && column(keywords.trend),
    urls: keywords.urls && somePostings(keywords.urls, rows),
    results: keywords.results && somePostings(keywords.results, rows),
    texts: keywords.texts.map(column),
    file: Uint8Array.from(rows, (row) => keywords.file[row]!),
    entries: Uint32Array.from(rows, (row) => keywords.entries[row]!),
  };
}

function somePostings({ start, url, position, clicks, names }: Postings, rows: Uint32Array): Postings {
  const places = Array.from(rows).flatMap((row) =>
    Array.from({ length: start[row + 1]! - start[row]! }, (_, at) => start[row]! + at),
  );
  const ends = new Uint32Array(rows.length + 1);
  rows.forEach((row, at) => {
    ends[at + 1] = ends[at]! + start[row + 1]! - start[row]!;
  });
  return {
    start: ends,
    url: Int32Array.from(places, (place) => url[place]!),
    position: Float64Array.from(places, (place) => position[place]!),
    clicks: Float64Array.from(places, (place) => clicks[place]!),
    names,
  };
}
