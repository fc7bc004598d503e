import { type Filter, noFilter } from '@kc/pack/filter/filter';
import { isInArea, readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areaOfQuadrant, type Cut, filterOfQuadrant } from './quadrant-filter.ts';

const difficulty = (at: number, isHigh: boolean, below?: number, above?: number): Cut => ({
  of: 'difficulty',
  at,
  isHigh,
  sides: { below, above },
});
const volume = (at: number, isHigh: boolean, below?: number, above?: number): Cut => ({
  of: 'volume',
  at,
  isHigh,
  sides: { below, above },
});
const textOf = (filter: Filter | undefined) => filter && writeFilter(filter);

test('the good sides of two thresholds become parts of the level', () => {
  const cuts = [difficulty(30, false), volume(500, true)];
  expect(textOf(filterOfQuadrant(noFilter, 'clusters', cuts))).toBe('cluster-volume-500_*cluster-difficulty-_30');
  expect(textOf(filterOfQuadrant(noFilter, 'pillars', cuts))).toBe('pillar-volume-500_*pillar-difficulty-_30');
  const keywords = filterOfQuadrant(noFilter, 'keywords', cuts)!;
  expect(keywords.ranges).toEqual([
    { of: 'difficulty', from: undefined, to: 30 },
    { of: 'volume', from: 500, to: undefined },
  ]);
});

test('the other side begins at the roundest value beyond the threshold', () => {
  const cuts = [difficulty(30, true, 29, 30.571428), volume(500, false, 483.7, 500)];
  const { branches } = filterOfQuadrant(noFilter, 'clusters', cuts)!;
  expect(branches).toEqual([
    { level: 'cluster', of: 'difficulty', from: 30.5, to: undefined },
    { level: 'cluster', of: 'volume', from: undefined, to: 484 },
  ]);
});

test('a second filter of a figure narrows the first, and other parts stay', () => {
  const before = readFilter('has-a*cluster-difficulty-10_25')!;
  const after = filterOfQuadrant(before, 'clusters', [difficulty(30, false)])!;
  expect(after.branches).toEqual([{ level: 'cluster', of: 'difficulty', from: 10, to: 25 }]);
  expect(after.contains).toEqual(['a']);
});

test('an axis that a filter does not know makes none', () => {
  const cut: Cut = { of: 'field:Traffic', at: 3, isHigh: true, sides: {} };
  expect(filterOfQuadrant(noFilter, 'clusters', [cut])).toBeUndefined();
  expect(filterOfQuadrant(noFilter, 'keywords', [{ ...cut, of: 'keywords' }])).toBeUndefined();
});

// Shows P14.18.
test('a quadrant keeps exactly its own values, wherever the threshold is', () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ min: 0, max: 100, noNaN: true }));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), value, fc.boolean(), fc.boolean(), (values, at, isHigh, isCost) => {
      const high = (one: number) => (isCost ? one > at : one >= at);
      const [above, below] = [values.filter(high), values.filter((one) => !high(one))];
      const sides = { below: Math.max(...below), above: Math.min(...above) };
      const mine = isHigh ? above : below;
      fc.pre(mine.length > 0);
      const cut: Cut = { of: isCost ? 'difficulty' : 'volume', at, isHigh, sides };
      const { from, to } = filterOfQuadrant(noFilter, 'clusters', [cut])!.branches[0]!;
      expect(values.filter((one) => one >= (from ?? -1) && one <= (to ?? 1000))).toEqual(
        values.filter((one) => mine.includes(one)),
      );
    }),
  );
});

test('an area holds exactly the points of its quadrant, and its text is read as the same filter', () => {
  const points = [
    [1, 5],
    [2, 5],
    [2, 4.9],
    [3, 0],
    [0, 9],
  ] as const;
  const limits = { x: [0, 3], y: [0, 9] } as const;
  const cut = (of: 'difficulty' | 'field:Traffic', at: number, isHigh: boolean, below: number, above: number): Cut => ({
    of,
    at,
    isHigh,
    sides: { below, above },
  });
  for (const [isHard, isMuch] of [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ] as const) {
    const cuts = [cut('difficulty', 2, isHard, 2, 3), cut('field:Traffic', 5, isMuch, 4.9, 5)] as const;
    const area = areaOfQuadrant('clusters', cuts, limits);
    const filter = { ...noFilter, areas: [area] };
    expect(readFilter(writeFilter(filter))).toEqual(filter);
    expect(points.filter(([x, y]) => isInArea(area, x, y))).toEqual(
      points.filter(([x, y]) => x > 2 === isHard && y >= 5 === isMuch),
    );
  }
});
