import type { Encoder } from '../encoder/encoder.ts';
import { coOccurrenceOf } from '../features/co-occurrence.ts';
import { type Reduction, reductionOf } from '../features/reduce.ts';
import { sideBySide, type Vectors } from '../features/vectors.ts';
import { type Wording, wordingOf } from '../features/wording.ts';
import type { ClusterSettings } from '../hierarchy/settings.ts';
import type { Words } from '../words/words.ts';

/** Above so many groups, vectors are shorter. */
export const mostInDetail = 8000;
const wordingDimensions = { detailed: 512, short: 128 };
/** Of meaning; `undefined` keeps all. */
const meaningDimensions = { detailed: undefined, short: 128 };
const coOccurrenceDimensions = 60;

/** Shares of meaning, wording and co-occurrence in how similar topics are. */
const topicWeights = { meaning: 0.5, wording: 0.25, coOccurrence: 0.25 };
const topicWeightsWithoutMeaning = { wording: 0.5, coOccurrence: 0.5 };

/** Turns texts into the vectors of one list. A text's vectors never depend on which other texts are asked for. */
export type TextFeatures = {
  /** How texts are worded, alone. */
  readonly wording: Wording;
  /** What pages are made of: meaning and wording. */
  readonly page: Vectors;
  /** What topics are made of: meaning, wording, and which words occur together. */
  readonly topic: Vectors;
  /** The vectors of further texts, comparable with `page`. */
  pageOf(texts: readonly string[]): Promise<Vectors>;
};

/**
 * @param texts that are clustered in full
 * @param all texts of the list, which decide how rare a word is
 * @param encoder none, if there is none for the language: then wording decides alone
 * @param isShort whether vectors have few dimensions, for a long list
 * @param onProgress hears how many texts are encoded
 */
export async function textFeaturesOf(
  texts: readonly string[],
  all: readonly string[],
  words: Words,
  encoder: Encoder | undefined,
  settings: ClusterSettings,
  isShort: boolean,
  onProgress?: (done: number) => void,
): Promise<TextFeatures> {
  const detail = isShort ? 'short' : 'detailed';
  const wording = wordingOf(all, words, wordingDimensions[detail]);
  const worded = wording(texts);
  const coOccurring = coOccurrenceOf(texts, words, coOccurrenceDimensions, settings.seed);
  if (!encoder) {
    const { wording: first, coOccurrence: second } = topicWeightsWithoutMeaning;
    return {
      wording,
      page: worded,
      topic: sideBySide([
        { vectors: worded, weight: first },
        { vectors: coOccurring, weight: second },
      ]),
      pageOf: async (more) => wording(more),
    };
  }
  const embed = async (some: readonly string[], report?: (done: number) => void) => ({
    values: await encoder.embed(some, report),
    dimensions: encoder.dimensions,
  });
  const embedded = await embed(texts, onProgress);
  const reduction: Reduction = reductionOf(embedded, meaningDimensions[detail]);
  const meant = reduction(embedded);
  const together = (meaning: Vectors, worded: Vectors) =>
    sideBySide([
      { vectors: meaning, weight: settings.meaningWeight },
      { vectors: worded, weight: 1 - settings.meaningWeight },
    ]);
  return {
    wording,
    page: together(meant, worded),
    topic: sideBySide([
      { vectors: meant, weight: topicWeights.meaning },
      { vectors: worded, weight: topicWeights.wording },
      { vectors: coOccurring, weight: topicWeights.coOccurrence },
    ]),
    pageOf: async (more) => together(reduction(await embed(more)), wording(more)),
  };
}
