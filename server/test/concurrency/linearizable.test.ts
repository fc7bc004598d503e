import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Call, isLinearizable, type Model } from './linearizable.ts';

type Operation = { readonly write?: number };
/** A register: writes answer nothing, reads its value. */
const register: Model<number, Operation, number | undefined> = (state, { write }, answer) =>
  write === undefined ? (answer === state ? [state] : []) : [write];

const write = (value: number, began: number, ended: number): Call<Operation, number | undefined> => ({
  operation: { write: value },
  answer: undefined,
  began,
  ended,
});
const read = (value: number, began: number, ended: number): Call<Operation, number | undefined> => ({
  operation: {},
  answer: value,
  began,
  ended,
});

test('a read during a write has the value before or after it', () => {
  expect(isLinearizable(0, [write(1, 0, 9), read(0, 2, 3), read(1, 4, 5)], register)).toBe(true);
});

test('a stale read, a value that goes back and a lost write are found', () => {
  expect(isLinearizable(0, [write(1, 0, 1), read(0, 2, 3)], register)).toBe(false);
  expect(isLinearizable(0, [write(1, 0, 9), read(1, 2, 3), read(0, 4, 5)], register)).toBe(false);
  expect(isLinearizable(0, [write(1, 0, 5), write(2, 0, 5), read(1, 6, 7), read(2, 8, 9)], register)).toBe(false);
});

test('it agrees with trying every order', () => {
  const call = fc
    .tuple(fc.boolean(), fc.nat(2), fc.nat(8), fc.nat(4))
    .map(([isWrite, value, began, length]) => (isWrite ? write : read)(value, began, began + length));
  let legal = 0;
  const runs = 500;
  fc.assert(
    fc.property(fc.array(call, { minLength: 1, maxLength: 5 }), (calls) => {
      const expected = orders(calls).some(
        (order) =>
          order.every((one, at) => order.slice(at + 1).every((later) => later.ended >= one.began)) && isLegal(order),
      );
      expect(isLinearizable(0, calls, register)).toBe(expected);
      legal += Number(expected);
    }),
    { numRuns: runs, seed: 3 },
  );
  expect(legal).toBeGreaterThan(50);
  expect(legal).toBeLessThan(runs - 50);
});

function isLegal(order: readonly Call<Operation, number | undefined>[]): boolean {
  let value = 0;
  for (const { operation, answer } of order) {
    if (operation.write !== undefined) value = operation.write;
    else if (answer !== value) return false;
  }
  return true;
}

function orders<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
