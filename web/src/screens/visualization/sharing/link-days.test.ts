import { expect, test } from 'vitest';
import { daysIn } from '../../share-links/link-line.tsx';

test('whole days are read up to the longest life of a link', () => {
  expect([daysIn('1', 'client'), daysIn(' 90 ', 'client'), daysIn('365', 'colleague')]).toEqual([1, 90, 365]);
});

test('what is beyond it, or no number, is none', () => {
  const texts = ['0', '91', '-1', '1.5', '', '1e2', 'a'];
  expect(texts.map((text) => daysIn(text, 'client'))).toEqual(texts.map(() => undefined));
  expect(daysIn('366', 'colleague')).toBeUndefined();
});
