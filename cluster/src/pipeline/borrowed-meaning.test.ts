import { expect, test } from 'vitest';
import { exactNeighbours } from '../../test/support/exact-neighbours.ts';
import { madeEncoder, madeKeywords } from '../../test/support/made-keywords.ts';
import { packed, type Vectors } from '../features/vectors.ts';
import { wordsOf } from '../words/words.ts';
import { cluster, listSettingsOf } from './cluster.ts';
import { meaningOfMore, textFeaturesOf } from './text-features.ts';

/** Vectors of length 1 in the plane, by their angles in degrees, with two more dimensions that nothing uses. */
function atAngles(...degrees: readonly number[]) {
  const values = degrees.flatMap((degree) => [Math.cos((degree * Math.PI) / 180), Math.sin((degree * Math.PI) / 180)]);
  return {
    values: Float32Array.from(values.flatMap((value, at) => (at % 2 ? [value, 0, 0] : [value]))),
    dimensions: 4,
  };
}
const angles = ({ values }: { readonly values: Float32Array }) =>
  Array.from({ length: values.length / 4 }, (_, row) =>
    Math.round((Math.atan2(values[4 * row + 1]!, values[4 * row]!) * 180) / Math.PI),
  );

/** @returns the angles of what the texts mean, whose meaning they borrowed, and which of them were encoded */
async function meaningFrom(
  head: { readonly meaning: Vectors; readonly wording: Vectors },
  texts: readonly string[],
  wording: ReturnType<typeof atAngles>,
) {
  const encoded: { readonly texts: readonly string[]; readonly done: number }[] = [];
  const alike = await exactNeighbours(head.wording).of(wording, 3);
  const further = meaningOfMore(
    head.meaning,
    () => alike,
    async (some, done) => {
      encoded.push({ texts: some, done });
      return atAngles(...some.map(() => 170));
    },
  );
  const meaning = await further(texts, wording, 100);
  return { meaning: angles(meaning.meaning), lenders: [...meaning.lenders], encoded };
}

test('a text that is worded like one of the head means the same, and only the others are encoded', async () => {
  const head = { meaning: atAngles(10, 60), wording: atAngles(0, 90) };
  // The cosine of 40° is 0.77, that of 30° 0.87.
  expect(await meaningFrom(head, ['like the first', 'like none', 'like the second'], atAngles(3, 40, 120))).toEqual({
    meaning: [10, 170, 60],
    lenders: [0, -1, -1, -1, -1, -1, 1, -1, -1],
    encoded: [{ texts: ['like none'], done: 102 }],
  });
});

test('a text that is worded like several means about the mean of the three nearest', async () => {
  const head = { meaning: atAngles(0, 10, 50, 90), wording: atAngles(-5, 5, 0, 20) };
  const { meaning, lenders, encoded } = await meaningFrom(head, ['like the first three'], atAngles(0));
  // Their lengths are 0.992, 0.992 and 1 squared, so that the mean is about that of 0°, 10° and 50°.
  expect(meaning[0]).toBeGreaterThanOrEqual(19);
  expect(meaning[0]).toBeLessThanOrEqual(20);
  expect(lenders).toEqual([2, 0, 1]);
  expect(encoded).toEqual([{ texts: [], done: 101 }]);
});

test('a text is encoded if the encoder could not read what it is worded like, or if it has no words', async () => {
  const unread = { values: new Float32Array(4), dimensions: 4 };
  const head = { meaning: unread, wording: atAngles(0) };
  const wording = { values: Float32Array.from([1, 0, 0, 0, 0, 0, 0, 0]), dimensions: 4 };
  const { lenders, encoded } = await meaningFrom(head, ['like it', ''], wording);
  expect(encoded).toEqual([{ texts: ['like it', ''], done: 100 }]);
  expect(lenders).toEqual([-1, -1, -1, -1, -1, -1]);
});

test('of a long list, fewer keywords are encoded, and progress ends with all of them', async () => {
  const made = madeKeywords();
  const list = {
    texts: [...made.texts, ...made.texts.map((text) => `${text} online`)],
    volume: Float64Array.from({ length: 2 * made.texts.length }, (_, row) => (row < made.texts.length ? 100 : 1)),
  };
  let encoded = 0;
  const encoder: typeof madeEncoder = {
    ...madeEncoder,
    embed(texts, onProgress) {
      encoded += texts.length;
      return madeEncoder.embed(texts, onProgress);
    },
  };
  const heard: number[] = [];
  await cluster(list, listSettingsOf({ force: { tail: true } }), {
    encoder,
    neighbours: exactNeighbours,
    onProgress: ({ stage, done }) => stage === 'meaning' && heard.push(done!),
  });
  expect(encoded).toBeLessThan(list.texts.length);
  expect(heard).toEqual(heard.toSorted((a, b) => a - b));
  expect(heard.at(-1)).toBe(list.texts.length);
});

test('vectors that are taken as bytes are those that are taken as fractions, and both are given away once', async () => {
  // More than are packed at a time.
  const texts = Array.from({ length: 9000 }, (_, row) => `word${row % 40} word${row % 97}`);
  const features = () => textFeaturesOf(texts, texts, wordsOf('en'), madeEncoder, listSettingsOf(), true);
  const [asFractions, asBytes] = [await features(), await features()];
  for (const which of ['page', 'topic'] as const) {
    const expected = packed(asFractions.take(which)).values;
    const bytes = new Int8Array(expected.length + 9);
    asBytes.takePacked(which, bytes);
    // Millions of bytes: comparing them one by one with a matcher takes many times as long.
    expect(bytes.every((value, at) => value === (expected[at] ?? 0))).toBe(true);
    expect(() => asBytes.take(which)).toThrow('given away');
  }
});

test('in a long list, vectors of wording alone are as long as those with meaning', async () => {
  const { texts } = madeKeywords();
  const dimensions = async (encoder: typeof madeEncoder | undefined) =>
    (await textFeaturesOf(texts, texts, wordsOf('de'), encoder, listSettingsOf(), true)).dimensions;
  expect(await dimensions(undefined)).toEqual(await dimensions(madeEncoder));
});
