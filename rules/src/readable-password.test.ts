import { expect, test } from 'vitest';
import { passwordStrength, readablePassword } from './password-strength.ts';

const chance = (below: number) => Math.floor(Math.random() * below);

test('a generated password is four groups of four characters that are not easily confused', () => {
  for (let n = 0; n < 200; n++) {
    expect(readablePassword(chance)).toMatch(/^(?:[a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/);
  }
});

test('every character takes one draw from the given random source', () => {
  const asked: number[] = [];
  const last = readablePassword((below) => {
    asked.push(below);
    return below - 1;
  });
  expect(last).toBe('9999-9999-9999-9999');
  expect(asked).toEqual(new Array(16).fill(31));
  expect(readablePassword(() => 0)).toBe('aaaa-aaaa-aaaa-aaaa');
});

test('a generated password is never a weak one', () => {
  const strengths = Array.from({ length: 200 }, () => passwordStrength(readablePassword(chance), ''));
  expect(strengths).not.toContain('weak');
});
