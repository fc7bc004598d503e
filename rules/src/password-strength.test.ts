import { expect, test } from 'vitest';
import { isGuessable, passwordStrength } from './password-strength.ts';

test.each([
  ['', 'weak'],
  ['hunter2', 'weak'],
  ['password', 'weak'],
  ['abcdefghijklmnopqrstuvwxyz', 'weak'],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaaa', 'weak'],
  ['9876543210987654', 'weak'],
  ['correcthorse', 'fair'],
  ['Xq7!kd92', 'fair'],
  ['tulip-Harbor-9', 'strong'],
  ['rakes and ladders', 'strong'],
  ['k7mp-x3qd-w9rt-hv2n', 'strong'],
] as const)('%j is %s', (password, strength) => expect(passwordStrength(password, '')).toBe(strength));

test('one more unpredictable character never makes a password weaker', () => {
  const order = ['weak', 'fair', 'strong'];
  let before = 0;
  for (let length = 1; length <= 30; length++) {
    const now = order.indexOf(passwordStrength('azbycxdwevfugthsirjqkplomnzayb'.slice(0, length), ''));
    expect(now).toBeGreaterThanOrEqual(before);
    before = now;
  }
});

test.each(['jane.doe-2024', 'p4$$w0rd-Admin', 'keyword-clustering', '!!Letmein_Welcome!!', 'clusteringADMINistrator'])(
  'the hint calls %s weak, as the server does, although it is long',
  (password) => {
    expect(isGuessable(password, 'jane.doe@example.com')).toBe(true);
    expect(passwordStrength(password, 'jane.doe@example.com')).toBe('weak');
  },
);

test('the name in an email weakens a password only for its owner', () => {
  expect(passwordStrength('marblesworth-88', 'marblesworth@example.com')).toBe('weak');
  expect(passwordStrength('marblesworth-88', 'jane@example.com')).toBe('strong');
});

test('a breached password is guessable if the list of breached passwords is given', () => {
  expect(isGuessable('dimazarya', 'jane@example.com')).toBe(false);
  expect(isGuessable('D1mazarya', 'jane@example.com', new Set(['dimazarya']))).toBe(true);
});
