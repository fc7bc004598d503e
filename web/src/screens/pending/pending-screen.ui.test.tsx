import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { runFor, stopClock } from '../../../test/page/clock.ts';
import { fakeApi, refuses } from '../../../test/page/fake-api.ts';
import { holdStreams, serverSays } from '../../../test/page/fake-events.ts';
import { address, openApp, sessionOf, type Who } from '../../../test/page/open-app.tsx';

const session = (who: Who, supportEmail = 'help@example.com') => {
  const one = sessionOf(who, { id: 'a1b2c3d4-e5f6', displayName: 'Ann' });
  return { ...one, server: { ...one.server, supportEmail } };
};
const heading = (name: string) => expect.element(page.getByRole('heading', { name })).toBeVisible();
const shows = (text: string | RegExp) => expect.element(page.getByRole('main').getByText(text)).toBeVisible();

beforeEach(() => stopClock());

/** The pending page after its first check, which is shown for a moment. */
async function openWaiting(supportEmail?: string) {
  const getSession = vi.fn(() => session('pending', supportEmail));
  const { queries } = await openApp('/pending-approval', { api: { 'session.get': getSession } });
  await heading('Checking Status');
  await shows('Please wait while we verify your account...');
  await runFor(1_500);
  await heading('Account Pending Approval');
  getSession.mockClear();
  /** Settles once so many checks have ended since the first. */
  const ended = (checks: number) => expect.poll(() => getSession.mock.calls.length - queries.isFetching()).toBe(checks);
  return { getSession, ended };
}

// Shows P5.1, P5.2.
test('a pending user sees their account and the time of the last check, and can check again', async () => {
  await openWaiting();
  await expect.poll(() => document.title).toBe('⏳ Pending approval · Keyword Clustering');
  for (const text of ['ann@example.com', 'Ann', 'Pending', 'a1b2c3d4']) await shows(text);
  await shows('Last checked: 1 second ago');
  await runFor(2_000);
  await shows('Last checked: 3 seconds ago');
  await page.getByRole('button', { name: 'Check Status Now' }).click();
  await shows('Still pending. Checked just now.');
  await runFor(1_000);
  await shows('Last checked: 1 second ago');
});

test('a browser that does not allow copying is said', async () => {
  const copying = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('', 'NotAllowedError'));
  onTestFinished(() => copying.mockRestore());
  await openWaiting();
  await page.getByRole('button', { name: /^Copy / }).click();
  await expect.element(page.getByText('The browser does not allow copying here')).toBeVisible();
});

// Shows P5.2.
test('it checks every thirty seconds, and when the tab or the network comes back', async () => {
  const { getSession, ended } = await openWaiting();
  // The first check began 0.2 s after the page was opened.
  await runFor(28_699);
  expect(getSession).toHaveBeenCalledTimes(0);
  await runFor(1);
  await ended(1);
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  await ended(2);
  for (const name of ['offline', 'online']) dispatchEvent(new Event(name));
  await ended(3);
});

// Shows P5.4.
test('a failed check says so, and a retry succeeds', async () => {
  await openWaiting();
  fakeApi({ 'session.get': refuses('fault/unavailable') });
  await page.getByRole('button', { name: 'Check Status Now' }).click();
  await heading('Account Error');
  await shows('An error occurred while checking your status. Please try again later.');
  await expect.element(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  fakeApi({ 'session.get': () => session('pending') });
  await page.getByRole('button', { name: 'Try Again' }).click();
  await heading('Account Pending Approval');
});

test('a check without a session says so and goes to the sign-in page', async () => {
  await openWaiting();
  let saidSo = false;
  const watch = new MutationObserver(() => {
    saidSo ||= document.body.textContent.includes('No user found');
  });
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  fakeApi({ 'session.get': () => sessionOf('nobody') });
  await page.getByRole('button', { name: 'Check Status Now' }).click();
  await expect.poll(address).toBe('/login');
  watch.disconnect();
  expect(saidSo).toBe(true);
});

test('an approval moves it on at once', async () => {
  await openWaiting();
  fakeApi({
    'session.get': () => session('approved'),
    'visualizations.list': () => [],
    'drafts.list': () => [],
  });
  serverSays('session');
  await expect.poll(address).toBe('/visualization');
});

// Shows P5.5.
test('a denied user sees their account and whom to write to', async () => {
  await openApp('/access-denied', { as: session('denied') });
  await shows(
    'Your account access has been denied by an administrator. If you believe this is a mistake, please contact support.',
  );
  await shows('ann@example.com');
  await expect.element(page.getByRole('link', { name: 'Admin Panel' })).not.toBeInTheDocument();
});

test('T57 a hostile name adds nothing to the mail to support', async () => {
  const displayName = 'x?cc=evil@example.com&body=<b>&bcc=evil@example.com\r\nBcc: evil@example.com';
  const denied = session('denied');
  await openApp('/access-denied', { as: { ...denied, account: { ...denied.account!, displayName } } });
  const href = page.getByRole('link', { name: 'Contact Support' }).element().getAttribute('href')!;
  const mail = new URL(href);
  expect(mail.protocol).toBe('mailto:');
  expect([...mail.searchParams.keys()]).toEqual(['subject']);
  expect(href).not.toMatch(/evil|[\r\n<>\s]/);
  expect(mail.searchParams.get('subject')).toBe('Account access denied (a1b2c3d4)');
});

// Shows P5.7.
test('without a support address they show no support link, and lead a pending user to the pending page', async () => {
  await openApp('/access-denied', { as: session('denied', '') });
  await shows(/If you believe this is a mistake, please ask your administrator\./);
  expect(document.body.textContent).not.toMatch(/support/i);
});

test('without a support address a pending user is told to ask the administrator', async () => {
  await openApp('/access-denied', { as: session('pending', '') });
  await expect.poll(address).toBe('/pending-approval');
  await runFor(1_500);
  await shows('If it has been more than 2 business days, please ask your administrator.');
  expect(document.body.textContent).not.toMatch(/support/i);
});

// Shows P5.6.
test('a denied user who is set back to pending waits again at once, and is denied again as quickly', async () => {
  await openApp('/access-denied', { as: session('denied') });
  await heading('Access Denied');
  fakeApi({ 'session.get': () => session('pending') });
  serverSays('session');
  await expect.poll(address).toBe('/pending-approval');
  await runFor(1_500);
  await heading('Account Pending Approval');
  expect(document.body.textContent).not.toContain('Disabled');
  fakeApi({ 'session.get': () => session('denied') });
  serverSays('session');
  await heading('Access Denied');
  fakeApi({ 'session.get': () => session('pending') });
  serverSays('session');
  await expect.poll(address).toBe('/pending-approval');
});

test('an approval between the first answer and the opening of the event stream is seen at once', async () => {
  const letOpen = holdStreams();
  await openWaiting();
  fakeApi({
    'session.get': () => session('approved'),
    'visualizations.list': () => [],
    'drafts.list': () => [],
  });
  serverSays('session');
  await runFor(1_000);
  expect(address()).toBe('/pending-approval');
  letOpen();
  await expect.poll(address).toBe('/visualization');
});
