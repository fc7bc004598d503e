import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { fakeApi, refuses } from '../../../test/page/fake-api.ts';
import { address, openApp, sessionOf } from '../../../test/page/open-app.tsx';
import { account } from '../../../test/support/account.ts';

const shows = (text: string) => expect.element(page.getByText(text)).toBeVisible();
const fix = page.getByRole('button', { name: 'Fix Admin Status' });

// Shows P6.6.
test('an admin is confirmed and continues to the Admin Panel', async () => {
  await openApp('/admin-check', { as: 'admin', api: { 'accounts.list': () => [account('ann@example.com')] } });
  await shows('You have admin privileges!');
  await expect.element(page.getByRole('main').getByText('Admin')).toBeVisible();
  await expect.element(fix).not.toBeInTheDocument();
  await page.getByRole('link', { name: 'Go to Admin Panel' }).click();
  await expect.element(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
});

// Shows P6.6.
test('a regular user is told that the email is not on the list, and the fix fails', async () => {
  await openApp('/admin-check', {
    as: 'approved',
    api: {
      'adminCheck.fix': () => ({ updated: false }),
      'visualizations.list': () => [],
      'drafts.list': () => [],
    },
  });
  await shows('Your email is not in the admin list. Admin status check failed.');
  await shows('Not Admin');
  await shows('No display name');
  await fix.click();
  await shows('Failed to update admin status. Your email might not be in the admin list.');
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect.poll(address).toBe('/visualization');
});

test('somebody on the list whose status is not set is told so, and that the fix worked', async () => {
  await openApp('/admin-check', {
    as: sessionOf('approved', { inAdminList: true }),
    api: { 'adminCheck.fix': () => ({ updated: true }) },
  });
  await shows(
    'Your email is in the admin list, but your status is not set as admin. Click "Fix Admin Status" to update.',
  );
  await fix.click();
  await shows('Successfully updated to admin! Refreshing page...');
});

test('somebody on the list whose email is not proven is sent to the claim link, before and after the fix', async () => {
  const fixed = vi.fn(() => ({ updated: false }));
  await openApp('/admin-check', {
    as: sessionOf('approved', { inAdminList: true, emailProven: false }),
    api: { 'adminCheck.fix': fixed },
  });
  const text =
    'Your email is in the admin list, but it is not proven to be yours yet. Open your claim link: the server prints one when it starts, and "npm run claim-link" on the server makes a new one.';
  await shows(text);
  await fix.click();
  await expect.poll(() => fixed.mock.calls.length).toBe(1);
  await shows(text);
  expect(document.body.textContent).not.toContain('Failed to update admin status.');
});

test('failures of the fix are shown', async () => {
  await openApp('/admin-check', { as: 'approved' });
  fakeApi({ 'adminCheck.fix': refuses('fault/internal', { id: 'a1b2c3d4' }) });
  await fix.click();
  await shows('Error fixing admin status: Internal error (id a1b2c3d4)');
  fakeApi({ 'adminCheck.fix': refuses('session/required') });
  await fix.click();
  await shows('Error fixing admin status: You are not logged in. Please log in first.');
  fakeApi({ 'session.get': () => sessionOf('nobody') });
  await fix.click();
  await shows('Please log in to check admin status');
});

// Shows P6.6.
test('a signed-out visitor is asked to sign in', async () => {
  await openApp('/admin-check');
  await shows('Please log in to check admin status');
  await page.getByRole('link', { name: 'Go to Login' }).click();
  await expect.poll(address).toBe('/login');
});

test('while the server does not respond, it says why', async () => {
  await openApp('/admin-check', { as: 'admin' });
  await shows('You have admin privileges!');
  await openApp('/admin-check', { api: { 'session.get': refuses('fault/unavailable') } });
  await shows('Error checking admin status: The server is not ready. Please try again in a moment.');
});
