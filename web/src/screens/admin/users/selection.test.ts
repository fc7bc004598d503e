import { expect, test } from 'vitest';
import { allOrNone, extended, noSelection, selectedOf, selectionOf, toggled } from './selection.ts';

const shown = ['a', 'b', 'c', 'd', 'e'];
const ids = (selection: Parameters<typeof selectedOf>[0], rows = shown) => selectedOf(selection, rows).join('');

test('a row is toggled', () => {
  const once = toggled(noSelection, 'b', shown);
  expect(ids(once)).toBe('b');
  expect(ids(toggled(once, 'b', shown))).toBe('');
});

test('a range follows its head, even past its anchor', () => {
  const from = toggled(noSelection, 'c', shown);
  expect(ids(extended(from, 'e', 'c'))).toBe('cde');
  expect(ids(extended(extended(from, 'e', 'c'), 'd', 'e'))).toBe('cd');
  expect(ids(extended(extended(from, 'e', 'c'), 'a', 'e'))).toBe('abc');
});

test('without an anchor, a range starts at the focused row', () => {
  expect(ids(extended(noSelection, 'c', 'b'))).toBe('bc');
});

test('a second range keeps what was selected before', () => {
  const first = extended(toggled(noSelection, 'a', shown), 'b', 'a');
  expect(ids(extended(toggled(first, 'd', shown), 'e', 'd'))).toBe('abde');
});

test('hidden rows are not selected, and are selected again when they reappear', () => {
  const some = selectionOf(['b', 'd']);
  expect(ids(some, ['a', 'd'])).toBe('d');
  expect(ids(some)).toBe('bd');
  expect(ids(extended(toggled(noSelection, 'c', shown), 'e', 'c'), ['a', 'b', 'e'])).toBe('');
});

test('select all selects all shown rows, and the second time none', () => {
  const all = allOrNone(selectionOf(['b']), shown);
  expect(ids(all)).toBe('abcde');
  expect(ids(allOrNone(all, shown))).toBe('');
  expect(ids(allOrNone(selectionOf(['z']), shown))).toBe('abcde');
});
