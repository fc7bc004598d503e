import { levelsWith } from '@kc/pack/levels/level';
import { expect, test } from 'vitest';
import { levelOf } from './levels.ts';
import { tableLevels } from './list-query.ts';

const place = {
  view: 'opportunity',
  level: undefined,
  levels: levelsWith([], false),
  focus: 3,
  filter: 'volume-9_',
  fewClusters: undefined,
} as const;

// Shows P14.18.
test('until a level is chosen, the table lists the tree and Opportunity shows clusters', () => {
  expect([levelOf(place), levelOf({ ...place, view: 'table' }), levelOf({ ...place, view: 'treemap' })]).toEqual([
    'clusters',
    'tree',
    'tree',
  ]);
  for (const view of ['table', 'opportunity'] as const) {
    expect(levelOf({ ...place, view, level: 'keywords' })).toBe('keywords');
    expect(levelOf({ ...place, view, level: 'tree' })).toBe('tree');
  }
});

test('a focus with fewer than two clusters shows its children, but no other focus or filter does', () => {
  const few = { ...place, fewClusters: { within: 3, filter: 'volume-9_' } };
  expect(levelOf(few)).toBe('tree');
  expect([levelOf({ ...few, focus: 4 }), levelOf({ ...few, filter: '' })]).toEqual(['clusters', 'clusters']);
  expect(levelOf({ ...few, level: 'clusters' })).toBe('clusters');
});

test('a map with subtopics in its clusters shows these first, and an address with another level keeps it', () => {
  const divided = { ...place, levels: levelsWith(['cluster', 'subtopic'], false) };
  expect(levelOf(divided)).toBe('subtopics');
  expect(levelOf({ ...divided, level: 'clusters' })).toBe('clusters');
  expect(levelOf({ ...place, view: 'table', level: 'subtopics' })).toBe('clusters');
});

test('the keys of levels stay when another level comes: G 1 to G 5 are what they were', () => {
  expect(tableLevels.slice(0, 5)).toEqual(['tree', 'pillars', 'clusters', 'keywords', 'plan']);
});
