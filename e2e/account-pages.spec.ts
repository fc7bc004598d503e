import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useOwnServer, useStage } from './app.ts';
import { gate } from './gate.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
const broken = { status: 503, body: 'none of ours' };

story('the pages of an account that is not approved', () => {
  const stage = useStage();

  test('a pending user sees their account and the time of the last check, and can check again', async () => {
    const { page, call } = await stage.signedIn('pending');
    const { account } = await call<{ account: { id: string } }>('GET', '/session');
    await page.goto('/pending-approval');
    await heading(page, 'Checking Status');
    await page.getByText('Please wait while we verify your account...').waitFor();
    await heading(page, 'Account Pending Approval');
    expect(await page.title()).toBe('⏳ Pending approval · Keyword Clustering');
    const main = page.getByRole('main');
    for (const text of ['pending@example.com', 'Pending', account.id.slice(0, 8), /^Last checked: \d+ seconds? ago$/]) {
      await main.getByText(text, { exact: true }).first().waitFor();
    }
    const lastChecked = () => page.getByText(/^Last checked: /).innerText();
    const before = await lastChecked();
    await expect.poll(lastChecked, { timeout: 10_000 }).not.toBe(before);
    await page.getByRole('button', { name: 'Check Status Now' }).click();
    await page.getByText('Still pending. Checked just now.').waitFor();
  });

  test('returning to the tab or going online checks again', async () => {
    const { page } = await stage.signedIn('pending');
    await page.goto('/pending-approval');
    await heading(page, 'Account Pending Approval');
    const back = `document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`;
    const online = `['offline', 'online'].forEach((name) => dispatchEvent(new Event(name)))`;
    let checks = 0;
    page.on('response', (response) => (checks += Number(response.url().endsWith('/api/session'))));
    for (const happening of [back, online]) {
      const before = checks;
      // Repeated, because a check under way when it happens is not doubled. The next one by itself is 30 s away.
      const happens = async () => {
        await page.evaluate(happening);
        return checks - before;
      };
      await expect.poll(happens, { interval: 500, timeout: 10_000 }).toBeGreaterThan(0);
    }
  });

  test('a failed check says so, and a retry succeeds', async () => {
    const visitor = await stage.signedIn('pending');
    visitor.expectProblem(/status of 503/);
    const { page } = visitor;
    await page.goto('/pending-approval');
    await heading(page, 'Account Pending Approval');
    await page.route('**/api/session', (route) => route.fulfill(broken));
    await page.getByRole('button', { name: 'Check Status Now' }).click();
    await heading(page, 'Account Error');
    await page.getByText('An error occurred while checking your status. Please try again later.').waitFor();
    await page.getByRole('button', { name: 'Sign Out' }).waitFor();
    await page.unroute('**/api/session');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await heading(page, 'Account Pending Approval');
  });

  test('a check without a session says so and goes to the sign-in page', async () => {
    const visitor = await stage.signedIn('pending');
    const { page } = visitor;
    const stream = page.waitForResponse('**/api/events');
    await page.goto('/pending-approval');
    await heading(page, 'Account Pending Approval');
    await stream;
    const script = gate();
    await page.route('**/assets/login-screen-*.js', async (route) => {
      await script.opened;
      await route.continue();
    });
    await visitor.context.clearCookies();
    await page.getByRole('button', { name: 'Check Status Now' }).click();
    await heading(page, 'Account Error');
    await page.getByText('No user found').waitFor();
    script.open();
    await page.waitForURL('**/login');
  });

  test('a denied user sees their account and whom to write to', async () => {
    const { page } = await stage.signedIn('denied');
    await page.goto('/access-denied');
    await page
      .getByText(
        'Your account access has been denied by an administrator. If you believe this is a mistake, please contact support.',
      )
      .waitFor();
    await page.getByRole('main').getByText('denied@example.com').waitFor();
  });

  test('T57 a hostile name adds nothing to the mail to support', async () => {
    const visitor = await stage.signedIn('pending');
    const displayName = 'x?cc=evil@example.com&body=<b>&bcc=evil@example.com\r\nBcc: evil@example.com';
    const { account } = await visitor.call<{ account: { id: string } }>('PUT', '/session/name', { displayName });
    const admin = await stage.signedIn('admin');
    await admin.call('PUT', `/users/${account.id}/status`, { status: 'denied' });
    const { page } = visitor;
    await page.goto('/access-denied');
    const href = await page.getByRole('link', { name: 'Contact Support' }).getAttribute('href');
    const mail = new URL(href!);
    expect(mail.protocol).toBe('mailto:');
    expect([...mail.searchParams.keys()]).toEqual(['subject']);
    expect(href).not.toMatch(/evil|[\r\n<>\s]/);
    expect(mail.searchParams.get('subject')).toMatch(/^Account access denied \([0-9a-f]{8}\)$/);
  });
});

story('the account pages without a support address', () => {
  const stage = useOwnServer();

  test('show no support link, and lead a pending user to the pending page', async () => {
    const pending = await stage.signedIn('pending');
    const denied = await stage.signedIn('denied');
    await denied.page.goto('/access-denied');
    await denied.page
      .getByText('If you believe this is a mistake, please ask your administrator.', { exact: false })
      .waitFor();
    await pending.page.goto('/access-denied');
    await pending.page.waitForURL('**/pending-approval');
    await heading(pending.page, 'Account Pending Approval');
    await pending.page
      .getByText('If it has been more than 2 business days, please ask your administrator.', { exact: true })
      .waitFor();
    for (const { page } of [pending, denied]) {
      expect(await page.getByText(/support/i).count()).toBe(0);
    }
  });

  test('a denied user who is set back to pending waits again at once, and is denied again as quickly', async () => {
    const { page, call } = await stage.signedIn('pending');
    const { account } = await call<{ account: { id: string } }>('GET', '/session');
    const admin = await stage.signedIn('admin');
    const set = (status: string) => admin.call('PUT', `/users/${account.id}/status`, { status });
    await set('denied');
    const stream = page.waitForResponse('**/api/events');
    await page.goto('/access-denied');
    await heading(page, 'Access Denied');
    // A change made before the page listens is only seen at its next poll.
    await stream;
    await set('pending');
    await page.waitForURL('**/pending-approval');
    await heading(page, 'Account Pending Approval');
    expect(await page.getByText('Disabled').count()).toBe(0);
    await set('denied');
    await heading(page, 'Access Denied');
    await set('pending');
  });
});

story('the admin check while the server does not respond', () => {
  const stage = useStage();

  test('says why', async () => {
    const visitor = await stage.signedIn('admin');
    visitor.expectProblem(/status of 503/);
    const { page } = visitor;
    await page.goto('/admin-check');
    await page.getByText('You have admin privileges!').waitFor();
    await page.route('**/api/session', (route) => route.fulfill(broken));
    await page.reload();
    await page
      .getByText('Error checking admin status: The server is not ready. Please try again in a moment.')
      .waitFor();
  });
});
