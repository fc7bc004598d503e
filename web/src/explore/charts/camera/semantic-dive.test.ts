import { sliceOf } from '@kc/pack/test/support/trees';
import { describe, expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import { createBubbles } from '../bubbles/layout.ts';
import { createIcicle } from '../icicle/layout.ts';
import type { Layout, LayoutOptions, Marks } from '../layout/layout.ts';
import { createSunburst } from '../sunburst/layout.ts';
import { createTree } from '../tree/layout.ts';
import { createTreemap } from '../treemap/layout.ts';
import { type Box, cameraOn, homeCamera } from './camera.ts';
import { cameraKeeping, closestOn, fillingBranch } from './semantic-dive.ts';

const tree = loadTree(
  sliceOf('shop (shoes (running (trail 30 road 20 track 25) walking (city 20 hike 25)) hats (caps 40 hoods 50))'),
);
const view = { width: 800, height: 600 };
const options: LayoutOptions = {
  focus: 0,
  ...view,
  camera: homeCamera,
  sizeBy: 'equal',
  depth: Number.POSITIVE_INFINITY,
  minPx: 3,
  budget: 20_000,
};
const rowOf = (name: string) =>
  Array.from({ length: tree.size }, (_, row) => row).find((row) => tree.name(row) === name)!;
const boxOf = ({ row, x0, y0, x1, y1 }: Marks, wanted: number): Box => {
  const i = row.indexOf(wanted);
  return { x0: x0[i]!, y0: y0[i]!, x1: x1[i]!, y1: y1[i]! };
};

/** The layout with a branch as large as it fits. */
function picturedOn(create: () => Layout, name: string): Marks {
  const layout = create();
  const home = layout(tree, options);
  const { zooms } = home;
  return layout(tree, { ...options, camera: cameraOn(boxOf(home, rowOf(name)), view, 0, undefined, zooms) });
}

describe('the branch that fills the view', () => {
  test.each([
    ['treemap', createTreemap],
    ['bubbles', createBubbles],
    ['sunburst', createSunburst],
    ['icicle', createIcicle],
    ['tree', createTree],
  ])('is the focus to begin with, in a %s', (_, create) => {
    expect(fillingBranch(create()(tree, options), view)).toBe(0);
  });

  test('is the deepest one, for bars and for boxes nearly as wide as the view', () => {
    expect(fillingBranch(picturedOn(createIcicle, 'running'), view)).toBe(rowOf('running'));
    expect(fillingBranch(picturedOn(createIcicle, 'shoes'), view)).toBe(rowOf('shoes'));
  });

  test('is not a box that covers only half of the view', () => {
    const layout = createTreemap();
    const { x1, y1 } = boxOf(layout(tree, options), rowOf('shoes'));
    const beside = { x: x1 - 200, y: y1 - 150, k: 2 };
    expect(fillingBranch(layout(tree, { ...options, camera: beside }), view)).toBe(0);
  });

  test('is the circle that contains all corners of the view', () => {
    const layout = createBubbles();
    const shoes = boxOf(layout(tree, options), rowOf('shoes'));
    const [cx, cy, radius] = [(shoes.x0 + shoes.x1) / 2, (shoes.y0 + shoes.y1) / 2, (shoes.x1 - shoes.x0) / 2];
    const k = 510 / radius;
    const near = layout(tree, { ...options, camera: { x: cx - 400 / k, y: cy - 300 / k, k } });
    expect(fillingBranch(near, view)).toBe(rowOf('shoes'));
  });
});

describe('semantic zoom', () => {
  test('keeps a node at its position and size', () => {
    const marks = createTreemap()(tree, { ...options, focus: rowOf('shoes') });
    const box = boxOf(marks, rowOf('walking'));
    const before = { x: 40, y: 30, k: 2 };
    const seen = {
      x0: (box.x0 - before.x) * 2,
      y0: (box.y0 - before.y) * 2,
      x1: (box.x1 - before.x) * 2,
      y1: (box.y1 - before.y) * 2,
    };
    const { x, y, k } = cameraKeeping(seen, box, { width: 400, height: 300 }, marks);
    expect([x, y, k]).toEqual([40, 30, 2].map((value) => expect.closeTo(value, 9)));
  });

  test('shows the whole branch if it is about as large as the view', () => {
    const marks = createTreemap()(tree, { ...options, focus: rowOf('shoes') });
    const box = boxOf(marks, rowOf('walking'));
    expect(cameraKeeping(box, box, view, marks)).toEqual(homeCamera);
  });
});

test('zoom on a leaf is limited to 60 % of the view, and never zooms out', () => {
  expect(closestOn({ width: 80, height: 20 }, 2, view, 'both')).toBeCloseTo(12, 9);
  expect(closestOn({ width: 80, height: 20 }, 2, view, 'upright')).toBeCloseTo(36, 9);
  expect(closestOn({ width: 700, height: 20 }, 2, view, 'both')).toBe(2);
});
