import type { Words } from '../words/words.ts';
import { singularVectors } from './singular.ts';
import { normalised, type Vectors } from './vectors.ts';

/** A word must stand in at least so many keywords: one that stands alone occurs with nothing. */
const leastKeywords = 2;

/**
 * Which words occur with which others (latent semantic analysis): the singular vectors of the keywords' words, weighted by
 * rarity. Keywords without a common word are alike here if their words occur with the same others ("server", "hosting").
 *
 * @returns one vector of length 1 per keyword; zeros for a keyword whose words all stand alone
 */
export function coOccurrenceOf(keywords: readonly string[], words: Words, dimensions: number, seed = 1): Vectors {
  const matrix = wordMatrix(keywords, words);
  const { left, rank } = singularVectors(matrix, dimensions, seed);
  const values = new Float32Array(keywords.length * dimensions);
  for (let row = 0; row < keywords.length; row++)
    values.set(left.subarray(row * rank, (row + 1) * rank), row * dimensions);
  return normalised({ values, dimensions });
}

/** Keywords × words, as compressed rows of length 1. */
function wordMatrix(keywords: readonly string[], words: Words) {
  const stems = keywords.map((keyword) => words(keyword).flatMap(({ stem, isStopWord }) => (isStopWord ? [] : [stem])));
  const keywordsOf = new Map<string, number>();
  for (const row of stems) for (const stem of new Set(row)) keywordsOf.set(stem, (keywordsOf.get(stem) ?? 0) + 1);
  const columnOf = new Map<string, number>();
  for (const [stem, count] of keywordsOf) if (count >= leastKeywords) columnOf.set(stem, columnOf.size);
  const offset = new Uint32Array(keywords.length + 1);
  const column: number[] = [];
  const value: number[] = [];
  stems.forEach((row, index) => {
    const counts = new Map<string, number>();
    for (const stem of row) if (columnOf.has(stem)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    const weights = [...counts].map(
      ([stem, count]) => (1 + Math.log(count)) * Math.log(1 + keywords.length / keywordsOf.get(stem)!),
    );
    const length = Math.hypot(...weights) || 1;
    for (const stem of counts.keys()) column.push(columnOf.get(stem)!);
    for (const weight of weights) value.push(weight / length);
    offset[index + 1] = column.length;
  });
  return sparseMap(keywords.length, columnOf.size, offset, Uint32Array.from(column), Float32Array.from(value));
}

function sparseMap(rows: number, columns: number, offset: Uint32Array, column: Uint32Array, value: Float32Array) {
  return {
    rows,
    columns,
    times(right: Float32Array, width: number): Float32Array {
      const product = new Float32Array(rows * width);
      for (let row = 0; row < rows; row++) {
        for (let at = offset[row]!; at < offset[row + 1]!; at++) {
          const factor = value[at]!;
          const first = column[at]! * width;
          for (let index = 0; index < width; index++) product[row * width + index]! += factor * right[first + index]!;
        }
      }
      return product;
    },
    transposedTimes(right: Float32Array, width: number): Float32Array {
      const product = new Float32Array(columns * width);
      for (let row = 0; row < rows; row++) {
        for (let at = offset[row]!; at < offset[row + 1]!; at++) {
          const factor = value[at]!;
          const first = column[at]! * width;
          for (let index = 0; index < width; index++) product[first + index]! += factor * right[row * width + index]!;
        }
      }
      return product;
    },
  };
}
