import type { Encoder } from '../encoder/encoder.ts';
import { coOccurrenceOf } from '../features/co-occurrence.ts';
import { reductionOf } from '../features/reduce.ts';
import { sideBySide, type Vectors } from '../features/vectors.ts';
import { wordingOf } from '../features/wording.ts';
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

/** The vectors of some texts, comparable with all others of the list. */
export type TextVectors = {
  /** What pages are made of: meaning and wording. */
  readonly page: Vectors;
  /** What topics are made of: meaning, wording, and which words occur together. */
  readonly topic: Vectors;
};

export type TextFeatures = TextVectors & {
  /** The vectors of further texts. */
  more(texts: readonly string[]): Promise<TextVectors>;
};

/**
 * @param texts that decide which directions and words count: the head of the list
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
  const coOccurrence = coOccurrenceOf(texts, words, coOccurrenceDimensions, settings.seed);
  if (!encoder) {
    const vectorsOf = (some: readonly string[]) => vectorsByWording(wording(some), coOccurrence(some));
    return { ...vectorsOf(texts), more: async (some) => vectorsOf(some) };
  }
  const embed = async (some: readonly string[], done: number) => ({
    values: await encoder.embed(some, (count) => onProgress?.(done + count)),
    dimensions: encoder.dimensions,
  });
  const embedded = await embed(texts, 0);
  const reduction = reductionOf(embedded, meaningDimensions[detail]);
  const vectorsOf = (meaning: Vectors, some: readonly string[]) =>
    vectorsByAll(meaning, wording(some), coOccurrence(some), settings);
  let done = texts.length;
  return {
    ...vectorsOf(reduction(embedded), texts),
    async more(some) {
      const meaning = reduction(await embed(some, done));
      done += some.length;
      return vectorsOf(meaning, some);
    },
  };
}

function vectorsByWording(wording: Vectors, coOccurrence: Vectors): TextVectors {
  const weights = topicWeightsWithoutMeaning;
  return {
    page: wording,
    topic: sideBySide([
      { vectors: wording, weight: weights.wording },
      { vectors: coOccurrence, weight: weights.coOccurrence },
    ]),
  };
}

function vectorsByAll(
  meaning: Vectors,
  wording: Vectors,
  coOccurrence: Vectors,
  { meaningWeight }: ClusterSettings,
): TextVectors {
  return {
    page: sideBySide([
      { vectors: meaning, weight: meaningWeight },
      { vectors: wording, weight: 1 - meaningWeight },
    ]),
    topic: sideBySide([
      { vectors: meaning, weight: topicWeights.meaning },
      { vectors: wording, weight: topicWeights.wording },
      { vectors: coOccurrence, weight: topicWeights.coOccurrence },
    ]),
  };
}
