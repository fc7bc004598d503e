import { expect, test } from 'vitest';
import { doctorMark, isDoctorMark } from './arrival.ts';

const secret = 's'.repeat(32);

test('a mark is valid with the same secret', () => {
  expect(isDoctorMark(secret, doctorMark(secret))).toBe(true);
  expect(isDoctorMark('t'.repeat(32), doctorMark(secret))).toBe(false);
});

test.each([undefined, '', 'x', 'a'.repeat(43), ['x', 'y']])('%j is no mark', (mark) => {
  expect(isDoctorMark(secret, mark)).toBe(false);
});
