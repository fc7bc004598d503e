import { expect, test } from 'vitest';
import { overlayLeftMs } from './loading-overlay.ts';

test('the overlay stays 700 ms in all, 800 before the sign-in page', () => {
  expect(overlayLeftMs(250, false)).toBe(450);
  expect(overlayLeftMs(250, true)).toBe(550);
});

test('after a slow start it goes at once', () => {
  expect(overlayLeftMs(3_000, false)).toBe(0);
});
