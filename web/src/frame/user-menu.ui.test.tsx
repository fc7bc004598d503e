import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { fakeApi, refuses } from '../../test/page/fake-api.ts';
import { address, openApp, sessionOf } from '../../test/page/open-app.tsx';

const empty = { 'visualizations.list': () => [], 'drafts.list': () => [] };
const item = (name: string) => page.getByRole('menuitem', { name, exact: true });

async function openMenu(): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: /ann/ }).click();
  await expect.element(item('Sign Out')).toBeVisible();
}

// Shows P2.3.
test('a new name appears at once', async () => {
  await openApp('/visualization', { as: 'approved', api: empty });
  await openMenu();
  await item('Edit name').click();
  const name = page.getByLabelText('Full name');
  await name.fill(' ');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Please enter your full name')).toBeVisible();
  fakeApi({ 'session.setName': ({ displayName }) => sessionOf('approved', { displayName }) });
  await name.fill('Ann Gardener');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Your name has been changed')).toBeVisible();
  await expect.element(page.getByRole('banner').getByRole('button', { name: /Ann Gardener/ })).toBeVisible();
});

test('the commands open again while another dialog is still closing', async () => {
  await openApp('/visualization', { as: 'approved', api: empty });
  const commands = page.getByRole('dialog', { name: 'Commands' });
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(commands).toBeVisible();
  // A dialog that fades out, as with motion.
  const fading = document.createElement('div');
  fading.innerHTML = '<div role="dialog" data-closed>Closing</div>';
  document.body.append(fading);
  onTestFinished(() => fading.remove());
  await userEvent.keyboard('{Escape}');
  await expect.element(commands).not.toBeInTheDocument();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(commands).toBeVisible();
});

// Shows P2.6.
test.each(['Sign Out', 'Sign out everywhere'] as const)(
  '"%s" leaves nothing of the person in the browser, but the choices of the device',
  async (name) => {
    localStorage.setItem('kc-approval-ann', JSON.stringify({ approved: true, admin: false, timestamp: Date.now() }));
    localStorage.setItem('explorer.brand-terms.customer’s shop', 'customer');
    await openApp('/visualization', { as: 'approved', api: empty });
    await page.getByRole('button', { name: 'Switch to dark theme' }).click();
    sessionStorage.setItem('admin_temp_pass', 'a handle of the one before');
    await openMenu();
    const end = vi.fn(() => {
      // What the browser does on the header `Clear-Site-Data`.
      localStorage.clear();
      fakeApi({ 'session.get': () => sessionOf('nobody') });
      return sessionOf('nobody');
    });
    fakeApi(name === 'Sign Out' ? { 'session.signOut': end } : { 'session.signOutEverywhere': end });
    await item(name).click();
    await expect.poll(address).toBe('/login');
    expect(end).toHaveBeenCalledOnce();
    const kept = [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
    expect(kept.filter((key) => /^kc-|admin_temp_pass|brand-terms/.test(key))).toEqual([]);
    expect(localStorage.getItem('theme')).toBe('dark');
  },
);

// Shows P2.5.
test('if signing out fails they are told why and stay signed in', async () => {
  await openApp('/visualization', { as: 'approved', api: empty });
  await openMenu();
  fakeApi({ 'session.signOut': refuses('fault/unavailable') });
  await item('Sign Out').click();
  await expect.element(page.getByText('The server is not ready. Please try again in a moment.')).toBeVisible();
  expect(address()).toBe('/visualization');
});

// Shows P2.12.
test('the user menu leads to the licences, and so does the menu on a phone', async () => {
  await openApp('/visualization', { as: 'approved', api: empty });
  await openMenu();
  const notices = { href: '/third-party-notices.txt', target: '_blank' };
  for (const [name, value] of Object.entries(notices))
    await expect.element(item('Third-party notices')).toHaveAttribute(name, value);
  await userEvent.keyboard('{Escape}');
  await page.viewport(390, 844);
  onTestFinished(() => page.viewport(1440, 900));
  await page.getByRole('button', { name: 'Menu' }).click();
  const link = page.getByRole('link', { name: 'Third-party notices' });
  for (const [name, value] of Object.entries(notices)) await expect.element(link).toHaveAttribute(name, value);
});

test('an open user menu closes when the window becomes as narrow as a phone, and leaves nothing over the page', async () => {
  await openApp('/visualization', { as: 'approved', api: empty });
  await openMenu();
  onTestFinished(() => page.viewport(1440, 900));
  await page.viewport(390, 844);
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
});

test('the menu of an admin on a phone has the pages, the commands and what ends the session', async () => {
  await openApp('/visualization', { as: 'admin', api: empty });
  onTestFinished(() => page.viewport(1440, 900));
  await page.viewport(390, 844);
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  for (const name of ['My Visualizations', 'Admin Panel'])
    await expect.element(menu.getByRole('link', { name })).toBeVisible();
  for (const name of ['Commands', 'Edit name', 'Emails', 'Access tokens', 'Sign Out', 'Sign out everywhere'])
    await expect.element(menu.getByRole('button', { name, exact: true })).toBeVisible();
});
