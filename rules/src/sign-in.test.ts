import { expect, test } from 'vitest';
import { done, refuse } from './result.ts';
import {
  checkAdminPassword,
  checkEmail,
  checkName,
  checkNewPassword,
  checkNewUser,
  checkSignIn,
  checkSignUp,
  cleanName,
  minPasswordLength,
} from './sign-in.ts';

test.each([
  ['ann@example.com', 'ann@example.com'],
  ['  Ann@Example.COM ', 'ann@example.com'],
  ['ann+shop@mail.example.co.uk', 'ann+shop@mail.example.co.uk'],
  ["o'neill@example.com", "o'neill@example.com"],
  ['a@b-c.example', 'a@b-c.example'],
])('%j is an email', (email, stored) => {
  expect(checkEmail(email)).toEqual(done(stored));
});

test.each([
  '',
  'ann',
  'ann@',
  '@example.com',
  'ann@example',
  'ann@@example.com',
  'ann@exa mple.com',
  'an n@example.com',
  'ann@example..com',
  'ann..b@example.com',
  'ann@-example.com',
  'ann@example-.com',
  '"ann"@example.com',
  'änn@example.com',
  'ann@exämple.com',
  '\u212aim@example.com',
  'ann@example.\u212aom',
  '\uff21nn@example.com',
  'ann@example.com\r\nBcc: x@example.com',
  'ann\0@example.com',
  'ann\u202e@example.com',
  `${'a'.repeat(250)}@example.com`,
])('%j is not an email', (email) => {
  expect(checkEmail(email)).toEqual(refuse('sign-in/invalid-email'));
});

test('the longest email has 254 characters', () => {
  const tail = '@example.com';
  expect(checkEmail('a'.repeat(254 - tail.length) + tail).ok).toBe(true);
  expect(checkEmail('a'.repeat(255 - tail.length) + tail).ok).toBe(false);
});

test('signing in requires both fields before it checks either', () => {
  expect(checkSignIn({ email: '', password: 'secret' })).toEqual(refuse('sign-in/both-required'));
  expect(checkSignIn({ email: 'not an email', password: '' })).toEqual(refuse('sign-in/both-required'));
  expect(checkSignIn({ email: 'not an email', password: 'secret' })).toEqual(refuse('sign-in/invalid-email'));
});

// Shows P3.6.
test('signing in keeps the password as typed, including spaces', () => {
  expect(checkSignIn({ email: ' A@Example.com', password: '  ' })).toEqual(
    done({ email: 'a@example.com', password: '  ' }),
  );
});

const signUp = { email: 'Ann@example.com', password: 'sesame', displayName: ' Ann ', confirmation: 'sesame' };

test('a sign-up with six characters and a name is accepted', () => {
  expect(checkSignUp(signUp)).toEqual(done({ email: 'ann@example.com', password: 'sesame', displayName: 'Ann' }));
});

// Shows P3.4.
test.each([
  [{ email: ' ' }, 'sign-in/both-required'],
  [{ password: '' }, 'sign-in/both-required'],
  [{ email: 'ann' }, 'sign-in/invalid-email'],
  [{ displayName: ' \n ' }, 'sign-up/name-required'],
  [{ password: 'sesam', confirmation: 'sesam' }, 'sign-up/password-short'],
  [{ password: 'x'.repeat(1025), confirmation: 'x'.repeat(1025) }, 'sign-up/password-long'],
  [{ confirmation: 'Sesame' }, 'sign-up/mismatch'],
])('a sign-up with %j is refused', (change, code) => {
  expect(checkSignUp({ ...signUp, ...change })).toEqual(refuse(code));
});

test('the server checks a sign-up without the confirmation, which never leaves the form', () => {
  const { confirmation: _, ...sent } = signUp;
  expect(checkSignUp(sent).ok).toBe(true);
});

// Shows P3.6.
test('a password of 128 characters is accepted', () => {
  const long = 'pass phrase '.repeat(11).slice(0, 128);
  expect(checkSignUp({ ...signUp, password: long, confirmation: long }).ok).toBe(true);
});

// Shows P8.1.
test.each([
  [{ email: '' }, 'create-user/both-required'],
  [{ password: '' }, 'create-user/both-required'],
  [{ email: 'ann' }, 'create-user/invalid-email'],
  [{ password: 'sesam' }, 'sign-up/password-short'],
  [{ password: 'x'.repeat(1025) }, 'sign-up/password-long'],
])('creating a user with %j is refused', (change, code) => {
  const fields = { email: 'ann@example.com', password: 'sesame', role: 'user' as const };
  expect(checkNewUser({ ...fields, ...change })).toEqual(refuse(code));
});

test('an admin creates a user with a role', () => {
  expect(checkNewUser({ email: 'ANN@example.com', password: 'sesame', role: 'admin' })).toEqual(
    done({ email: 'ann@example.com', password: 'sesame', role: 'admin' }),
  );
});

test('the password of a built-in admin has at least 12 characters', () => {
  expect(checkAdminPassword('eleven char')).toEqual(refuse('claim/password-short'));
  expect(checkAdminPassword('twelve chars')).toEqual(done('twelve chars'));
});

test('a display name is one line of at most 200 characters', () => {
  expect(cleanName(' Ann\r\nBcc: \u0000x\u2028y ')).toBe('Ann Bcc:  x y');
  expect(cleanName('Ann\u202egnp.exe\u2066')).toBe('Ann gnp.exe');
  expect(cleanName('n'.repeat(300))).toHaveLength(200);
});

test('a reset link requires six characters, for a built-in admin twelve', () => {
  const builtInAdmins = new Set(['root@example.com']);
  expect(minPasswordLength({ email: 'ann@example.com' }, builtInAdmins)).toBe(6);
  expect(minPasswordLength({ email: 'root@example.com' }, builtInAdmins)).toBe(12);
  expect(checkNewPassword('sesam', 6)).toEqual(refuse('sign-up/password-short'));
  expect(checkNewPassword('sesame', 6)).toEqual(done('sesame'));
  expect(checkNewPassword('eleven char', 12)).toEqual(refuse('claim/password-short'));
  expect(checkNewPassword('x'.repeat(1025), 6)).toEqual(refuse('sign-up/password-long'));
});

test.each([
  ['zero-width spaces and joiners', '\u200b\u200c\u200d\u2060\ufeff'],
  ['direction marks', '\u200e\u200f\u061c'],
  ['soft hyphens', '\u00ad\u00ad'],
  ['Hangul fillers', '\u115f\u1160\u3164\uffa0'],
  ['variation selectors and tags', '\ufe0f\u{e0041}\u{e0100}'],
  ['an empty Braille cell', '\u2800'],
  ['wide and no-break spaces', '\u3000\u00a0\u2003'],
  ['a combining mark without a letter', '\u0301'],
  ['private and unassigned code points', '\ue000\u{10ffff}'],
  ['half a surrogate pair', '\ud83d'],
])('a name of %s does not count as a name', (_what, name) => {
  expect(checkName(name)).toEqual(refuse('sign-up/name-required'));
  expect(checkSignUp({ email: 'ann@example.com', password: 'sesame', displayName: name })).toEqual(
    refuse('sign-up/name-required'),
  );
  expect(checkName(`A${name}`).ok).toBe(true);
});

test('a name in any script stays as it was written', () => {
  for (const name of ['Zoë', '王小明', 'مریم\u200cخانم', '👩\u200d🌾', 'क्षि', 'X Æ A-12', '7', '★']) {
    expect(checkName(name)).toEqual(done(name));
  }
});

test('a name is cleaned, and one without a visible character is refused', () => {
  expect(checkName(' Ann\r\nGardener ')).toEqual(done('Ann Gardener'));
  expect(checkName(' \u0000\n')).toEqual(refuse('sign-up/name-required'));
});
