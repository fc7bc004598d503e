import type { DuplicateReport } from '@kc/rules/admin-shapes';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { fakeApi, refuses } from '../../../../test/page/fake-api.ts';
import { accountsOf, openDashboard, person } from '../../../../test/page/open-users.tsx';

const dialog = page.getByRole('dialog', { name: 'Duplicate accounts' });
const button = (name: string | RegExp) => dialog.getByRole('button', { name });
const shows = (text: string) => expect.element(dialog.getByText(text)).toBeVisible();
const notReady = 'The server is not ready. Please try again in a moment.';

const none: DuplicateReport = { emails: 0, merges: 0, groups: [] };
const group = (name: string, statusAfter: 'approved' | 'denied') => ({
  email: `${name}@example.com`,
  kept: person(name),
  merged: [person(name, { id: `${name}-2`, status: statusAfter })],
  untouched: [],
  statusAfter,
});
const two: DuplicateReport = { emails: 2, merges: 2, groups: [group('ann', 'denied'), group('ben', 'approved')] };

const open = () => page.getByRole('button', { name: 'Find duplicates' }).click();

test('what a merge would do is shown, and then what it did', async () => {
  await openDashboard('/admin', { ...accountsOf().api, 'accounts.duplicates': () => none });
  await open();
  await shows('No email has more than one account.');
  await expect.element(button(/^Merge/)).not.toBeInTheDocument();
  await button('Close').last().click();

  fakeApi({ 'accounts.duplicates': () => two, 'accounts.cleanDuplicates': refuses('fault/unavailable') });
  await open();
  await shows('2 emails have more than one account. 2 accounts will be merged.');
  const entry = dialog.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'ann@example.com' }) });
  await expect
    .element(entry.getByText('The account that is kept becomes Disabled, because a merged one is.'))
    .toBeVisible();
  expect(entry.getByText('Kept', { exact: true }).elements()).toHaveLength(1);
  expect(entry.getByText('Merged', { exact: true }).elements()).toHaveLength(1);
  expect(await violations()).toEqual([]);

  await button('Merge 2 accounts').click();
  await shows(`The accounts could not be merged: ${notReady}`);
  fakeApi({ 'accounts.cleanDuplicates': () => ({ marked: 2 }), 'accounts.duplicates': () => none });
  await button('Merge 2 accounts').click();
  await shows('2 duplicate accounts were merged.');
  await shows('No email has more than one account.');
});

test('a failed search is said, and can be tried again', async () => {
  await openDashboard('/admin', { ...accountsOf().api, 'accounts.duplicates': refuses('fault/unavailable') });
  await open();
  await shows(`The search for duplicate accounts failed: ${notReady}`);
  fakeApi({ 'accounts.duplicates': () => none });
  await button('Try again').click();
  await shows('No email has more than one account.');
});
