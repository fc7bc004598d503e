// Shows REL-43.
import { expect, test } from 'vitest';
import { chainOf, generationOf, newestWhole, offsetOf, partName, wholeName } from './s3.ts';

const key = `file-${'0'.repeat(32)}`;
const part = (offset: number, size: number, generation = 0) => ({
  name: partName(key, offset, generation),
  size,
  modifiedAt: 0,
});
/** As a listing has them. */
const listed = (...parts: { name: string; size: number; modifiedAt: number }[]) =>
  parts.toSorted((one, other) => (one.name < other.name ? -1 : 1));

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

test('what a stopped server still writes does not count where another one has begun', () => {
  const [first, second] = [part(0, 5, 1), part(5, 3, 2)];
  const wanted = chainOf(listed(first, second));
  // At the same offset, however the random names sort; and across the place where the other one began.
  for (let attempt = 0; attempt < 20; attempt++) {
    expect(chainOf(listed(first, second, part(5, 30, 1)))).toEqual(wanted);
  }
  const across = part(3, 30, 1);
  const { pieces, size } = chainOf(listed(part(0, 3, 1), across, second, part(8, 2, 1)));
  expect(size).toBe(8);
  expect(pieces.map(({ name, at, from, length }) => [name, at, from, length])).toEqual([
    [expect.any(String), 0, 0, 3],
    [across.name, 3, 0, 2],
    [second.name, 5, 0, 3],
  ]);
});

test('who begins again at the start replaces everything, and a third one goes on', () => {
  const old = [part(0, 0, 1), part(0, 9, 1), part(9, 9, 1)];
  const again = [part(0, 0, 2), part(0, 4, 2)];
  expect(chainOf(listed(...old, ...again)).size).toBe(4);
  expect(chainOf(listed(...old, ...again, part(4, 2, 3), part(4, 7, 2))).size).toBe(6);
});

test('a generation of ten comes after one of nine, and names from before there were generations are the first', () => {
  expect(chainOf(listed(part(0, 5, 9), part(5, 3, 10), part(5, 9, 9))).size).toBe(8);
  const early = { name: `${key}/0000000000000000-aaaaaaaa`, size: 4, modifiedAt: 0 };
  expect(generationOf(early.name)).toBe(0);
  expect(chainOf(listed(early, part(4, 3, 1))).size).toBe(7);
});

test('names sort by offset and tell it', () => {
  const offsets = [0, 9, 10, 4_194_304, 3_221_225_472];
  const names = offsets.map((offset) => partName(key, offset));
  expect([...names].sort()).toEqual(names);
  expect(names.map(offsetOf)).toEqual(offsets);
});

test('of objects that were written as a whole the newest one counts, and none of them is a part', () => {
  const whole = (names: readonly string[]) => [...names].sort().map((name) => ({ name, size: 5, modifiedAt: 0 }));
  const names = [partName(key, 0), partName(key, 5)];
  for (let count = 1; count <= 11; count++) {
    names.push(wholeName(key, whole(names)));
    expect(newestWhole(whole(names))!.name).toBe(names.at(-1));
  }
  expect(chainOf(whole(names)).size).toBe(10);
  expect(newestWhole([part(0, 5)])).toBeUndefined();
});
