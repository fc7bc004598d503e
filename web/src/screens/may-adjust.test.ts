import type { Session } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { mayAdjust } from './may-adjust.ts';

const user = (isAdmin: boolean) => ({ isAdmin, account: { id: 'me' } }) as unknown as Session;
const mine = { userId: 'me', isSample: false };
const theirs = { userId: 'someone', isSample: false };

test('administrators may adjust every map but the sample', () => {
  expect([mine, theirs, { ...mine, isSample: true }].map((one) => mayAdjust(user(true), false, one))).toEqual([
    true,
    true,
    false,
  ]);
});

// Shows P22.8.
test('others may adjust their own maps while users may import lists', () => {
  expect([mine, theirs].map((one) => mayAdjust(user(false), true, one))).toEqual([true, false]);
  expect(mayAdjust(user(false), false, mine)).toBe(false);
});

test('nobody adjusts anything before the session is known', () => {
  expect(mayAdjust(undefined, true, mine)).toBe(false);
});
