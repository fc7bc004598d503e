import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leafSort } from './leaf-order.ts';

const leaf = fc.record({
  isKeyword: fc.boolean(),
  volume: fc.oneof(fc.constant(Number.NaN), fc.constantFrom(0, -0, 2 ** 31 - 1), fc.nat(5)),
});

test('leaves are sorted by volume, keywords first, then in file order', () => {
  fc.assert(
    fc.property(fc.array(leaf, { maxLength: 600 }), fc.nat(9), (leaves, before) => {
      const keyword = Int32Array.from([
        ...new Array(before).fill(-1),
        ...leaves.map((one) => (one.isKeyword ? 3 : -1)),
      ]);
      const volume = Float64Array.from([...new Array(before).fill(7), ...leaves.map((one) => one.volume)]);
      const run = Uint32Array.from(leaves, (_, index) => before + index);
      const weight = (node: number) => (keyword[node]! >= 0 ? volume[node] || 0 : 0);
      const expected = [...run].sort(
        (one, other) => weight(other) - weight(one) || keyword[other]! - keyword[one]! || one - other,
      );
      expect(leafSort(new Int32Array(keyword.length).fill(-1), keyword, volume)(run)).toBe(true);
      expect([...run]).toEqual(expected);
    }),
  );
});

test('a run with a branch, a fraction or a volume beyond 31 bits is left unchanged', () => {
  const keyword = new Int32Array(3);
  const leaves = new Int32Array(3).fill(-1);
  for (const [branch, volume] of [
    [Int32Array.of(-1, -1, 0), Float64Array.of(1, 2, 3)],
    [leaves, Float64Array.of(1, 2.5, 3)],
    [leaves, Float64Array.of(1, 2, 2 ** 31)],
    [leaves, Float64Array.of(1, 2, Number.POSITIVE_INFINITY)],
  ] as const) {
    const run = Uint32Array.of(0, 1, 2);
    expect(leafSort(branch, keyword, volume)(run)).toBe(false);
    expect([...run]).toEqual([0, 1, 2]);
  }
});
