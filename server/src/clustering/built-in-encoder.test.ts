import { createHash } from 'node:crypto';
import type { Encoder } from '@kc/cluster/encoder/encoder';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtInEncoder } from './built-in-encoder.ts';
import { modelRuntime, runtimeKinds } from './model-runtime.ts';

const dimensions = 512;
const vectorOf = (vectors: Int8Array, row: number) => vectors.subarray(row * dimensions, (row + 1) * dimensions);

function cosine(a: Int8Array, b: Int8Array): number {
  let [product, first, second] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    product += a[at]! * b[at]!;
    first += a[at]! ** 2;
    second += b[at]! ** 2;
  }
  return product / Math.sqrt(first * second);
}

describe.each(runtimeKinds)('the built-in encoder on %s code', (kind) => {
  let encoder: Encoder;
  beforeAll(async () => {
    encoder = await builtInEncoder(await modelRuntime(kind));
  });

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
    expect(vectors).toHaveLength(3 * dimensions);
  });
});

const plainTexts = ['garden hose', 'how do i reset my pin', 'best running shoes for flat feet 2026', 'café', 'x'];

test('WebAssembly finds the same bytes on every machine', async () => {
  const encoder = await builtInEncoder(await modelRuntime('wasm'));
  const vectors = await encoder.embed(plainTexts);
  expect(createHash('sha256').update(vectors).digest('hex')).toBe(
    '492bee16a7957acc437ac1675775a013ff68751da70ca6fed190321b08cfd5e4',
  );
});

test('both runtimes find nearly the same vectors', async () => {
  const [native, wasm] = await Promise.all(
    runtimeKinds.map(async (kind) => (await builtInEncoder(await modelRuntime(kind))).embed(plainTexts)),
  );
  for (const row of plainTexts.keys())
    expect(cosine(vectorOf(native!, row), vectorOf(wasm!, row))).toBeGreaterThan(0.995);
});
