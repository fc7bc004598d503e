import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellAt, type Density, fullestIn, windowEdges } from './density.ts';
import { clampedView, type PlotView, scaleOf } from './plot-scale.ts';

const values = Float64Array.from([0, 3, 40, 500, 70_000]);
const kinds = [
  { min: 0, max: Number.POSITIVE_INFINITY, steps: 'log' },
  { min: 0, max: Number.POSITIVE_INFINITY, steps: 'even' },
] as const;
const scalesAt = (kind: (typeof kinds)[number], view: PlotView, length = 600) => ({
  x: scaleOf(values, kind, 58, 58 + length, { start: view.x, k: view.k }),
  y: scaleOf(values, kind, 74 + length, 74, { start: view.y, k: view.k }),
});
const share = fc.double({ min: 0, max: 1, noNaN: true });
const zoom = fc.double({ min: 1, max: 1000, noNaN: true });
const views = fc.tuple(share, share, zoom).map(([x, y, k]) => clampedView({ x, y, k }));

test('the cells of every window ascend from its one end to the other, and are as wide as said', () => {
  fc.assert(
    fc.property(views, fc.constantFrom(...kinds), fc.integer({ min: 12, max: 4000 }), (view, kind, length) => {
      const { x, y } = scalesAt(kind, view, length);
      const edges = windowEdges(x, y, view);
      for (const [scale, along] of [
        [x, edges.x],
        [y, edges.y],
      ] as const) {
        expect(along.length).toBeGreaterThanOrEqual(2);
        expect(along.length).toBeLessThanOrEqual(200);
        for (const [at, edge] of along.slice(1).entries()) expect(edge).toBeGreaterThan(along[at]!);
        expect(scale.at(along[0]!)).toBeCloseTo(scale.from, 3);
        expect(scale.at(along.at(-1)!)).toBeCloseTo(scale.to, 3);
        const inner = along.slice(1, -1).map((edge) => scale.at(edge));
        for (const [at, px] of inner.slice(1).entries()) {
          const wide = Math.abs(px - inner[at]!);
          expect(wide).toBeGreaterThanOrEqual(5.99);
          if (length <= 700) expect(wide).toBeLessThanOrEqual(24.01);
        }
      }
    }),
  );
});

test('cells stay where they are while the window moves', () => {
  for (const kind of kinds) {
    const [before, after] = [clampedView({ x: 0.2, y: 0.3, k: 3 }), clampedView({ x: 0.3, y: 0.3, k: 3 })];
    const edgesAt = (view: PlotView) => {
      const { x, y } = scalesAt(kind, view);
      return windowEdges(x, y, view).x.map((edge) => edge.toPrecision(9));
    };
    const [first, second] = [edgesAt(before), edgesAt(after)];
    const shared = second.slice(1, -1).filter((edge) => first.includes(edge));
    expect(shared.length).toBeGreaterThan(20);
  }
});

test('a cell is found by any of its values', () => {
  const density: Density = {
    query: {
      level: 'keywords',
      areasOf: 'keywords',
      within: 0,
      filter: '',
      x: 'difficulty',
      y: 'volume',
      size: 'volume',
    },
    edges: { x: [0, 10, 20, 30], y: [0, 100, 1000] },
    inside: 9,
    beyond: { left: 0, right: 0, above: 0, below: 0 },
    points: { nodes: [], names: [], pillars: [], x: [], y: [], size: [], hardly: [] },
    cells: { at: [1, 5], rows: [2, 7], known: [2, 6], volume: [150, 900] },
  };
  expect(fullestIn(density)).toBe(7);
  const first = { rows: 2, known: 2, volume: 150, x: [10, 20], y: [0, 100] };
  expect(cellAt(density, 10, 0)).toEqual(first);
  expect(cellAt(density, 19.9, 99)).toEqual(first);
  // The end of the window belongs to its last cells.
  expect(cellAt(density, 30, 1000)).toEqual({ rows: 7, known: 6, volume: 900, x: [20, 30], y: [100, 1000] });
  const { known: _, ...cells } = density.cells;
  expect(cellAt({ ...density, cells }, 30, 1000)).toMatchObject({ rows: 7, known: 7 });
  expect(cellAt(density, 5, 50)).toBeUndefined();
  expect(cellAt(density, 31, 500)).toBeUndefined();
  expect(cellAt(density, 5, -1)).toBeUndefined();
});
