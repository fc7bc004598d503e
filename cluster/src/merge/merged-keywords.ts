import type { RepeatedEntries } from '../../../pack/src/tree/keyword-numbers.ts';
import { mergeEntries } from '../../../pack/src/tree/merge-entries.ts';
import type { DateOf } from '../../../pack/src/upload/entry-dates.ts';
import type { NumberField } from '../../../pack/src/upload/upload-tables.ts';
import type { EntryColumns } from './entry-columns.ts';
import { type EntryFigures, type FigureName, figureNames } from './figures.ts';
import type { Keywords } from './keywords.ts';
import { mergeMarkets } from './market-volumes.ts';
import { newestTexts, unitedTexts } from './merged-texts.ts';
import { type Postings, postingsOf } from './postings.ts';
import type { GrowingTexts } from './text-column.ts';

export type MergePlan = {
  readonly texts: readonly string[];
  /** By keyword, its first entry. */
  readonly firsts: Int32Array;
  /** By keyword, how many entries it has. */
  readonly rowsOf: Uint32Array;
  /** By first entry, the others of its keyword. */
  readonly repeats: RepeatedEntries | undefined;
  readonly dateOf: DateOf;
  /** By entry; undefined if all entries are of one market. */
  readonly market: Int32Array | undefined;
  /** By entry. */
  readonly file: Uint8Array;
};

/** The columns of keywords from those of their entries. */
export function mergedKeywords(columns: EntryColumns, plan: MergePlan): Keywords {
  const { texts, firsts, rowsOf, file } = plan;
  const entries = file.length;
  const figures: EntryFigures = {};
  for (const [name, column] of columns.figures) figures[name] = column.rows(entries);
  const intents = columns.intents.rows(entries);
  const groups = Array.from(firsts, (first) => entriesOf(first, plan.repeats));
  // Addresses have the positions of their own entries, so they come before the figures are merged.
  const { position, impressions, clicks } = figures;
  const urls = addresses(columns.urls, groups, entries, { position, impressions, clicks });
  const results = addresses(columns.results, groups, entries, { position: columns.resultRanks.rows(entries) });
  const oldestFirst = groups.map((group) => byAge(group, plan.dateOf));
  const trend = newestTexts(columns.trends, entries, oldestFirst);
  const serpFeatures = unitedTexts(columns.serpFeatures, entries, oldestFirst);
  if (plan.repeats) mergeFigures(figures, intents, plan, plan.repeats);
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
    texts: [...columns.texts.values()].flatMap(({ name, meaning, texts: column }) => {
      const merged = newestTexts(column, entries, oldestFirst);
      return merged ? [{ name, meaning, ...merged }] : [];
    }),
    file: Uint8Array.from(firsts, (entry) => file[entry]!),
    entries: rowsOf,
  };
}

/** The entries of a keyword, in file order. */
function entriesOf(first: number, repeats: RepeatedEntries | undefined): readonly number[] {
  if (!repeats) return [first];
  return [first, ...repeats.later.subarray(repeats.start[first]!, repeats.start[first + 1]!)];
}

const byAge = (group: readonly number[], dateOf: DateOf): readonly number[] =>
  group.length === 1 ? group : group.toSorted((one, other) => dateOf(one) - dateOf(other) || one - other);

const picked = (column: Float64Array, firsts: Int32Array): Float64Array =>
  Float64Array.from(firsts, (entry) => column[entry]!);

type Weights = {
  readonly position: Float64Array | undefined;
  readonly impressions?: Float64Array | undefined;
  readonly clicks?: Float64Array | undefined;
};

function addresses(
  column: GrowingTexts,
  groups: readonly (readonly number[])[],
  entries: number,
  { position, impressions, clicks }: Weights,
): Postings | undefined {
  const names = column.values;
  if (names.length === 0) return undefined;
  return postingsOf(groups, { url: column.codes(entries), names, position, impressions, clicks });
}

/** Merges the figures of repeated keywords by the rules that also hold for the entries of a JSON file. */
function mergeFigures(
  figures: EntryFigures,
  intents: Uint8Array,
  { dateOf, market, rowsOf, firsts }: MergePlan,
  repeats: RepeatedEntries,
): void {
  const { position, ...others } = figures;
  const values = {
    metrics: { ...(position && { position }), intent: intents },
    fields: Object.entries(others).map(([name, column]) => fieldOf(name as FigureName, column)),
    trend: undefined,
    dateOf,
  };
  const takeVolumes = market && mergeMarkets(figures, { market, repeats, dateOf, firsts, rowsOf });
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
