import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import { createTreemap } from '../treemap/layout.ts';
import { createMotion } from './motion.ts';

const tree = loadTree(sliceOf('shop (shoes 30 hats 20)'));
const view = { width: 300, height: 200 };
const marks = () =>
  createTreemap()(tree, {
    focus: 0,
    ...view,
    camera: { x: 0, y: 0, k: 1 },
    sizeBy: 'keywords',
    depth: Number.POSITIVE_INFINITY,
    minPx: 3,
    budget: 100,
  });

/** A motion of a canvas of this size, in device pixels. */
function motionOf(width: number, height: number) {
  const [canvas, overlay] = [document.createElement('canvas'), document.createElement('canvas')];
  [canvas.width, canvas.height] = [width, height];
  return createMotion({ canvas, overlay, allowsMotion: () => true });
}

test.each([
  [300, 200, true],
  [300, 0, false],
  [0, 200, false],
])('a chart on a canvas of %i × %i pixels is left, with an animation: %s', (width, height, isAnimated) => {
  const motion = motionOf(width, height);
  motion.leave(tree, marks(), view, { scaleX: 1, scale: 1, x: 0, y: 0 });
  expect(motion.isLeaving()).toBe(isAnimated);
});
