import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './search-text.ts';

test('a node ID of sixteen decimal digits is not changed', () => {
  expect(parseSearch('?n=9007199254740993')).toEqual({ n: '9007199254740993' });
});

test('parsing returns what was formatted', () => {
  const search = { v: 'a b', q: 'café & thé', d: 'all' };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

test('a parameter without a value is omitted', () => {
  expect(stringifySearch({ tab: undefined, q: '' })).toBe('');
  expect(stringifySearch({ tab: undefined, v: '1' })).toBe('?v=1');
});
