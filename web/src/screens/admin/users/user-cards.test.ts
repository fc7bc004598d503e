import { expect, test } from 'vitest';
import { isEnough, pulled } from './user-cards.tsx';

test('a card follows the finger to the right, after a dead zone', () => {
  expect([0, 12, 13, 50, 500].map((dx) => pulled(dx, 0))).toEqual([0, 0, 1, 38, 144]);
});

test('a vertical scroll or a swipe to the left does not move the card', () => {
  expect([pulled(40, 41), pulled(40, -60), pulled(-80, 0)]).toEqual([0, 0, 0]);
});

test('a swipe counts only beyond its threshold', () => {
  expect([0, 95, 96, 144].map(isEnough)).toEqual([false, false, true, true]);
});
