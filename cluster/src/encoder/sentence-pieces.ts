/** Pieces of text with their log probabilities, in the order of their numbers. */
export type Vocabulary = readonly (readonly [piece: string, logProbability: number])[];

/** The first numbers are signs, not pieces; 0 stands for what no piece covers. */
const signs = 6;
const unknown = 0;
/** Less likely than any piece. */
const unknownLogProbability = -20;

/**
 * Cuts a text into its most likely pieces (SentencePiece unigram model; Kudo, 2018). A blank is part of the piece after
 * it. Neighbouring unknown letters become one unknown piece.
 */
export function sentencePieces(vocabulary: Vocabulary): (text: string) => number[] {
  const known = new Map(
    vocabulary.slice(signs).map(([piece, chance], index) => [piece, { number: index + signs, chance }]),
  );
  const beginnings = new Set<string>();
  for (const piece of known.keys()) for (let end = 1; end <= piece.length; end++) beginnings.add(piece.slice(0, end));
  return (text) => {
    const joined = `\u2581${text.normalize('NFKC').replaceAll(' ', '\u2581')}`;
    const best = new Float64Array(joined.length + 1).fill(Number.NEGATIVE_INFINITY);
    const piece = new Int32Array(joined.length + 1);
    const length = new Int32Array(joined.length + 1);
    best[0] = 0;
    const offer = (end: number, chance: number, number: number, size: number): void => {
      if (chance <= best[end]!) return;
      best[end] = chance;
      piece[end] = number;
      length[end] = size;
    };
    for (let start = 0; start < joined.length; start++) {
      for (let size = 1; start + size <= joined.length; size++) {
        const piece = joined.slice(start, start + size);
        if (!beginnings.has(piece)) break;
        const found = known.get(piece);
        if (found) offer(start + size, best[start]! + found.chance, found.number, size);
      }
      offer(start + 1, best[start]! + unknownLogProbability, unknown, 1);
    }
    const found: number[] = [];
    for (let end = joined.length; end > 0; end -= length[end]!) found.push(piece[end]!);
    found.reverse();
    return found.filter((number, at) => number !== unknown || found[at - 1] !== unknown);
  };
}
