import { expect, test } from 'vitest';
import { togglePick } from '../../ui/row-selection.ts';
import { readColumns, writeColumns } from './list-columns.ts';
import { nextRowSort, sortBy, sortIn } from './list-query.ts';
import { countPicked, isPicked, nothingPicked, pickAll, pickedIn } from './picked.ts';

test('a click sorts by a column, then the other way, then as usual; numbers begin with the largest', () => {
  expect(nextRowSort('', 'volume', 'highest first', false)).toBe('-volume');
  expect(nextRowSort('-volume', 'volume', 'highest first', false)).toBe('volume');
  expect(nextRowSort('volume', 'volume', 'highest first', false)).toBe('');
  expect(nextRowSort('-volume*cpc', 'name', 'A to Z', false)).toBe('name');
});

test('⇧ adds a key, turns it, and takes it out, without touching the others', () => {
  expect(nextRowSort('-volume', 'difficulty', 'highest first', true)).toBe('-volume*-difficulty');
  expect(nextRowSort('-volume*-difficulty', 'difficulty', 'highest first', true)).toBe('-volume*difficulty');
  expect(nextRowSort('-volume*difficulty', 'difficulty', 'highest first', true)).toBe('-volume');
  expect(nextRowSort('-volume*difficulty', 'volume', 'highest first', true)).toBe('volume*difficulty');
});

test('a fourth key replaces the third', () => {
  expect(nextRowSort('-volume*difficulty*cpc', 'name', 'A to Z', true)).toBe('-volume*difficulty*name');
  expect(sortBy('-volume*difficulty*cpc', 'name', false, true)).toBe('-volume*difficulty*name');
  expect(sortBy('-volume*difficulty', 'volume', false, true)).toBe('difficulty*volume');
});

test('a text that is no sort means the usual one', () => {
  expect(['-volume*difficulty', 'width', 'volume*volume', null].map(sortIn)).toEqual([
    '-volume*difficulty',
    '',
    '',
    '',
  ]);
});

test('columns keep widths and names with dots and stars', () => {
  const columns = [{ id: 'name', width: 300 }, { id: 'volume' }, { id: 'field:a.b*c', width: 90 }, { id: 'field:v.2' }];
  expect(writeColumns(columns)).toBe('name.300*volume*field:a..b**c.90*field:v..2');
  expect(readColumns(writeColumns(columns))).toEqual(columns);
  expect(readColumns('name.9999*name*volume.1')).toEqual([
    { id: 'name', width: 640 },
    { id: 'volume', width: 48 },
  ]);
  expect(readColumns(Array.from({ length: 25 }, (_, index) => `c${index}`).join('*'))).toEqual([]);
});

test('rows are picked one by one, or all except some', () => {
  const query = { level: 'clusters', within: 0, filter: '', sort: '', fields: [], withTrends: false } as const;
  const picked = pickedIn(query, togglePick(nothingPicked, [7, 'a']));
  expect([isPicked(picked, query, 7), isPicked(picked, query, 8), countPicked(picked, 100)]).toEqual([true, false, 1]);
  expect(countPicked(pickedIn(query, togglePick(picked, [7, 'a'])), 100)).toBe(0);
  const all = pickedIn(query, togglePick(pickAll(query), [7, 'a']));
  expect([isPicked(all, query, 7), isPicked(all, query, 8), countPicked(all, 100)]).toEqual([false, true, 99]);
  expect(isPicked(all, { ...query, level: 'keywords' }, 8)).toBe(false);
});
