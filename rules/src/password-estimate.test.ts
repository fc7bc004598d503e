import { expect, test } from 'vitest';
import { estimateStrength } from './password-estimate.ts';

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
] as const)('%j is %s', (password, strength) => expect(estimateStrength(password)).toBe(strength));

test('one more surprising sign never makes a password weaker', () => {
  const order = ['weak', 'fair', 'strong'];
  let before = 0;
  for (let length = 1; length <= 30; length++) {
    const now = order.indexOf(estimateStrength('azbycxdwevfugthsirjqkplomnzayb'.slice(0, length)));
    expect(now).toBeGreaterThanOrEqual(before);
    before = now;
  }
});
