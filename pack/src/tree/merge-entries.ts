import type { DateOf } from '../upload/entry-dates.ts';
import { addPosition, mergedPosition, noPositions } from '../upload/merged-position.ts';
import type { UploadTrend } from '../upload/trend-columns.ts';
import { trendMonths } from '../upload/trend-text.ts';
import type { MetricName, UploadField } from '../upload/upload-tables.ts';
import type { RepeatedEntries } from './keyword-numbers.ts';

/** The values of the entries in the `keywords` array. The columns of each keyword's first entry are overwritten. */
type EntryValues = {
  readonly metrics: { readonly [Name in Exclude<MetricName, 'intent'>]?: Numbers } & { readonly intent?: Uint8Array };
  readonly fields: readonly UploadField[];
  readonly trend: UploadTrend | undefined;
  /** Absent if no entry has a date. */
  readonly dateOf?: DateOf | undefined;
};

/**
 * Merges the entries of each keyword that has several into its first one.
 *
 * Values that add up over keywords (clicks, impressions, traffic) are summed, except traffic potential, which every
 * entry states in full. Positions are weighted by impressions; without any, the best one counts. A click-through rate is clicks
 * divided by impressions if both are known, otherwise weighted by impressions. Of addresses, the best-ranked one counts. Intents and
 * sets are united. For everything else the newest known value counts: that of the entry with the latest date, and on a tie the
 * last one in the file.
 *
 * Cost: nothing for a keyword with one entry.
 * Source: docs/pack-format.md "Merged entries".
 *
 * @returns the trends, with the newest one of each keyword
 */
export function mergeEntries({ start, later }: RepeatedEntries, values: EntryValues): UploadTrend | undefined {
  const mergers = mergersOf(values);
  const trends = values.trend && new NewestTrends(values.trend);
  for (let first = 0; first + 1 < start.length; first++) {
    const [from, to] = [start[first]!, start[first + 1]!];
    if (from === to) continue;
    const group = oldestFirst(groupOf(first, later, from, to), values.dateOf);
    for (const merge of mergers) merge(first, group);
    trends?.merge(first, group);
  }
  return trends?.trend;
}

/** Writes the merged value of some entries to the first one in the file. @param group oldest first */
type Merge = (first: number, group: readonly number[]) => void;

/**
 * The order matters, because merging overwrites columns. Addresses and previous positions come first: they depend on the positions of the
 * single entries. Then come rates and positions, which are weighted by the impressions of the single entries.
 */
function mergersOf({ metrics, fields }: EntryValues): Merge[] {
  const numberOf = (is: string) => {
    const field = fields.find((one) => one.kind === 'number' && one.is === is && one.rollUp === 'sum');
    return field?.keywords as Float64Array | undefined;
  };
  const [clicks, impressions] = [numberOf('clicks'), numberOf('impressions')];
  const addresses: Merge[] = [];
  const before: Merge[] = [];
  const rest: Merge[] = [];
  if (metrics.position) before.push(ranked(metrics.position, impressions));
  for (const field of fields) {
    const { kind, keywords } = field;
    if (!keywords) continue;
    if (kind === 'set') rest.push(united(keywords as Uint32Array));
    else if (kind === 'category' && field.is === 'url')
      addresses.push(bestRanked(keywords as Uint8Array, metrics.position, impressions));
    else if (kind === 'category') rest.push(newest(keywords as Uint8Array, (value) => value > 0));
    else if (field.is === 'ctr') before.push(rate(field.keywords!, clicks, impressions));
    else if (field.is === 'previousPosition') addresses.push(previous(field.keywords!, metrics.position, impressions));
    else if (field.rollUp === 'sum' && field.is !== 'trafficPotential') rest.push(summed(field.keywords!));
    else rest.push(newest(field.keywords!, isKnown));
  }
  for (const name of newestMetrics) if (metrics[name]) rest.push(newest(metrics[name], isKnown));
  if (metrics.intent) rest.push(unitedBits(metrics.intent));
  return [...addresses, ...before, ...rest];
}

const newestMetrics = ['volume', 'difficulty', 'cpc', 'competition'] as const satisfies readonly MetricName[];

type Numbers = Float64Array | Float32Array;

const isKnown = (value: number): boolean => !Number.isNaN(value);

function newest(column: Numbers | Uint8Array, isPresent: (value: number) => boolean): Merge {
  return (first, group) => {
    const entry = group.findLast((one) => isPresent(column[one]!));
    if (entry !== undefined) column[first] = column[entry]!;
  };
}

/**
 * The address with the best position, see `mergedPosition`; on a tie, and without positions, the first one in the file. `mergedEntriesOf`
 * must list the same one first.
 */
function bestRanked(column: Uint8Array, position: Numbers | undefined, impressions: Numbers | undefined): Merge {
  return (first, group) => {
    const known = group.filter((entry) => column[entry]! > 0).sort((one, other) => one - other);
    const values = [...new Set(known.map((entry) => column[entry]!))];
    const ranks = values.map((value) => {
      const own = known.filter((entry) => column[entry] === value);
      return (position && positionOf(own, position, impressions)) || Number.POSITIVE_INFINITY;
    });
    const best = Math.min(...ranks);
    if (values.length > 0) column[first] = values[ranks.indexOf(best)]!;
  };
}

function summed(column: Numbers): Merge {
  return (first, group) => {
    const known = group.filter((entry) => isKnown(column[entry]!));
    if (known.length > 0) column[first] = sumOf(known, (entry) => column[entry]!);
  };
}

function positionOf(entries: readonly number[], position: Numbers, impressions: Numbers | undefined): number {
  const positions = noPositions();
  for (const entry of entries) addPosition(positions, position[entry]!, impressions?.[entry]);
  return mergedPosition(positions);
}

function ranked(column: Numbers, impressions: Numbers | undefined): Merge {
  return (first, group) => {
    column[first] = positionOf(group, column, impressions);
  };
}

/** The mean weighted by impressions or, if none are known, the value of the entry with the best position, to which it is compared. */
function previous(column: Numbers, position: Numbers | undefined, impressions: Numbers | undefined): Merge {
  const otherwise = ranked(column, impressions);
  return (first, group) => {
    const placed = position ? group.filter((entry) => isKnown(position[entry]!)) : [];
    if (placed.length === 0 || group.some((entry) => impressions && impressions[entry]! > 0)) {
      otherwise(first, group);
      return;
    }
    const inFile = placed.toSorted((one, other) => one - other);
    column[first] = column[inFile.reduce((best, one) => (position![one]! < position![best]! ? one : best))]!;
  };
}

/** The mean weighted by impressions if both are known, otherwise the plain mean of the known values. */
function weighed(column: Numbers, impressions: Numbers | undefined): Merge {
  return (first, group) => {
    const known = group.filter((entry) => isKnown(column[entry]!));
    const weights = known.map((entry) => impressions?.[entry] || 0);
    const weight = weights.reduce((sum, one) => sum + one, 0);
    if (weight > 0) column[first] = sumOf(known, (entry, at) => column[entry]! * weights[at]!) / weight;
    else if (known.length > 0) column[first] = sumOf(known, (entry) => column[entry]!) / known.length;
  };
}

/** Clicks divided by impressions, over the entries that have both. */
function rate(column: Float64Array, clicks: Numbers | undefined, impressions: Numbers | undefined): Merge {
  const otherwise = weighed(column, impressions);
  if (!clicks || !impressions) return otherwise;
  return (first, group) => {
    const known = group.filter((entry) => isKnown(clicks[entry]!) && impressions[entry]! > 0);
    if (known.length === 0) otherwise(first, group);
    else column[first] = sumOf(known, (entry) => clicks[entry]!) / sumOf(known, (entry) => impressions[entry]!);
  };
}

function united(sets: Uint32Array): Merge {
  return (first, group) => {
    for (const entry of group) {
      sets[2 * first]! |= sets[2 * entry]!;
      sets[2 * first + 1]! |= sets[2 * entry + 1]!;
    }
  };
}

function unitedBits(column: Uint8Array): Merge {
  return (first, group) => {
    for (const entry of group) column[first]! |= column[entry]!;
  };
}

/** The entries of a keyword. There may be millions, so the list is created in its final length. */
function groupOf(first: number, later: Uint32Array, from: number, to: number): number[] {
  const group = new Array<number>(to - from + 1);
  group[0] = first;
  for (let at = from; at < to; at++) group[at - from + 1] = later[at]!;
  return group;
}

/** Sorts by date, then by file order. An entry without a date is older than any entry with one. */
function oldestFirst(group: number[], dateOf: DateOf | undefined): readonly number[] {
  return dateOf ? group.sort((one, other) => dateOf(one) - dateOf(other) || one - other) : group;
}

const sumOf = (entries: readonly number[], value: (entry: number, at: number) => number): number =>
  entries.reduce((sum, entry, at) => sum + value(entry, at), 0);

/** Stores which entry's trend counts, because trends are read from where the reader stores them. */
class NewestTrends {
  readonly trend: UploadTrend;
  readonly #entries = new Map<number, number>();
  readonly #read: UploadTrend['keywords'];
  readonly #values = new Float64Array(trendMonths);

  constructor(trend: UploadTrend) {
    this.#read = trend.keywords;
    this.trend = { ...trend, keywords: (row, target) => trend.keywords(this.#entries.get(row) ?? row, target) };
  }

  merge(first: number, group: readonly number[]): void {
    const entry = group.findLast((one) => this.#read(one, this.#values));
    if (entry !== undefined && entry !== first) this.#entries.set(first, entry);
  }
}
