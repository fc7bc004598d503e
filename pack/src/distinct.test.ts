import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DistinctNames } from './distinct.ts';
import { entryColumns } from './testing-columns.ts';

const names = fc.array(fc.constantFrom('', 'a', 'A', ' a  B', 'a b', 'B', 'é', 'É', 'e\u0301', 'c', 'd'), {
  maxLength: 20,
});
const tableOf = (of: readonly string[]) =>
  entryColumns(
    of.map((name) => ({ name, volume: 0 })),
    0,
  );
const keyOf = (name: string) => name.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();

test('names of both tables are numbered as a map of their texts numbers them', () => {
  fc.assert(
    fc.property(names, names, (first, second) => {
      const numbers = new Map<string, number>();
      const numberOf = (name: string) => {
        const number = numbers.get(keyOf(name)) ?? numbers.size;
        numbers.set(keyOf(name), number);
        return number;
      };
      const distinct = new DistinctNames(tableOf(first), tableOf(second), [1, 2]);
      expect([...distinct.addFirst()]).toEqual(first.map(numberOf));
      expect(second.map((_, row) => [distinct.find(row), distinct.add(row), distinct.find(row)])).toEqual(
        second.map((name) => [numbers.get(keyOf(name)) ?? -1, numberOf(name), numberOf(name)]),
      );
      expect(distinct.size).toBe(numbers.size);
    }),
  );
});

test('a run of names in the order of the first table is followed, and left where it ends', () => {
  const first = ['a', 'b', 'c', 'd'];
  const distinct = new DistinctNames(tableOf(first), tableOf(['a', 'b', 'x', 'c', 'D', 'a', 'x']), [1, 2]);
  distinct.addFirst();
  expect([0, 1, 2, 3, 4, 5, 6].map((row) => distinct.add(row))).toEqual([0, 1, 4, 2, 3, 0, 4]);
});
