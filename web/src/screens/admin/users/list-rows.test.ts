import { expect, test } from 'vitest';
import { placeAfter, rowAfterChange } from './list-rows.ts';

test('arrow keys move by one row, page keys by one page, and never past the ends', () => {
  const from = (place: number) =>
    ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'].map((key) => placeAfter(key, place, 30, 10));
  expect(from(15)).toEqual([14, 16, 5, 25, 0, 29]);
  expect(from(0)).toEqual([0, 1, 0, 10, 0, 29]);
  expect(from(29)).toEqual([28, 29, 19, 29, 0, 29]);
});

test('other keys do not move', () => {
  for (const key of ['a', 'Enter', 'ArrowLeft', 'constructor']) expect(placeAfter(key, 1, 3, 10)).toBeUndefined();
});

test('when the current row disappears, the next one takes over, or the previous one at the end', () => {
  const was = ['a', 'b', 'c', 'd'];
  expect(rowAfterChange('b', was, was)).toBe('b');
  expect(rowAfterChange('b', was, ['a', 'c', 'd'])).toBe('c');
  expect(rowAfterChange('b', was, ['a', 'd'])).toBe('d');
  expect(rowAfterChange('d', was, ['a', 'b', 'c'])).toBe('c');
  expect(rowAfterChange('b', was, ['x'])).toBeUndefined();
  expect(rowAfterChange('b', was, [])).toBeUndefined();
});
