import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { adminPerson } from './visitor.ts';

/** The session response, modified on its way to the page: a page that knows less, or comes from another version. */
async function changeSession(page: Page, change: (session: Record<string, unknown>) => object): Promise<void> {
  await page.route('**/api/session', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    return route.fulfill({ response, json: { ...(await response.json()), ...change(await response.json()) } });
  });
}

story('the admin check', () => {
  const stage = useStage();

  test('an admin is confirmed and continues to the Admin Panel', async () => {
    const { page } = await stage.signedIn('admin');
    await page.goto('/admin-check');
    await page.getByText('You have admin privileges!').waitFor();
    expect(await page.getByRole('main').getByText('Admin', { exact: true }).count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Fix Admin Status' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Go to Admin Panel' }).click();
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
  });

  test('a regular user is told that the email is not on the list, and the fix fails', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/admin-check');
    await page.getByText('Your email is not in the admin list. Admin status check failed.').waitFor();
    await page.getByText('Not Admin').waitFor();
    await page.getByText('No display name').waitFor();
    await page.getByRole('button', { name: 'Fix Admin Status' }).click();
    await page.getByText('Failed to update admin status. Your email might not be in the admin list.').waitFor();
    await page.getByRole('link', { name: 'Back to Home' }).click();
    await page.waitForURL('**/visualization');
  });

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

  test('failures of the fix are shown', async () => {
    const visitor = await stage.signedIn('approved');
    visitor.expectProblem(/status of 4\d\d/);
    // An event stream without a session would report it before the button is pressed.
    const stream = visitor.page.waitForResponse('**/api/events');
    await visitor.page.goto('/admin-check');
    await stream;
    const fix = visitor.page.getByRole('button', { name: 'Fix Admin Status' });
    await fix.waitFor();
    await visitor.context.clearCookies();
    await fix.click();
    await visitor.page
      .getByText('Please log in to check admin status')
      .or(visitor.page.getByText('Error fixing admin status: You are not logged in. Please log in first.'))
      .first()
      .waitFor();
  });

  test('a signed-out visitor is asked to sign in', async () => {
    const { page } = await stage.visitor();
    await page.goto('/admin-check');
    await page.getByText('Please log in to check admin status').waitFor();
    await page.getByRole('link', { name: 'Go to Login' }).click();
    await page.waitForURL('**/login');
  });

  test.each(['pending', 'denied'] as const)('%s people are sent where they belong', async (role) => {
    const { page } = await stage.signedIn(role);
    await page.goto('/admin-check');
    await page.waitForURL(role === 'pending' ? '**/pending-approval' : '**/access-denied');
  });
});

story('the pages about the product', () => {
  const stage = useStage();

  test('/test says whether the server responds, who is signed in, and what the browser supports', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/test');
    await page.getByText('Reachable', { exact: true }).waitFor();
    await page.getByRole('main').getByText('approved@example.com').waitFor();
    expect(await page.getByText('Missing').count()).toBe(0);
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

story('what a page shows while the server does not respond', () => {
  const stage = useStage();

  const cutOff = (page: Page) => page.route('**/api/**', (route) => route.abort());
  const record = { approved: true, admin: true };

  test('T25 a record from the future opens nothing', async () => {
    const visitor = await stage.visitor();
    visitor.expectProblem(/ERR_FAILED|Failed to fetch|Error in route match/);
    await visitor.page.getByLabel('Email address').waitFor();
    const { page } = visitor;
    await page.evaluate(
      (text) => localStorage.setItem('kc-approval-p1', text),
      JSON.stringify({ ...record, timestamp: Number.MAX_SAFE_INTEGER }),
    );
    await cutOff(page);
    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Oops! Something went wrong' }).waitFor();
  });

  test('T25 a forged record paints a frame without any data, and nothing once the server responds', async () => {
    const visitor = await stage.visitor();
    visitor.expectProblem(/ERR_FAILED|Failed to fetch|Error in route match/);
    await visitor.page.getByLabel('Email address').waitFor();
    const { page } = visitor;
    const forge = () =>
      page.evaluate(
        (made) => localStorage.setItem('kc-approval-p1', JSON.stringify({ ...made, timestamp: Date.now() })),
        record,
      );
    await forge();
    await cutOff(page);
    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
    await page.getByText('Failed to load users. Please try again or check the backend connection.').waitFor();
    expect(await page.getByText('@example.com').count()).toBe(0);

    await page.unroute('**/api/**');
    await forge();
    await page.goto('/admin');
    await page.waitForURL('**/login');
  });
});

story('a built-in admin signs in', () => {
  const stage = useStage();

  test('five seconds later accounts that share an email are merged', async () => {
    await (await stage.signedIn('admin')).context.close();
    const { page } = await stage.visitor();
    await page.getByLabel('Email address').fill(adminPerson.email);
    await page.getByLabel('Password', { exact: true }).fill(adminPerson.password);
    const cleaned = page.waitForResponse('**/api/users/clean-duplicates');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/visualization');
    expect(await (await cleaned).json()).toEqual({ marked: 0 });
  });
});
