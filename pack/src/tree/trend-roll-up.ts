import type { TrendKind, UploadTrend } from '../upload/trend-columns.ts';
import { trendMonths } from '../upload/trend-text.ts';
import type { Occurrences } from './occurrences.ts';

/** The source of a node's trend: none, the node itself, or its keyword's entry. */
export type TrendSource = 0 | 1 | 2;

/**
 * The trend of nodes: the node's own, otherwise that of its keyword's entry. Writes twelve values, the oldest first,
 * with NaN for unknown ones.
 */
export type TrendValues = TrendKind & {
  /** @returns the source; the values are valid only if there is one */
  find(node: number, target: Float64Array): TrendSource;
  /** Reads a trend whose source is known, in about half the time of {@link find}. */
  read(node: number, source: TrendSource, target: Float64Array): void;
  /** The trend of an entry in the `keywords` array. @returns whether any value is known */
  ofEntry(entry: number, target: Float64Array): boolean;
};

/** Sums of monthly search volumes, twelve per branch, and the number of keywords in them; all 0 if there are none. */
export type TrendSum = {
  readonly sum: Float64Array;
  readonly known: Uint32Array;
  /** A {@link TrendSource} by node, which shows whether there is a trend without reading it. */
  readonly source: Uint8Array;
};

/** @param keyword the keyword number of each node, -1 for none; @param entry the entry of each keyword, -1 for none */
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
 * Converts the twelve values of a keyword to searches, in place.
 *
 * Values that are shares of the best month are converted with the volume, which is the mean of a year's months.
 * @returns whether all twelve values are known, and the volume if it is needed
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
 * The monthly search volumes of each branch, over its distinct keywords with a whole year. Keywords with missing months are left out: otherwise
 * the sums of two months would cover different keywords and could not be compared.
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
  // Subtraction leaves rounding errors in the last digits, and searches cannot be negative.
  for (let at = 0; at < sum.length; at++) if (sum[at]! < 0) sum[at] = 0;
  return { sum, known, source };
}
