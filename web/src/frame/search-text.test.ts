import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './search-text.ts';

test('an address of sixteen decimal digits stays as it is', () => {
  expect(parseSearch('?n=9007199254740993')).toEqual({ n: '9007199254740993' });
});

test('what was written is read back', () => {
  const search = { v: 'a b', q: 'café & thé', d: 'all' };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

test('a parameter without a value is left out', () => {
  expect(stringifySearch({ tab: undefined, q: '' })).toBe('');
  expect(stringifySearch({ tab: undefined, v: '1' })).toBe('?v=1');
});
