import { expect, test } from 'vitest';
import { leftOf, newDismissTimer, pause, resume } from './use-dismiss-timer.ts';

test('a timer of five seconds ends after five seconds and never goes below zero', () => {
  const life = newDismissTimer(5_000, 1_000);
  expect(leftOf(life, 3_500)).toBe(2_500);
  expect(leftOf(life, 6_000)).toBe(0);
  expect(leftOf(life, 9_000)).toBe(0);
});

test('a paused timer continues where it stopped', () => {
  const paused = pause(newDismissTimer(5_000, 0), 2_000);
  expect(leftOf(paused, 60_000)).toBe(3_000);
  expect(leftOf(resume(paused, 60_000), 61_000)).toBe(2_000);
});

test('pausing twice and resuming twice count once', () => {
  const paused = pause(pause(newDismissTimer(5_000, 0), 1_000), 3_000);
  expect(leftOf(paused, 3_000)).toBe(4_000);
  expect(leftOf(resume(resume(paused, 10_000), 11_000), 12_000)).toBe(2_000);
});
