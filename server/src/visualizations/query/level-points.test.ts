import type { LevelPoints, PlotDensity } from '@kc/rules/points-shapes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ShownFile, showFile } from '../../../test/support/shown-file.ts';

// "trail" is in two clusters. The difficulty of "Long" is known for a tenth of its volume.
const keywords = [
  { keyword: 'trail', volume: 300, difficulty: 30 },
  { keyword: 'road', volume: 200, difficulty: 60 },
  { keyword: 'marathon', volume: 900 },
  { keyword: 'ultra', volume: 100, difficulty: 50 },
  { keyword: 'sandals', volume: 40, difficulty: 10 },
  { keyword: 'grip', volume: 70 },
];
const cluster = (name: string, ...names: string[]) => ({
  name,
  type: 'cluster',
  children: names.map((one) => ({ name: one, type: 'keyword' })),
});
const hierarchy = {
  name: 'shop',
  children: [
    {
      name: 'Shoes',
      type: 'pillar',
      children: [cluster('Hiking', 'trail'), cluster('Road', 'road'), cluster('Long', 'marathon', 'ultra')],
    },
    {
      name: 'Summer',
      type: 'pillar',
      children: [cluster('Beach', 'sandals'), cluster('Hot', 'trail'), cluster('Socks', 'grip')],
    },
  ],
};
let shown: ShownFile;

beforeAll(async () => {
  shown = await showFile({ keywords, hierarchy });
});
afterAll(() => shown.stop());

const axes = 'x=difficulty&y=volume&size=volume';

async function points(asked: string): Promise<LevelPoints> {
  const answer = await shown.get(`points?${axes}&${asked}`);
  expect(answer.status, asked).toBe(200);
  return (await answer.json()) as LevelPoints;
}

test('rows with both figures are points, the largest first, and the others are named', async () => {
  const found = await points('level=clusters');
  expect(found.points.names).toEqual(['Long', 'Hiking', 'Hot', 'Road', 'Beach']);
  expect(found.points.x).toEqual([50, 30, 30, 60, 10]);
  expect(found.points.hardly).toEqual([1, 0, 0, 0, 0]);
  expect(found).toMatchObject({ total: 6, placed: 5, hardly: 1, missing: { x: 1, y: 0 }, volume: 1610 });
  expect(found.medians).toEqual({ x: 30, y: 300 });
  expect(found.unplaced.map(({ name }) => name)).toEqual(['Socks']);
});

test('a value equal to a threshold is on the good side, and a repeated keyword counts once in a quadrant', async () => {
  const { quadrants, sides } = await points('level=clusters&tx=30&ty=300');
  const [lowerLeft, lowerRight, upperLeft, upperRight] = quadrants;
  expect(upperLeft).toEqual({ rows: 2, hardly: 0, keywords: 1, volume: 300 });
  expect(upperRight).toEqual({ rows: 1, hardly: 1, keywords: 2, volume: 1000 });
  expect(lowerLeft).toMatchObject({ rows: 1, volume: 40 });
  expect(lowerRight).toMatchObject({ rows: 1, volume: 200 });
  expect(sides).toEqual({ x: { below: 30, above: 50 }, y: { below: 200, above: 300 } });
});

test('totals are of all rows, also of those that are not sent', async () => {
  const [all, some] = [await points('level=keywords'), await points('level=keywords&count=2')];
  expect(some.points.names).toEqual(['trail', 'trail']);
  expect(some.quadrants).toEqual(all.quadrants);
  expect([some.total, some.placed]).toEqual([7, 5]);
});

test('points lie within the focus, and under a filter are what that keeps', async () => {
  const [shoes] = (await points('level=pillars')).points.nodes;
  expect((await points(`level=clusters&within=${shoes}`)).total).toBe(3);
  const kept = await points('level=clusters&filter=cluster-difficulty-_30');
  expect(kept.points.names).toEqual(['Hiking', 'Hot', 'Beach']);
  expect((await shown.get(`points?${axes}&level=clusters&within=${shoes}&filter=has-sandals`)).status).toBe(404);
});

test('a query that makes no sense is refused', async () => {
  for (const asked of ['', 'level=tree', 'level=keywords&count=5001', 'level=keywords&tx=a']) {
    expect((await shown.get(`points?${axes}&${asked}`)).status, asked).toBe(422);
  }
  for (const figure of ['name', 'field:none', 'width']) {
    const answer = await shown.get(`points?level=keywords&x=${figure}&y=volume&size=volume`);
    expect(answer.status, figure).toBe(422);
  }
});

const window = { level: 'clusters', x: 'difficulty', y: 'volume', size: 'volume' };
const edges = { x: [10, 30, 60], y: [0, 100, 300, 500] };

test('a window has its largest points, the others by cell, and how many lie beyond each side', async () => {
  const answer = await shown.send('density', { ...window, edges, count: 1 });
  expect(answer.status).toBe(200);
  const found = (await answer.json()) as PlotDensity;
  expect(found.points.names).toEqual(['Hiking']);
  expect([found.inside, found.beyond]).toEqual([4, { left: 0, right: 0, above: 1, below: 0 }]);
  // Beach below on the left, Road at the end of the line above it, Hot in the uppermost line.
  expect(found.cells).toEqual({ at: [0, 3, 5], rows: [1, 1, 1], volume: [40, 200, 300] });
  const all = (await (await shown.send('density', { ...window, edges })).json()) as PlotDensity;
  expect([all.points.names.length, all.cells.at]).toEqual([4, []]);
  // Both clusters with "trail", of which each has its volume.
  const kept = await shown.send('density', { ...window, edges, filter: 'has-trail', count: 0 });
  expect(((await kept.json()) as PlotDensity).cells).toEqual({ at: [5], rows: [2], volume: [600] });
});

test('edges that do not ascend, too few or too many of them, and unknown figures are refused', async () => {
  const wrong = [[], [1], [1, 1], [2, 1], Array.from({ length: 201 }, (_, at) => at), ['a', 'b'], undefined];
  for (const x of wrong) {
    expect((await shown.send('density', { ...window, edges: { ...edges, x } })).status, `${x}`).toBe(422);
  }
  expect((await shown.send('density', { ...window, x: 'width', edges })).status).toBe(422);
  expect((await shown.send('density', { ...window, within: 10_000, edges })).status).toBe(404);
});
