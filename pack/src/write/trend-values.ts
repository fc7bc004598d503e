import type { Tree } from '../tree/tree.ts';
import type { TrendSource } from '../tree/trend-roll-up.ts';
import { trendMonths } from '../upload/trend-text.ts';
import type { Fill } from './pack-values.ts';

/** The lists of months in a pack: which rows or branches have one, and how to fill them. */
export type TrendParts = {
  /** 1 for a row or branch with a list, in pack order. */
  readonly has: Uint8Array;
  /** Writes the twelve values for some positions in that order. */
  readonly read: Fill;
};

/** The own trends of nodes and entries, in the order of a pack's rows. */
export function monthsOfRows({ order, unplaced, trend, rollUp }: Tree): TrendParts {
  const nodes = order.length;
  const has = new Uint8Array(trend ? nodes + unplaced.length : 0);
  const values = new Float64Array(trendMonths);
  const source = rollUp.trend?.source;
  if (source) for (let row = 0; row < nodes; row++) has[row] = source[order[row]!]! > 0 ? 1 : 0;
  for (let row = nodes; row < has.length; row++) has[row] = Number(trend!.ofEntry(unplaced[row - nodes]!, values));
  return {
    has,
    read: (target, rows) => {
      for (let at = 0; at < rows.length; at++) {
        const row = rows[at]!;
        if (row < nodes) trend!.read(order[row]!, source![order[row]!] as TrendSource, values);
        else trend!.ofEntry(unplaced[row - nodes]!, values);
        // A call costs more than copying twelve numbers.
        const to = trendMonths * at;
        for (let month = 0; month < trendMonths; month++) target[to + month] = values[month]!;
      }
    },
  };
}

/** @param branches in row order */
export function monthsOfBranches({ rollUp: { trend } }: Tree, branches: Uint32Array): TrendParts {
  const has = new Uint8Array(trend ? branches.length : 0);
  for (let at = 0; at < has.length; at++) has[at] = Number(trend!.known[branches[at]!]! > 0);
  return {
    has,
    read: (target, places) => {
      for (let at = 0; at < places.length; at++) {
        const from = trendMonths * branches[places[at]!]!;
        target.set(trend!.sum.subarray(from, from + trendMonths), trendMonths * at);
      }
    },
  };
}

/** The positions that have a list. */
export function ownersOf({ has }: TrendParts): Uint32Array {
  let count = 0;
  for (const one of has) count += one;
  const places = new Uint32Array(count);
  let next = 0;
  for (let place = 0; place < has.length; place++) if (has[place] === 1) places[next++] = place;
  return places;
}
