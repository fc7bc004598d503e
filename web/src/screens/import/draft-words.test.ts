import type { Draft } from '@kc/rules/draft-shapes';
import { expect, test } from 'vitest';
import { countsText, stageRows, waitText } from './draft-words.ts';

const draft = (more: Partial<Draft>): Draft =>
  ({
    state: 'working',
    files: [
      { id: 'a', name: 'a.csv', size: 1_000_000, received: 1_000_000 },
      { id: 'b', name: 'b.csv', size: 200_000, received: 100_000 },
    ],
    ...more,
  }) as Draft;

test('the stages say what is done, what is going on and what is to come', () => {
  const rows = stageRows(draft({ stage: 'meaning', done: 16_384, total: 27_904 }));
  expect(rows.map(({ name, is, detail }) => `${is} ${name} ${detail}`.trim())).toEqual([
    'done Files received 1.2 MB',
    'done Rows read',
    'done Repeats and variants merged',
    'current Meaning 16,384 of 27,904',
    'coming Neighbours',
    'coming Clusters and pillar topics',
    'coming Names',
    'coming Draft written',
  ]);
});

test('while lists are sent, this browser knows better how far they are', () => {
  expect(stageRows(draft({ state: 'receiving' }))[0]).toMatchObject({ is: 'current', detail: '1.1 MB of 1.2 MB' });
  expect(stageRows(draft({ state: 'receiving' }), 1_200_000)[0]?.detail).toBe('1.2 MB of 1.2 MB');
  expect(stageRows(draft({ state: 'queued' })).map(({ is }) => is)).toEqual(['done', ...Array(7).fill('coming')]);
});

test('a draft says what it waits for', () => {
  expect(waitText(draft({ state: 'queued', waiting: 2 }))).toBe('Waiting: 2 lists before yours');
  expect(waitText(draft({ state: 'queued', waiting: 1 }))).toBe('Waiting: 1 list before yours');
  expect(waitText(draft({ state: 'queued', waiting: 0 }))).toBe('Waiting to be clustered');
  expect(waitText(draft({ secondsLeft: 15 }))).toBe('about 15 s left');
  expect(waitText(draft({ secondsLeft: 60 }))).toBe('about 1 min left');
  expect(waitText(draft({}))).toBe('');
});

test('a draft is described by its counts', () => {
  const counts = { keywords: 30_000, pillars: 17, clusters: 612, subtopics: 0, strays: 0, excluded: 0 };
  const revision = { counts } as NonNullable<Draft['revision']>;
  expect(countsText(draft({ revision }))).toBe('30,000 keywords · 612 clusters');
  expect(countsText(draft({}))).toBe('');
});
