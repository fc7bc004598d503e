import { expect, test } from 'vitest';
import { leftOf, newDismissTimer, pause, resume } from './use-dismiss-timer.ts';

test('a life of five seconds is over after five seconds, never less than nothing', () => {
  const life = newDismissTimer(5_000, 1_000);
  expect(leftOf(life, 3_500)).toBe(2_500);
  expect(leftOf(life, 6_000)).toBe(0);
  expect(leftOf(life, 9_000)).toBe(0);
});

test('a paused life waits and goes on where it stopped', () => {
  const paused = pause(newDismissTimer(5_000, 0), 2_000);
  expect(leftOf(paused, 60_000)).toBe(3_000);
  expect(leftOf(resume(paused, 60_000), 61_000)).toBe(2_000);
});

test('pausing twice and resuming twice count once', () => {
  const paused = pause(pause(newDismissTimer(5_000, 0), 1_000), 3_000);
  expect(leftOf(paused, 3_000)).toBe(4_000);
  expect(leftOf(resume(resume(paused, 10_000), 11_000), 12_000)).toBe(2_000);
});
