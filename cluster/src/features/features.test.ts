import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordsOf } from '../words/words.ts';
import { coOccurrenceOf } from './co-occurrence.ts';
import { reductionOf } from './reduce.ts';
import { lengthOf, packed, rowCount, type Vectors } from './vectors.ts';
import { wordingOf } from './wording.ts';

const words = wordsOf('en');
const texts = ['red shoes', 'shoes for women', 'cheap red shoe', 'wooden lamp', 'lamp', 'the', ''];

const cosine = ({ values, dimensions }: Vectors, a: number, b: number): number => {
  let sum = 0;
  for (let at = 0; at < dimensions; at++) sum += values[a * dimensions + at]! * values[b * dimensions + at]!;
  return sum;
};

describe('wording', () => {
  const wording = wordingOf(texts, words, 512);
  const vectors = wording(texts);

  test('has vectors of length 1, and zeros for a keyword without words', () => {
    const lengths = texts.map((_, row) => Math.round(1000 * lengthOf(vectors, row)) / 1000);
    expect(lengths).toEqual([1, 1, 1, 1, 1, 1, 0]);
  });
  test('is alike where words are, and almost perpendicular where none is', () => {
    expect(cosine(vectors, 0, 2)).toBeGreaterThan(0.5);
    expect(cosine(vectors, 0, 2)).toBeGreaterThan(cosine(vectors, 0, 1));
    expect(Math.abs(cosine(vectors, 0, 3))).toBeLessThan(0.2);
  });
  test('is alike in scripts without blanks where a single letter is, too', () => {
    const hotels = ['宿泊', '安い宿', '宿', '天気', '東京'];
    // With so many dimensions, chance makes nothing alike.
    const found = wordingOf(hotels, wordsOf('ja'), 2 ** 16, false)(hotels);
    for (const other of [1, 2]) expect(cosine(found, 0, other)).toBeGreaterThan(0.01);
    for (const other of [3, 4]) expect(Math.abs(cosine(found, 0, other))).toBeLessThan(0.005);
  });
  test('of a text does not depend on which were asked for before', () => {
    const any = fc.array(fc.oneof(fc.constantFrom(...texts), fc.string()), { maxLength: 6 });
    fc.assert(
      fc.property(any, fc.string({ maxLength: 200 }), (before, text) => {
        const alone = wording([text]).values;
        const last = wording([...before, text]);
        expect(last.values.slice(-last.dimensions)).toEqual(alone);
      }),
    );
  });
  test('of a very long keyword takes its beginning', () => {
    const long = Array.from({ length: 3000 }, (_, number) => `word${number}`).join(' ');
    expect(lengthOf(wording([long]), 0)).toBeCloseTo(1);
    expect(wording(['red shoes']).values).toEqual(wording(['red shoes']).values);
  });
});

test('co-occurrence makes words alike that occur with the same others', () => {
  const pairs = (first: string, second: string) =>
    first.split(' ').flatMap((one) => second.split(' ').map((other) => `${one} ${other}`));
  const keywords = [
    ...pairs('cheap fast linux free', 'server hosting'),
    ...pairs('apple pear plum', 'pie cake jam tart'),
  ];
  const vectors = coOccurrenceOf(keywords, words, 2)(['server', 'hosting', 'apple', 'unheard']);
  expect(cosine(vectors, 0, 1)).toBeGreaterThan(0.9);
  expect(Math.abs(cosine(vectors, 0, 2))).toBeLessThan(0.1);
  expect(lengthOf(vectors, 3)).toBe(0);
});

describe('a reduction', () => {
  /** Three groups of directions, and one that all rows share. */
  const rows = 60;
  const bytes: Vectors<Int8Array> = { values: new Int8Array(rows * 16), dimensions: 16 };
  for (let row = 0; row < rows; row++) {
    bytes.values[row * 16] = 100;
    bytes.values[row * 16 + 1 + (row % 3)] = 40;
    bytes.values[row * 16 + 4 + (row % 12)] = 5;
  }

  test('takes away what all vectors share', async () => {
    const all = await reductionOf(bytes)(bytes);
    expect(all.dimensions).toBe(16);
    expect(cosine(all, 0, 3)).toBeGreaterThan(0.9);
    expect(cosine(all, 0, 1)).toBeLessThan(0);
  });
  test('keeps similarities in few dimensions', async () => {
    const few = await reductionOf(bytes, 4)(bytes);
    expect(rowCount(few)).toBe(rows);
    expect(few.dimensions).toBe(4);
    expect(cosine(few, 0, 3)).toBeGreaterThan(0.9);
    expect(cosine(few, 0, 1)).toBeLessThan(0);
  });
  test('gives a text the same vector whatever else is asked for', async () => {
    const reduce = reductionOf(bytes, 4);
    const alone = await reduce({ values: bytes.values.slice(16, 32), dimensions: 16 });
    expect((await reduce(bytes)).values.slice(4, 8)).toEqual(alone.values);
  });
});

test('packed vectors keep their directions', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }), (values) => {
      fc.pre(Math.hypot(...values) > 1e-3);
      const vectors: Vectors = { values: Float32Array.from(values), dimensions: 8 };
      const steps = packed(vectors);
      let product = 0;
      for (let at = 0; at < 8; at++) product += vectors.values[at]! * steps.values[at]!;
      expect(product / lengthOf(vectors, 0) / lengthOf(steps, 0)).toBeGreaterThan(0.999);
    }),
  );
});
