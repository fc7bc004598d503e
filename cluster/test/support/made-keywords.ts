import { randomNumbers } from '../../src/communities/random.ts';
import { type Encoder, isLatin } from '../../src/encoder/encoder.ts';
import type { KeywordList } from '../../src/pipeline/keyword-list.ts';

const things = [
  ['shoe', 'sneaker', 'boot', 'sandal'],
  ['lamp', 'lantern', 'bulb', 'chandelier'],
  ['guitar', 'violin', 'cello', 'banjo'],
  ['tomato', 'carrot', 'onion', 'spinach'],
  ['laptop', 'tablet', 'keyboard', 'monitor'],
  ['tent', 'hammock', 'backpack', 'stove'],
] as const;
const qualities = ['red', 'cheap', 'large', 'wooden'];
const wishes = ['', 'price', 'review'];

/** Keywords about 24 things of 6 kinds, all different. The volume of some is unknown. */
export function madeKeywords(): KeywordList & { readonly kind: Int32Array; readonly thing: Int32Array } {
  const rows = things.flatMap((kind, kindNumber) =>
    kind.flatMap((thing, number) =>
      qualities.flatMap((quality) =>
        wishes.map((wish) => ({
          text: `${quality} ${thing} ${wish}`.trim(),
          kind: kindNumber,
          thing: 4 * kindNumber + number,
        })),
      ),
    ),
  );
  return {
    texts: rows.map(({ text }) => text),
    volume: Float64Array.from(rows, (_, row) => (row % 7 === 0 ? Number.NaN : (row * 37) % 1000)),
    kind: Int32Array.from(rows, ({ kind }) => kind),
    thing: Int32Array.from(rows, ({ thing }) => thing),
  };
}

/**
 * Knows what the things of `madeKeywords` have in common: a text's vector points to the kind and the thing it names. Any
 * other text has a direction of its own.
 */
export const madeEncoder: Encoder = {
  id: 'made',
  languages: ['en'],
  dimensions: 64,
  reads: isLatin,
  async embed(texts, onProgress) {
    const vectors = new Int8Array(64 * texts.length);
    texts.forEach((text, row) => {
      const vector = vectors.subarray(64 * row, 64 * (row + 1));
      const kindNumber = things.findIndex((kind) => kind.some((thing) => text.includes(thing)));
      if (kindNumber < 0) {
        // The last dimensions belong to no thing.
        const random = randomNumbers(1 + [...text].reduce((sum, letter) => 31 * sum + letter.codePointAt(0)!, 7));
        vector[56 + Math.floor(8 * random())] = 80;
        return;
      }
      vector[kindNumber] = 80;
      vector[8 + 4 * kindNumber + things[kindNumber]!.findIndex((thing) => text.includes(thing))] = 80;
      vector[40 + (text.length % 16)] = 20;
    });
    onProgress?.(texts.length);
    return vectors;
  },
};
