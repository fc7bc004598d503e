import type { PackReader } from '../format/pack-reader.ts';
import { asSearches } from '../tree/trend-roll-up.ts';
import { trendMonths } from '../upload/trend-text.ts';
import { counts, fates, type KeptTree } from './kept-tree.ts';

/** The number of rows whose months are read at a time. */
const rowsAtATime = 4096;

/**
 * The monthly searches of one branch, over its kept keywords; undefined if none has a whole year.
 *
 * Cost: reads only the kept part of the branch.
 */
export async function keptTrend(
  kept: KeptTree,
  branch: number,
): Promise<{ readonly months: Float64Array; readonly known: number } | undefined> {
  const sum = { months: new Float64Array(trendMonths), known: 0 };
  const { rows, repeats } = keywordsIn(kept, branch);
  await addTrends(kept.pack, rows, 1, sum);
  await addTrends(kept.pack, repeats, -1, sum);
  if (sum.known === 0) return undefined;
  // Subtraction leaves rounding errors in the last digits, and searches cannot be negative.
  return { ...sum, months: sum.months.map((searches) => Math.max(0, searches)) };
}

/** The kept keywords of a branch, and the repeats among them that must not count again. Both in ascending order. */
function keywordsIn({ fate, branches, repeats }: KeptTree, branch: number) {
  const { starts, firstChild, childCount, rows } = branches;
  const isInside = new Uint8Array(branches.count);
  const found: number[] = counts(fate[rows[branch]!]!) ? [rows[branch]!] : [];
  const inside = [branch];
  for (const at of inside) {
    isInside[at] = 1;
    for (let row = firstChild[at]!, end = row + childCount[at]!; row < end; row++) {
      if (counts(fate[row]!)) found.push(row);
      if (starts[row] !== starts[row + 1] && fate[row] !== fates.gone) inside.push(starts[row]!);
    }
  }
  return {
    rows: Uint32Array.from(found),
    repeats: repeats.rows.filter((_, at) => isInside[repeats.branch[at]!] === 1),
  };
}

async function addTrends(
  pack: PackReader,
  rows: Uint32Array,
  sign: 1 | -1,
  sum: { readonly months: Float64Array; known: number },
): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtATime) {
    await eachYear(pack, rows.subarray(from, from + rowsAtATime), (_, searches) => {
      sum.known += sign;
      for (let month = 0; month < trendMonths; month++) sum.months[month]! += sign * searches[month]!;
    });
  }
}

/**
 * Calls `take` for each of some rows whose own searches are known for a whole year, with the index of the row and twelve
 * values, the oldest first.
 */
export async function eachYear(
  pack: PackReader,
  rows: Uint32Array,
  take: (at: number, searches: Float64Array) => void,
): Promise<void> {
  const unit = pack.metadata.trend!.unit;
  const ends = (await pack.gather('own_trend', pairsOf(rows)))!;
  const volume = await pack.gather('own_volume', rows);
  const having = Array.from(rows.keys()).filter((at) => ends[2 * at] !== ends[2 * at + 1]);
  const places = Uint32Array.from({ length: trendMonths * having.length }, (_, place) => {
    return ends[2 * having[Math.floor(place / trendMonths)]!]! + (place % trendMonths);
  });
  const values = Float64Array.from((await pack.gather('own_month', places))!);
  for (const [index, at] of having.entries()) {
    const months = values.subarray(trendMonths * index, trendMonths * (index + 1));
    if (asSearches(months, unit, volume?.[at] ?? Number.NaN)) take(at, months);
  }
}

/** Every row and the one after it. */
function pairsOf(rows: Uint32Array): Uint32Array {
  return Uint32Array.from({ length: 2 * rows.length }, (_, at) => rows[at >> 1]! + (at & 1));
}
