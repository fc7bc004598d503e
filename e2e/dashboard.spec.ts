import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

/** Collects every text that the page ever shows: some disappear as soon as the address is corrected. */
const rememberTexts = (page: Page) =>
  page.addInitScript({
    content: `addEventListener('DOMContentLoaded', () => {
      globalThis.shownTexts = new Set();
      new MutationObserver(() => {
        for (const banner of document.querySelectorAll('[role=alert]')) globalThis.shownTexts.add(banner.textContent);
      }).observe(document.body, { childList: true, subtree: true });
    })`,
  });
const rememberedTexts = (page: Page) => page.evaluate<string[]>('[...globalThis.shownTexts]');

/** A refusal as the server formats it. */
const refusal = (status: number, data: object) => ({
  status,
  json: { defined: true, code: 'REFUSED', status, message: 'REFUSED', data },
});

story('the dashboard and its addresses', () => {
  const stage = useStage();

  test('an unknown tab is named, no tab is selected, and the address is corrected', async () => {
    const { page } = await stage.signedIn('admin');
    await rememberTexts(page);
    await page.goto('/admin?tab=attic');
    await page.getByText('Invalid tab: attic').waitFor();
    await page.waitForURL('**/admin?tab=users');
    expect(await rememberedTexts(page)).toContain('Invalid tab selected');
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
  });

  test('an address with invalid bytes is reported as unreadable', async () => {
    const { page } = await stage.signedIn('admin');
    await page.goto('/admin?tab=%E0%A4%A');
    await page.getByText('Error processing URL parameters').waitFor();
    await page.waitForURL('**/admin?tab=users');
    await page.goto('/admin/upload/%E0%A4%A');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });

  test('T53 the content of an address is always shown as text', async () => {
    const { page } = await stage.signedIn('admin');
    const hostile = '<img src=x onerror=alert(1)>';
    page.on('dialog', () => expect.unreachable('a dialog opened'));
    await page.goto(`/admin?tab=${encodeURIComponent(hostile)}`);
    await page.getByText(`Invalid tab: ${hostile}`).waitFor();
    await page.goto(`/admin/upload/${encodeURIComponent(hostile)}`);
    await page.getByText(`User with ID ${hostile} not found`).waitFor();
    await page.goto(`/${encodeURIComponent(hostile)}`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await page.locator('img[src=x]').count()).toBe(0);
  });

  test('an address with a user opens Upload for them, and says so if the user does not exist', async () => {
    const { page, call } = await stage.signedIn('admin');
    await (await stage.signedIn('approved')).context.close();
    const users = await call<{ id: string; email: string }[]>('GET', '/users');
    const { id } = users.find(({ email }) => email === 'approved@example.com')!;
    await page.goto(`/admin/upload/${id}`);
    await page.getByRole('combobox', { name: 'Select User' }).getByText('approved@example.com').waitFor();
    await page.getByRole('heading', { name: 'Upload', exact: true }).waitFor();
    await page.goto('/admin/upload/nobody');
    await page.getByText('User with ID nobody not found').waitFor();
    await page.waitForURL((url) => url.pathname === '/admin');
  });

  test('a tab whose script fails to load says so, and the other tabs still work', async () => {
    const visitor = await stage.signedIn('admin');
    visitor.expectProblem(/ERR_FAILED|dynamically imported module/);
    const { page } = visitor;
    await page.route('**/assets/settings-tab-*.js', (route) => route.abort());
    await page.goto('/admin');
    const sidebar = page.getByRole('navigation', { name: 'Dashboard' });
    await sidebar.getByRole('link', { name: /Settings/ }).click();
    await page.getByText('Error loading tab content').waitFor();
    await sidebar.getByRole('link', { name: /Users/ }).click();
    await page.getByRole('button', { name: 'Refresh Users' }).waitFor();
    await sidebar.getByRole('link', { name: /Settings/ }).click();
    await page.unroute('**/assets/settings-tab-*.js');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('heading', { name: 'User Registration' }).waitFor();
  });

  test('a failed list of users is reported on the upload tab as well', async () => {
    const visitor = await stage.signedIn('admin');
    visitor.expectProblem(/status of 503/);
    await visitor.page.route('**/api/users', (route) => route.fulfill(refusal(503, { code: 'fault/unavailable' })));
    await visitor.page.goto('/admin?tab=upload');
    await visitor.page.getByText('Failed to load users. Please try again.', { exact: true }).waitFor();
  });

  test('a change of role or status reports its result, and the reason for a failure', async () => {
    const visitor = await stage.signedIn('admin');
    await (await stage.signedIn('approved')).context.close();
    visitor.expectProblem(/status of (403|500)/);
    const { page } = visitor;
    await page.goto('/admin');
    const choose = async (what: 'Role' | 'Status', option: string) => {
      await page.getByRole('combobox', { name: `${what} of approved@example.com` }).click();
      await page.getByRole('option', { name: option }).click();
    };
    await choose('Role', 'Administrator');
    await page.getByText('User role updated successfully to Administrator').waitFor();
    await choose('Role', 'Regular User');
    await page.getByText('User role updated successfully to Regular User').waitFor();
    await page.route('**/api/users/*/status', (route) => route.fulfill(refusal(403, { code: 'admin/only' })));
    await choose('Status', 'Disabled');
    await page.getByText('Failed to change user status: Unauthorized: Only admins can perform this action').waitFor();
    const fault = { code: 'fault/internal', params: { id: 'a1b2c3d4' } };
    await page.route('**/api/users/*/role', (route) => route.fulfill(refusal(500, fault)));
    await choose('Role', 'Administrator');
    await page.getByText('Failed to change user role: Internal error (id a1b2c3d4)').waitFor();
  });

  test('a fixed value says why it cannot be changed', async () => {
    const { page } = await stage.signedIn('admin');
    await page.goto('/admin');
    await page.getByText('sample@example.com').first().waitFor();
    for (const reason of ['You cannot change your own status', 'You cannot change your own role']) {
      await page.getByText(reason).first().waitFor({ state: 'attached' });
    }
    const { call } = await stage.signedIn('admin');
    await call('POST', '/users', { email: 'second@example.com', password: 'rakes and ladders', role: 'admin' });
    const second = await stage.visitor();
    await second.call('POST', '/session', {
      email: 'second@example.com',
      password: 'rakes and ladders',
      remember: false,
    });
    await second.page.goto('/admin');
    for (const reason of [
      'Cannot change status for primary admin user',
      'Cannot change role for primary admin user',
      'Cannot delete the primary admin user',
    ]) {
      await second.page.getByText(reason).first().waitFor({ state: 'attached' });
    }
  });

  test('activity that fails to load says so', async () => {
    const visitor = await stage.signedIn('admin');
    visitor.expectProblem(/status of 503/);
    await visitor.page.route('**/api/activity?*', (route) =>
      route.fulfill(refusal(503, { code: 'fault/unavailable' })),
    );
    await visitor.page.route('**/api/activity', (route) => route.fulfill(refusal(503, { code: 'fault/unavailable' })));
    await visitor.page.goto('/admin?tab=activity');
    await visitor.page.getByText('The activity could not be loaded. Please try again.').waitFor();
  });

  test('settings at their defaults cannot be reset', async () => {
    const { page } = await stage.signedIn('admin');
    await page.goto('/admin?tab=settings');
    await page.getByRole('button', { name: 'Reset to Defaults' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset to Defaults' }).click();
    await page.getByText('All settings have their default values already.').waitFor();
  });

  test('the badge of Users counts the pending accounts', async () => {
    await (await stage.signedIn('pending')).context.close();
    const { page, call } = await stage.signedIn('admin');
    const waiting = (await call<{ status: string }[]>('GET', '/users')).filter(({ status }) => status === 'pending');
    await page.goto('/admin?tab=settings');
    const link = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: /Users/ });
    await link.getByText(String(waiting.length), { exact: true }).waitFor();
    expect(waiting.length).toBeGreaterThan(0);
  });
});
