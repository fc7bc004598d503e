import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import { type LayoutOptions, markKind } from '../layout/layout.ts';
import { createTree } from '../tree/layout.ts';
import { createTreemap } from '../treemap/layout.ts';
import { boxShape, hitTest, linkShape } from './shapes.ts';

const options: LayoutOptions = {
  focus: 0,
  width: 800,
  height: 600,
  camera: { x: 0, y: 0, k: 1 },
  sizeBy: 'keywords',
  depth: Number.POSITIVE_INFINITY,
  minPx: 3,
  budget: 20_000,
};
const tree = loadTree(sliceOf('shop (shoes (running (trail 30 road 20) walking 5) hats (caps 4 hoods 2 +7))'));

test('every mark without children inside is hit at its middle, in every layout', () => {
  for (const [create, shape] of [
    [createTreemap, boxShape],
    [createTree, linkShape],
  ] as const) {
    const marks = create()(tree, options);
    for (let i = 0; i < marks.count; i++) {
      if (marks.form === 'boxes' && marks.kind[i] === markKind.group) continue;
      expect(hitTest(marks, shape, (marks.x0[i]! + marks.x1[i]!) / 2, (marks.y0[i]! + marks.y1[i]!) / 2, 0)).toBe(i);
    }
  }
});

test('the header strip belongs to the group', () => {
  const marks = createTreemap()(tree, options);
  const shoes = Array.from(marks.row).findIndex((row, i) => marks.level[i] === 1 && tree.name(row) === 'shoes');
  expect(marks.header[shoes]).toBeGreaterThan(0);
  expect(hitTest(marks, boxShape, marks.x0[shoes]! + 20, marks.y0[shoes]! + marks.header[shoes]! / 2, 0)).toBe(shoes);
});

// Shows P14.6.
test('outside all marks, the nearest one within the slop is hit, and none beyond it', () => {
  const marks = createTree()(tree, options);
  const [x, y] = [marks.x1[0]! + 10, (marks.y0[0]! + marks.y1[0]!) / 2];
  expect(hitTest(marks, linkShape, x, y, 12)).toBe(0);
  expect(hitTest(marks, linkShape, x, y, 8)).toBe(-1);
});
