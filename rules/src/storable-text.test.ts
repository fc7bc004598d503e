// Shows SEC-32.
import { expect, test } from 'vitest';
import { cutText, toStorable } from './storable-text.ts';

test('what a database cannot store becomes U+FFFD, and everything else stays', () => {
  expect(toStorable('a\0b')).toBe('a\ufffdb');
  expect(toStorable('\ud800x\udc00')).toBe('\ufffdx\ufffd');
  expect(toStorable('😀 é\n\t\u202e')).toBe('😀 é\n\t\u202e');
});

test('a cut text has no half of a character', () => {
  expect(cutText('ab😀', 3)).toBe('ab');
  expect(cutText('ab😀', 4)).toBe('ab😀');
  expect(cutText('😀ab', -3)).toBe('ab');
});
