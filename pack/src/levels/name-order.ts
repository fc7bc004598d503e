import { eachPiece, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';

/** The names of a pack in their order: without case and accents, by code point. */
export type NameOrder = {
  compare(one: number, other: number): number;
  /** Numbers that stand for the beginnings of the names of some rows, to be compared one after the other. */
  beginnings(rows: Uint32Array, pause: Pause): Promise<readonly Float64Array[]>;
};

/** A number holds 53 bits exactly. */
const bytesPerNumber = 6;

/**
 * The bytes of UTF-8 have the order of the code points, so no name becomes a string: that would take minutes for ten
 * million.
 *
 * Cost: the bytes of all names are read whole and cached with the pack.
 */
export async function namesOf(pack: PackReader): Promise<NameOrder> {
  const [folded, names] = [await pack.column('folded'), await pack.texts('name')];
  // Names that equal their fold have no second text.
  const folds = folded.at(-1)! > 0 ? await pack.texts('fold') : names;
  return {
    compare(one, other) {
      const isOneFolded = folded[one] !== folded[one + 1];
      const isOtherFolded = folded[other] !== folded[other + 1];
      const [a, b] = [isOneFolded ? folds : names, isOtherFolded ? folds : names];
      const [atA, atB] = [isOneFolded ? folded[one]! : one, isOtherFolded ? folded[other]! : other];
      const [endA, endB] = [a.start[atA + 1]!, b.start[atB + 1]!];
      let [i, j] = [a.start[atA]!, b.start[atB]!];
      for (; i < endA && j < endB; i++, j++) {
        const difference = a.bytes[i]! - b.bytes[j]!;
        if (difference !== 0) return difference;
      }
      return endA - i - (endB - j);
    },
    async beginnings(rows, pause) {
      const numbers = [0, 1, 2].map(() => new Float64Array(rows.length));
      await eachPiece(rows.length, pause, (from, end) => {
        for (let at = from; at < end; at++) {
          const row = rows[at]!;
          const isFolded = folded[row] !== folded[row + 1];
          const { start, bytes } = isFolded ? folds : names;
          const text = isFolded ? folded[row]! : row;
          let next = start[text]!;
          const last = start[text + 1]!;
          for (const of of numbers) {
            let number = 0;
            for (let byte = 0; byte < bytesPerNumber; byte++)
              number = 256 * number + (next < last ? bytes[next++]! : 0);
            of[at] = number;
          }
        }
      });
      return numbers;
    },
  };
}
