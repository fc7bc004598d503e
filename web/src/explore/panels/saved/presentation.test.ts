import { expect, test } from 'vitest';
import { presentationKey } from './presentation.tsx';

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test.each([
  ['ArrowRight', 'next'],
  ['PageDown', 'next'],
  [' ', 'next'],
  ['ArrowLeft', 'previous'],
  ['PageUp', 'previous'],
  ['Home', 'first'],
  ['End', 'last'],
  ['Escape', 'leave'],
  ['p', 'leave'],
  ['Tab', 'page'],
  ['Enter', 'page'],
  ['+', 'page'],
  ['c', 'nothing'],
  ['[', 'nothing'],
  ['ArrowDown', 'nothing'],
])('%j: %s', (key, does) => {
  expect(presentationKey({ ...plain, key }, false)).toBe(does);
});

// Shows P16.6.
test('Space presses a focused button, and goes back with Shift', () => {
  expect(presentationKey({ ...plain, key: ' ' }, true)).toBe('page');
  expect(presentationKey({ ...plain, key: ' ', shiftKey: true }, false)).toBe('previous');
});

test.each(['ctrlKey', 'metaKey', 'altKey'])('with %s a key is left to the page or the browser', (held) => {
  expect(presentationKey({ ...plain, [held]: true, key: 'ArrowLeft' }, false)).toBe('page');
});
