import { limits } from '@kc/rules/limits';
import { defaultSettings } from '@kc/rules/settings';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { runFor, stopClock } from '../../../test/page/clock.ts';
import { fakeApi, neverAnswers, refuses } from '../../../test/page/fake-api.ts';
import { serverSays } from '../../../test/page/fake-events.ts';
import { address, openApp } from '../../../test/page/open-app.tsx';
import { accountsOf, ann, openDashboard, person } from '../../../test/page/open-users.tsx';
import { resize } from '../../../test/page/window.ts';
import { account } from '../../../test/support/account.ts';

const shows = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible();
const heading = (name: string) => expect.element(page.getByRole('heading', { name, exact: true })).toBeVisible();
const sidebar = page.getByRole('navigation', { name: 'Dashboard' });

const emptyUploads = {
  'uploads.unfinished': () => [],
  'uploads.list': () => [],
  'visualizations.list': () => [],
  'drafts.list': () => [],
};
const settings = {
  'settings.get': () => ({ version: 1, settings: defaultSettings, themeChosen: false, policyEnforced: true }),
  'links.all': () => [],
  'accessTokens.all': () => [],
  'webhooks.list': () => [],
  'storage.use': () => ({ free: 41_200_000_000, kept: { files: 0, bytes: 0 } }),
};

/** Collects every text of a banner: some disappear as soon as the address is corrected. */
function rememberBanners(): Set<string> {
  const texts = new Set<string>();
  const watch = new MutationObserver(() => {
    for (const banner of document.querySelectorAll('[role=alert]')) texts.add(banner.textContent);
  });
  watch.observe(document.body, { childList: true, subtree: true });
  onTestFinished(() => watch.disconnect());
  return texts;
}

// Shows P6.2.
test('an unknown tab is named, no tab is selected, and the address is corrected', async () => {
  const texts = rememberBanners();
  await openDashboard('/admin?tab=attic', accountsOf().api);
  await shows(/Invalid tab: attic/);
  await expect.poll(address).toBe('/admin?tab=users');
  expect([...texts].some((text) => text.includes('Invalid tab selected'))).toBe(true);
  await heading('Users');
});

test('an address with invalid bytes is reported as unreadable', async () => {
  await openDashboard('/admin?tab=%E0%A4%A', accountsOf().api);
  await shows(/Error processing URL parameters/);
  await expect.poll(address).toBe('/admin?tab=users');
  await openApp('/admin/upload/%E0%A4%A', { as: 'admin' });
  await heading('Page not found');
});

test('T53 the content of an address is always shown as text', async () => {
  const hostile = '<img src=x onerror=alert(1)>';
  await openDashboard(`/admin?tab=${encodeURIComponent(hostile)}`, accountsOf().api);
  await expect.element(page.getByText(`Invalid tab: ${hostile}`, { exact: false })).toBeVisible();
  await openDashboard(`/admin/upload/${encodeURIComponent(hostile)}`, { ...accountsOf().api, ...emptyUploads });
  await expect.element(page.getByText(`User with ID ${hostile} not found`, { exact: false })).toBeVisible();
  await openApp(`/${encodeURIComponent(hostile)}`, { as: 'admin' });
  await heading('Page not found');
  expect(document.querySelector('img[src=x]')).toBeNull();
});

// Shows P6.3.
test('an address with a user opens Upload for them', async () => {
  await openDashboard('/admin/upload/bea', { ...accountsOf(person('bea')).api, ...emptyUploads });
  const user = page.getByRole('combobox', { name: 'Select User' });
  await expect.element(user.getByText(/bea@example\.com/)).toBeVisible();
  await heading('Upload');
});

test('an address with a user who does not exist says so', async () => {
  await openDashboard('/admin/upload/nobody', { ...accountsOf().api, ...emptyUploads });
  await shows(/User with ID nobody not found/);
  await expect.poll(() => location.pathname).toBe('/admin');
});

test('a failed list of users is reported on the upload tab as well', async () => {
  stopClock();
  const list = { 'accounts.list': refuses('fault/unavailable') };
  await openApp('/admin?tab=upload', { as: 'admin', api: { ...list, ...emptyUploads } });
  await heading('Upload');
  await runFor(limits.userListDelayMs + limits.userListRetries * limits.userListRetryMs);
  await shows('Failed to load users. Please try again.');
  // The message stays while the list is requested again.
  const listAccounts = vi.fn(neverAnswers);
  fakeApi({ 'accounts.list': listAccounts });
  serverSays('accounts');
  await expect.poll(() => runFor(limits.userListDelayMs).then(() => listAccounts.mock.calls.length)).toBe(1);
  await shows('Failed to load users. Please try again.');
});

// Shows P7.2.
test('a change of role or status reports its result, and the reason for a failure', async () => {
  await openDashboard('/admin', accountsOf(person('bea')).api);
  const choose = async (what: 'Role' | 'Status', option: string) => {
    await page.getByRole('combobox', { name: `${what} of bea@example.com` }).click();
    await page.getByRole('option', { name: option }).click();
  };
  await choose('Role', 'Administrator');
  await shows('User role updated successfully to Administrator');
  await choose('Role', 'Regular User');
  await shows('User role updated successfully to Regular User');
  fakeApi({ 'accounts.setStatus': refuses('admin/only') });
  await choose('Status', 'Disabled');
  await shows('Failed to change user status: Unauthorized: Only admins can perform this action');
  fakeApi({ 'accounts.setRole': refuses('fault/internal', { id: 'a1b2c3d4' }) });
  await choose('Role', 'Administrator');
  await shows('Failed to change user role: Internal error (id a1b2c3d4)');
});

test('a fixed value says why it cannot be changed', async () => {
  const primary = account('first@example.com', { id: 'first', role: 'admin', isPrimaryAdmin: true });
  await openDashboard('/admin', { 'accounts.list': () => [ann, primary] });
  for (const reason of [
    'You cannot change your own status',
    'You cannot change your own role',
    'Cannot change status for primary admin user',
    'Cannot change role for primary admin user',
    'Cannot delete the primary admin user',
  ]) {
    await expect.poll(() => document.body.textContent).toContain(reason);
  }
});

test('activity that fails to load says so', async () => {
  const failing = { 'activity.list': refuses('fault/unavailable') };
  await openDashboard('/admin?tab=activity', { ...accountsOf().api, ...failing });
  await shows('The activity could not be loaded. Please try again.');
});

test('settings at their defaults cannot be reset', async () => {
  await openDashboard('/admin?tab=settings', { ...accountsOf().api, ...settings });
  await page.getByRole('button', { name: 'Reset to Defaults' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset to Defaults' }).click();
  await shows('All settings already have their default values.');
});

// Shows P6.4.
test('the badge of Users counts the pending accounts', async () => {
  const waiting = ['bea', 'cleo', 'dora'].map((name) => person(name, { status: 'pending' }));
  await openDashboard('/admin?tab=settings', { ...accountsOf(...waiting, person('emil')).api, ...settings });
  const link = sidebar.getByRole('link', { name: /Users/ });
  await expect.element(link.getByText('3', { exact: true })).toBeVisible();
});

test.each([1440, 390])(
  'the stars beside the title can be seen, and are behind no text, in a window of %i pixels',
  async (width) => {
    await resize(width, 844);
    await openDashboard('/admin?tab=activity', { ...accountsOf().api, 'activity.list': () => ({ lines: [] }) });
    const title = page.getByRole('heading', { name: 'Admin Dashboard' }).element();
    const stars = [...document.querySelectorAll<HTMLElement>('[aria-hidden] > [style*="animation-delay"]')];
    expect(stars).toHaveLength(limits.dashboardDots);
    const words = document.createRange();
    words.selectNodeContents(title);
    const text = words.getBoundingClientRect();
    for (const star of stars) {
      const box = star.getBoundingClientRect();
      expect(Math.min(box.width, box.height), 'large enough to be seen as a star').toBeGreaterThanOrEqual(8);
      expect(box.left < text.right && box.top < text.bottom, 'behind the title').toBe(false);
      const { backgroundColor } = getComputedStyle(star);
      expect(backgroundColor).not.toBe(getComputedStyle(document.body).backgroundColor);
      expect(backgroundColor).not.toBe('rgba(0, 0, 0, 0)');
    }
  },
);
