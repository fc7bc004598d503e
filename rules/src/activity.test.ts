import { expect, test } from 'vitest';
import { detailsText, namesOf } from './activity.ts';

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
