import { expect, test } from 'vitest';
import { detailsText, groupedActivity, namesOf } from './activity.ts';

test.each([
  [{}, ''],
  [{ from: 'pending', to: 'approved' }, 'pending → approved'],
  [
    { from: { role: 'user', status: 'pending' }, to: { role: 'admin', status: 'approved' } },
    'user pending → admin approved',
  ],
  [{ file: 'garden.json', attempts: 2, policyEnforced: true }, 'file: garden.json, attempts: 2, policyEnforced: true'],
  [{ to: 'somebody' }, 'to: somebody'],
])('%j reads “%s”', (details, text) => {
  expect(detailsText(details)).toBe(text);
});

const line = { actorId: 'a1', targetId: '3f2a19c0-77aa', actorDeleted: false, targetDeleted: true };

test('a deleted account is marked as deleted, with its email while that is known', () => {
  expect(namesOf({ ...line, actor: 'ann@example.com', target: 'ben@example.com' })).toEqual({
    actor: 'ann@example.com',
    target: 'ben@example.com (deleted)',
  });
  expect(namesOf({ ...line, actor: 'a1', target: line.targetId })).toEqual({
    actor: 'a1',
    target: 'a deleted account (3f2a19c0)',
  });
});

test('acts on many accounts are joined: same person, act, result and details, other accounts, soon after each other', () => {
  const done = (at: number, targetId: string, change: object = {}) => ({
    ...{ at, actorId: 'ann', targetId, kind: 'status' as const, result: 'ok' as const },
    ...{ details: { from: 'pending', to: 'approved' }, ...change },
  });
  const counts = (lines: Parameters<typeof groupedActivity>[0]) =>
    groupedActivity(lines).map((group) => group.lines.length);
  expect(counts([done(30_000, 'a'), done(20_000, 'b'), done(10_000, 'c')])).toEqual([3]);
  expect(counts([done(30_000, 'a'), done(20_000, 'b'), done(9_999, 'c')])).toEqual([1, 1, 1]);
  const others = [
    { actorId: 'bob' },
    { kind: 'role' as const },
    { result: 'failed' as const },
    { details: { from: 'pending', to: 'denied' } },
  ];
  for (const change of others)
    expect(counts([done(9, 'a'), done(8, 'b'), done(7, 'c'), done(6, 'd', change)])).toEqual([3, 1]);
  // Signing in is about oneself, and whoever is changed twice is no part of one act.
  expect(counts(['a', 'b', 'c'].map((id, at) => done(9 - at, id, { actorId: id })))).toEqual([1, 1, 1]);
  expect(counts([done(9, 'a'), done(8, 'b'), done(7, 'a')])).toEqual([1, 1, 1]);
  expect(counts([])).toEqual([]);
});
