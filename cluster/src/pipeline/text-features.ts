import type { Encoder } from '../encoder/encoder.ts';
import type { MultiplyBytes } from '../features/byte-products.ts';
import { coOccurrenceOf } from '../features/co-occurrence.ts';
import { hashOf } from '../features/hash.ts';
import { reductionOf } from '../features/reduce.ts';
import { lengthOf, normalised, packed, putAt, rowCount, sideBySide, type Vectors } from '../features/vectors.ts';
import { wordingOf } from '../features/wording.ts';
import type { ClusterSettings } from '../hierarchy/settings.ts';
import type { Neighbours } from '../neighbours/neighbours.ts';
import { type WordHashes, wordedAlike } from '../neighbours/worded-alike.ts';
import type { Words } from '../words/words.ts';

/** A list with more groups than this in its head gets shorter vectors. */
export const maxInDetail = 8000;
const wordingDimensions = { detailed: 512, short: 128 };
/** Without an encoder, short vectors have as many dimensions as wording and meaning would have together. */
const wordingDimensionsAlone = { detailed: 512, short: 256 };
/** The number of dimensions that meaning is reduced to; `undefined` keeps all. */
const meaningDimensions = { detailed: undefined, short: 128 };
const coOccurrenceDimensions = 60;

/** The weights of meaning, wording and co-occurrence in the similarity of topic vectors. */
const topicWeights = { meaning: 0.5, wording: 0.25, coOccurrence: 0.25 };
const topicWeightsWithoutMeaning = { wording: 0.5, coOccurrence: 0.5 };

/** The vectors of some texts, of length 1, comparable with all others of the list. */
export type TextVectors = {
  /** Meaning and wording: they decide which keywords one page can answer. */
  readonly page: Vectors;
  /** Meaning, wording and which words occur together: they decide which keywords have a topic in common. */
  readonly topic: Vectors;
};

/** The vectors of texts of the tail. */
export type FurtherVectors = TextVectors & {
  /** See {@link MeaningFound}; absent if no text could borrow its meaning. */
  readonly lenders?: Int32Array | undefined;
};

export type TextFeatures = {
  /** How many texts the head has. */
  readonly rows: number;
  /** How many dimensions the vectors have. */
  readonly dimensions: Readonly<Record<keyof TextVectors, number>>;
  /** Hands over the vectors of the head. They take much memory, so no reference to them is kept here. @throws Error if they were taken before */
  take(which: keyof TextVectors): Vectors;
  /** The same, written as bytes to the start of `into`. They are computed block by block, so that they never all exist as floats at once. */
  takePacked(which: keyof TextVectors, into: Int8Array): void;
  /** The vectors of texts of the tail. */
  more(texts: readonly string[]): Promise<FurtherVectors>;
};

type FeatureTools = {
  /** A faster multiplication of byte matrices with the same results. */
  readonly multiply?: MultiplyBytes | undefined;
  /** Called with the number of texts whose meaning is known. */
  readonly onProgress?: (done: number) => void;
};

/**
 * Computes the vectors of a list.
 *
 * @param texts the head of the list, which the directions of meaning and the vocabulary of co-occurrence are fitted on
 * @param all texts of the list, which decide how rare a word is
 * @param encoder undefined if there is none for the language: then wording decides alone
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
  const { [detail]: room } = encoder ? wordingDimensions : wordingDimensionsAlone;
  const wording = wordingOf(all, words, room, encoder !== undefined);
  const coOccurrence = coOccurrenceOf(texts, words, coOccurrenceDimensions, settings.seed);
  if (!encoder) {
    const aspectsOf = (some: readonly string[]) => ({ wording: wording(some), coOccurrence: coOccurrence(some) });
    return { ...headFeatures(aspectsOf(texts), settings), more: async (some) => bothOf(aspectsOf(some), settings) };
  }
  const embed = (some: readonly string[], done: number) =>
    meaningOf(some, encoder, (count) => onProgress?.(done + count));
  const { meaning, reduction } = await reduced(await embed(texts, 0), meaningDimensions[detail], multiply);
  const encoded = async (some: readonly string[], done: number) => reduction(await embed(some, done));
  const worded = wording(texts);
  const further =
    all.length > texts.length ? meaningOfMore(meaning, wordedLike(texts, worded, words), encoded) : undefined;
  let done = texts.length;
  return {
    ...headFeatures({ meaning, wording: worded, coOccurrence: coOccurrence(texts) }, settings),
    async more(some) {
      const wordedMore = wording(some);
      const found: Partial<MeaningFound> = (await further?.(some, wordedMore, done)) ?? {};
      const meaningMore = found.meaning ?? (await encoded(some, done));
      done += some.length;
      onProgress?.(done);
      const aspects = { meaning: meaningMore, wording: wordedMore, coOccurrence: coOccurrence(some) };
      return { ...bothOf(aspects, settings), lenders: found.lenders };
    },
  };
}

/** Finds those of some texts that are worded similarly to another text. */
function wordedLike(texts: readonly string[], wording: Vectors, words: Words): WordedAlike {
  const hashesOf = (text: string): WordHashes =>
    words(text).flatMap(({ stem, isStopWord }) => (isStopWord ? [] : [hashOf(stem, 1)]));
  const find = wordedAlike(texts.map(hashesOf), wording);
  return (queries, queryWording, count) => find(queries.map(hashesOf), queryWording, count);
}

/** A function of its own, so that no variable keeps the full embeddings in memory once they are reduced. */
async function reduced(embedded: Vectors<Int8Array>, dimensions?: number, multiply?: MultiplyBytes) {
  const reduction = reductionOf(embedded, dimensions, multiply);
  return { meaning: await reduction(embedded), reduction };
}

/** The aspects of texts that their vectors are combined from. */
type Aspects = {
  /** Absent without an encoder. */
  readonly meaning?: Vectors;
  readonly wording: Vectors;
  readonly coOccurrence: Vectors;
};

/** How many texts have their vectors computed at a time. */
const block = 8192;

/** The features of the head. Each graph's vectors can be taken once. */
function headFeatures(head: Aspects, settings: ClusterSettings): Omit<TextFeatures, 'more'> {
  const rows = rowCount(head.wording);
  const none = bothOf(part(head, 0, 0), settings);
  const dimensions = { page: none.page.dimensions, topic: none.topic.dimensions };
  const remaining = { aspects: head as Aspects | undefined, graphs: new Set<string>(['page', 'topic']) };
  const takeAspects = (which: keyof TextVectors): Aspects => {
    const { aspects } = remaining;
    if (!aspects || !remaining.graphs.delete(which))
      throw new Error(`The vectors of the ${which} graph were given away before`);
    if (remaining.graphs.size === 0) remaining.aspects = undefined;
    return aspects;
  };
  return {
    rows,
    dimensions,
    take: (which) => vectorsOf(which, takeAspects(which), settings),
    takePacked(which, into) {
      const aspects = takeAspects(which);
      for (let first = 0; first < rows; first += block) {
        const some = vectorsOf(which, part(aspects, first, Math.min(rows, first + block)), settings);
        packed(some, into.subarray(first * some.dimensions));
      }
    },
  };
}

function part({ meaning, wording, coOccurrence }: Aspects, first: number, end: number): Aspects {
  const some = ({ values, dimensions }: Vectors): Vectors => ({
    values: values.subarray(first * dimensions, end * dimensions),
    dimensions,
  });
  return { ...(meaning && { meaning: some(meaning) }), wording: some(wording), coOccurrence: some(coOccurrence) };
}

/** Embeds texts. Those that the encoder does not read get zeros, so that wording alone decides what they resemble. */
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
  const all = { values: new Int8Array(texts.length * dimensions), dimensions };
  putAt(all, rows, { values: found, dimensions });
  return all;
}

function vectorsOf(
  which: keyof TextVectors,
  { meaning, wording, coOccurrence }: Aspects,
  { meaningWeight }: ClusterSettings,
): Vectors {
  if (!meaning) {
    const { wording: own, coOccurrence: other } = topicWeightsWithoutMeaning;
    return which === 'page' ? wording : sideBySide([wording, own], [coOccurrence, other]);
  }
  if (which === 'page') return sideBySide([meaning, meaningWeight], [wording, 1 - meaningWeight]);
  return sideBySide(
    [meaning, topicWeights.meaning],
    [wording, topicWeights.wording],
    [coOccurrence, topicWeights.coOccurrence],
  );
}

const bothOf = (aspects: Aspects, settings: ClusterSettings): TextVectors => ({
  page: vectorsOf('page', aspects, settings),
  topic: vectorsOf('topic', aspects, settings),
});

/** Texts whose wording vectors have at least this cosine mean about the same: they mostly differ in one common word. */
const minWordingCosine = 0.8;
/** The maximum number of texts that a text borrows its meaning from. */
export const maxLenders = 3;

/** Finds at most `count` rows of the head that are worded like each text, and the cosines of their wording, the most similar first. */
type WordedAlike = (texts: readonly string[], wording: Vectors, count: number) => Neighbours;

/** The meaning of texts of the tail, and where it comes from. */
type MeaningFound = {
  readonly meaning: Vectors;
  /** Texts × {@link maxLenders}: the rows of the head that each text borrowed its meaning from, the most similar first; −1 where there is none. */
  readonly lenders: Int32Array;
};

/**
 * @param wording the wording vectors of these texts
 * @param done how many texts of the list have a meaning already, for progress
 */
type MeaningOfMore = (texts: readonly string[], wording: Vectors, done: number) => Promise<MeaningFound>;

/**
 * Finds the meaning of texts of the tail. A text that is worded like texts of the head takes the mean of their meanings, weighted by squared
 * similarity, because finding them is many times faster than encoding a text. Only the other texts are encoded.
 *
 * @param meaning of the head
 * @param encoded embeds texts by the model
 */
export function meaningOfMore(
  meaning: Vectors,
  wordedAlike: WordedAlike,
  encoded: (texts: readonly string[], done: number) => Promise<Vectors>,
): MeaningOfMore {
  const known = packed(meaning);
  const { dimensions } = known;
  return async (texts, wording, done) => {
    const alike = wordedAlike(texts, wording, maxLenders);
    const lenders = alike.to.map((row, place) => (alike.similarity[place]! >= minWordingCosine ? row : -1));
    const values = new Float32Array(rowCount(wording) * dimensions);
    const rest = Array.from(texts.keys()).filter((row) => !borrowMeaning(values, row, known, alike));
    for (const row of rest) lenders.fill(-1, row * maxLenders, (row + 1) * maxLenders);
    const own = await encoded(
      rest.map((row) => texts[row]!),
      done + texts.length - rest.length,
    );
    putAt({ values, dimensions }, rest, own);
    return { meaning: normalised({ values, dimensions }), lenders };
  };
}

/**
 * Adds up the meanings that a row borrows.
 *
 * @returns false if there are none, or only zeros, because the encoder could not read the lenders
 */
function borrowMeaning(
  into: Float32Array,
  row: number,
  known: Vectors<Int8Array>,
  { to, similarity }: Neighbours,
): boolean {
  const { values, dimensions } = known;
  const own = into.subarray(row * dimensions, (row + 1) * dimensions);
  for (let place = row * maxLenders; place < (row + 1) * maxLenders; place++) {
    if (to[place]! < 0 || !(similarity[place]! >= minWordingCosine)) break;
    const start = to[place]! * dimensions;
    const weight = similarity[place]! ** 2 / (lengthOf(known, to[place]!) || 1);
    for (let at = 0; at < dimensions; at++) own[at]! += weight * values[start + at]!;
  }
  return own.some((value) => value !== 0);
}
