import { noPause, type Pause } from '../format/in-pieces.ts';
import { batchesOf, checkNode, type Level, levelsOf } from '../format/locate.ts';
import { noRow } from '../format/pack-format.ts';
import type { View } from '../sums/filtered-pack.ts';
import { addMembers, type Counts } from '../tree/field-roll-up.ts';

/** The number of keywords in a branch with each member of a set field. Same shape as in the HTTP contract. */
export type BranchMembers = {
  name: string;
  /** The members that at least one keyword has, most frequent first; ties are in file order. */
  values: { value: string; count: number }[];
  /** The number of keywords with a known value. */
  known: number;
};

/** The number of rows read at a time. */
const rowsAtATime = 65_536;

/**
 * Counts the members of every set field of the file over the keywords of a branch. Each keyword counts once, with the
 * value of its first occurrence in the branch; with a filter, in the kept part of it.
 *
 * Cost: reads only the rows of the branch.
 *
 * @throws RangeError if the row is not a node
 */
export async function branchMembers(pack: View, node: number, pause: Pause = noPause): Promise<BranchMembers[]> {
  checkNode(pack, node);
  const sets = pack.metadata.fields.filter((field) => field.kind === 'set');
  if (sets.length === 0) return [];
  const { whole } = pack;
  const levels = await levelsOf(whole, node);
  const repeatsAmong = repeatFinder(pack, levels);
  const countsOfSets = sets.map(({ values }): Counts => new Int32Array(values.length));
  for (const level of levels) {
    for (const rows of batchesOf(level, rowsAtATime)) {
      await pause();
      const isKeyword = await pack.gather('is_keyword', rows);
      const isRepeat = await repeatsAmong(rows);
      for (const [nth, { name }] of sets.entries()) {
        // The members of a row are 64 bits in two words, the low one first.
        const bits = (await pack.gather(`field:${name}`, rows)) as Uint32Array;
        for (let at = 0; at < rows.length; at++) {
          if (isKeyword[at] === 1 && !isRepeat(at)) addMembers(countsOfSets[nth]!, bits[2 * at]!, bits[2 * at + 1]!, 1);
        }
      }
    }
  }
  return sets.map(({ name, values }, nth) => {
    // The first value means unknown. Its count is that of the keywords with any known value, see `Counts`.
    const counts = countsOfSets[nth]!;
    const present = values.flatMap((value, at) => (at > 0 && counts[at]! > 0 ? [{ value, count: counts[at]! }] : []));
    return { name, values: present.sort((one, other) => other.count - one.count), known: counts[0]! };
  });
}

/**
 * Finds out which rows of a branch are keywords that also occur earlier in it.
 *
 * @param levels the rows of the branch
 * @returns a function from rows to a test of their indexes
 */
function repeatFinder(pack: View, levels: readonly Level[]): (rows: Uint32Array) => Promise<(at: number) => boolean> {
  if (!('kept' in pack)) {
    return async (rows) => {
      // A branch is contiguous in the file: if any earlier occurrence is in the branch, so is the previous one.
      const previous = await pack.gather('previous', rows);
      return (at) => previous !== undefined && previous[at] !== noRow && isWithin(levels, previous[at]!);
    };
  }
  const { repeats, branches } = pack.kept;
  const branchRanges = levels.map(({ start, end }) => ({ start: branches.starts[start]!, end: branches.starts[end]! }));
  const repeated = new Set(repeats.rows.filter((_, at) => isWithin(branchRanges, repeats.branch[at]!)));
  return async (rows) => (at) => repeated.has(rows[at]!);
}

/** Whether a row is in one of these ranges, which are in ascending order. */
export function isWithin(levels: readonly Level[], row: number): boolean {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (levels[middle]!.end <= row) low = middle + 1;
    else high = middle;
  }
  return low < levels.length && levels[low]!.start <= row;
}
