import { defaultSettings } from '@kc/rules/settings';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { fakeApi, refuses } from '../../../../test/page/fake-api.ts';
import { accountsOf, openDashboard } from '../../../../test/page/open-users.tsx';

const card = page.getByRole('region', { name: 'Storage' });
const question = page.getByRole('alertdialog', { name: 'Purge deleted files now?' });

/** A server that keeps some deleted files until they are purged. */
async function openStorage(kept: { files: number; bytes: number }, free: number | undefined = 41_200_000_000) {
  let now = kept;
  const purge = vi.fn(() => {
    const gone = now;
    now = { files: 0, bytes: 0 };
    return gone;
  });
  await openDashboard('/admin?tab=settings', {
    ...accountsOf().api,
    'settings.get': () => ({ version: 1, settings: defaultSettings, themeChosen: false, policyEnforced: true }),
    'links.all': () => [],
    'accessTokens.all': () => [],
    'webhooks.list': () => [],
    'storage.use': () => ({ kept: now, ...(free === undefined ? {} : { free }) }),
    'storage.purge': purge,
  });
  return purge;
}

// Shows P26.2.
test('REL-61 deleted files are purged after a question, with the keyboard alone', async () => {
  const purge = await openStorage({ files: 3, bytes: 1_240_000_000 });
  await expect.element(card.getByText('41.2 GB')).toBeVisible();
  await expect
    .element(card.getByText('3 files of deleted visualizations, drafts and users, kept for 24 hours: 1.2 GB.'))
    .toBeVisible();
  const button = card.getByRole('button', { name: 'Purge now' });
  button.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(question.getByText(/^This frees 1\.2 GB within a minute/)).toBeVisible();
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  expect(await violations()).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await expect.element(question).not.toBeInTheDocument();
  expect(purge).not.toHaveBeenCalled();
  await expect.element(button).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(page.getByText('3 deleted files will be gone within a minute: 1.2 GB.')).toBeVisible();
  expect(purge).toHaveBeenCalledOnce();
  await expect.element(button).toBeDisabled();
  expect(await violations()).toEqual([]);
});

test('a purge that fails says why, and can be tried again', async () => {
  const purge = await openStorage({ files: 1, bytes: 900 });
  fakeApi({ 'storage.purge': refuses('fault/unavailable') });
  await card.getByRole('button', { name: 'Purge now' }).click();
  await question.getByRole('button', { name: 'Purge now' }).click();
  await expect.element(question.getByRole('alert')).toBeVisible();
  fakeApi({ 'storage.purge': purge });
  await question.getByRole('button', { name: 'Purge now' }).click();
  await expect.element(page.getByText('1 deleted file will be gone within a minute: 900 bytes.')).toBeVisible();
});

test('a store without a known limit says so, and without deleted files nothing can be purged', async () => {
  await openStorage({ files: 0, bytes: 0 }, undefined);
  fakeApi({ 'storage.use': () => ({ kept: { files: 0, bytes: 0 } }) });
  await expect.element(card.getByText(/^None\. Files of deleted/)).toBeVisible();
  await expect.element(card.getByRole('button', { name: 'Purge now' })).toBeDisabled();
});
