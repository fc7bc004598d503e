import type { GroupsPreview } from '@kc/cluster/lists/grouping-choice';
import { draftSettings } from '@kc/rules/draft-shapes';
import { expect, test } from 'vitest';
import { actionText, firstChoices, groupByOf, type ImportChoices, isGrouped, settingsOf } from './import-choices.ts';

const groups: GroupsPreview = {
  levels: [],
  are: 'tree',
  hasPillarsAbove: false,
  without: [],
  groups: 116,
  branches: [],
};
const counts = { keywords: 27_640, isOver: false };
const choices = (more: Partial<ImportChoices> = {}): ImportChoices => ({ ...firstChoices, ...more });

test('without a choice, keywords are grouped as the server would', () => {
  expect(groupByOf(choices(), undefined)).toBe('texts');
  expect(groupByOf(choices(), { groups, hasResults: true })).toBe('columns');
  expect(groupByOf(choices(), { hasResults: true })).toBe('results');
  expect(groupByOf(choices({ groupBy: 'texts' }), { groups, hasResults: true })).toBe('texts');
  expect(settingsOf(choices())).toEqual({ preset: 'balanced', grouping: 'columns' });
});

test.each<[Partial<ImportChoices>, object]>([
  [{ groupBy: 'texts' }, { grouping: 'none', results: 'off' }],
  [{ groupBy: 'results' }, { grouping: 'none', results: { sharing: 'smart', least: 3, perKeyword: 10 } }],
  [{ groupBy: 'columns' }, { grouping: 'columns' }],
  [{ market: 'de' }, { grouping: 'columns', market: 'de' }],
  [{ groupBy: 'page', columns: ['Group'] }, { grouping: { url: 'page' } }],
  [{ groupBy: 'folder' }, { grouping: { url: 1 } }],
  [{ groupBy: 'folder', folders: 3 }, { grouping: { url: 3 } }],
  [{ groupBy: 'columns', columns: ['Group', 'Cluster'] }, { grouping: ['Group', 'Cluster'] }],
  [
    { groupBy: 'texts', columns: [] },
    { grouping: 'none', results: 'off' },
  ],
  [
    { groupBy: 'texts', more: { results: { sharing: 'hard', least: 4, perKeyword: 20 } } },
    { grouping: 'none', results: 'off' },
  ],
  [
    { preset: 'page', more: { stop: 7, levels: 3, model: undefined, splitsOther: false, pillars: 12 } },
    { preset: 'page', grouping: 'columns', stop: 7, levels: 3, pillars: 12 },
  ],
])('%j is sent as %j', (chosen, settings) => {
  const sent = settingsOf(choices(chosen));
  expect(sent).toEqual({ preset: 'balanced', ...settings });
  expect(draftSettings.safeParse(sent).success).toBe(true);
});

test('the button says what will happen', () => {
  expect(actionText('texts', counts, undefined)).toBe('Cluster 27,640 keywords');
  expect(actionText('columns', counts, groups)).toBe('Import 27,640 keywords in 116 groups');
  expect(actionText('columns', counts, { ...groups, are: 'pillar-topics' })).toBe('Cluster 27,640 keywords');
  expect(actionText('page', counts, { ...groups, are: 'clusters' })).toBe('Import 27,640 keywords in 116 groups');
  expect(actionText('texts', { keywords: 1, isOver: false }, undefined)).toBe('Cluster 1 keyword');
  expect(actionText('texts', { keywords: 4_000_001, isOver: true }, undefined)).toBe(
    'Cluster more than 4,000,001 keywords',
  );
  expect(actionText('texts', undefined, undefined)).toBe('Cluster keywords');
});

test('nothing is clustered where columns give all groups', () => {
  expect(isGrouped('columns', choices(), groups)).toBe(true);
  expect(isGrouped('columns', choices(), { ...groups, are: 'clusters' })).toBe(false);
  expect(isGrouped('texts', choices(), groups)).toBe(false);
  const without = { ...groups, without: [{ value: 'Other', keywords: 9 }] };
  expect(isGrouped('columns', choices({ more: { splitsOther: true } }), groups)).toBe(true);
  expect(isGrouped('columns', choices({ more: { splitsOther: true } }), without)).toBe(false);
});
