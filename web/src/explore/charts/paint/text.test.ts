import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import { amountText, createWriter, directionOf } from './text.ts';

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

// Shows P17.9.
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

const tree = loadTree(sliceOf('shoes (running (trail 1200 road) walking 5)'));
const row = (name: string) => Array.from({ length: tree.size }, (_, at) => at).find((at) => tree.name(at) === name)!;

test('a branch shows its number of keywords, and a single keyword no count', () => {
  expect(amountText(tree, row('shoes'), 'keywords')).toBe('3');
  expect(amountText(tree, row('walking'), 'keywords')).toBe('');
});

test('marks show volumes if sized by volume', () => {
  expect(amountText(tree, row('running'), 'volume')).toBe('1.2K');
  expect(amountText(tree, row('walking'), 'volume')).toBe('5');
});

test('an unknown volume is not written as zero', () => {
  expect(amountText(tree, row('road'), 'volume')).toBe('');
});
