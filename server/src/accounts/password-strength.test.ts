import { randomInt } from 'node:crypto';
import { commonPasswords, readablePassword } from '@kc/rules/password-strength';
import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test, vi } from 'vitest';
import { isWeak } from './passwords.ts';

test.each([
  'password',
  'Password1!',
  'p4$$w0rd',
  '!!letmein!!',
  'qwertyuiop',
  '12345678',
  '987654321',
  'aaaaaaaa',
  'abcabcabc',
  'jane.doe2024',
  'example',
  'keyword-clustering',
  'Clustering99',
  'adminpassword12',
  'dimazarya',
  'D1MAZARYA',
  '193570356033',
])('S9 SEC-07 %s is refused', (password) => expect(isWeak(password, 'jane.doe@example.com')).toBe(true));

test.each([
  'violet-Quarry-77-lamp',
  'tulip-Harbor-9',
  'gdK2#x',
  'plum kettle orbit seven',
  'Ünï-cödé-böat',
  'x'.repeat(3).concat('-marble-otter'),
])('SEC-07 %s is accepted', (password) => expect(isWeak(password, 'jane.doe@example.com')).toBe(false));

test('SEC-07 a generated password is accepted', () => {
  for (let n = 0; n < 100; n++) expect(isWeak(readablePassword(randomInt), 'jane.doe@example.com')).toBe(false);
});

test('T6 a long password made only of common words takes one search for each word, not for each pair', () => {
  const words = [...commonPasswords].filter((word) => word.length >= 4);
  const search = vi.spyOn(String.prototype, 'includes');
  expect(isWeak(words.join('').slice(0, 1_000), 'jane.doe@example.com')).toBe(false);
  const searches = search.mock.calls.filter(([text]) => commonPasswords.has(text)).length;
  search.mockRestore();
  // One search for the password as typed and one with letter substitutions undone.
  expect(searches).toBeLessThan(words.length * 3);
});

// Shows P3.5.
test('S9 ten thousand common passwords are refused', () => {
  const long = dictionary['passwords-common'].filter((password) => password.length >= 6);
  expect(long.length).toBeGreaterThan(10_000);
  expect(long.filter((password) => !isWeak(password, 'jane.doe@example.com'))).toEqual([]);
});
