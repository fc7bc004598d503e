import { lengthOf, normalised, packed, rowCount, type Vectors } from '../features/vectors.ts';
import type { Neighbours } from '../neighbours/neighbours.ts';

/** Texts that are worded alike by at least this cosine mean about the same: they differ in one common word or so. */
const enough = 0.8;
/** A text borrows from so many others at most. */
export const mostLenders = 3;

/** Rows of the head that are worded about like other texts, and their cosines, the most similar first. */
export type WordedAlike = (texts: readonly string[], wording: Vectors, count: number) => Neighbours;

/** What further texts mean. */
export type MeaningFound = {
  readonly meaning: Vectors;
  /** Texts × {@link mostLenders}: the rows that each text borrowed from, the most similar first; −1 where there is none. */
  readonly lenders: Int32Array;
};

/**
 * @param wording of the same texts
 * @param done texts of the list whose meaning is known
 */
export type MeaningOfMore = (texts: readonly string[], wording: Vectors, done: number) => Promise<MeaningFound>;

/**
 * The meaning of further texts. One that is worded like a text of the head takes the meaning of that, or the mean of
 * several, because encoding a text takes many times as long as finding those. The others are encoded.
 *
 * @param meaning of the head
 * @param encoded the meaning of texts by the model
 */
export function meaningOfMore(
  meaning: Vectors,
  wordedAlike: WordedAlike,
  encoded: (texts: readonly string[], done: number) => Promise<Vectors>,
): MeaningOfMore {
  const known = packed(meaning);
  const { dimensions } = known;
  return async (texts, wording, done) => {
    const alike = wordedAlike(texts, wording, mostLenders);
    const lenders = alike.to.map((row, place) => (alike.similarity[place]! >= enough ? row : -1));
    const values = new Float32Array(rowCount(wording) * dimensions);
    const rest = Array.from(texts.keys()).filter((row) => !borrow(values, row, known, alike));
    for (const row of rest) lenders.fill(-1, row * mostLenders, (row + 1) * mostLenders);
    const own = await encoded(
      rest.map((row) => texts[row]!),
      done + texts.length - rest.length,
    );
    rest.forEach((row, at) => {
      values.set(own.values.subarray(at * dimensions, (at + 1) * dimensions), row * dimensions);
    });
    return { meaning: normalised({ values, dimensions }), lenders };
  };
}

/** Adds up what a row borrows. @returns false if there is nothing to borrow: also if the encoder could not read the lenders */
function borrow(into: Float32Array, row: number, known: Vectors<Int8Array>, { to, similarity }: Neighbours): boolean {
  const { values, dimensions } = known;
  const own = into.subarray(row * dimensions, (row + 1) * dimensions);
  for (let place = row * mostLenders; place < (row + 1) * mostLenders; place++) {
    if (to[place]! < 0 || !(similarity[place]! >= enough)) break;
    const start = to[place]! * dimensions;
    const weight = similarity[place]! ** 2 / (lengthOf(known, to[place]!) || 1);
    for (let at = 0; at < dimensions; at++) own[at]! += weight * values[start + at]!;
  }
  return own.some((value) => value !== 0);
}
