import type { TrendKind, UploadTrend } from '../upload/trend-columns.ts';
import { trendMonths } from '../upload/trend-text.ts';
import type { Occurrences } from './occurrences.ts';

/** Who says a node's trend: nobody, it itself, or its keyword's entry. */
export type TrendSource = 0 | 1 | 2;

/**
 * A trend of nodes: what a node says of itself, else what its keyword's entry says. Twelve values are written, the oldest
 * first, NaN for an unknown one.
 */
export type TrendValues = TrendKind & {
  /** @returns who says it; the values are only right where somebody does */
  find(node: number, target: Float64Array): TrendSource;
  /** The same where that is known, for about half of what it takes to find it. */
  read(node: number, source: TrendSource, target: Float64Array): void;
  /** Of an entry of the `keywords` array by itself. @returns whether any value is known */
  ofEntry(entry: number, target: Float64Array): boolean;
};

/** Sums of searches, twelve a branch, and over how many keywords; all 0 where that is none. */
export type TrendSum = {
  readonly sum: Float64Array;
  readonly known: Uint32Array;
  /** By node, a {@link TrendSource}: nobody has to read a trend to know whether there is one. */
  readonly source: Uint8Array;
};

/** @param keyword number of the node's keyword, -1 for none; @param entry by that number, -1 for none */
export function createTrendValues(trend: UploadTrend, keyword: Int32Array, entry: Int32Array): TrendValues {
  const { nodes, keywords, unit, newest } = trend;
  return {
    unit,
    ...(newest !== undefined && { newest }),
    ofEntry: keywords,
    find(node, target) {
      if (nodes(node, target)) return 1;
      const id = keyword[node]!;
      return id >= 0 && entry[id]! >= 0 && keywords(entry[id]!, target) ? 2 : 0;
    },
    read(node, source, target) {
      if (source === 2) keywords(entry[keyword[node]!]!, target);
      else nodes(node, target);
    },
  };
}

/**
 * Makes searches of a keyword's twelve values, where they are: `values` are changed.
 *
 * Values that are a share of the best month become searches through the volume, which is the mean of a year's months.
 * @returns whether all twelve are known, and the volume where it is needed
 */
export function asSearches(values: Float64Array, unit: TrendKind['unit'], volume: number): boolean {
  let sum = 0;
  for (let month = 0; month < trendMonths; month++) sum += values[month]!;
  if (Number.isNaN(sum)) return false;
  if (unit === 'searches') return true;
  const factor = (volume * trendMonths) / sum;
  if (!Number.isFinite(factor)) return false;
  for (let month = 0; month < trendMonths; month++) values[month]! *= factor;
  return true;
}

/**
 * The searches of each branch month by month, over its distinct keywords with a whole year: with another keyword missing
 * each month the line would show what is known of it, not what is searched for.
 */
export function rollUpTrend(
  all: Occurrences,
  { find, read, unit }: TrendValues,
  volume: Float64Array | undefined,
): TrendSum {
  const { branches, place, repeatNode, repeatBranch } = all;
  const sum = new Float64Array(trendMonths * branches.count);
  const known = new Uint32Array(branches.count);
  const source = new Uint8Array(place.length);
  const values = new Float64Array(trendMonths);
  const add = (branch: number, node: number, sign: 1 | -1) => {
    if (!asSearches(values, unit, volume?.[node] ?? Number.NaN)) return;
    known[branch]! += sign;
    const to = trendMonths * branch;
    for (let month = 0; month < trendMonths; month++) sum[to + month]! += sign * values[month]!;
  };
  const take = (node: number) => {
    source[node] = find(node, values);
    if (source[node]! > 0 && place[node]! >= 0) add(place[node]!, node, 1);
  };
  for (let node = 0; node < place.length; node++) take(node);
  for (let index = 0; index < repeatNode.length; index++) {
    const node = repeatNode[index]!;
    if (source[node] === 0) continue;
    read(node, source[node] as TrendSource, values);
    add(repeatBranch[index]!, node, -1);
  }
  for (let branch = branches.count - 1; branch > 0; branch--) {
    const above = branches.parent[branch]!;
    known[above]! += known[branch]!;
    for (let month = 0; month < trendMonths; month++) {
      sum[trendMonths * above + month]! += sum[trendMonths * branch + month]!;
    }
  }
  // What is taken off again leaves a rest of the last digits, and no searches are less than none.
  for (let at = 0; at < sum.length; at++) if (sum[at]! < 0) sum[at] = 0;
  return { sum, known, source };
}
