import { describe, expect, test } from 'vitest';
import { homeCamera } from '../../model/camera.ts';
import { arrivalAt, createVelocity, glideFrom, zoomFlight } from './flights.ts';

const view = { width: 800, height: 600 };

test('a chart shown for the first time grows from the centre until all of it is visible', () => {
  const { at, ms } = arrivalAt(homeCamera, view, 'both');
  const zooms = [0, 0.2, 0.5, 0.8, 1].map((share) => at(share * ms).k);
  expect(zooms).toEqual([...zooms].sort((a, b) => a - b));
  expect(zooms[0]).toBeLessThan(0.05);
  expect(at(ms)).toEqual(homeCamera);
  for (const share of [0, 0.3, 0.9]) {
    const { x, y, k } = at(share * ms);
    expect([x + view.width / 2 / k, y + view.height / 2 / k].map((middle) => Math.round(middle))).toEqual([400, 300]);
  }
});

test('bars keep their full width during a flight', () => {
  const { at } = arrivalAt(homeCamera, view, 'upright');
  expect(at(0).x).toBe(0);
});

describe('a released pointer', () => {
  test('is as fast as its last moves, regardless of earlier ones', () => {
    const velocity = createVelocity();
    velocity.begin();
    velocity.moved(500, 0, 1_000);
    for (let at = 2_000; at <= 2_080; at += 16) velocity.moved(8, -4, at);
    const { x, y } = velocity.now(2_080);
    expect(x).toBeCloseTo(48 / 80, 6);
    expect(y).toBeCloseTo(-24 / 80, 6);
  });

  test('has no speed if it stopped before', () => {
    const velocity = createVelocity();
    velocity.begin();
    velocity.moved(300, 0, 1_000);
    expect(velocity.now(1_200)).toEqual({ x: 0, y: 0 });
  });
});

describe('a released chart', () => {
  const free = (camera: typeof homeCamera) => camera;

  test('stays in place after a slow release', () => {
    expect(glideFrom(homeCamera, { x: 0.1, y: 0.1 }, 'both', free)).toBeUndefined();
  });

  test('starts at the speed of the pointer, slows down, and stops', () => {
    const glide = glideFrom({ x: 0, y: 0, k: 2 }, { x: -1, y: 0 }, 'both', free)!;
    const speedAt = (ms: number) => (glide.at(ms + 0.01).x - glide.at(ms).x) / 0.01;
    // One CSS pixel a millisecond is half a layout unit at zoom 2.
    expect(speedAt(0)).toBeCloseTo(0.5, 3);
    expect(speedAt(200)).toBeLessThan(speedAt(100));
    expect(speedAt(glide.ms)).toBeCloseTo(0.01, 3);
  });

  test('glides no further than the limits of the camera', () => {
    const glide = glideFrom(homeCamera, { x: -5, y: 0 }, 'both', ({ x, y, k }) => ({ x: Math.min(x, 100), y, k }))!;
    expect(glide.at(glide.ms).x).toBe(100);
  });
});

test('a smooth zoom ends at its target, with the point under the pointer fixed', () => {
  const from = { x: 10, y: 20, k: 1 };
  const zoom = zoomFlight(from, 1.44, 300, 200, 'both');
  for (const ms of [0, 50, zoom.ms]) {
    const { x, y, k } = zoom.at(ms);
    expect(x + 300 / k).toBeCloseTo(310, 9);
    expect(y + 200 / k).toBeCloseTo(220, 9);
  }
  expect(zoom.at(0).k).toBe(1);
  expect(zoom.at(zoom.ms).k).toBeCloseTo(1.44, 12);
});
