import { expect, test } from 'vitest';
import { tokenOf } from './link-card.tsx';

test('a token is read with or without its name', () => {
  expect(tokenOf('#token=aB_9-x')).toBe('aB_9-x');
  expect(tokenOf('#aB_9-x')).toBe('aB_9-x');
  expect(tokenOf('')).toBe('');
});
