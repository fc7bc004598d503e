import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { story, useOwnServer, useStage } from './app.ts';
import { violations } from './axe.ts';
import { continueAs, googleButton, openGoogle, startGoogle } from './google-people.ts';
import { makeAccount, type Visitor } from './visitor.ts';

const ann = { sub: 'ann', email: 'ann@gmail.com', email_verified: true, name: 'Ann Gardener' };
const { provider, options } = await startGoogle([ann]);
afterAll(() => provider.stop());

const success = 'Login successful! Redirecting...';
const alerts = (page: Page) => page.getByRole('alert');
type Own = { readonly isAuthenticated: boolean; readonly account?: { readonly id: string; readonly email: string } };

/** Blocks pop-up windows as browsers do. */
const blockWindows = (visitor: Visitor) => visitor.context.addInitScript({ content: 'window.open = () => null;' });

/** Waits until the wait for Google is over without a message. */
async function isSilent(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Google' }).waitFor();
  expect(await alerts(page).count()).toBe(0);
  expect(new URL(page.url()).search).toBe('');
}

story('somebody signs in with Google', () => {
  // The story uses the claim link that is printed last, which is the one for admin@example.com.
  const env = {
    ...options.env,
    ADMIN_EMAILS: 'owner@example.com,admin@example.com',
    OIDC_TRUSTED_DOMAINS: 'example.com',
  };
  const stage = useOwnServer({ ...options, env });

  async function viaWindow(email: string, how?: BrowserContextOptions): Promise<Visitor> {
    const visitor = await stage.visitor(how);
    await continueAs(await openGoogle(visitor.page), email);
    return visitor;
  }

  test('a new user waits for approval, and signs in once approved', async () => {
    const first = await stage.visitor();
    await first.page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await first.page.getByRole('button', { name: 'Sign up with Google' }).waitFor();
    await continueAs(await openGoogle(first.page), ann.email);
    await first.page.getByText(success).waitFor();
    await first.page.waitForURL('**/pending-approval');
    await first.page.getByText(ann.email).waitFor();
    const { account } = await first.call<Own>('GET', '/session');

    const admin = await stage.signedIn('admin');
    await admin.call('PUT', `/users/${account!.id}/status`, { status: 'approved' });
    await first.page.waitForURL('**/visualization');

    const { page } = await viaWindow(ann.email);
    await page.getByText(success).waitFor();
    await page.waitForURL('**/visualization');
    expect(await page.evaluate("sessionStorage.getItem('admin_temp_pass')")).toBeNull();
  });

  test('T19 with a changed email the same person keeps the account', async () => {
    const before = await viaWindow(ann.email);
    await before.page.waitForURL('**/visualization');
    const { account } = await before.call<Own>('GET', '/session');
    provider.people = [{ ...ann, email: 'ann.gardener@gmail.com' }];
    const after = await viaWindow('ann.gardener@gmail.com');
    await after.page.waitForURL('**/visualization');
    expect((await after.call<Own>('GET', '/session')).account?.id).toBe(account!.id);
    provider.people = [ann];
  });

  test.each([
    ['with "Remember me"', true],
    ['without "Remember me"', false],
  ])('without pop-ups the page itself goes to Google and returns, %s', async (_name, remember) => {
    const visitor = await stage.visitor();
    await blockWindows(visitor);
    const { page, context } = visitor;
    await page.reload();
    await page.getByLabel('Remember me').setChecked(remember);
    await googleButton(page).click();
    await continueAs(page, ann.email);
    await page.getByText(success).waitFor();
    await page.waitForURL('**/visualization');
    expect(new URL(page.url()).search).toBe('');
    await page.reload();
    await page.getByRole('heading', { name: 'Your sky is ready' }).waitFor();
    expect(await page.getByText(success).count()).toBe(0);
    const session = (await context.cookies()).find((cookie) => cookie.name.endsWith('kc_session'))!;
    expect(session.expires > 0).toBe(remember);
  });

  test('S16 an isolated page goes to Google itself', async () => {
    const visitor = await stage.visitor();
    const { page, context } = visitor;
    const isolated = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
    await context.route(/\/(login|assets\/.*)$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), ...isolated } });
    });
    await page.reload();
    expect(await page.evaluate('crossOriginIsolated')).toBe(true);
    await googleButton(page).click();
    await continueAs(page, ann.email);
    await page.waitForURL('**/visualization');
    expect(context.pages()).toHaveLength(1);
  });

  test('a closed window and a refused consent are silent', async () => {
    const { page } = await stage.visitor();
    const popup = await openGoogle(page);
    await page.getByRole('button', { name: 'Waiting for Google...' }).waitFor();
    await popup.close();
    await isSilent(page);
    const second = await openGoogle(page);
    await Promise.all([second.waitForEvent('close'), second.getByRole('button', { name: 'Cancel' }).click()]);
    await isSilent(page);
  });

  test('a refused consent is silent after a redirect as well', async () => {
    const visitor = await stage.visitor();
    await blockWindows(visitor);
    await visitor.page.reload();
    await googleButton(visitor.page).click();
    await visitor.page.getByRole('button', { name: 'Cancel' }).click();
    await isSilent(visitor.page);
  });

  test('while the window is open the form is usable, and a second click opens no other window', async () => {
    const { page, context } = await stage.visitor();
    const popup = await openGoogle(page);
    await page.getByLabel('Email address').fill('ann');
    await page.keyboard.press('Enter');
    await page.getByText('Please enter both email and password').waitFor();
    await googleButton(page).click();
    expect(context.pages()).toHaveLength(2);
    await page.getByRole('button', { name: 'Forgot password' }).click();
    await page.getByRole('button', { name: 'Send a link' }).waitFor();
    await continueAs(popup, ann.email);
    await page.getByText(success).waitFor();
    await page.waitForURL('**/visualization');
  });

  test('T17 an unverified email does not open the account with that email', async () => {
    await (await stage.signedIn('approved')).context.close();
    provider.people = [{ sub: 'mallory', email: 'approved@example.com', email_verified: false }];
    const { page, call } = await viaWindow('approved@example.com');
    await page.getByText('An account with this email already exists').waitFor();
    expect(await call('GET', '/session')).toMatchObject({ isAuthenticated: false });
    provider.people = [ann];
  });

  test('T21 a denied user stays denied', async () => {
    await (await stage.signedIn('denied')).context.close();
    provider.people = [{ sub: 'denied', email: 'denied@example.com', email_verified: true }];
    const { page } = await viaWindow('denied@example.com');
    await page.waitForURL('**/access-denied');
    await page.getByRole('heading', { name: 'Access Denied' }).waitFor();
    provider.people = [ann];
  });

  test('S1 a built-in admin is recognised by a proven email only', async () => {
    provider.people = [{ sub: 'someone', email: 'owner@example.com', email_verified: false }];
    const stranger = await viaWindow('owner@example.com');
    await stranger.page.getByText('An account with this email already exists').waitFor();

    provider.people = [{ sub: 'owner', email: 'owner@example.com', email_verified: true }];
    const { page } = await viaWindow('owner@example.com');
    await page.waitForURL('**/visualization');
    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
    provider.people = [ann];
  });

  test('S6 an admin without a password signs in with Google again before deleting an account', async () => {
    const owner = { sub: 'owner', email: 'owner@example.com', email_verified: true };
    provider.people = [owner, ann];
    const visitor = await viaWindow(owner.email);
    const { page } = visitor;
    await page.waitForURL('**/visualization');
    const gone = await makeAccount(visitor, 'gone', 'approved');
    await page.goto('/admin');
    await page.getByRole('button', { name: `Delete ${gone.email}` }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByLabel(`Type ${gone.email} to confirm`).fill(gone.email);
    await page.keyboard.press('Enter');
    const confirm = dialog.getByRole('button', { name: /^(Confirm with|Waiting for) Google/ });
    await confirm.waitFor();
    expect(await violations(page, { within: '[role=alertdialog]' })).toEqual([]);
    expect(await dialog.getByLabel('Your password').count()).toBe(0);

    const comeBackAs = async (email: string) => {
      const [popup] = await Promise.all([page.waitForEvent('popup'), confirm.click()]);
      await continueAs(popup, email);
    };
    await comeBackAs(ann.email);
    await dialog.getByText('Authentication error. Please try again.').waitFor();
    await comeBackAs(owner.email);
    await dialog.getByText('Thank you. You can delete the user now.').waitFor();
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Delete user');
    await page.keyboard.press('Enter');
    await page.getByText(`User ${gone.email} has been completely deleted.`).waitFor();
    provider.people = [ann];
  });

  test('while registration is closed a new user is told so', async () => {
    const admin = await stage.signedIn('admin');
    const { version, settings } = await admin.call<{ version: number; settings: object }>('GET', '/settings');
    await admin.call('PUT', '/settings', {
      version,
      settings: { ...settings, openRegistration: false },
      enforce: true,
    });
    provider.people = [ann, { sub: 'new', email: 'new@gmail.com', email_verified: true }];
    const { page } = await viaWindow('new@gmail.com');
    await page.getByText('Registration is closed. Please ask an administrator for an account.').waitFor();
    await openGoogle(page).then((popup) => continueAs(popup, ann.email));
    await page.waitForURL('**/visualization');
    provider.people = [ann];
  });

  test('a page at another address than the server’s reports an unauthorized domain', async () => {
    const { page } = await stage.visitor({ baseURL: `http://127.0.0.1:${options.port}` });
    await googleButton(page).click();
    await page
      .getByText('This domain is not authorized for Google authentication. Please contact the administrator.')
      .waitFor();
  });

  test('T22 messages from other windows and sites are ignored', async () => {
    const { page, context } = await stage.visitor();
    const asked = context.waitForEvent('request', (request) => request.url().includes('/api/google/start'));
    const popup = await openGoogle(page);
    const nonce = new URL((await asked).url()).searchParams.get('nonce');
    const lie = { type: 'kc-google', nonce, failure: 'google/failed' };
    const post = (message: unknown) => `new BroadcastChannel('kc-google').postMessage(${JSON.stringify(message)});`;

    const evil = 'http://evil.example/';
    const sandboxed = `<iframe sandbox="allow-scripts" srcdoc="<script>${post(lie).replaceAll('"', '&quot;')}</script>"></iframe>`;
    await context.route(`${evil}**`, (route) => route.fulfill({ contentType: 'text/html', body: sandboxed }));
    const other = await context.newPage();
    await other.goto(evil);
    await other.evaluate(
      `${post(lie)} open('${stage.server.url}/login').postMessage(${JSON.stringify(lie)}, '*'); undefined`,
    );
    const sibling = await context.newPage();
    await sibling.goto('/login');
    for (const forged of [{ ...lie, nonce: 'another' }, { ...lie, type: 'kc-else' }, [lie], 'kc-google', null]) {
      await sibling.evaluate(post(forged));
    }

    await continueAs(popup, ann.email);
    await page.getByText(success).waitFor();
    await page.waitForURL('**/visualization');
  });

  test.each([
    ['sign-up/closed', 'Registration is closed. Please ask an administrator for an account.'],
    ['google/profile-failed', 'There was an error processing your login. Please try again.'],
    ['Call 555 now', 'Authentication error. Please try again.'],
    ['done', 'Authentication error. Please try again.'],
  ])('T53 a result code %s in the address shows its message once', async (code, text) => {
    const { page } = await stage.visitor();
    await page.goto(`/login?${new URLSearchParams({ google: code })}`);
    await alerts(page).getByText(text).waitFor();
    expect(await page.getByText('555').count()).toBe(0);
    await page.waitForURL((url) => url.search === '');
    await page.reload();
    await isSilent(page);
  });

  test.each([
    ['desktop', { width: 1440, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ])('axe finds nothing while it waits and after a failure, %s', async (_name, viewport) => {
    const { page } = await stage.visitor({ viewport });
    const popup = await openGoogle(page);
    await page.getByRole('button', { name: 'Waiting for Google...' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await popup.close();
    await page.goto('/login?google=google/failed');
    await alerts(page).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

story('Google does not respond', () => {
  const down = { GOOGLE_CLIENT_ID: 'a', GOOGLE_CLIENT_SECRET: 'b', GOOGLE_ISSUER: 'http://127.0.0.1:9' };
  const stage = useOwnServer({ env: down });

  test('the message says so, and a password still signs in', async () => {
    const { page } = await stage.visitor();
    await googleButton(page).click();
    await page.getByText('Authentication error. Please try again.').waitFor();
    const { page: approved } = await stage.signedIn('approved');
    await approved.goto('/visualization');
    await approved.getByRole('heading', { name: 'Your sky is ready' }).waitFor();
  });

  test('after a redirect as well', async () => {
    const visitor = await stage.visitor();
    await blockWindows(visitor);
    await visitor.page.reload();
    await googleButton(visitor.page).click();
    await visitor.page.getByText('Authentication error. Please try again.').waitFor();
    await visitor.page.waitForURL((url) => url.search === '');
  });
});

story('a server without Google', () => {
  const stage = useStage();

  test('says so below a disabled button', async () => {
    const { page } = await stage.visitor();
    await page.getByText('Google sign-in is not set up on this server').waitFor();
    expect(await page.getByRole('button', { name: 'Sign in with Google' }).isDisabled()).toBe(true);
  });
});
