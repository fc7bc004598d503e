import type { Encoder } from '@kc/cluster/encoder/encoder';
import { beforeAll, describe, expect, test } from 'vitest';
import { availableTools } from './cluster-tools.ts';

let encoder: Encoder;

beforeAll(async () => {
  const tools = await availableTools();
  expect(tools.missing).toEqual([]);
  encoder = tools.encoder!;
});

const vectorOf = (vectors: Int8Array, row: number) =>
  vectors.subarray(row * encoder.dimensions, (row + 1) * encoder.dimensions);

function cosine(a: Int8Array, b: Int8Array): number {
  let [product, first, second] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    product += a[at]! * b[at]!;
    first += a[at]! ** 2;
    second += b[at]! ** 2;
  }
  return product / Math.sqrt(first * second);
}

describe('the built-in encoder', () => {
  test('puts texts together that mean about the same', async () => {
    const texts = ['how old are you', 'what is your age', 'cheap flights to rome', 'low cost airfare to rome'];
    const vectors = await encoder.embed(texts);
    const like = (a: number, b: number) => cosine(vectorOf(vectors, a), vectorOf(vectors, b));
    expect(like(0, 1)).toBeGreaterThan(0.7);
    expect(like(2, 3)).toBeGreaterThan(0.7);
    expect(Math.max(like(0, 2), like(1, 3), like(0, 3))).toBeLessThan(0.4);
  });

  test('gives a text the same bytes alone and in any company', async () => {
    const texts = Array.from(
      { length: 100 },
      (_, row) => `${['best', 'how to clean', 'why'][row % 3]} shoe ${row * 7919}`,
    );
    const together = await encoder.embed(texts);
    const backwards = await encoder.embed(texts.toReversed());
    for (const [row, text] of texts.entries()) {
      expect(vectorOf(backwards, texts.length - 1 - row)).toEqual(vectorOf(together, row));
      if (row % 10 === 0) expect(await encoder.embed([text])).toEqual(vectorOf(together, row));
    }
  });

  test('does not mind case, compatibility forms and signs at the end', async () => {
    const vectors = await encoder.embed([
      'How do I reset my PIN?',
      'how do i reset my pin',
      'ｈow do i reset my pin ...',
    ]);
    expect(vectorOf(vectors, 1)).toEqual(vectorOf(vectors, 0));
    expect(vectorOf(vectors, 2)).toEqual(vectorOf(vectors, 0));
  });

  test('takes empty and very long texts', async () => {
    const vectors = await encoder.embed(['', '???', 'word '.repeat(500)]);
    expect(vectorOf(vectors, 2).some((value) => value !== 0)).toBe(true);
    expect(vectors).toHaveLength(3 * encoder.dimensions);
  });
});
