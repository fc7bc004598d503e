import type { DateOf } from '../../../pack/src/upload/entry-dates.ts';
import { type EntryGroups, groupBy } from './entry-groups.ts';
import type { EntryFigures } from './figures.ts';

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
export function mergeMarkets(figures: EntryFigures, { market, groups, dateOf = () => 0 }: MarketPlan): () => void {
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
