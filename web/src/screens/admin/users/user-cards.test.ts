import { expect, test } from 'vitest';
import { isEnough, pulled } from './user-cards.tsx';

test('a card follows a finger to the right, after a little slack', () => {
  expect([0, 12, 13, 50, 500].map((dx) => pulled(dx, 0))).toEqual([0, 0, 1, 38, 144]);
});

test('a finger that scrolls the page, or goes to the left, moves no card', () => {
  expect([pulled(40, 41), pulled(40, -60), pulled(-80, 0)]).toEqual([0, 0, 0]);
});

test('a card has to be pulled far before it counts', () => {
  expect([0, 95, 96, 144].map(isEnough)).toEqual([false, false, true, true]);
});
