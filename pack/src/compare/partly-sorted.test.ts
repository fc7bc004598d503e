import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PartlySorted } from './change-lists.ts';

test('every part equals that of a full sort, whatever was asked for before', () => {
  const part = fc.tuple(fc.nat(3000), fc.nat(700));
  fc.assert(
    fc.property(fc.array(fc.nat(50), { maxLength: 2500 }), fc.array(part, { maxLength: 5 }), (sizes, parts) => {
      const compare = (one: number, other: number) => sizes[other]! - sizes[one]! || one - other;
      const sorted = sizes.map((_, at) => at).sort(compare);
      const partly = new PartlySorted(
        Uint32Array.from(sizes, (_, at) => at),
        compare,
      );
      for (const [from, count] of parts) {
        expect(Array.from(partly.slice(from, from + count))).toEqual(sorted.slice(from, from + count));
      }
      expect(partly.length).toBe(sizes.length);
    }),
  );
});

test('the first of a hundred thousand sorted ones take no more than twenty comparisons each', () => {
  let compared = 0;
  const partly = new PartlySorted(
    Uint32Array.from({ length: 100_000 }, (_, at) => at),
    (one, other) => {
      compared++;
      return one - other;
    },
  );
  expect(Array.from(partly.slice(0, 3))).toEqual([0, 1, 2]);
  expect(compared).toBeLessThan(20 * 100_000);
});
