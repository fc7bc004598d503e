import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

/** The session response, modified on its way to the page: a page that knows less, or comes from another version. */
async function changeSession(page: Page, change: (session: Record<string, unknown>) => object): Promise<void> {
  await page.route('**/api/session', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    return route.fulfill({ response, json: { ...(await response.json()), ...change(await response.json()) } });
  });
}

story('pages that the server changes or describes', () => {
  const stage = useStage();

  test('a page that does not yet know of a built-in admin learns it through the fix, and reloads', async () => {
    const { page } = await stage.signedIn('admin');
    await changeSession(page, () => ({ isAdmin: false }));
    await page.goto('/admin-check');
    await page
      .getByText(
        'Your email is in the admin list, but your status is not set as admin. Click "Fix Admin Status" to update.',
      )
      .waitFor();
    await page.getByRole('button', { name: 'Fix Admin Status' }).click();
    await page.unroute('**/api/session');
    await page.getByText('Successfully updated to admin! Refreshing page...').waitFor();
    await page.getByText('You have admin privileges!').waitFor();
  });

  test('/api/docs leads to the calls, each with its access and shapes', async () => {
    const { page } = await stage.visitor();
    await page.goto('/api/docs');
    await page.waitForURL('**/docs');
    const call = page.getByRole('listitem').filter({ hasText: '/api/admin-check/fix' });
    await call.getByText('approved').waitFor();
    await call.getByText('/api/admin-check/fix').click();
    await call.getByText('updated: boolean').waitFor();
    await page.getByText('/healthz').waitFor();
  });

  test('a page with a different version than the server says so', async () => {
    const { page } = await stage.visitor();
    await changeSession(page, (session) => ({ server: { ...(session.server as object), version: '99.0.0' } }));
    await page.goto('/login');
    await page.getByText('Backend SDK not available. Please refresh the page and try again.').waitFor();
    await page.unroute('**/api/session');
    await page.getByRole('button', { name: 'Refresh Page' }).click();
    await page.getByLabel('Email address').waitFor();
    expect(await page.getByText('Backend SDK not available').count()).toBe(0);
  });
});
