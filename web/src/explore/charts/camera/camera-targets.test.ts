import { sliceOf } from '@kc/pack/test/support/trees';
import { describe, expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import { homeCamera } from '../../model/camera.ts';
import { createBubbles } from '../bubbles/layout.ts';
import { createIcicle } from '../icicle/layout.ts';
import type { Layout, LayoutOptions, Marks } from '../layout/layout.ts';
import { createSunburst } from '../sunburst/layout.ts';
import { createTree } from '../tree/layout.ts';
import { createTreemap } from '../treemap/layout.ts';
import { type Box, cameraOn } from './camera.ts';
import { cameraKeeping, closestOn, fillingBranch, makingLegible, onPart, onRow, onWhole } from './camera-targets.ts';

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
const boxOf = ({ row, x0, y0, x1, y1 }: Marks, wantedRow: number): Box => {
  const i = row.indexOf(wantedRow);
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
    const onScreen = {
      x0: (box.x0 - before.x) * 2,
      y0: (box.y0 - before.y) * 2,
      x1: (box.x1 - before.x) * 2,
      y1: (box.y1 - before.y) * 2,
    };
    const { x, y, k } = cameraKeeping(onScreen, box, { width: 400, height: 300 }, marks);
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

const window = { width: 800, height: 600 };
const home = { x: 0, y: 0, k: 1 };
const marksOf = (form: Marks['form'], more: Partial<Marks> = {}) =>
  ({ form, extent: window, zooms: 'both', ...more }) as Marks;

test('a chart that fills the window is whole at home; a tree is centred, and not enlarged', () => {
  expect(onWhole(marksOf('boxes'), window)).toEqual(home);
  expect(onWhole(marksOf('links', { extent: { width: 200, height: 100 } }), window)).toEqual({
    x: -300,
    y: -250,
    k: 1,
  });
});

test('a part of the window is shown as large as it fits, inside a margin of 8 pixels', () => {
  // At twice the size, 392 x 292 pixels are 196 x 146 units, with the middle at (198, 148).
  const to = onPart({ x0: 200, y0: 150, x1: 592, y1: 442 }, { x: 0, y: 0, k: 2 }, window, 'both');
  expect(to.k).toBe(4);
  expect([to.x, to.y]).toEqual([198 - 100, 148 - 75]);
});

test('a row is shown with a margin of 48 pixels; in a tree at most at twice the size', () => {
  const box = { x0: 0, y0: 0, x1: 88, y1: 63 };
  expect(onRow(box, marksOf('boxes'), window).k).toBe(8);
  expect(onRow(box, marksOf('links'), window).k).toBe(2);
});

test('the camera only moves to a row whose name is not legible', () => {
  const box = { x0: 0, y0: 0, x1: 40, y1: 10 };
  expect(makingLegible(box, marksOf('boxes'), { ...home, k: 1.5 }, window)).toBeUndefined();
  expect(makingLegible(box, marksOf('bars'), { ...home, k: 1.4 }, window)).toBeUndefined();
  // 600 pixels minus two margins of 252 leave 96 for 10 units in height, 296 for 40 in width.
  expect(makingLegible(box, marksOf('boxes'), home, window)?.k).toBeCloseTo(7.4);
});
