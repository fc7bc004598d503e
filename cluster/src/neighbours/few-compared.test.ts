import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simdRoom } from '../features/row-products.ts';
import { normalised, packed, type Vectors } from '../features/vectors.ts';
import { FewCompared, Nearest } from './nearest.ts';

const dimensions = 6;
const some = (rows: number) =>
  fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: rows * dimensions, maxLength: rows * dimensions })
    .map((values): Vectors => normalised({ values: Float32Array.from(values), dimensions }));

test('the nearest of the candidates are found, each once, and only among the first rows', () => {
  const candidates = fc.array(fc.array(fc.integer({ min: -1, max: 9 }), { maxLength: 12 }), { maxLength: 3 });
  fc.assert(
    fc.property(some(10), some(2), fc.tuple(candidates, candidates), (vectors, given, offered) => {
      const bytes = packed(vectors);
      const asked = normalised({ values: Float32Array.from(packed(given).values), dimensions });
      const compared = new FewCompared(bytes, 8);
      const nearest = new Nearest(2, 4);
      offered.forEach((lists, row) => {
        compared.begin(packed(asked), row);
        for (const list of lists) compared.offer(nearest, row, Int32Array.from(list));
      });
      const { to, similarity } = nearest.found();
      offered.forEach((lists, row) => {
        const different = [...new Set(lists.flat())].filter((other) => other >= 0 && other < 8);
        const cosines = different.map((other) => cosine(asked, row, bytes, other)).toSorted((a, b) => b - a);
        const found = Array.from({ length: 4 }, (_, at) => 4 * row + at).filter((at) => to[at]! >= 0);
        expect(new Set(found.map((at) => to[at])).size).toBe(Math.min(4, different.length));
        found.forEach((at, place) => {
          expect(similarity[at]).toBeCloseTo(cosines[place]!, 5);
          expect(cosine(asked, row, bytes, to[at]!)).toBeCloseTo(similarity[at]!, 5);
        });
      });
    }),
  );
});

test('a row is compared with others of its own, and never with itself', () => {
  fc.assert(
    fc.property(
      some(10),
      fc.integer({ min: 0, max: 7 }),
      fc.array(fc.integer({ min: -1, max: 9 })),
      (vectors, row, offered) => {
        const bytes = packed(vectors);
        const compared = new FewCompared(bytes, 8);
        const nearest = new Nearest(1, 4);
        compared.beginOwn(row);
        compared.offer(nearest, 0, Int32Array.from(offered));
        const { to, similarity } = nearest.found();
        const different = [...new Set(offered)].filter((other) => other >= 0 && other < 8 && other !== row);
        const own = normalised({ values: Float32Array.from(bytes.values), dimensions });
        const cosines = different.map((other) => cosine(own, row, bytes, other)).toSorted((a, b) => b - a);
        const found = [...to.keys()].filter((at) => to[at]! >= 0);
        expect(new Set(found.map((at) => to[at])).size).toBe(Math.min(4, different.length));
        for (const at of found) expect(similarity[at]).toBeCloseTo(cosines[at]!, 5);
      },
    ),
  );
});

function cosine(asked: Vectors, row: number, { values }: Vectors<Int8Array>, other: number): number {
  let [product, square] = [0, 0];
  for (let at = 0; at < dimensions; at++) {
    product += asked.values[row * dimensions + at]! * values[other * dimensions + at]!;
    square += values[other * dimensions + at]! ** 2;
  }
  return product / (Math.sqrt(square) || 1);
}

test('rows in one room are compared for one user at a time', () => {
  const room = simdRoom(Uint8Array.from(readFileSync(new URL('../../dist/row-products.wasm', import.meta.url))))!;
  const rows = room(3, dimensions);
  const [one, other] = [new FewCompared(rows, 3), new FewCompared(rows, 3)];
  one.beginOwn(0);
  other.beginOwn(1);
  expect(() => one.offer(new Nearest(3, 2), 0, Int32Array.of(2))).toThrow('compared with another');
});
