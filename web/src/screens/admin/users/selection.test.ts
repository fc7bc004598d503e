import { expect, test } from 'vitest';
import { allOrNone, extended, noSelection, selectedOf, selectionOf, toggled } from './selection.ts';

const shown = ['a', 'b', 'c', 'd', 'e'];
const ids = (selection: Parameters<typeof selectedOf>[0], rows = shown) => selectedOf(selection, rows).join('');

test('a row is selected and no longer selected', () => {
  const once = toggled(noSelection, 'b', shown);
  expect(ids(once)).toBe('b');
  expect(ids(toggled(once, 'b', shown))).toBe('');
});

test('a stretch follows its head, also back over where it began', () => {
  const from = toggled(noSelection, 'c', shown);
  expect(ids(extended(from, 'e', 'c'))).toBe('cde');
  expect(ids(extended(extended(from, 'e', 'c'), 'd', 'e'))).toBe('cd');
  expect(ids(extended(extended(from, 'e', 'c'), 'a', 'e'))).toBe('abc');
});

test('without a row selected before, a stretch begins where the focus was', () => {
  expect(ids(extended(noSelection, 'c', 'b'))).toBe('bc');
});

test('a second stretch leaves what was selected before it', () => {
  const first = extended(toggled(noSelection, 'a', shown), 'b', 'a');
  expect(ids(extended(toggled(first, 'd', shown), 'e', 'd'))).toBe('abde');
});

test('what is not shown is not selected, and comes back with its row', () => {
  const some = selectionOf(['b', 'd']);
  expect(ids(some, ['a', 'd'])).toBe('d');
  expect(ids(some)).toBe('bd');
  expect(ids(extended(toggled(noSelection, 'c', shown), 'e', 'c'), ['a', 'b', 'e'])).toBe('');
});

test('all that is shown is selected at once, and none of it the second time', () => {
  const all = allOrNone(selectionOf(['b']), shown);
  expect(ids(all)).toBe('abcde');
  expect(ids(allOrNone(all, shown))).toBe('');
  expect(ids(allOrNone(selectionOf(['z']), shown))).toBe('abcde');
});
