/** What naming needs to know about keywords, in parallel columns. */
export type Nameable = {
  readonly texts: readonly string[];
  /** Monthly searches; NaN where unknown. */
  readonly volume: Float64Array;
  /** How many keywords each row stands for. */
  readonly weight: Float64Array;
  /** The cosine of each row with the centre of its topic. */
  readonly centrality: Float32Array;
};

/** Cosines that differ by less count as equal: the two members of a pair are equally close to its centre, except for rounding. */
const rounding = 1e-4;

/**
 * Chooses the keyword that a topic is named after: the one with the highest volume among those that are at least as close to the centre as the median
 * member. Without volumes, the closest one. Ties go to the shorter text, then to the first in the order of code units.
 *
 * @param isFree whether a row may be chosen; if no central one may be, the others are considered
 * @returns undefined if no row may be chosen
 */
export function mainKeyword(
  rows: Uint32Array,
  { texts, volume, centrality }: Pick<Nameable, 'texts' | 'volume' | 'centrality'>,
  isFree: (row: number) => boolean = () => true,
): number | undefined {
  const middle = -rounding + upperMedian(Float32Array.from(rows, (row) => centrality[row]!));
  const free = rows.filter(isFree);
  const central = free.filter((row) => centrality[row]! >= middle);
  const candidates = central.length > 0 ? central : free;
  const isKnown = candidates.some((row) => !Number.isNaN(volume[row]!));
  const rank = (row: number): number => {
    if (!isKnown) return centrality[row]!;
    return Number.isNaN(volume[row]!) ? -1 : volume[row]!;
  };
  let best: number | undefined;
  for (const row of candidates) if (best === undefined || precedes(row, best, rank, texts)) best = row;
  return best;
}

function precedes(row: number, best: number, rank: (row: number) => number, texts: readonly string[]): boolean {
  const difference = rank(row) - rank(best);
  return difference > 0 || (!(difference < 0) && isShorter(texts[row]!, texts[best]!));
}

/** Whether a text is the better name: shorter, or as long and earlier in the order of code units. */
const isShorter = (text: string, than: string): boolean =>
  text.length < than.length || (text.length === than.length && text < than);

/** The upper median, which at least half of the values reach. */
function upperMedian(values: Float32Array): number {
  return values.sort()[values.length >> 1] ?? Number.NaN;
}
