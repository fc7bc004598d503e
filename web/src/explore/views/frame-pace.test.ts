import { expect, test } from 'vitest';
import { createFramePace } from './frame-pace.ts';

test('slow frames get fewer marks, down to a floor, and fast ones more again', () => {
  const pace = createFramePace();
  pace.moving(true);
  expect(pace.budget()).toBe(10_000);
  pace.measured(28);
  expect(pace.budget()).toBe(5_000);
  for (let frame = 0; frame < 50; frame++) pace.measured(40);
  expect(pace.budget()).toBe(1_500);
  for (let frame = 0; frame < 50; frame++) pace.measured(2);
  expect(pace.budget()).toBe(10_000);
});

test('a picture at rest gets all it may hold, however slow', () => {
  const pace = createFramePace();
  pace.measured(500);
  expect(pace.budget()).toBe(20_000);
});
