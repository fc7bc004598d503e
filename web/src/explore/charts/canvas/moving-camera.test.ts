import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Camera } from '../../model/camera.ts';
import type { Flight } from '../camera/flights.ts';
import { MovingCamera } from './moving-camera.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const at = (k: number): Camera => ({ x: 0, y: 0, k });

/** A flight of 100 ms that changes only the zoom. */
const flight = (from: number, to: number): Flight => ({
  ms: 100,
  at: (ms) => at(from + ((to - from) * Math.min(ms, 100)) / 100),
});

function cameraAt(initial?: Camera, allowsMotion = true) {
  const calls: string[] = [];
  const zooms: number[] = [];
  const moving = new MovingCamera({
    initial,
    pace: { moving: (is) => calls.push(is ? 'moving' : 'still') },
    view: () => ({ width: 800, height: 600 }),
    allowsMotion: () => allowsMotion,
    redraw: (layoutToo) => calls.push(layoutToo ? 'layout' : 'redraw'),
    onZoom: (k) => zooms.push(k),
    onRest: () => calls.push('rest'),
  });
  return { moving, calls, zooms };
}

test('a flight moves the camera with time, and the camera rests a moment after it ends', () => {
  const { moving, calls } = cameraAt(at(1));
  moving.start({ flight: flight(1, 3) }, 1000);
  moving.step(1050);
  expect([moving.camera, moving.isFlying]).toEqual([at(2), true]);
  moving.step(1100);
  expect([moving.camera, moving.isFlying]).toEqual([at(3), false]);
  expect(calls).toEqual(['moving', 'redraw']);
  vi.advanceTimersByTime(120);
  expect(calls.slice(2)).toEqual(['still', 'layout', 'rest']);
});

test('a move by hand ends a flight, and each further move postpones its rest', () => {
  const { moving, calls } = cameraAt(at(1));
  moving.start({ flight: flight(1, 3) }, 1000);
  moving.moveTo(at(5));
  vi.advanceTimersByTime(100);
  moving.moveTo(at(6));
  vi.advanceTimersByTime(100);
  expect([moving.camera, moving.isFlying, calls.includes('rest')]).toEqual([at(6), false, false]);
  vi.advanceTimersByTime(20);
  expect(calls).toContain('rest');
});

test('the camera keeps its position over a growing chart only if the user chose it', () => {
  const { moving } = cameraAt();
  moving.place(at(1), false);
  moving.resetUnlessChosen();
  expect(moving.camera).toBeUndefined();
  moving.moveTo(at(2));
  moving.resetUnlessChosen();
  expect(moving.camera).toEqual(at(2));
});

test('the zoom is said from the start, and wherever it changes without a move', () => {
  const addressed = cameraAt(at(3));
  expect(addressed.zooms).toEqual([3]);
  addressed.moving.resize((camera) => ({ ...camera, k: 2 }));
  expect(addressed.zooms).toEqual([3, 2]);
  const { moving, zooms } = cameraAt();
  moving.place(at(0.5), false);
  expect(zooms).toEqual([1, 0.5]);
});

test('any input ends an arrival, after which the camera follows the chart', () => {
  const { moving } = cameraAt(at(1));
  moving.start({ flight: flight(0, 1), isArrival: true }, 1000);
  moving.caughtBy('keyboard');
  moving.step(1001);
  expect([moving.camera, moving.isFlying]).toEqual([at(1), false]);
  moving.resetUnlessChosen();
  expect(moving.camera).toBeUndefined();
});

test('the pointer stops a gliding camera, but no other flight; a key stops none', () => {
  const { moving } = cameraAt(at(1));
  moving.start({ flight: flight(1, 3), byHand: true }, 1000);
  moving.step(1050);
  moving.caughtBy('keyboard');
  expect(moving.isFlying).toBe(true);
  moving.caughtBy('pointer');
  expect([moving.camera, moving.isFlying]).toEqual([at(2), false]);
  moving.start({ flight: flight(1, 3) }, 1000);
  moving.caughtBy('pointer');
  expect(moving.isFlying).toBe(true);
});

test('the next zoom step continues from the zoom that the user is heading for', () => {
  const { moving } = cameraAt(at(1));
  expect(moving.zoomTarget).toBe(1);
  moving.start({ flight: flight(1, 3), zoom: 3 }, 1000);
  expect(moving.zoomTarget).toBe(3);
  moving.stop();
  expect(moving.zoomTarget).toBe(1);
});

test('a later position is known only while the camera zooms out', () => {
  const { moving } = cameraAt(at(3));
  expect(moving.outwardsAt(1050)).toBeUndefined();
  moving.start({ flight: flight(3, 1) }, 1000);
  expect(moving.outwardsAt(1050)).toEqual(at(2));
  moving.start({ flight: flight(3, 5) }, 1000);
  expect(moving.outwardsAt(1050)).toBeUndefined();
});

test('when the view is resized, a flight jumps to its end, unless it is an arrival', () => {
  const { moving } = cameraAt(at(1));
  const twice = ({ k }: Camera) => at(k * 2);
  moving.start({ flight: flight(1, 3) }, 1000);
  moving.resize(twice);
  expect([moving.camera, moving.isFlying]).toEqual([at(6), false]);
  moving.start({ flight: flight(6, 8), isArrival: true }, 1000);
  moving.resize(twice);
  expect([moving.camera, moving.isFlying]).toEqual([at(12), true]);
});

test('without animations the camera jumps to its target', () => {
  const { moving, calls } = cameraAt(at(1), false);
  moving.flyTo(at(4), 'both');
  expect([moving.camera, moving.isFlying, calls]).toEqual([at(4), false, ['layout']]);
});
