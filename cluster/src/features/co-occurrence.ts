import type { Words } from '../words/words.ts';
import { singularVectors } from './singular.ts';
import { normalised, type Vectors } from './vectors.ts';

/** Words of fewer keywords are ignored: a word of a single keyword does not tell what it usually occurs with. */
const minKeywords = 2;

/** Turns keywords into vectors by the words that theirs occur with; zeros for a keyword without known words. */
type CoOccurrence = (keywords: readonly string[]) => Vectors;

/**
 * Learns which words occur with which others (latent semantic analysis): the singular vectors of the keywords' words, weighted by rarity. Keywords
 * without a common word are similar here if their words occur with the same others ("server", "hosting").
 *
 * @param keywords that the words are counted in; a word of only one of them is not known
 * @returns makes one vector of length 1 per keyword
 */
export function coOccurrenceOf(keywords: readonly string[], words: Words, dimensions: number, seed = 1): CoOccurrence {
  const vocabulary = vocabularyOf(keywords, words);
  const { right, rank } = singularVectors(wordMatrix(keywords, words, vocabulary), dimensions, seed);
  return (texts) => {
    const product = wordMatrix(texts, words, vocabulary).times(right, rank);
    const values = new Float32Array(texts.length * dimensions);
    for (let row = 0; row < texts.length; row++)
      values.set(product.subarray(row * rank, (row + 1) * rank), row * dimensions);
    return normalised({ values, dimensions });
  };
}

/** The column of each word, and how rare it is. */
type Vocabulary = ReadonlyMap<string, { readonly column: number; readonly rarity: number }>;

const stemsOf = (keyword: string, words: Words): string[] =>
  words(keyword).flatMap(({ stem, isStopWord }) => (isStopWord ? [] : [stem]));

function vocabularyOf(keywords: readonly string[], words: Words): Vocabulary {
  const keywordsOf = new Map<string, number>();
  for (const keyword of keywords)
    for (const stem of new Set(stemsOf(keyword, words))) keywordsOf.set(stem, (keywordsOf.get(stem) ?? 0) + 1);
  const known = [...keywordsOf].filter(([, count]) => count >= minKeywords);
  return new Map(
    known.map(([stem, count], column) => [stem, { column, rarity: Math.log(1 + keywords.length / count) }]),
  );
}

/** Keywords × words: a sparse matrix in compressed rows, each of length 1. */
function wordMatrix(keywords: readonly string[], words: Words, vocabulary: Vocabulary) {
  const offset = new Uint32Array(keywords.length + 1);
  const column: number[] = [];
  const value: number[] = [];
  keywords.forEach((keyword, row) => {
    const counts = new Map<string, number>();
    for (const stem of stemsOf(keyword, words)) if (vocabulary.has(stem)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    const weights = [...counts].map(([stem, count]) => (1 + Math.log(count)) * vocabulary.get(stem)!.rarity);
    const length = Math.hypot(...weights) || 1;
    for (const stem of counts.keys()) column.push(vocabulary.get(stem)!.column);
    for (const weight of weights) value.push(weight / length);
    offset[row + 1] = column.length;
  });
  return sparseMap(keywords.length, vocabulary.size, offset, Uint32Array.from(column), Float32Array.from(value));
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
