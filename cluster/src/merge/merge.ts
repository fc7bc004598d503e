import { mergeEntries } from '../../../pack/src/tree/merge-entries.ts';
import type { DateOf } from '../../../pack/src/upload/entry-dates.ts';
import { release } from '../../../pack/src/upload/release.ts';
import type { NumberField } from '../../../pack/src/upload/upload-tables.ts';
import { keywordKey } from '../pipeline/keyword-list.ts';
import { keywordText } from '../read/keyword-notation.ts';
import { marketOf } from '../read/markets.ts';
import type { Reading, Rows } from '../read/reading.ts';
import { EntryColumns } from './entry-columns.ts';
import { type EntryGroups, entryGroups, groupBy, oldestFirst, repeatedEntries } from './entry-groups.ts';
import { type EntryFigures, type FigureName, figureNames } from './figures.ts';
import { bitColumn, codeColumn } from './growing-column.ts';
import type { Keywords, MergeReport } from './keywords.ts';
import { type Postings, postingsOf } from './postings.ts';
import { bytesOfText, GrowingTexts, type TextColumn } from './text-column.ts';

/** At most this many figures that are too large are listed in the report. */
const listedFigures = 1000;
const examples = 10;

/** Thrown if the keywords of lists take more memory than they may. */
export class ListsTooLarge extends Error {
  /** What the keywords that were read so far take, in bytes. */
  readonly bytes: number;

  constructor(bytes: number) {
    super('The keywords of these lists take more memory than there is');
    this.name = 'ListsTooLarge';
    this.bytes = bytes;
  }
}

export type MergeLimits = {
  /** What columns that are kept as they are may take in memory, in bytes; a fixed budget by default. */
  readonly keptBytes?: number;
  /** What everything may take in memory until it is merged, in bytes; no limit by default. */
  readonly maxBytes?: number;
};

type File = { readonly exported: string | undefined; readonly market: string | undefined };

/**
 * Merges the rows of one or more lists into keywords. Two rows are the same keyword if their texts have the same key: NFC, case folded, white space
 * collapsed.
 *
 * Files come in the order of the list. Of two entries, the newer one is from the file with the later date; of files with one date, it has the later
 * date in its row; otherwise it comes later. Memory: 8 bytes per row and column, and every different text once; columns that are kept as they are
 * share a budget.
 */
export class Merger {
  readonly #only: string | undefined;
  readonly #columns: EntryColumns;
  readonly #texts: string[] = [];
  readonly #keywordOfKey = new Map<string, number>();
  readonly #keyword = codeColumn();
  readonly #market = codeColumn();
  readonly #markets = new GrowingTexts();
  readonly #file = bitColumn();
  readonly #files: File[] = [];
  readonly #tooLarge: { file: number; line: number; column: string }[] = [];
  readonly #maxBytes: number;
  #textBytes = 0;
  #fileStart = 0;
  #entries = 0;

  /**
   * @param only the market whose rows are read, if not all are
   */
  constructor(only?: string, { keptBytes, maxBytes = Number.POSITIVE_INFINITY }: MergeLimits = {}) {
    this.#only = only;
    this.#maxBytes = maxBytes;
    this.#columns = new EntryColumns(keptBytes);
  }

  /** Begins the next file. @returns a function that takes its rows, and that throws {@link ListsTooLarge} */
  file(reading: Reading): (rows: Rows) => void {
    this.#endFile();
    const file = this.#files.push({ exported: reading.exported, market: reading.market }) - 1;
    const at = (meaning: string) => reading.columns.findIndex((column) => column.meaning === meaning);
    const [keyword, country] = [at('keyword'), at('country')];
    const take = this.#columns.takeRows(reading, (line, column) => {
      if (this.#tooLarge.length < listedFigures) this.#tooLarge.push({ file, line, column });
    });
    const skip = this.#columns.skipRows(reading);
    return ({ line, cells, market: ofAll }) => {
      cells.forEach((record, row) => {
        const market = marketOf(record[country] ?? '') ?? ofAll ?? reading.market;
        // Markets whose rows are not wanted are still listed.
        const code = market === undefined ? undefined : this.#markets.codeOf(market);
        if (this.#only !== undefined && market !== this.#only) {
          skip(record);
          return;
        }
        const entry = this.#entries++;
        this.#keyword.set(entry, this.#numberOf(keywordText(record[keyword]!, reading)));
        this.#file.set(entry, file);
        if (code !== undefined) this.#market.set(entry, code);
        take(entry, record, line[row]!);
      });
      const { bytes } = this;
      if (bytes > this.#maxBytes) throw new ListsTooLarge(bytes);
    };
  }

  /** How many rows and different keywords were read so far. */
  get counts(): { readonly rows: number; readonly keywords: number } {
    return { rows: this.#entries, keywords: this.#texts.length };
  }

  /** What the rows so far take in memory, estimated, in bytes. */
  get bytes(): number {
    const columns = [this.#columns, this.#keyword, this.#market, this.#file];
    return columns.reduce((sum, { bytes }) => sum + bytes, this.#textBytes);
  }

  /** Must be the last call. */
  finish(): { keywords: Keywords; report: MergeReport } {
    this.#endFile();
    const [entries, texts] = [this.#entries, this.#texts];
    const groups = entryGroups(this.#keyword.rows(entries), texts.length);
    this.#keyword.release();
    const keywords = mergedKeywords(this.#columns, {
      texts,
      groups,
      dateOf: this.#ages(),
      market: this.#markets.values.length > 1 ? this.#market.rows(entries) : undefined,
      file: this.#file.rows(entries),
    });
    const report = {
      rows: entries,
      keywords: texts.length,
      repeats: entries - texts.length,
      mostRepeated: mostRepeated(texts, keywords.entries),
      markets: this.#markets.values,
      tooLarge: this.#tooLarge,
      leftOut: this.#columns.texts.leftOut,
    };
    return { keywords, report };
  }

  #endFile(): void {
    this.#columns.endFile(this.#fileStart, this.#entries);
    this.#fileStart = this.#entries;
  }

  #numberOf(text: string): number {
    const key = keywordKey(text);
    const known = this.#keywordOfKey.get(key);
    if (known !== undefined) return known;
    const number = this.#texts.push(text) - 1;
    this.#keywordOfKey.set(key, number);
    // The key is stored, too.
    this.#textBytes += bytesOfText(key) + bytesOfText(text);
    return number;
  }

  /** By entry, a number that is higher for a newer one: the day of the file's export or of the row, then the time of the row. */
  #ages(): DateOf | undefined {
    const rowDate = this.#columns.dates.finish();
    const fileDays = this.#files.map(({ exported }) => (exported ? Date.parse(exported) / 86_400_000 : 0));
    if (!rowDate && new Set(fileDays).size < 2) return undefined;
    return (entry) => {
      const seconds = rowDate?.(entry) ?? 0;
      return (fileDays[this.#file.get(entry)] || Math.floor(seconds / 86_400)) * ageOfDay + seconds;
    };
  }
}

function mostRepeated(texts: readonly string[], rowsOf: Uint32Array): { keyword: string; rows: number }[] {
  const top: number[] = [];
  for (let keyword = 0; keyword < texts.length; keyword++) {
    if (rowsOf[keyword]! < 2 || (top.length === examples && rowsOf[keyword]! <= rowsOf[top[examples - 1]!]!)) continue;
    top.push(keyword);
    top.sort((one, other) => rowsOf[other]! - rowsOf[one]! || one - other).splice(examples);
  }
  return top.map((keyword) => ({ keyword: texts[keyword]!, rows: rowsOf[keyword]! }));
}

type MergePlan = {
  readonly texts: readonly string[];
  /** By keyword, its entries in file order. Their memory is freed during merging. */
  readonly groups: EntryGroups;
  /** Undefined if no entry is older than another. */
  readonly dateOf: DateOf | undefined;
  /** By entry; undefined if all entries are of one market. */
  readonly market: Int32Array | undefined;
  /** By entry. */
  readonly file: Uint8Array;
};

/** Merges the columns of entries into those of keywords. The former are overwritten. */
function mergedKeywords(columns: EntryColumns, plan: MergePlan): Keywords {
  const { texts, groups, file } = plan;
  const entries = file.length;
  const firsts = Uint32Array.from(texts, (_, keyword) => groups.entry[groups.start[keyword]!]!);
  const figures: EntryFigures = {};
  for (const [name, column] of columns.figures) figures[name] = column.rows(entries);
  const intents = columns.intents.rows(entries);
  // Addresses have the positions of their own entries, so they come before the figures are merged.
  const { position, impressions, clicks } = figures;
  const urls = addresses(columns.urls, groups, entries, () => ({ position, impressions, clicks }));
  const results = addresses(
    columns.results,
    groups,
    entries,
    () => ({ position: columns.resultRanks.rows(entries) }),
    plan.dateOf,
  );
  const oldest = oldestFirst(groups, plan.dateOf);
  const trend = newestTexts(columns.trends, entries, oldest);
  const serpFeatures = unitedTexts(columns.serpFeatures, entries, oldest);
  const named = columns.texts.all.flatMap(({ name, meaning, texts: column }) => {
    const newest = newestTexts(column, entries, oldest);
    return newest ? [{ name, meaning, ...newest }] : [];
  });
  const rowsOf = Uint32Array.from(texts, (_, keyword) => groups.start[keyword + 1]! - groups.start[keyword]!);
  mergeFigures(figures, intents, plan);
  return {
    text: texts,
    figures: Object.fromEntries(
      figureNames.flatMap((name) => (figures[name] ? [[name, picked(figures[name], firsts)]] : [])),
    ),
    intents: Uint8Array.from(firsts, (entry) => intents[entry]!),
    serpFeatures,
    trend: trend && { ...trend, name: columns.trendName! },
    urls,
    results,
    texts: named,
    file: Uint8Array.from(firsts, (entry) => file[entry]!),
    entries: rowsOf,
  };
}

const picked = (column: Float64Array, firsts: Uint32Array): Float64Array =>
  Float64Array.from(firsts, (entry) => column[entry]!);

type Weights = {
  readonly position: Float64Array | undefined;
  readonly impressions?: Float64Array | undefined;
  readonly clicks?: Float64Array | undefined;
};

/**
 * @param weigh is only called if there are addresses
 * @param dateOf if given, only the newest addresses of a keyword count
 */
function addresses(
  column: GrowingTexts,
  groups: EntryGroups,
  entries: number,
  weigh: () => Weights,
  dateOf?: DateOf,
): Postings | undefined {
  if (column.count === 0) return undefined;
  const { position, impressions, clicks } = weigh();
  return postingsOf(groups, {
    url: dateOf ? newestCodes(column.codes(entries), groups, dateOf) : column.codes(entries),
    names: column.values,
    position,
    impressions,
    clicks,
  });
}

/** `dateOf` gives days times this number, plus a smaller number of seconds that orders the entries of a day. */
const ageOfDay = 2 ** 33;

/** Keeps only the addresses of each keyword's newest day, because results of several days are not one page of results. */
function newestCodes(codes: Int32Array, { start, entry }: EntryGroups, dateOf: DateOf): Int32Array {
  for (let keyword = 0; keyword + 1 < start.length; keyword++) {
    const own = entry.subarray(start[keyword], start[keyword + 1]).filter((one) => codes[one]! >= 0);
    if (own.length < 2) continue;
    const dates = Array.from(own, (one) => Math.floor(dateOf(one) / ageOfDay));
    const newest = Math.max(...dates);
    own.forEach((one, at) => {
      if (dates[at]! < newest) codes[one] = -1;
    });
  }
  return codes;
}

/** Merges the figures of repeated keywords by the rules that also hold for the entries of a JSON file. */
function mergeFigures(figures: EntryFigures, intents: Uint8Array, { groups, dateOf, market }: MergePlan): void {
  const repeats = repeatedEntries(groups);
  if (!repeats) return;
  const { position, ...others } = figures;
  const values = {
    metrics: { ...(position && { position }), intent: intents },
    fields: Object.entries(others).map(([name, column]) => fieldOf(name as FigureName, column)),
    trend: undefined,
    dateOf,
  };
  const takeVolumes = market && mergeMarkets(figures, { market, groups, dateOf });
  if (!takeVolumes) release(groups.entry);
  mergeEntries(repeats, values);
  takeVolumes?.();
}

/** Which figures add up over entries. Of the others the newest known value counts, or a weighted mean. */
const summed: ReadonlySet<FigureName> = new Set([
  'traffic',
  'trafficCost',
  'clicks',
  'impressions',
  'trafficPotential',
]);

function fieldOf(name: FigureName, column: Float64Array): NumberField {
  const rollUp = summed.has(name) ? 'sum' : 'mean';
  // Only these are told apart by what they are; volume, difficulty, CPC and competition are plain newest values.
  const is =
    summed.has(name) || name === 'ctr' || name === 'previousPosition' ? (name as NumberField['is']) : undefined;
  return { kind: 'number', name, rollUp, ...(is && { is }), nodes: undefined, keywords: column };
}

type MarketPlan = {
  /** By entry. */
  readonly market: Int32Array;
  /** By keyword, its entries in file order. */
  readonly groups: EntryGroups;
  /** Undefined if no entry is older than another. */
  readonly dateOf: DateOf | undefined;
};

const merged = ['volume', 'difficulty', 'cpc'] as const;

/**
 * Merges the figures of keywords that occur in several markets. Volumes are added, because they count different people; difficulty and cost per click
 * are means weighted by volume. Within a market, the newest known value counts.
 *
 * @returns a function that writes them to the first entry of each keyword, after the entries were merged
 */
function mergeMarkets(figures: EntryFigures, { market, groups, dateOf = () => 0 }: MarketPlan): () => void {
  const { start, entry } = groups;
  /** By keyword; NaN leaves the value that was merged without markets. */
  const found = merged.map(() => new Float64Array(start.length - 1).fill(Number.NaN));
  const isInOneMarket = (keyword: number): boolean => {
    const first = market[entry[start[keyword]!]!];
    for (let at = start[keyword]! + 1; at < start[keyword + 1]!; at++) if (market[entry[at]!] !== first) return false;
    return true;
  };
  for (let keyword = 0; keyword + 1 < start.length; keyword++) {
    if (isInOneMarket(keyword)) continue;
    const group = entry.subarray(start[keyword], start[keyword + 1]);
    const markets = [...groupBy(group, (one) => market[one]!).values()];
    const [volumes, difficulties, costs] = merged.map((name) =>
      markets.map((entries) => newestOf(entries, figures[name], dateOf)),
    );
    const known = volumes!.filter((volume) => !Number.isNaN(volume));
    if (known.length > 0) found[0]![keyword] = sumOf(known);
    found[1]![keyword] = weightedMean(difficulties!, volumes!);
    found[2]![keyword] = weightedMean(costs!, volumes!);
  }
  return () => {
    merged.forEach((name, number) => {
      const column = figures[name];
      found[number]!.forEach((value, keyword) => {
        if (column && !Number.isNaN(value)) column[entry[start[keyword]!]!] = value;
      });
    });
  };
}

function newestOf(entries: readonly number[], column: Float64Array | undefined, dateOf: DateOf): number {
  let newest = -1;
  for (const entry of entries) {
    if (!column || Number.isNaN(column[entry]!)) continue;
    if (newest < 0 || dateOf(entry) >= dateOf(newest)) newest = entry;
  }
  return newest < 0 ? Number.NaN : column![newest]!;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The plain mean if no volume is known or all are 0; NaN if no value is known. */
function weightedMean(values: readonly number[], weights: readonly number[]): number {
  const known = values.flatMap((value, at) => (Number.isNaN(value) ? [] : [{ value, weight: weights[at] || 0 }]));
  const weight = sumOf(known.map((one) => one.weight));
  if (weight === 0) return sumOf(known.map(({ value }) => value)) / known.length;
  return sumOf(known.map((one) => one.weight * one.value)) / weight;
}

/** The newest known text of each keyword; undefined if none is known. @param groups the oldest entry first */
function newestTexts(column: GrowingTexts, entries: number, groups: EntryGroups): TextColumn | undefined {
  if (column.count === 0) return undefined;
  const { start, entry } = groups;
  const codes = column.codes(entries);
  const newest = new Int32Array(start.length - 1).fill(-1);
  for (let keyword = 0; keyword < newest.length; keyword++) {
    for (let at = start[keyword + 1]! - 1; newest[keyword]! < 0 && at >= start[keyword]!; at--)
      newest[keyword] = codes[entry[at]!]!;
  }
  return { values: column.values, codes: newest };
}

/**
 * Lists such as "Sitelinks, Video": the parts of all entries of each keyword, in the order in which they appear.
 *
 * @param groups the oldest entry first
 */
function unitedTexts(column: GrowingTexts, entries: number, groups: EntryGroups): TextColumn | undefined {
  if (column.count === 0) return undefined;
  const { start, entry } = groups;
  const codes = column.codes(entries);
  const { values } = column;
  const united = new Int32Array(start.length - 1);
  for (let keyword = 0; keyword < united.length; keyword++) {
    const different = new Set<number>();
    for (let at = start[keyword]!; at < start[keyword + 1]!; at++) {
      const code = codes[entry[at]!]!;
      if (code >= 0) different.add(code);
    }
    const [first = -1] = different;
    united[keyword] =
      different.size <= 1 ? first : column.codeOf(unionOf(Array.from(different, (code) => values[code]!)));
  }
  return { values: column.values, codes: united };
}

/** Tools write one feature in several casings: "People also ask", "People Also Ask", "people_also_ask". */
function unionOf(lists: readonly string[]): string {
  const parts = new Map<string, string>();
  for (const part of lists.flatMap((list) => list.split(/[,;|]/u))) {
    const key = part.trim().toLowerCase().replaceAll('_', ' ');
    if (key !== '' && !parts.has(key)) parts.set(key, part.trim());
  }
  return [...parts.values()].join(', ');
}
