import { eachPiece, findInPieces, noPause, type Pause, pauseBetween } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { eachYear } from '../format/years.ts';
import { asSearches } from '../tree/trend-roll-up.ts';
import { trendMonths } from '../upload/trend-text.ts';
import type { View } from './filtered-pack.ts';
import { counts, fates, type KeptTree } from './kept-tree.ts';

/** The monthly search volumes of every branch under a filter, twelve values each, and the number of keywords that they add up. */
type KeptTrends = { readonly months: Float64Array; readonly known: Uint32Array };

const rowsAtATime = 4096;

/**
 * The trends of all branches at once, for an export. `keptTrend` is faster for a single one.
 *
 * Cost: one pass over the kept keywords and one over the branches, in pieces, and 100 bytes per branch, cached with the
 * filter.
 */
export const keptTrends = (kept: KeptTree, pause: Pause = noPause): Promise<KeptTrends> => cached(kept, pause);

const cached = oncePerPack<KeptTrends, Pause, KeptTree>(sumUp);

async function sumUp(kept: KeptTree, pause: Pause): Promise<KeptTrends> {
  const { pack, branches, branchFate, leafKeywords, repeats } = kept;
  const { count, inner, rows } = branches;
  const sums: KeptTrends = { months: new Float64Array(trendMonths * count), known: new Uint32Array(count) };
  const own = await findInPieces(count, pause, (from, end, found, many) => {
    let next = many;
    for (let branch = from; branch < end; branch++)
      if (branchFate[branch] === fates.branchKeyword) found[next++] = branch;
    return next;
  });
  const { months, known } = sums;
  const add = async (of: Uint32Array, branchOf: (at: number) => number, sign: 1 | -1) => {
    for (let from = 0; from < of.length; from += rowsAtATime) {
      await pause();
      await eachOwnYear(pack, of.subarray(from, from + rowsAtATime), (at, searches) => {
        const branch = branchOf(from + at);
        // A repeat may wrap the unsigned number below zero; adding the child branches wraps it back.
        known[branch]! += sign;
        for (let month = 0; month < trendMonths; month++) {
          months[trendMonths * branch + month]! += sign * searches[month]!;
        }
      });
    }
  };
  await add(
    own.map((branch) => rows[branch]!),
    (at) => own[at]!,
    1,
  );
  await add(leafKeywords.rows, parentsOf(leafKeywords.starts), 1);
  await add(repeats.rows, (at) => repeats.branch[at]!, -1);
  const passed = pauseBetween(pause);
  // Child branches have higher numbers.
  for (let branch = count - 1; branch >= 0; branch--) {
    for (let child = inner[branch]!; child < inner[branch + 1]!; child++) {
      known[branch]! += known[child]!;
      for (let month = 0; month < trendMonths; month++) {
        months[trendMonths * branch + month]! += months[trendMonths * child + month]!;
      }
      const waiting = passed(trendMonths);
      if (waiting) await waiting;
    }
  }
  // Subtraction leaves rounding errors in the last digits, and searches cannot be negative.
  await eachPiece(months.length, pause, (from, end) => {
    for (let at = from; at < end; at++) months[at] = Math.max(0, months[at]!);
  });
  return sums;
}

/** The branch of a kept leaf, by its index. Must be called with ascending indices. */
function parentsOf(starts: Uint32Array): (at: number) => number {
  let branch = 0;
  return (at) => {
    while (starts[branch + 1]! <= at) branch++;
    return branch;
  };
}

/**
 * The monthly search volumes of one branch, over its kept keywords; undefined if none has a whole year.
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
    await eachOwnYear(pack, rows.subarray(from, from + rowsAtATime), (_, searches) => {
      sum.known += sign;
      for (let month = 0; month < trendMonths; month++) sum.months[month]! += sign * searches[month]!;
    });
  }
}

/**
 * Calls `take` for each of some rows whose own monthly search volumes are known for a whole year, with the index of the row and twelve
 * values, oldest first.
 */
async function eachOwnYear(
  pack: PackReader,
  rows: Uint32Array,
  take: (at: number, searches: Float64Array) => void,
): Promise<void> {
  const { unit } = pack.metadata.trend!;
  const volume = await pack.gather('own_volume', rows);
  await eachYear(pack, 'own_trend', rows, (at, months) => {
    if (asSearches(months, unit, volume?.[at] ?? Number.NaN)) take(at, months);
  });
}

/**
 * The monthly search volumes of some rows: twelve values per row, oldest first, NaN if unknown. A branch has the sums over
 * its keywords, as in `trendOf`.
 *
 * @returns undefined if the file has no trends
 */
export async function searchesOf(
  pack: View,
  rows: Uint32Array,
  pause: Pause = noPause,
): Promise<Float64Array | undefined> {
  if (!pack.metadata.trend) return undefined;
  const found = new Float64Array(trendMonths * rows.length).fill(Number.NaN);
  const branches = await pack.branchesOf(rows);
  const isKeyword = await pack.gather('is_keyword', rows);
  const inner = Uint32Array.from(rows.keys()).filter((at) => branches[at] !== noRow);
  const leaves = Uint32Array.from(rows.keys()).filter((at) => branches[at] === noRow && isKeyword[at] === 1);
  const leafRows = leaves.map((at) => rows[at]!);
  await eachOwnYear(pack, leafRows, (at, searches) => found.set(searches, trendMonths * leaves[at]!));
  await eachBranchYear(
    pack,
    inner.map((at) => branches[at]!),
    (nth, months) => found.set(months, trendMonths * inner[nth]!),
    pause,
  );
  return found;
}

/** Calls `take` for each of some branches with a trend, with the index of the branch and twelve values, oldest first. */
async function eachBranchYear(
  pack: View,
  branches: Uint32Array,
  take: (at: number, searches: Float64Array) => void,
  pause: Pause,
): Promise<void> {
  if (!('kept' in pack)) return eachYear(pack, 'trend', branches, take);
  const { months, known } = await keptTrends(pack.kept, pause);
  for (const [at, branch] of branches.entries())
    if (known[branch] !== 0) take(at, months.subarray(trendMonths * branch, trendMonths * (branch + 1)));
}
