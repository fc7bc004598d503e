import { expect, test } from 'vitest';
import { overlayLeftMs } from './loading-overlay.ts';

// Shows P2.7.
test('the overlay is shown for at least 700 ms, however late it appeared', () => {
  expect(overlayLeftMs({ now: 250, shownAt: 100, preparingAt: undefined })).toBe(550);
  expect(overlayLeftMs({ now: 1_250, shownAt: 1_200, preparingAt: undefined })).toBe(650);
});

test('preparing the sign-in page lasts 800 ms', () => {
  expect(overlayLeftMs({ now: 500, shownAt: 100, preparingAt: 400 })).toBe(700);
  expect(overlayLeftMs({ now: 3_000, shownAt: 100, preparingAt: 2_900 })).toBe(700);
});

test('after a slow start it is removed at once', () => {
  expect(overlayLeftMs({ now: 3_000, shownAt: 100, preparingAt: undefined })).toBe(0);
  expect(overlayLeftMs({ now: 3_000, shownAt: 100, preparingAt: 500 })).toBe(0);
});
