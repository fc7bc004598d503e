import { warningKinds } from '@kc/pack/vocabulary/warnings';
import type { WarningLine } from '@kc/rules/warning-shapes';
import { expect, test } from 'vitest';
import { kindNames, kindsIn, missingText, reasonOf, titleOf } from './warning-texts.ts';

const line = (changes: Partial<WarningLine>): WarningLine => ({
  kind: 'single',
  node: 1,
  address: '0'.repeat(16),
  path: ['Reviews', 'Google reviews'],
  keywords: 12,
  figures: {},
  ...changes,
});

test('a reason gives its numbers, the largest share first', () => {
  const figures = { known: 10, informational: 0.25, navigational: 0, commercial: 0.5, transactional: 0.25 };
  expect(reasonOf(line({ kind: 'mixed', figures }))).toBe(
    'Commercial 50 %, informational 25 %, transactional 25 %, of 10 known',
  );
  expect(reasonOf(line({ kind: 'oversized', keywords: 12_586 }))).toBe('12,586 keywords');
  expect(reasonOf(line({ kind: 'url-clusters', figures: { clusters: 3 } }))).toBe(
    'Ranks for 12 keywords in 3 clusters',
  );
  expect(reasonOf(line({ kind: 'unknown', figures: { volume: 1, difficulty: 0.04 } }))).toBe(
    'Volume known for 100 %, difficulty known for 4 %',
  );
  expect(reasonOf(line({ kind: 'unknown', figures: { volume: 0.998, difficulty: 0.002 } }))).toBe(
    'Volume known for over 99 %, difficulty known for under 1 %',
  );
});

test('competing URLs are named with their keywords, and split keywords are counted', () => {
  const figures = { urls: 2, first: 5, second: 2, withUrl: 8, torn: 1 };
  expect(reasonOf(line({ kind: 'cluster-urls', figures, urls: ['a.test/x', 'a.test/y'] }))).toBe(
    'a.test/x for 5, a.test/y for 2, 1 keyword with several URLs, 8 with a URL',
  );
});

test('a line is titled by its subject, otherwise by its node', () => {
  expect(titleOf(line({}))).toBe('Google reviews');
  expect(titleOf(line({ subject: 'a.test/x' }))).toBe('a.test/x');
  expect(titleOf(line({ kind: 'unplaced', path: [] }))).toBe('Not in the hierarchy');
});

test('masks name their kinds, and a missing kind says why', () => {
  expect(kindsIn(0)).toEqual([]);
  expect(kindsIn(2 ** warningKinds.length - 1)).toEqual(Object.values(kindNames));
  expect(missingText({ kind: 'url-clusters', count: 0, dismissed: 0, missing: 'no-urls' })).toBe(
    'One URL, several clusters: this file has no URLs.',
  );
});
