import { eachPiece, noPause, type Pause, pauseBetween } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { trendMonths } from '../upload/trend-text.ts';
import { fates, type KeptTree } from './kept-tree.ts';
import { eachYear } from './kept-trend.ts';

/** The monthly searches of every branch under a filter, twelve values each, and the number of keywords in them. */
export type KeptTrends = { readonly months: Float64Array; readonly known: Uint32Array };

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
  const own = new Uint32Array(count);
  const ownRows = new Uint32Array(count);
  let owns = 0;
  await eachPiece(count, pause, (from, end) => {
    for (let branch = from; branch < end; branch++) {
      if (branchFate[branch] !== fates.branchKeyword) continue;
      own[owns] = branch;
      ownRows[owns++] = rows[branch]!;
    }
  });
  const { months, known } = sums;
  const add = async (of: Uint32Array, branchOf: (at: number) => number, sign: 1 | -1) => {
    for (let from = 0; from < of.length; from += rowsAtATime) {
      await pause();
      await eachYear(pack, of.subarray(from, from + rowsAtATime), (at, searches) => {
        const branch = branchOf(from + at);
        // Wraps below zero for a repeat, and back when the child branches are added.
        known[branch]! += sign;
        for (let month = 0; month < trendMonths; month++) {
          months[trendMonths * branch + month]! += sign * searches[month]!;
        }
      });
    }
  };
  await add(ownRows.subarray(0, owns), (at) => own[at]!, 1);
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

/** The branch of each kept leaf. Indexes must be asked for in ascending order. */
function parentsOf(starts: Uint32Array): (at: number) => number {
  let branch = 0;
  return (at) => {
    while (starts[branch + 1]! <= at) branch++;
    return branch;
  };
}
