import { expect, test } from 'vitest';
import { createFramePace } from './frame-pace.ts';

test('slow frames reduce the number of marks, down to a minimum, and fast ones raise it again', () => {
  const pace = createFramePace();
  pace.moving(true);
  expect(pace.budget()).toBe(10_000);
  pace.measured(28, 10_000);
  expect(pace.budget()).toBe(5_000);
  for (let frame = 0; frame < 50; frame++) pace.measured(40, 5_000);
  expect(pace.budget()).toBe(1_500);
  for (let frame = 0; frame < 50; frame++) pace.measured(2, 1_500);
  expect(pace.budget()).toBe(10_000);
});

test('a slow frame of few marks is followed by even fewer marks', () => {
  const pace = createFramePace();
  pace.moving(true);
  pace.measured(28, 4_000);
  expect(pace.budget()).toBe(2_000);
});

test('a chart at rest gets the full budget, however slow', () => {
  const pace = createFramePace();
  pace.measured(500, 20_000);
  expect(pace.budget()).toBe(20_000);
  expect(pace.fits(20_000)).toBe(true);
});

test('after a frame that was too slow, a move continues with the old bitmap for a while', () => {
  const pace = createFramePace();
  pace.measured(20, 3_000, 1_000);
  expect(pace.waits(1_001)).toBe(false);
  pace.moving(true);
  expect(pace.waits(1_199)).toBe(true);
  expect(pace.waits(1_200)).toBe(false);
  pace.measured(10, 3_000, 1_300);
  expect(pace.waits(1_301)).toBe(false);
});

test('a moving chart is redrawn while the time for its marks fits a frame', () => {
  const pace = createFramePace();
  pace.measured(30, 3_000);
  pace.moving(true);
  expect(pace.fits(1_000)).toBe(true);
  expect(pace.fits(3_000)).toBe(false);
  for (let frame = 0; frame < 10; frame++) pace.measured(3, 3_000);
  expect(pace.fits(3_000)).toBe(true);
});

test('only a moving chart skips work', () => {
  const pace = createFramePace();
  expect(pace.effort()).toBe(Number.POSITIVE_INFINITY);
  pace.moving(true);
  expect(pace.effort()).toBe(400);
});
