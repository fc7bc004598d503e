import type { Words } from '../words/words.ts';
import { normalised, type Vectors } from './vectors.ts';

/** What a feature of a keyword is, and how much all features of its kind weigh together. */
const kinds = {
  word: { seed: 0x811c9dc5, weight: 1 },
  stopWord: { seed: 0x01000193, weight: 0.1 },
  pair: { seed: 0x9e3779b1, weight: 0.3 },
  letters: { seed: 0x85ebca6b, weight: 0.5 },
} as const;
const weights = Object.values(kinds).map(({ weight }) => weight);
const numberOf = { word: 0, stopWord: 1, pair: 2, letters: 3 } as const;
type Kind = keyof typeof kinds;

/** Features are counted by the lowest bits of their hashes: 4 million counters, few enough collisions for 10^6 keywords. */
const counters = 1 << 22;
/** How many dimensions of the vector a feature touches. */
const touches = 4;

/** Turns keywords into vectors of how they are worded; zeros for a keyword without words. */
export type Wording = (keywords: readonly string[]) => Vectors;

/**
 * How keywords are worded: their stems, pairs of neighbouring stems, and runs of 3 and 4 letters, weighted by rarity
 * (TF-IDF) and projected at random onto few dimensions (Achlioptas, 2003). Keywords with rare words in common point the
 * same way.
 *
 * @param all keywords of the list, which decide how rare a feature is
 * @returns makes one vector of length 1 per keyword
 */
export function wordingOf(all: readonly string[], words: Words, dimensions: number): Wording {
  const frequency = new Uint32Array(counters);
  for (const keyword of all) {
    for (const { hash } of featuresOf(keyword, words).values()) frequency[hash & (counters - 1)]!++;
  }
  const rarity = (hash: number) => Math.log(1 + all.length / Math.max(1, frequency[hash & (counters - 1)]!));
  return (keywords) => {
    const values = new Float32Array(keywords.length * dimensions);
    const squares = new Float64Array(weights.length);
    keywords.forEach((keyword, row) => {
      const features = [...featuresOf(keyword, words).values()];
      squares.fill(0);
      for (const feature of features) {
        feature.value = (1 + Math.log(feature.count)) * rarity(feature.hash);
        squares[feature.kind]! += feature.value ** 2;
      }
      for (const { hash, kind, value } of features) {
        const share = (weights[kind]! * value) / Math.sqrt(squares[kind]!);
        for (let touch = 0; touch < touches; touch++) {
          const place = mixed(hash + Math.imul(touch, 0x9e3779b1));
          values[row * dimensions + ((place >>> 1) % dimensions)]! += place & 1 ? share : -share;
        }
      }
    });
    return normalised({ values, dimensions });
  };
}

type Feature = { readonly hash: number; readonly kind: number; count: number; value: number };

function featuresOf(keyword: string, words: Words): Map<number, Feature> {
  const features = new Map<number, Feature>();
  const add = (kind: Kind, text: string): void => {
    const hash = hashOf(text, kinds[kind].seed);
    const feature = features.get(hash);
    if (feature) feature.count++;
    else features.set(hash, { hash, kind: numberOf[kind], count: 1, value: 0 });
  };
  let previous: string | undefined;
  for (const { stem, isStopWord } of words(keyword)) {
    add(isStopWord ? 'stopWord' : 'word', stem);
    if (previous !== undefined) add('pair', `${previous} ${stem}`);
    previous = stem;
    if (isStopWord || stem.length < 4) continue;
    const framed = `<${stem}>`;
    for (const length of [3, 4])
      for (let at = 0; at + length <= framed.length; at++) add('letters', framed.slice(at, at + length));
  }
  return features;
}

/** FNV-1a over UTF-16 code units. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixed(hash);
}

/** Spreads the bits of a number (the finaliser of MurmurHash3). */
function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
