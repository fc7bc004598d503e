import { expect, test } from 'vitest';
import { createWriter, directionOf } from './text.ts';

/** Every character is 10 wide. */
const { fit, wrap } = createWriter((text) => [...text].length * 10, '', 16);

test('a text that fits stays as it is', () => {
  expect(fit('running', 70)).toBe('running');
});

test('a longer one ends in an ellipsis that still fits', () => {
  expect(fit('running shoes', 80)).toBe('running…');
  expect(fit('running shoes', 60)).toBe('runni…');
});

test('where not even one character fits there is no text', () => {
  expect(fit('running', 15)).toBe('');
});

test('characters of any script are cut whole', () => {
  expect(fit('👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 90)).toBe('👨‍👩‍👧‍👦…');
  expect(fit('नमस्ते दुनिया', 40)).toBe('नम…');
});

test('lines break at blanks; the last one is cut', () => {
  expect(wrap('how to add a website', 90, 3)).toEqual(['how to', 'add a', 'website']);
  expect(wrap('how to add a website', 90, 2)).toEqual(['how to', 'add a we…']);
  expect(wrap('how', 90, 3)).toEqual(['how']);
});

test('a text runs as its first letter does', () => {
  const texts = ['trail shoes', 'نعال Nike', 'Nike נעלי', '(2026) נעליים', '90 أحذية', '跑鞋', '42 – 43'];
  expect(texts.map(directionOf)).toEqual(['ltr', 'rtl', 'ltr', 'rtl', 'rtl', 'ltr', 'ltr']);
});
