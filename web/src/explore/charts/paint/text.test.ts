import { expect, test } from 'vitest';
import { createWriter, directionOf } from './text.ts';

/** Every character is 10 wide. */
const { fit, wrap } = createWriter((text) => [...text].length * 10, '', 16);

test('a text that fits stays as it is', () => {
  expect(fit('running', 70)).toBe('running');
});

test('a longer text ends in an ellipsis that still fits', () => {
  expect(fit('running shoes', 80)).toBe('running…');
  expect(fit('running shoes', 60)).toBe('runni…');
});

test('there is no text if not even one character fits', () => {
  expect(fit('running', 15)).toBe('');
});

test('no character of any script is split', () => {
  expect(fit('👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 90)).toBe('👨‍👩‍👧‍👦…');
  expect(fit('नमस्ते दुनिया', 40)).toBe('नम…');
});

test('lines break at blanks; the last one is cut', () => {
  expect(wrap('how to add a website', 90, 3)).toEqual(['how to', 'add a', 'website']);
  expect(wrap('how to add a website', 90, 2)).toEqual(['how to', 'add a we…']);
  expect(wrap('how', 90, 3)).toEqual(['how']);
});

test('the first letter decides the direction of a text', () => {
  const texts = ['trail shoes', 'نعال Nike', 'Nike נעלי', '(2026) נעליים', '90 أحذية', '跑鞋', '42 – 43'];
  expect(texts.map(directionOf)).toEqual(['ltr', 'rtl', 'ltr', 'rtl', 'rtl', 'ltr', 'ltr']);
});
