import { expect, test, vi } from 'vitest';
import type { Camera } from '../../model/camera.ts';
import { homeCamera } from '../../model/camera.ts';
import { zoomAt } from '../camera/camera.ts';
import { createRedraw, type MovingViewport, type Still } from './frame-loop.ts';
import { createFramePace } from './frame-pace.ts';

const view = { width: 800, height: 600 };
const nearer = (factor: number) => zoomAt(homeCamera, factor, 400, 300);

/** A drawing of three steps that took longer than a frame, and a log of what happened to it. */
function slowPicture() {
  const pace = createFramePace();
  pace.measured(30, 3_000, -10_000);
  pace.moving(true);
  const turned: Camera[] = [];
  const shownTo: Camera[] = [];
  let at = homeCamera;
  const still = {
    outdated: () => undefined,
    drawnFor: () => at,
    show: (_: Camera, camera: Camera) => shownTo.push(camera),
    begin: () => ({}) as CanvasRenderingContext2D,
    settle: () => undefined,
    turn: (next: Camera) => {
      at = next;
      turned.push(next);
    },
  } as unknown as Still;
  const sight: MovingViewport = {
    drawnAt: homeCamera,
    camera: nearer(1.1),
    view,
    dpr: 1,
    zooms: 'both',
    count: 3_000,
    isOff: true,
    needsLayout: true,
  };
  const steps = vi.fn(function* () {
    yield;
    yield;
  });
  const begin = vi.fn(() => ({ at: sight.camera, count: 3_000, steps: steps() }));
  return { redraw: createRedraw({ still, pace, begin }), pace, sight, begin, turned, shownTo };
}

test('during a slow redraw, with one step per frame, the old bitmap moves along', () => {
  const { redraw, sight, turned, shownTo } = slowPicture();
  const cameras = [1.1, 1.15, 1.2, 1.25].map(nearer);
  for (const camera of cameras) expect(redraw.moveOn({ ...sight, camera }, 0)).toBe(true);
  expect(shownTo).toEqual(cameras);
  expect(turned).toEqual([nearer(1.1)]);
  expect(redraw.isDrawing()).toBe(false);
});

test('a fast redraw happens at once', () => {
  const { redraw, pace, sight, begin } = slowPicture();
  for (let frame = 0; frame < 10; frame++) pace.measured(3, 3_000);
  expect(redraw.moveOn(sight, 0)).toBe(false);
  expect(begin).not.toHaveBeenCalled();
});

test('a redraw that is about to become useless is finished at once', () => {
  const { redraw, sight, turned } = slowPicture();
  redraw.moveOn({ ...sight, camera: nearer(1.1) }, 0);
  // 1.1 × 1.9 is more than twice the scale of what is shown, which would be too coarse.
  expect(redraw.moveOn({ ...sight, camera: nearer(2.09) }, 16)).toBe(true);
  expect(turned).toEqual([nearer(1.1)]);
});

test('if no existing bitmap is acceptable, the next one is drawn at once', () => {
  const { redraw, sight, begin } = slowPicture();
  expect(redraw.moveOn({ ...sight, camera: nearer(2.1) }, 0)).toBe(false);
  expect(begin).not.toHaveBeenCalled();
});

test('a chart at rest with nothing more to show starts no redraw', () => {
  const { redraw, pace, sight } = slowPicture();
  pace.moving(false);
  expect(redraw.moveOn({ ...sight, camera: homeCamera, isOff: false, needsLayout: false }, 0)).toBe(false);
});

test('a discarded redraw is never shown', () => {
  const { redraw, sight, turned } = slowPicture();
  redraw.moveOn(sight, 0);
  redraw.drop();
  expect(redraw.isDrawing()).toBe(false);
  expect(turned).toEqual([]);
});
