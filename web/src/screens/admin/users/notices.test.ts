import { expect, test } from 'vitest';
import { account } from '../../../../test/support/account.ts';
import type { Change } from './account-changes.ts';
import { type NewNotice, namesText, noticeAfter } from './notices.tsx';

const approved = (name: string): NewNotice => {
  const undo: Change = { what: 'status', to: 'pending', account: account(`${name}@example.com`) };
  return {
    tone: 'success',
    text: 'User status updated successfully to Active',
    who: `${name}@example.com`,
    undo: [undo],
  };
};

test('the same change on several accounts is one notice that can undo all of them', () => {
  const two = noticeAfter(noticeAfter(undefined, approved('ann')), approved('ben'));
  expect(two.who).toEqual(['ann@example.com', 'ben@example.com']);
  expect(two.undo?.map((change) => change.account.email)).toEqual(two.who);
});

test('a different change is a notice of its own', () => {
  const denied = { ...approved('ben'), text: 'User status updated successfully to Disabled' };
  const failed: NewNotice = { tone: 'error', text: 'Failed to change user status: x' };
  for (const next of [denied, failed]) {
    const shown = noticeAfter(noticeAfter(undefined, approved('ann')), next);
    expect(shown).toMatchObject({ id: 2, text: next.text, who: next.who ? [next.who] : [] });
    expect(shown.undo).toEqual(next.undo);
  }
});

test('each notice is new, so that it is announced and gets the full time', () => {
  const first = noticeAfter(undefined, approved('ann'));
  expect(noticeAfter(first, approved('ben')).id).toBeGreaterThan(first.id);
});

test('the last account is always named', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(namesText)).toEqual(['', 'a', 'a and b', 'c and 2 others']);
});
