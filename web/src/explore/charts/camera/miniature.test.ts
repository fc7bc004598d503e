import { expect, test } from 'vitest';
import { homeCamera } from './camera.ts';
import { cameraAround, miniatureIn, pointBehind, seesAll, viewportIn } from './miniature.ts';

const room = { width: 180, height: 120 };
const view = { width: 1440, height: 900 };

test('a chart is scaled to fit, and centred', () => {
  const mini = miniatureIn(room, view);
  expect(mini).toEqual({ scaleX: 0.125, scaleY: 0.125, left: 0, top: 3.75 });
  expect(pointBehind(mini, 90, 60)).toEqual({ x: 720, y: 450 });
});

test('a tall tree is widened, because it would otherwise be too thin', () => {
  const mini = miniatureIn(room, { width: 600, height: 12_000 });
  expect(mini).toEqual({ scaleX: 0.08, scaleY: 0.01, left: 66, top: 0 });
});

test('the frame shows the visible part, and never leaves the miniature', () => {
  const mini = miniatureIn(room, view);
  expect(viewportIn(mini, room, homeCamera, view, 'both')).toEqual({ x0: 0, y0: 3.75, x1: 180, y1: 116.25 });
  const near = { x: 720, y: 450, k: 2 };
  expect(viewportIn(mini, room, near, view, 'both')).toEqual({ x0: 90, y0: 60, x1: 180, y1: 116.25 });
  expect(viewportIn(mini, room, { ...near, x: 1_400 }, view, 'both').x1).toBe(180);
  expect(viewportIn(mini, room, { x: 0, y: 225, k: 2 }, view, 'upright')).toMatchObject({ x0: 0, x1: 180, y0: 31.875 });
});

test('a point of the miniature moves to the centre of the view', () => {
  expect(cameraAround({ x: 0, y: 0, k: 2 }, { x: 720, y: 450 }, view, 'both')).toEqual({ x: 360, y: 225, k: 2 });
  expect(cameraAround({ x: 0, y: 0, k: 2 }, { x: 720, y: 450 }, view, 'upright')).toEqual({ x: 0, y: 225, k: 2 });
});

test('reports whether the whole chart is visible', () => {
  expect(seesAll(homeCamera, view, view, 'both')).toBe(true);
  expect(seesAll({ x: -700, y: -400, k: 0.5 }, view, view, 'both')).toBe(true);
  expect(seesAll({ x: 0, y: 0, k: 1.01 }, view, view, 'both')).toBe(false);
  expect(seesAll({ x: 0, y: 40, k: 1 }, view, view, 'both')).toBe(false);
  expect(seesAll(homeCamera, { width: 2_000, height: 900 }, view, 'upright')).toBe(false);
});
