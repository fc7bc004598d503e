import { expect, test } from 'vitest';
import { checkFields, emptyFields, litStars, passwordsMatch, wrongField } from './sign-in-fields.ts';

const fields = (change: Partial<typeof emptyFields>) => ({ ...emptyFields, ...change });

// Shows P3.2.
test('an empty form asks for both fields and focuses the email', () => {
  const checked = checkFields('sign-in', emptyFields);
  expect(checked).toEqual({ ok: false, refusal: { code: 'sign-in/both-required' } });
  expect(wrongField({ code: 'sign-in/both-required' }, emptyFields)).toBe('email');
  expect(wrongField({ code: 'sign-in/both-required' }, fields({ email: 'a@b.co' }))).toBe('password');
});

test('a wrong password focuses the password; a lost connection focuses nothing', () => {
  expect(wrongField({ code: 'sign-in/wrong-password' }, emptyFields)).toBe('password');
  expect(wrongField({ code: 'fault/offline' }, emptyFields)).toBeUndefined();
});

// Shows P3.4.
test('passwords are compared once both are typed', () => {
  expect(passwordsMatch(fields({ password: 'secret' }))).toBeUndefined();
  expect(passwordsMatch(fields({ password: 'secret', confirmation: 'secre' }))).toBe(false);
  expect(passwordsMatch(fields({ password: 'secret', confirmation: 'secret' }))).toBe(true);
});

test('stars light up as fields become valid', () => {
  expect(litStars('sign-in', fields({ email: 'ada@example' }))).toEqual({ parent: false, children: false });
  expect(litStars('sign-in', fields({ email: 'ada@example.com', password: 'x' }))).toEqual({
    parent: true,
    children: true,
  });
  expect(litStars('sign-up', fields({ password: 'short', confirmation: 'short' })).children).toBe(false);
  expect(litStars('sign-up', fields({ password: 'longer', confirmation: 'longer' })).children).toBe(true);
});
