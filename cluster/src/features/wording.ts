import type { Words } from '../words/words.ts';
import { hashOf, mixed } from './hash.ts';
import { normalised, type Vectors } from './vectors.ts';

/** The kinds of features of a keyword, and the weight of all features of a kind together. The seed tells the hashes of kinds apart. */
const kinds = {
  word: { seed: 0x811c9dc5, weight: 1 },
  stopWord: { seed: 0x01000193, weight: 0.1 },
  pair: { seed: 0x9e3779b1, weight: 0.3 },
  letters: { seed: 0x85ebca6b, weight: 0.5 },
} as const;
const weights = Object.values(kinds).map(({ weight }) => weight);
const numberOf = { word: 0, stopWord: 1, pair: 2, letters: 3 } as const;
type Kind = keyof typeof kinds;

/**
 * Runs of this many letters (n-grams) are features, in words with at least `shortest` letters. A frame marks where a word begins and ends. A piece of
 * a script without spaces has no such places, and even a single letter of it may be a word.
 */
const lettersOf = {
  word: { shortest: 4, runs: [3, 4], isFramed: true },
  piece: { shortest: 1, runs: [1, 2, 3], isFramed: false },
} as const;

/** Features are counted by the lowest bits of their hashes. With 4 million counters, few of the features of 10⁶ keywords collide. */
const counters = 1 << 22;
/** How many dimensions of the vector each feature changes. */
const touches = 4;

/** Turns keywords into vectors of their wording; zeros for a keyword without words. */
type Wording = (keywords: readonly string[]) => Vectors;

/**
 * Prepares vectors of wording. The features of a keyword are its stems, pairs of neighbouring stems, and runs of 3 and 4 letters, or 1 to 3 in
 * scripts without spaces. They are weighted by rarity (TF-IDF) and projected at random onto few dimensions (Achlioptas, 2003). Keywords that have
 * rare words in common point in similar directions.
 *
 * @param all keywords of the list, which decide how rare a feature is
 * @param areStopWordsLight whether stop words weigh little; not if wording decides alone, because nothing else sees what "without" and "not" change
 * @returns makes one vector of length 1 per keyword
 */
export function wordingOf(all: readonly string[], words: Words, dimensions: number, areStopWordsLight = true): Wording {
  const features = new Features(words, areStopWordsLight);
  const frequency = new Uint32Array(counters);
  for (const keyword of all) {
    features.take(keyword);
    for (let at = 0; at < features.count; at++) frequency[features.hash[at]! & (counters - 1)]!++;
  }
  const value = new Float64Array(features.hash.length);
  const squares = new Float64Array(weights.length);
  return (keywords) => {
    const values = new Float32Array(keywords.length * dimensions);
    keywords.forEach((keyword, row) => {
      features.take(keyword);
      squares.fill(0);
      for (let at = 0; at < features.count; at++) {
        const others = Math.max(1, frequency[features.hash[at]! & (counters - 1)]!);
        value[at] = (1 + Math.log(features.times[at]!)) * Math.log(1 + all.length / others);
        squares[features.kind[at]!]! += value[at]! ** 2;
      }
      for (let at = 0; at < features.count; at++) {
        const kind = features.kind[at]!;
        const share = (weights[kind]! * value[at]!) / Math.sqrt(squares[kind]!);
        for (let touch = 0; touch < touches; touch++) {
          const place = mixed(features.hash[at]! + Math.imul(touch, 0x9e3779b1));
          values[row * dimensions + ((place >>> 1) % dimensions)]! += place & 1 ? share : -share;
        }
      }
    });
    return normalised({ values, dimensions });
  };
}

/** The maximum number of features of a keyword; any more are ignored. */
const maxFeatures = 2048;

/** The features of one keyword, in columns that are reused for the next. */
class Features {
  count = 0;
  readonly hash = new Uint32Array(maxFeatures);
  readonly kind = new Uint8Array(maxFeatures);
  /** How often each feature occurs in the keyword. */
  readonly times = new Uint16Array(maxFeatures);
  /** A hash table with open addressing: one more than the number of a feature, or 0 for an empty slot. */
  private readonly slots = new Uint16Array(2 * maxFeatures);
  private readonly words: Words;
  private readonly areStopWordsLight: boolean;

  constructor(words: Words, areStopWordsLight: boolean) {
    this.words = words;
    this.areStopWordsLight = areStopWordsLight;
  }

  take(keyword: string): void {
    this.clear();
    let previous: string | undefined;
    for (const { stem, isStopWord, isPiece } of this.words(keyword)) {
      this.add(isStopWord && this.areStopWordsLight ? 'stopWord' : 'word', stem);
      if (previous !== undefined) this.add('pair', `${previous} ${stem}`);
      previous = stem;
      const { shortest, runs, isFramed } = isPiece ? lettersOf.piece : lettersOf.word;
      if ((isStopWord && this.areStopWordsLight) || stem.length < shortest) continue;
      const framed = isFramed ? `<${stem}>` : stem;
      for (const length of runs)
        for (let at = 0; at + length <= framed.length; at++) this.add('letters', framed, at, at + length);
    }
  }

  private add(kind: Kind, text: string, start?: number, end?: number): void {
    const hash = hashOf(text, kinds[kind].seed, start, end);
    let slot = this.slotOf(hash);
    for (; this.slots[slot] !== 0; slot = (slot + 1) % this.slots.length) {
      const feature = this.slots[slot]! - 1;
      if (this.hash[feature] !== hash) continue;
      this.times[feature]!++;
      return;
    }
    if (this.count === maxFeatures) return;
    this.hash[this.count] = hash;
    this.kind[this.count] = numberOf[kind];
    this.times[this.count] = 1;
    this.slots[slot] = ++this.count;
  }

  private slotOf(hash: number): number {
    return hash % this.slots.length;
  }

  private clear(): void {
    // Features lie in chains of adjacent slots. From the slot where the hash of each belongs, everything is cleared up to an empty one.
    for (let at = 0; at < this.count; at++) {
      for (let slot = this.slotOf(this.hash[at]!); this.slots[slot] !== 0; slot = (slot + 1) % this.slots.length)
        this.slots[slot] = 0;
    }
    this.count = 0;
  }
}
