import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DragGesture } from './pointer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A gesture on a canvas, and what it asked for. */
function gestureOn() {
  const calls: unknown[][] = [];
  const record =
    (name: string) =>
    (...args: unknown[]) =>
      void calls.push([name, ...args]);
  const surface = { style: {} } as HTMLElement;
  const gesture = new DragGesture({
    surface,
    stage: { panBy: record('pan'), zoomBy: record('zoom'), fitBox: record('fit'), glide: record('glide') },
    onLongPress: (_, at) => {
      calls.push(['menu', at]);
      return true;
    },
    onBox: record('box'),
    onClick: (_, at) => calls.push(['click', at]),
    onTwoFingerTap: record('tap'),
  });
  const event = (more: Partial<PointerEvent>) =>
    ({ pointerId: 1, pointerType: 'mouse', button: 0, timeStamp: 0, ...more }) as PointerEvent;
  const at = (x: number, y: number) => ({ x, y });
  return {
    calls,
    gesture,
    surface,
    down: (x: number, y: number, more: Partial<PointerEvent> = {}) => gesture.down(event(more), at(x, y)),
    move: (x: number, y: number, more: Partial<PointerEvent> = {}) => gesture.move(event(more), at(x, y)),
    up: (x: number, y: number, more: Partial<PointerEvent> = {}) => gesture.up(event(more), at(x, y)),
  };
}

const names = (calls: readonly unknown[][]) => calls.map(([name]) => name);

test('a press that hardly moves is a click where it ends', () => {
  const { calls, down, move, up } = gestureOn();
  down(10, 10);
  move(13, 13);
  up(13, 13);
  expect(calls).toEqual([['click', { x: 13, y: 13 }]]);
});

test('a press that moves pans by each move and glides on', () => {
  const { calls, down, move, up } = gestureOn();
  down(10, 10);
  move(20, 10);
  move(21, 12);
  up(21, 12);
  expect(calls.slice(0, 2)).toEqual([
    ['pan', 10, 0],
    ['pan', 1, 2],
  ]);
  expect(names(calls)).toEqual(['pan', 'pan', 'glide']);
});

test('a press with the shift key draws a box in any direction, which is then fitted', () => {
  const { calls, down, move, up } = gestureOn();
  down(50, 10, { shiftKey: true });
  move(20, 40);
  up(20, 40);
  expect(calls).toEqual([
    ['box', { from: { x: 50, y: 10 }, to: { x: 20, y: 40 } }],
    ['box', undefined],
    ['fit', { x0: 20, y0: 10, x1: 50, y1: 40 }],
  ]);
});

test('two fingers that move apart zoom around the point between them, and nothing is clicked', () => {
  const { calls, down, move, up } = gestureOn();
  down(100, 100);
  down(200, 100, { pointerId: 2 });
  move(300, 100, { pointerId: 2 });
  up(300, 100, { pointerId: 2 });
  up(100, 100);
  expect(calls).toEqual([
    ['pan', 50, 0],
    ['zoom', 2, 200, 100],
  ]);
});

test('two fingers that do not move are a tap, once both are up', () => {
  const { calls, down, up } = gestureOn();
  down(100, 100);
  down(200, 100, { pointerId: 2 });
  up(100, 100);
  expect(calls).toEqual([]);
  up(200, 100, { pointerId: 2 });
  expect(names(calls)).toEqual(['tap']);
});

test('three fingers neither tap nor move the picture, and two of them go on when one is up', () => {
  const { calls, down, move, up } = gestureOn();
  const fingers = [1, 2, 3];
  for (const pointerId of fingers) down(100 * pointerId, 100, { pointerId });
  for (const pointerId of fingers) up(100 * pointerId, 100, { pointerId });
  expect(calls).toEqual([]);
  for (const pointerId of fingers) down(100 * pointerId, 100, { pointerId });
  for (const pointerId of fingers) move(100 * pointerId, 200, { pointerId });
  expect(calls).toEqual([]);
  up(300, 200, { pointerId: 3 });
  move(300, 200, { pointerId: 2 });
  up(300, 200, { pointerId: 2 });
  up(100, 200);
  expect(calls).toEqual([
    ['pan', 50, 0],
    ['zoom', 2, 200, 200],
  ]);
});

test('a resting finger opens a menu, and then neither pans nor clicks', () => {
  const { calls, gesture, down, move, up } = gestureOn();
  down(10, 10, { pointerType: 'touch' });
  expect(gesture.hasMenu).toBe(false);
  vi.advanceTimersByTime(450);
  expect([calls, gesture.hasMenu]).toEqual([[['menu', { x: 10, y: 10 }]], true]);
  move(12, 10, { pointerType: 'touch' });
  move(40, 10, { pointerType: 'touch' });
  expect(names(calls)).toEqual(['menu']);
  up(40, 10, { pointerType: 'touch' });
  expect(names(calls)).not.toContain('click');
});

test('a finger that moves or lifts, or a mouse that rests, opens no menu', () => {
  const { calls, down, move, up } = gestureOn();
  down(10, 10, { pointerType: 'touch' });
  move(30, 10, { pointerType: 'touch' });
  vi.advanceTimersByTime(1000);
  up(30, 10, { pointerType: 'touch' });
  down(10, 10, { pointerType: 'touch' });
  up(10, 10, { pointerType: 'touch' });
  down(10, 10);
  vi.advanceTimersByTime(1000);
  up(10, 10);
  expect(names(calls)).not.toContain('menu');
});

test('a press that the browser cancels clicks nothing and ends the box', () => {
  const { calls, gesture, surface, down, move, up } = gestureOn();
  down(50, 10, { shiftKey: true });
  move(20, 40);
  expect(surface.style.cursor).toBe('grabbing');
  gesture.cancel(1);
  expect([gesture.isDown(1), surface.style.cursor]).toEqual([false, '']);
  up(20, 40);
  expect(names(calls)).toEqual(['box', 'box']);
  expect(calls[1]).toEqual(['box', undefined]);
});

test('two fingers of which the browser cancels one are no tap', () => {
  const { calls, gesture, down, up } = gestureOn();
  down(100, 100);
  down(200, 100, { pointerId: 2 });
  gesture.cancel(2);
  up(100, 100);
  expect(names(calls)).not.toContain('tap');
});
