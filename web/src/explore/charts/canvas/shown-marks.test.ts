import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import type { Camera } from '../../model/camera.ts';
import { homeCamera } from '../../model/camera.ts';
import { none } from '../../tree-data/columns.ts';
import { markKind } from '../layout/layout.ts';
import { createTreemap } from '../treemap/layout.ts';
import { treemapPainter } from '../treemap/paint.ts';
import { ShownMarks } from './shown-marks.ts';

const view = { width: 400, height: 400 };
const crumbs = Array.from({ length: 400 }, (_, i) => `crumb${i} 1`).join(' ');
/** Two halves; in the second one, small nodes have a fiftieth, each with sides of less than three pixels. */
const tree = loadTree(sliceOf(`shop (shoes (running 10000 walking 10000) hats (caps 19600 ${crumbs}))`));
const rowOf = (name: string) =>
  Array.from({ length: tree.size }, (_, row) => row).find((row) => tree.name(row) === name)!;

function shownFrom(camera: Camera) {
  const options = { ...view, focus: 0, camera, sizeBy: 'volume', depth: 9, minPx: 3, budget: 5000 } as const;
  const shown = new ShownMarks(tree, treemapPainter);
  shown.show(createTreemap()(tree, options), camera);
  return shown;
}

test('a drawn node represents itself, and its parent’s tail represents nodes that are too small', () => {
  const shown = shownFrom(homeCamera);
  const caps = shown.representativeOf(rowOf('caps'), view);
  expect(shown.marks!.row[caps]).toBe(rowOf('caps'));
  expect(shown.litFor(rowOf('crumb399'), view)).toEqual({ row: rowOf('hats'), isTail: true });
  expect(shown.marks!.kind[shown.representativeOf(rowOf('crumb399'), view)]).toBe(markKind.tail);
});

test('its branch represents a node outside the viewport, and the focus represents none', () => {
  const home = shownFrom(homeCamera);
  const { x0, y0 } = home.boxOf(rowOf('running'))!;
  const near = shownFrom({ x: x0, y: y0, k: 8 });
  expect(near.litFor(rowOf('walking'), view)).toEqual({ row: rowOf('shoes'), isTail: false });
  expect(near.litFor(rowOf('crumb399'), view)).toBeUndefined();
  expect(near.representativeOf(none, view)).toBe(none);
});

test('nothing is at the point of a removed node until the next layout', () => {
  const shown = shownFrom(homeCamera);
  const { row } = shown.targetAt(20, 200, 0, homeCamera)!;
  expect(row).toBeGreaterThan(0);
  shown.move({ nodeOf: (at) => at, exactly: (at) => (at === row ? none : at), nearest: (at) => at });
  expect(shown.targetAt(20, 200, 0, homeCamera)).toBeUndefined();
});
