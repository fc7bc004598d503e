import { expect, test } from 'vitest';
import { noPause } from './in-pieces.ts';
import { orderOfNumbers } from './order-of-numbers.ts';

test('numbers of any size are put in order, equal ones as they come', async () => {
  expect([...(await orderOfNumbers([], noPause))]).toEqual([]);
  expect([...(await orderOfNumbers([7, 2 ** 32 - 1, 0, 65_536, 7, 65_535, 2 ** 31], noPause))]).toEqual([
    2, 0, 4, 5, 3, 6, 1,
  ]);
  const numbers = Uint32Array.from({ length: 300_000 }, (_, at) => ((at * 2_654_435_761) % 2 ** 32) >>> (at % 20));
  const expected = [...numbers.keys()].sort((one, other) => numbers[one]! - numbers[other]! || one - other);
  expect([...(await orderOfNumbers(numbers, noPause))]).toEqual(expected);
});

test('it stops where nobody waits for it', async () => {
  const unwanted = new Error('nobody asks any more');
  await expect(orderOfNumbers([2, 1], () => Promise.reject(unwanted))).rejects.toBe(unwanted);
});
