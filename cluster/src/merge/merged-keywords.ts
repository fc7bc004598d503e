import { mergeEntries } from '../../../pack/src/tree/merge-entries.ts';
import type { DateOf } from '../../../pack/src/upload/entry-dates.ts';
import { release } from '../../../pack/src/upload/release.ts';
import type { NumberField } from '../../../pack/src/upload/upload-tables.ts';
import type { EntryColumns } from './entry-columns.ts';
import { type EntryGroups, oldestFirst, repeatedEntries } from './entry-groups.ts';
import { type EntryFigures, type FigureName, figureNames } from './figures.ts';
import type { Keywords } from './keywords.ts';
import { mergeMarkets } from './market-volumes.ts';
import { newestTexts, unitedTexts } from './merged-texts.ts';
import { type Postings, postingsOf } from './postings.ts';
import type { GrowingTexts } from './text-column.ts';

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
export function mergedKeywords(columns: EntryColumns, plan: MergePlan): Keywords {
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
export const ageOfDay = 2 ** 33;

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
