import type { FilteredPack } from '../filter/filtered-pack.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import { type Level, levelsOf } from '../format/locate.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { addMembers, type Counts } from '../tree/field-roll-up.ts';

/** How many keywords of a branch have each member of a field that is a set; the same shape as the HTTP contract's. */
export type BranchMembers = {
  name: string;
  /** Those that a keyword has, what most have first, and in the order of the file among equals. */
  values: { value: string; count: number }[];
  /** Of how many keywords any is known. */
  known: number;
};

/** Rows that are read at a time. */
const rowsAtATime = 65_536;

/**
 * Each keyword counts once, with what its first occurrence in the branch says; under a filter, in what is kept of it.
 *
 * Cost: the rows of the branch are read, nothing else.
 *
 * @throws RangeError when the row is no node
 */
export async function branchMembers(
  pack: PackReader | FilteredPack,
  node: number,
  pause: Pause = noPause,
): Promise<BranchMembers[]> {
  if (!Number.isInteger(node) || node < 0 || node >= pack.metadata.nodes) throw new RangeError(`Node ${node}`);
  const sets = pack.metadata.fields.filter((field) => field.kind === 'set');
  if (sets.length === 0) return [];
  const whole = 'kept' in pack ? pack.whole : pack;
  const levels = await levelsOf(whole, node);
  const isRepeat = repeatsIn(pack, levels);
  const counted = sets.map(({ values }): Counts => new Int32Array(values.length));
  for (const { start, end } of levels) {
    for (let from = start; from < end; from += rowsAtATime) {
      await pause();
      const rows = Uint32Array.from({ length: Math.min(rowsAtATime, end - from) }, (_, at) => from + at);
      const isKeyword = await pack.gather('is_keyword', rows);
      const isAgain = await isRepeat(rows);
      for (const [nth, { name }] of sets.entries()) {
        const bits = (await pack.gather(`field:${name}`, rows)) as Uint32Array;
        for (let at = 0; at < rows.length; at++) {
          if (isKeyword[at] === 1 && !isAgain(at)) addMembers(counted[nth]!, bits[2 * at]!, bits[2 * at + 1]!, 1);
        }
      }
    }
  }
  return sets.map(({ name, values }, nth) => {
    const counts = counted[nth]!;
    const having = values.flatMap((value, at) => (at > 0 && counts[at]! > 0 ? [{ value, count: counts[at]! }] : []));
    return { name, values: having.sort((one, other) => other.count - one.count), known: counts[0]! };
  });
}

/** Tells of some rows of a branch, by their places among them, which are keywords that stand earlier in it too. */
function repeatsIn(
  pack: PackReader | FilteredPack,
  levels: readonly Level[],
): (rows: Uint32Array) => Promise<(at: number) => boolean> {
  if (!('kept' in pack)) {
    return async (rows) => {
      // Of what stands in the branch, what comes between two in the file stands in it too: so does the one just before.
      const previous = await pack.gather('previous', rows);
      return (at) => previous !== undefined && previous[at] !== noRow && isWithin(levels, previous[at]!);
    };
  }
  const { repeats, branches } = pack.kept;
  const inside = levels.map(({ start, end }) => ({ start: branches.starts[start]!, end: branches.starts[end]! }));
  const again = new Set(repeats.rows.filter((_, at) => isWithin(inside, repeats.branch[at]!)));
  return async (rows) => (at) => again.has(rows[at]!);
}

/** Whether a row is in one of some ranges, which rise. */
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
