import { expect, test } from 'vitest';
import { tokenOf } from './link-card.tsx';

test('a token is read named or bare', () => {
  expect(tokenOf('#token=aB_9-x')).toBe('aB_9-x');
  expect(tokenOf('#aB_9-x')).toBe('aB_9-x');
  expect(tokenOf('')).toBe('');
});
