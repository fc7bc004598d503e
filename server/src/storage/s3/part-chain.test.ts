import { expect, test } from 'vitest';
import { chainOf, newestWhole, offsetOf, partName, wholeName } from './part-chain.ts';

const key = `file-${'0'.repeat(32)}`;
const part = (offset: number, size: number) => ({ name: partName(key, offset), size, modifiedAt: 0 });

test('parts are read one after the other', () => {
  const [first, second] = [part(0, 5), part(5, 3)];
  expect(chainOf([first, second])).toEqual({
    size: 8,
    pieces: [
      { name: first.name, at: 0, from: 0, length: 5 },
      { name: second.name, at: 5, from: 0, length: 3 },
    ],
  });
});

test('what lies behind a gap does not count', () => {
  expect(chainOf([part(0, 5), part(6, 3)]).size).toBe(5);
  expect(chainOf([part(1, 5)])).toEqual({ size: 0, pieces: [] });
});

test('parts that overlap count once', () => {
  const { pieces, size } = chainOf([part(0, 5), part(3, 4), part(4, 1), part(7, 2)]);
  expect(size).toBe(9);
  expect(pieces.map(({ at, from, length }) => [at, from, length])).toEqual([
    [0, 0, 5],
    [5, 2, 2],
    [7, 0, 2],
  ]);
});

test('names sort by offset and tell it', () => {
  const offsets = [0, 9, 10, 4_194_304, 3_221_225_472];
  const names = offsets.map((offset) => partName(key, offset));
  expect([...names].sort()).toEqual(names);
  expect(names.map(offsetOf)).toEqual(offsets);
});

test('of objects that were written as a whole the newest one counts, and none of them is a part', () => {
  const listed = (names: readonly string[]) => [...names].sort().map((name) => ({ name, size: 5, modifiedAt: 0 }));
  const names = [partName(key, 0), partName(key, 5)];
  for (let count = 1; count <= 11; count++) {
    names.push(wholeName(key, listed(names)));
    expect(newestWhole(listed(names))!.name).toBe(names.at(-1));
  }
  expect(chainOf(listed(names)).size).toBe(10);
  expect(newestWhole([part(0, 5)])).toBeUndefined();
});
