import { expect, test } from 'vitest';
import { doctorMark, isDoctorMark } from './doctor-mark.ts';

const secret = 's'.repeat(32);
const now = Date.UTC(2026, 10, 27);

test('a mark is valid for a minute, with the same secret', () => {
  const mark = doctorMark(secret, now);
  expect(isDoctorMark(secret, mark, now + 59_000)).toBe(true);
  expect(isDoctorMark(secret, mark, now - 59_000)).toBe(true);
  expect(isDoctorMark(secret, mark, now + 60_000)).toBe(false);
  expect(isDoctorMark('t'.repeat(32), mark, now)).toBe(false);
});

test.each([undefined, '', 'x', `${now}.`, `${now}.wrong`, `.${'a'.repeat(43)}`, ['x', 'y']])(
  '%j is no mark',
  (mark) => {
    expect(isDoctorMark(secret, mark, now)).toBe(false);
  },
);
