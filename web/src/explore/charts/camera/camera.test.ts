import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { homeCamera } from '../../model/camera.ts';
import {
  cameraAround,
  cameraOn,
  clampedTo,
  filledBy,
  fittedTo,
  maxZoom,
  miniatureIn,
  minZoom,
  panBy,
  pointBehind,
  shiftBetween,
  showsAll,
  stillServes,
  stillServesWell,
  viewportIn,
  zoomAt,
} from './camera.ts';
import { flightBetween } from './flights.ts';

const view = { width: 800, height: 600 };
const camera = fc.record({
  x: fc.double({ min: -500, max: 800, noNaN: true }),
  y: fc.double({ min: -500, max: 600, noNaN: true }),
  k: fc.double({ min: minZoom, max: 100, noNaN: true }),
});

test.each([
  ['a chart that fills its view still shows the same part', true, { x: 400, y: 150, k: 4 }],
  // Its middle was at 200 + 100 and 100 + 75 layout units; half of 1600 and of 900 pixels are 200 and 112.5 of them.
  ['any other chart keeps its centre', false, { x: 100, y: 62.5, k: 4 }],
])('in a window of another size, %s', (_what, fillsView, expected) => {
  const from = { width: 800, height: 600 };
  expect(fittedTo({ x: 200, y: 100, k: 4 }, from, { width: 1600, height: 900 }, fillsView)).toEqual(expected);
  expect(fittedTo(expected, { width: 1600, height: 900 }, from, fillsView)).toEqual({ x: 200, y: 100, k: 4 });
  expect(fittedTo(expected, { width: 0, height: 0 }, from, fillsView)).toEqual(expected);
});

describe('the camera', () => {
  test('zooms around the point under the pointer', () => {
    fc.assert(
      fc.property(camera, fc.double({ min: 0.2, max: 5, noNaN: true }), (from, factor) => {
        const to = zoomAt(from, factor, 200, 100);
        expect(to.x + 200 / to.k).toBeCloseTo(from.x + 200 / from.k, 6);
        expect(to.y + 100 / to.k).toBeCloseTo(from.y + 100 / from.k, 6);
      }),
    );
  });

  test('positions a bitmap drawn for one camera under another', () => {
    fc.assert(
      fc.property(camera, camera, (drawnAt, now) => {
        const { scale, x, y } = shiftBetween(drawnAt, now);
        const [left, top] = [(37 - drawnAt.x) * drawnAt.k, (11 - drawnAt.y) * drawnAt.k];
        expect(x + left * scale).toBeCloseTo((37 - now.x) * now.k, 3);
        expect(y + top * scale).toBeCloseTo((11 - now.y) * now.k, 3);
      }),
    );
  });

  test('accepts a bitmap for a nearby camera, but not if it is too coarse or leaves much of the view empty', () => {
    expect(stillServes(homeCamera, zoomAt(homeCamera, 1.9, 400, 300), view)).toBe(true);
    expect(stillServes(homeCamera, zoomAt(homeCamera, 2.1, 400, 300), view)).toBe(false);
    expect(stillServes(homeCamera, panBy(homeCamera, 200, 0), view)).toBe(true);
    expect(stillServes(homeCamera, panBy(homeCamera, 200, 200), view)).toBe(false);
    expect(stillServes(homeCamera, panBy(homeCamera, -900, -700), view)).toBe(false);
  });

  test('needs no redraw only while the bitmap is hardly coarser and hardly smaller than the view', () => {
    expect(stillServesWell(homeCamera, zoomAt(homeCamera, 1.39, 400, 300), view)).toBe(true);
    expect(stillServesWell(homeCamera, zoomAt(homeCamera, 1.41, 400, 300), view)).toBe(false);
    // 0.96 of the width and of the height are 0.92 of the view, 0.94 are 0.88.
    expect(stillServesWell(homeCamera, zoomAt(homeCamera, 0.96, 400, 300), view)).toBe(true);
    expect(stillServesWell(homeCamera, zoomAt(homeCamera, 0.94, 400, 300), view)).toBe(false);
  });

  test('zooms no further than its limits', () => {
    expect(zoomAt(homeCamera, 1e9, 0, 0).k).toBe(maxZoom);
    expect(zoomAt(homeCamera, 1e-9, 0, 0).k).toBe(minZoom);
  });

  test('pans the chart with the pointer', () => {
    expect(panBy({ x: 10, y: 10, k: 2 }, 20, -40)).toEqual({ x: 0, y: 30, k: 2 });
  });

  test('shows a box centred, as large as it fits', () => {
    expect(cameraOn({ x0: 0, y0: 0, x1: 400, y1: 100 }, view, 0)).toEqual({ x: 0, y: -100, k: 2 });
    expect(cameraOn({ x0: 0, y0: 0, x1: 4, y1: 1 }, view, 0, 3).k).toBe(3);
  });

  test('shows no space outside a chart larger than the view', () => {
    expect(filledBy({ x: -50, y: 900, k: 2 }, view, view)).toEqual({ x: 0, y: 300, k: 2 });
    expect(filledBy({ x: -50, y: 0, k: 0.5 }, view, view)).toEqual({ x: -50, y: 0, k: 0.5 });
  });

  test('does not move horizontally in a chart that zooms only vertically', () => {
    expect(zoomAt({ x: 30, y: 0, k: 1 }, 4, 200, 100, 'upright')).toEqual({ x: 30, y: 75, k: 4 });
    expect(panBy({ x: 30, y: 75, k: 4 }, 10, 20, 'upright')).toEqual({ x: 20, y: 70, k: 4 });
    const bar = cameraOn({ x0: 100, y0: 300, x1: 300, y1: 320 }, view, 0, maxZoom, 'upright');
    expect(bar).toEqual({ x: -200, y: 300, k: 30 });
    expect(filledBy(bar, view, view, 'upright')).toEqual({ x: 0, y: 300, k: 30 });
    expect(shiftBetween(homeCamera, bar, 'upright')).toEqual({ scaleX: 1, scale: 30, x: 200, y: -9000 });
  });

  test('always keeps the chart visible', () => {
    expect(clampedTo({ x: 5000, y: -5000, k: 1 }, view, view)).toEqual({ x: 400, y: -300, k: 1 });
    expect(clampedTo(homeCamera, view, view)).toEqual(homeCamera);
  });
});

test('a long flight zooms out and in again, and a pure zoom is straight', () => {
  const far = flightBetween(homeCamera, { x: 8000, y: 0, k: 1 }, view);
  expect(far.at(far.ms / 2).k).toBeLessThan(0.3);
  expect(far.at(far.ms / 2).x + view.width / 2 / far.at(far.ms / 2).k).toBeCloseTo(4400, 6);
  const zoom = flightBetween(
    homeCamera,
    { x: view.width / 2 - view.width / 8, y: view.height / 2 - view.height / 8, k: 4 },
    view,
  );
  const halfway = zoom.at(zoom.ms / 2);
  expect(halfway.k).toBeCloseTo(2, 6);
  expect(halfway.x + view.width / 2 / halfway.k).toBeCloseTo(view.width / 2, 6);
});

test('a flight starts at the current camera and ends exactly at its target', () => {
  fc.assert(
    fc.property(camera, camera, fc.constantFrom('both', 'upright'), (from, to, zooms) => {
      const flight = flightBetween(from, to, view, zooms);
      expect(flight.at(flight.ms)).toEqual(to);
      expect(flight.at(0).k).toBeCloseTo(from.k, 4);
      expect(flight.ms).toBeGreaterThanOrEqual(450);
      expect(flight.ms).toBeLessThanOrEqual(600);
    }),
  );
});

const room = { width: 180, height: 120 };
const screen = { width: 1440, height: 900 };

test('a chart is scaled to fit, and centred', () => {
  const mini = miniatureIn(room, screen);
  expect(mini).toEqual({ scaleX: 0.125, scaleY: 0.125, left: 0, top: 3.75 });
  expect(pointBehind(mini, 90, 60)).toEqual({ x: 720, y: 450 });
});

test('a tall tree is widened, because it would otherwise be too thin', () => {
  const mini = miniatureIn(room, { width: 600, height: 12_000 });
  expect(mini).toEqual({ scaleX: 0.08, scaleY: 0.01, left: 66, top: 0 });
});

test('the frame shows the visible part, and never leaves the miniature', () => {
  const mini = miniatureIn(room, screen);
  expect(viewportIn(mini, room, homeCamera, screen, 'both')).toEqual({ x0: 0, y0: 3.75, x1: 180, y1: 116.25 });
  const near = { x: 720, y: 450, k: 2 };
  expect(viewportIn(mini, room, near, screen, 'both')).toEqual({ x0: 90, y0: 60, x1: 180, y1: 116.25 });
  expect(viewportIn(mini, room, { ...near, x: 1_400 }, screen, 'both').x1).toBe(180);
  expect(viewportIn(mini, room, { x: 0, y: 225, k: 2 }, screen, 'upright')).toMatchObject({
    x0: 0,
    x1: 180,
    y0: 31.875,
  });
});

test('a point of the miniature moves to the centre of the view', () => {
  expect(cameraAround({ x: 0, y: 0, k: 2 }, { x: 720, y: 450 }, screen, 'both')).toEqual({ x: 360, y: 225, k: 2 });
  expect(cameraAround({ x: 0, y: 0, k: 2 }, { x: 720, y: 450 }, screen, 'upright')).toEqual({ x: 0, y: 225, k: 2 });
});

test('reports whether the whole chart is visible', () => {
  expect(showsAll(homeCamera, screen, screen, 'both')).toBe(true);
  expect(showsAll({ x: -700, y: -400, k: 0.5 }, screen, screen, 'both')).toBe(true);
  expect(showsAll({ x: 0, y: 0, k: 1.01 }, screen, screen, 'both')).toBe(false);
  expect(showsAll({ x: 0, y: 40, k: 1 }, screen, screen, 'both')).toBe(false);
  expect(showsAll(homeCamera, { width: 2_000, height: 900 }, screen, 'upright')).toBe(false);
});
