import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainProducts, productsOf, rowsTogether, simdRoom } from './row-products.ts';

const room = simdRoom(Uint8Array.from(readFileSync(new URL('../../dist/row-products.wasm', import.meta.url))))!;
const byte = fc.oneof(fc.integer({ min: -127, max: 127 }), fc.constantFrom(-127, 127));

test('the loop finds the products that plain code finds, whatever is behind a row', () => {
  const given = fc.integer({ min: 1, max: 70 }).chain((dimensions) =>
    fc.record({
      own: fc.array(byte, { minLength: dimensions, maxLength: dimensions }),
      rows: fc.array(fc.array(byte, { minLength: dimensions, maxLength: dimensions }), { minLength: 1, maxLength: 9 }),
    }),
  );
  fc.assert(
    fc.property(given, fc.array(fc.nat(), { maxLength: rowsTogether }), ({ own, rows }, picks) => {
      const placed = room(rows.length, own.length);
      placed.values.set(rows.flat());
      const plain = { values: placed.values.slice(), dimensions: placed.dimensions };
      const found = [productsOf(placed), plainProducts(plain)].map((products) => {
        products.own.set(own);
        products.chosen.set(picks.map((pick) => pick % rows.length));
        products.multiply(picks.length);
        return [...products.found.subarray(0, picks.length)];
      });
      const sums = picks.map((pick) => rows[pick % rows.length]!.reduce((sum, value, at) => sum + value * own[at]!, 0));
      expect(found).toEqual([sums, sums]);
    }),
  );
});

test('vectors of the longest models are multiplied, too', () => {
  const placed = room(3, 4096);
  placed.values.fill(127);
  const products = productsOf(placed);
  products.own.fill(-127);
  products.chosen.set([2]);
  products.multiply(1);
  expect(products.found[0]).toBe(-(127 ** 2) * 4096);
});

test('what does not fit into the memory of a loop is in ordinary memory', () => {
  expect(room(1, 2 ** 15).values.byteOffset).toBe(0);
});
