import type { Session } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { atRest } from '../../../test/page/at-rest.ts';
import { violations } from '../../../test/page/axe.ts';
import { runFor, stopClock } from '../../../test/page/clock.ts';
import { fakeApi } from '../../../test/page/fake-api.ts';
import { address, openApp, sessionOf } from '../../../test/page/open-app.tsx';
import { standInGoogle } from '../../../test/page/stand-in-google.ts';

const withGoogle = (session: Session): Session => ({ ...session, server: { ...session.server, google: true } });
const signedOut = withGoogle(sessionOf('nobody'));
const success = 'Login successful! Redirecting...';
const button = page.getByRole('button', { name: 'Sign in with Google' });
const waiting = page.getByRole('button', { name: 'Waiting for Google...' });
const alert = page.getByRole('alert');
const showsAlert = (text: string) => expect.element(alert.getByText(text)).toBeVisible();

/** The wait is over without a message, also one that would go by itself. */
async function isSilent(): Promise<void> {
  await expect.element(button).toBeEnabled();
  await expect.poll(address).toBe('/login');
  await atRest();
  expect(alert.query()).toBeNull();
}

/** Signed in at Google: from now on the cookie is one of a session. */
const signedIn = (session: Session) =>
  fakeApi({ 'session.get': () => withGoogle(session), 'visualizations.list': () => [], 'drafts.list': () => [] });

test('its window reports a sign-in, which continues as one with a password does', async () => {
  const { open, asked, report } = standInGoogle();
  stopClock();
  await openApp('/login', { as: signedOut });
  await page.getByRole('checkbox', { name: 'Remember me' }).click();
  await button.click();
  await expect.element(waiting).toBeVisible();
  expect(open).toHaveBeenCalledOnce();
  expect(Object.fromEntries(asked())).toMatchObject({ flow: 'popup', remember: 'true', origin: location.origin });
  signedIn(sessionOf('approved'));
  report();
  await expect.element(page.getByText(success)).toBeVisible();
  await runFor(1_500);
  await expect.poll(address).toBe('/visualization');
});

// Shows P4.3.
test('a closed window and a refused consent are silent', async () => {
  const { popup, open, report } = standInGoogle();
  await openApp('/login', { as: signedOut });
  await button.click();
  await expect.element(waiting).toBeVisible();
  popup.closed = true;
  await isSilent();
  await button.click();
  await expect.element(waiting).toBeVisible();
  report('cancelled');
  await isSilent();
  expect(open).toHaveBeenCalledTimes(2);
});

test('while the window is open the form is usable, and a second click opens no other window', async () => {
  const { popup, open, report } = standInGoogle();
  await openApp('/login', { as: signedOut });
  await button.click();
  await page.getByLabelText('Email address').fill('ann');
  await userEvent.keyboard('{Enter}');
  await showsAlert('Please enter both email and password');
  await waiting.click();
  expect(open).toHaveBeenCalledOnce();
  expect(popup.focus).toHaveBeenCalledOnce();
  await page.getByRole('button', { name: 'Forgot password' }).click();
  await expect.element(page.getByRole('button', { name: 'Send a link' })).toBeVisible();
  signedIn(sessionOf('approved'));
  report();
  await expect.element(page.getByText(success)).toBeVisible();
});

// Shows P4.5, P4.6.
test('the window reports why somebody cannot come in, and they can try again', async () => {
  const { report } = standInGoogle();
  await openApp('/login', { as: signedOut });
  for (const [failure, text] of [
    ['sign-up/in-use', 'An account with this email already exists'],
    ['sign-up/closed', 'Registration is closed. Please ask an administrator for an account.'],
    [
      'google/unauthorized-domain',
      'This domain is not authorized for Google authentication. Please contact the administrator.',
    ],
    ['google/failed', 'Authentication error. Please try again.'],
  ] as const) {
    await button.click();
    await expect.element(waiting).toBeVisible();
    report(failure);
    await showsAlert(text);
  }
  await expect.element(button).toBeEnabled();
});

test('a window that reports a sign-in without a session says that it failed', async () => {
  const { report } = standInGoogle();
  await openApp('/login', { as: signedOut });
  await button.click();
  report();
  await showsAlert('Authentication error. Please try again.');
});

test('whoever returns from Google signed in is let in', async () => {
  stopClock();
  await openApp('/login?google=done', { as: withGoogle(sessionOf('pending')) });
  await expect.element(page.getByText(success)).toBeVisible();
  await runFor(1_500);
  await expect.poll(address).toBe('/pending-approval');
});

test('whoever returns without consent sees no message', async () => {
  await openApp('/login?google=cancelled', { as: signedOut });
  await isSilent();
});

test.each([
  ['sign-up/closed', 'Registration is closed. Please ask an administrator for an account.'],
  ['google/profile-failed', 'There was an error processing your login. Please try again.'],
  ['Call 555 now', 'Authentication error. Please try again.'],
  ['done', 'Authentication error. Please try again.'],
])('T53 a result code %s in the address shows its message once', async (code, text) => {
  await openApp(`/login?${new URLSearchParams({ google: code })}`, { as: signedOut });
  await showsAlert(text);
  expect(document.body.textContent).not.toContain('555');
  await expect.poll(address).toBe('/login');
  await openApp(address(), { as: signedOut });
  await isSilent();
});

// Shows P26.9.
test('another provider has its own name on the button, in its notes and in what went wrong', async () => {
  const { report } = standInGoogle();
  const acme: Session = { ...signedOut, server: { ...signedOut.server, providerName: 'Acme ID' } };
  await openApp('/login', { as: acme, api: { 'people.registration': () => ({ isOpen: true }) } });
  const own = page.getByRole('button', { name: 'Sign in with Acme ID' });
  await own.click();
  await expect.element(page.getByRole('button', { name: 'Waiting for Acme ID...' })).toBeVisible();
  await expect.element(page.getByText('Go on in the Acme ID window. Click again if you do not see it.')).toBeVisible();
  report('google/unauthorized-domain');
  await showsAlert('This domain is not authorized for authentication with Acme ID. Please contact the administrator.');
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Sign up', exact: true }).click();
  await expect.element(page.getByRole('button', { name: 'Sign up with Acme ID' })).toBeVisible();
  expect(document.body.textContent).not.toContain('Google');
});
