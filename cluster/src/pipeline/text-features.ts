import type { Encoder } from '../encoder/encoder.ts';
import type { MultiplyBytes } from '../features/byte-products.ts';
import { coOccurrenceOf } from '../features/co-occurrence.ts';
import { hashOf } from '../features/hash.ts';
import { reductionOf } from '../features/reduce.ts';
import { rowCount, sideBySide, type Vectors } from '../features/vectors.ts';
import { wordingOf } from '../features/wording.ts';
import type { ClusterSettings } from '../hierarchy/settings.ts';
import { oneWordApart, type WordHashes } from '../neighbours/one-word-apart.ts';
import type { Words } from '../words/words.ts';
import { type MeaningFound, meaningOfMore, type WordedAlike } from './borrowed-meaning.ts';

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

/** The vectors of texts of the tail. */
export type FurtherVectors = TextVectors & {
  /** The rows whose meaning each text borrowed, if any did: see {@link MeaningFound}. */
  readonly lenders?: Int32Array | undefined;
};

export type TextFeatures = {
  /** How many texts there are. */
  readonly rows: number;
  /** How many dimensions their vectors have. */
  readonly dimensions: Readonly<Record<keyof TextVectors, number>>;
  /** Gives vectors of the texts away, once: they take much memory, and nobody else keeps them. */
  take(which: keyof TextVectors): Vectors;
  /** The vectors of further texts. */
  more(texts: readonly string[]): Promise<FurtherVectors>;
};

export type FeatureTools = {
  /** Makes long lists faster, and nothing else. */
  readonly multiply?: MultiplyBytes | undefined;
  /** Hears of how many texts the meaning is known. */
  readonly onProgress?: (done: number) => void;
};

/**
 * @param texts that decide which directions and words count: the head of the list
 * @param all texts of the list, which decide how rare a word is
 * @param encoder none, if there is none for the language: then wording decides alone
 * @param isShort whether vectors have few dimensions, for a long list
 */
export async function textFeaturesOf(
  texts: readonly string[],
  all: readonly string[],
  words: Words,
  encoder: Encoder | undefined,
  settings: ClusterSettings,
  isShort: boolean,
  { multiply, onProgress }: FeatureTools = {},
): Promise<TextFeatures> {
  const detail = isShort ? 'short' : 'detailed';
  const wording = wordingOf(all, words, wordingDimensions[detail], encoder !== undefined);
  const coOccurrence = coOccurrenceOf(texts, words, coOccurrenceDimensions, settings.seed);
  if (!encoder) {
    const vectorsOf = (some: readonly string[]) => vectorsByWording(wording(some), coOccurrence(some));
    return { ...givenAway(vectorsOf(texts)), more: async (some) => vectorsOf(some) };
  }
  const embed = (some: readonly string[], done: number) =>
    meaningOf(some, encoder, (count) => onProgress?.(done + count));
  const embedded = await embed(texts, 0);
  const reduction = reductionOf(embedded, meaningDimensions[detail], multiply);
  const encoded = async (some: readonly string[], done: number) => reduction(await embed(some, done));
  const meaning = await reduction(embedded);
  const worded = wording(texts);
  const further =
    all.length > texts.length ? meaningOfMore(meaning, wordedLike(texts, worded, words), encoded) : undefined;
  let done = texts.length;
  return {
    ...givenAway(vectorsByAll(meaning, worded, coOccurrence(texts), settings)),
    async more(some) {
      const wordedMore = wording(some);
      const found: Partial<MeaningFound> = (await further?.(some, wordedMore, done)) ?? {};
      const meaningMore = found.meaning ?? (await encoded(some, done));
      done += some.length;
      onProgress?.(done);
      return { ...vectorsByAll(meaningMore, wordedMore, coOccurrence(some), settings), lenders: found.lenders };
    },
  };
}

/** Those of some texts that have all words in common with another one but at most one. */
function wordedLike(texts: readonly string[], wording: Vectors, words: Words): WordedAlike {
  const hashesOf = (text: string): WordHashes =>
    words(text).flatMap(({ stem, isStopWord }) => (isStopWord ? [] : [hashOf(stem, 1)]));
  const find = oneWordApart(texts.map(hashesOf), wording);
  return (asked, askedWording, count) => find(asked.map(hashesOf), askedWording, count);
}

function givenAway({ page, topic }: TextVectors): Pick<TextFeatures, 'rows' | 'dimensions' | 'take'> {
  const kept: Partial<Record<keyof TextVectors, Vectors>> = { page, topic };
  return {
    rows: rowCount(page),
    dimensions: { page: page.dimensions, topic: topic.dimensions },
    take(which) {
      const taken = kept[which];
      if (!taken) throw new Error(`The vectors of the ${which} graph were given away before`);
      delete kept[which];
      return taken;
    },
  };
}

/** Texts that the encoder does not read have zeros, so that wording alone decides what they resemble. */
async function meaningOf(
  texts: readonly string[],
  encoder: Encoder,
  onProgress: (done: number) => void,
): Promise<Vectors<Int8Array>> {
  const { dimensions } = encoder;
  const rows = Array.from(texts.keys()).filter((row) => encoder.reads(texts[row]!));
  const skipped = texts.length - rows.length;
  const read = skipped === 0 ? texts : rows.map((row) => texts[row]!);
  const found = await encoder.embed(read, (done) => onProgress(skipped + done));
  if (skipped === 0) return { values: found, dimensions };
  const values = new Int8Array(texts.length * dimensions);
  rows.forEach((row, at) => {
    values.set(found.subarray(at * dimensions, (at + 1) * dimensions), row * dimensions);
  });
  return { values, dimensions };
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
