import type { Corrections, Reading } from '@kc/cluster/read/reading';
import { expect, test, vi } from 'vitest';
import { dayText } from './reading-words.ts';
import { hashOf, knownCorrections, recalledAt, unknownHeaders } from './remembered.ts';

const readingOf = (names: readonly string[] | undefined): Reading => ({
  format: 'text',
  encoding: 'utf-8',
  delimiter: ',',
  header: names && { line: 1, names },
  skipped: 0,
  titles: [],
  columns: [],
  vendor: 'table',
  market: undefined,
  exported: undefined,
  notes: [],
});
const list = (key: number, corrections: Corrections = {}) => ({ key, corrections });
const preview = (...lists: readonly (readonly [key: number, names?: readonly string[]])[]) => ({
  keys: lists.map(([key]) => key),
  files: lists.map(([, names]) => ({ reading: readingOf(names) })),
});

test('the header of a list is asked about once, and only while nothing is corrected', () => {
  const lists = [list(1), list(2), list(3, { delimiter: ';' }), list(4)];
  const read = preview([1, ['a']], [2, ['b']], [3, ['c']], [4]);
  expect(unknownHeaders(lists, read, new Set([2]))).toEqual([{ key: 1, header: ['a'] }]);
});

test('a header belongs to its list, also when the reading has other lists than the page', () => {
  expect(unknownHeaders([list(2), list(9)], preview([1, ['a']], [2, ['b']]), new Set())).toEqual([
    { key: 2, header: ['b'] },
  ]);
});

test('a header is known by the SHA-256 of its names as JSON', async () => {
  vi.stubGlobal('isSecureContext', true);
  // printf '["Keyword","Volume"]' | sha256sum
  expect(await hashOf(['Keyword', 'Volume'])).toBe('5dfef1aef36a04bfa3727685bd2bd050bc2afe33736642849a3aa95fc4aef948');
  // Without encryption, browsers have no hash, and nothing is requested.
  vi.stubGlobal('isSecureContext', false);
  expect(await hashOf(['Keyword', 'Volume'])).toBeUndefined();
});

test('a list is read as an earlier one until it is corrected anew, or read without corrections', () => {
  const corrections: Corrections = { delimiter: ';' };
  const memory = { header: 'a', correctedAt: 5, corrections };
  expect(recalledAt(memory, list(1, corrections))).toBe(5);
  expect(recalledAt(memory, list(1, { ...corrections, meanings: { 0: 'keyword' } }))).toBeUndefined();
  expect(recalledAt(memory, list(1))).toBeUndefined();
  expect(recalledAt({ header: 'a' }, list(1))).toBeUndefined();
  expect(recalledAt(undefined, list(1))).toBeUndefined();
});

test('meanings that this version does not know are left out', () => {
  expect(knownCorrections({ delimiter: ';', meanings: { 0: 'keyword', 1: 'mood' } })).toEqual({
    delimiter: ';',
    meanings: { 0: 'keyword' },
  });
  expect(knownCorrections({ meanings: { 1: 'mood' } })).toEqual({});
});

test('a day has its year if that is not this one', () => {
  const now = new Date(2026, 10, 20).getTime();
  expect(dayText(new Date(2026, 10, 3).getTime(), now)).toBe('Nov 3');
  expect(dayText(new Date(2025, 10, 3).getTime(), now)).toBe('Nov 3, 2025');
});
