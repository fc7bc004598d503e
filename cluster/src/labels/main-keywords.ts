import { membersOf, type Numbered } from '../communities/partition.ts';

/** Keywords as names see them, in parallel columns. */
export type Nameable = {
  readonly texts: readonly string[];
  /** NaN where unknown. */
  readonly volume: Float64Array;
};

/** Similarities that differ by less are equal: both members of a pair are as close to its centre. */
const rounding = 1e-4;

/**
 * The keyword that each group is called after: the one with the highest volume among those that are at least as close to
 * the centre as the median member. Without volumes, the closest one. Ties go to the shorter text, then to the first in
 * the order of code units.
 *
 * @param groups none is empty; a row of group −1 belongs to none
 * @param centrality of each row
 * @returns a row for each group
 */
export function mainKeywords(groups: Numbered, centrality: Float32Array, { texts, volume }: Nameable): Int32Array {
  const { offset, node } = membersOf(withoutStrays(groups));
  return Int32Array.from({ length: groups.count }, (_, group) => {
    const rows = node.subarray(offset[group], offset[group + 1]);
    const middle = -rounding + upperMedian(Float32Array.from(rows, (row) => centrality[row]!));
    const central = rows.filter((row) => centrality[row]! >= middle);
    const isKnown = central.some((row) => !Number.isNaN(volume[row]!));
    const rank = (row: number): number => {
      if (!isKnown) return centrality[row]!;
      return Number.isNaN(volume[row]!) ? -1 : volume[row]!;
    };
    return central.reduce((best, row) => (precedes(row, best, rank, texts) ? row : best), central[0] ?? rows[0]!);
  });
}

function precedes(row: number, best: number, rank: (row: number) => number, texts: readonly string[]): boolean {
  const difference = rank(row) - rank(best);
  return difference > 0 || (difference === 0 && isShorter(texts[row]!, texts[best]!));
}

/** Whether a text is the better name: shorter, or as long and earlier in the order of code units. */
const isShorter = (text: string, than: string): boolean =>
  text.length < than.length || (text.length === than.length && text < than);

/** At least half of the values reach it. */
function upperMedian(values: Float32Array): number {
  return values.sort()[values.length >> 1] ?? Number.NaN;
}

/** Puts the rows that belong to no group into one more, at the end. */
function withoutStrays({ of, count }: Numbered): Numbered {
  return { of: of.map((group) => (group < 0 ? count : group)), count: count + 1 };
}
