import type { RepeatedEntries } from '../../../pack/src/tree/keyword-numbers.ts';
import type { DateOf } from '../../../pack/src/upload/entry-dates.ts';
import type { EntryFigures } from './figures.ts';
import { groupBy } from './group-by.ts';

type MarketPlan = {
  /** By entry. */
  readonly market: Int32Array;
  readonly repeats: RepeatedEntries;
  readonly dateOf: DateOf;
  /** By keyword, its first entry, and how many it has. */
  readonly firsts: Int32Array;
  readonly rowsOf: Uint32Array;
};

/**
 * The figures of keywords that stand in several markets. Volumes are added, because they count different people;
 * difficulty and cost per click are means weighted by volume. Within a market the newest known value counts.
 *
 * @returns a function that writes them to the first entry of each keyword, after the entries were merged
 */
export function mergeMarkets(figures: EntryFigures, plan: MarketPlan): () => void {
  const writes: (() => void)[] = [];
  plan.firsts.forEach((first, keyword) => {
    if (plan.rowsOf[keyword] === 1) return;
    const { start, later } = plan.repeats;
    const group = [first, ...later.subarray(start[first]!, start[first + 1]!)];
    const markets = [...groupBy(group, (entry) => plan.market[entry]!).values()];
    if (markets.length === 1) return;
    const newest = (column: Float64Array | undefined) =>
      markets.map((entries) => newestOf(entries, column, plan.dateOf));
    const volumes = newest(figures.volume);
    const known = volumes.filter((volume) => !Number.isNaN(volume));
    if (known.length > 0) writes.push(writing(figures.volume, first, sumOf(known)));
    for (const column of [figures.difficulty, figures.cpc])
      writes.push(writing(column, first, weightedMean(newest(column), volumes)));
  });
  return () => {
    for (const write of writes) write();
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

const writing = (column: Float64Array | undefined, row: number, value: number) => () => {
  if (column && !Number.isNaN(value)) column[row] = value;
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The plain mean if no volume is known or all are 0; NaN if no value is known. */
function weightedMean(values: readonly number[], weights: readonly number[]): number {
  const known = values.flatMap((value, at) => (Number.isNaN(value) ? [] : [{ value, weight: weights[at] || 0 }]));
  const weight = sumOf(known.map((one) => one.weight));
  if (weight === 0) return sumOf(known.map(({ value }) => value)) / known.length;
  return sumOf(known.map((one) => one.weight * one.value)) / weight;
}
