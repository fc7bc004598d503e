import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { story, useOwnServer } from './app.ts';
import { continueAs, googleButton, openGoogle, startGoogle } from './google-people.ts';

const ann = { sub: 'ann', email: 'ann@gmail.com', email_verified: true, name: 'Ann Gardener' };
const { provider, options } = await startGoogle([ann]);
afterAll(() => provider.stop());

const success = 'Login successful! Redirecting...';
type Own = { readonly account?: { readonly id: string } };

/** Waits until the wait for Google is over without a message. */
async function isSilent(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Google' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(new URL(page.url()).search).toBe('');
}

/** Waits for the message, which is gone with the page a moment later, from before it is there. */
const signsIn = (page: Page, google: Page) =>
  Promise.all([page.getByText(success).waitFor(), continueAs(google, ann.email)]);

story('somebody signs in with Google', () => {
  const stage = useOwnServer(options);

  // Shows P4.1.
  test('a new user waits for approval, and signs in once approved', async () => {
    const first = await stage.visitor();
    await (await openGoogle(first.page)).close();
    await isSilent(first.page);
    await first.page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await first.page.getByRole('button', { name: 'Sign up with Google' }).waitFor();
    await signsIn(first.page, await openGoogle(first.page));
    await first.page.waitForURL('**/pending-approval');
    await first.page.getByText(ann.email).waitFor();
    const { account } = await first.call<Own>('GET', '/session');

    const admin = await stage.signedIn('admin');
    await admin.call('PUT', `/users/${account!.id}/status`, { status: 'approved' });
    await first.page.waitForURL('**/visualization');

    const { page } = await stage.visitor();
    await signsIn(page, await openGoogle(page));
    await page.waitForURL('**/visualization');
    expect(await page.evaluate("sessionStorage.getItem('admin_temp_pass')")).toBeNull();
  });

  // Shows P4.2.
  test('S16 an isolated page goes to Google itself and returns', async () => {
    const { page, context } = await stage.visitor();
    const isolated = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
    await context.route(/\/(login|assets\/.*)$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), ...isolated } });
    });
    await page.reload();
    expect(await page.evaluate('crossOriginIsolated')).toBe(true);
    await googleButton(page).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await isSilent(page);

    // The headers above reach no page that a redirect leads to.
    await page.reload();
    await page.getByLabel('Remember me').check();
    await googleButton(page).click();
    await signsIn(page, page);
    await page.waitForURL('**/visualization');
    expect(new URL(page.url()).search).toBe('');
    expect(context.pages()).toHaveLength(1);
    await page.reload();
    await page.getByRole('heading', { name: 'Your sky is ready' }).waitFor();
    expect(await page.getByText(success).count()).toBe(0);
    const session = (await context.cookies()).find((cookie) => cookie.name.endsWith('kc_session'))!;
    expect(session.expires).toBeGreaterThan(0);
  });
});
