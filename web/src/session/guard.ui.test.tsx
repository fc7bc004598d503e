import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { atRest } from '../../test/page/at-rest.ts';
import { runFor, stopClock } from '../../test/page/clock.ts';
import { fakeApi, gate, isOffline } from '../../test/page/fake-api.ts';
import { isHeard, serverSays } from '../../test/page/fake-events.ts';
import { garden } from '../../test/page/garden.ts';
import { isOpen } from '../../test/page/in-explorer.ts';
import { mapsApi } from '../../test/page/maps-api.ts';
import { address, openApp, sessionOf } from '../../test/page/open-app.tsx';
import { expectProblem } from '../../test/page/problems.ts';

// Shows P5.5.
test.each([
  ['pending', '/pending-approval'],
  ['denied', '/access-denied'],
] as const)('%s people are sent where they belong', async (who, place) => {
  await openApp('/admin-check', { as: who });
  await expect.poll(address).toBe(place);
});

/** A browser's record of an approval, as nobody but the user could have written it. */
const forge = (timestamp: number) =>
  localStorage.setItem('kc-approval-p1', JSON.stringify({ approved: true, admin: true, timestamp }));
const cutOff = { 'session.get': isOffline, 'settings.screen': isOffline, 'accounts.list': isOffline } as const;

test('T25 a record from the future opens nothing', async () => {
  expectProblem(/Failed to fetch|Error in route match/);
  stopClock();
  forge(Number.MAX_SAFE_INTEGER);
  void openApp('/admin', { api: cutOff });
  await runFor(10_000);
  await expect.element(page.getByRole('heading', { name: 'Oops! Something went wrong' })).toBeVisible();
});

// Shows P18.9.
test('T25 a forged record paints a frame without any data, and nothing once the server responds', async () => {
  stopClock();
  forge(Date.now());
  void openApp('/admin', { api: cutOff });
  await runFor(10_000);
  await expect.element(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
  await runFor(10_000);
  const failure = 'Failed to load users. Please try again or check the backend connection.';
  await expect.element(page.getByText(failure)).toBeVisible();
  expect(document.body.textContent).not.toContain('@example.com');

  forge(Date.now());
  await openApp('/admin');
  await expect.poll(address).toBe('/login');
});

// Shows P2.10.
test('a page with a different version than the server says so', async () => {
  const session = sessionOf('nobody');
  await openApp('/login', { as: { ...session, server: { ...session.server, version: '99.0.0' } } });
  const text = 'Backend SDK not available. Please refresh the page and try again.';
  await expect.element(page.getByText(text)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Refresh Page' })).toBeVisible();
});

const empty = { 'visualizations.list': () => [], 'drafts.list': () => [] };

test('an approved user is led home from the sign-in page and from the pages of others, and stays elsewhere', async () => {
  const { router } = await openApp('/test', { as: 'approved', api: empty });
  for (const path of ['/admin', '/login', '/pending-approval']) {
    router.history.push(path);
    await expect.element(page.getByRole('heading', { name: 'Your sky is ready' })).toBeVisible();
    expect(address()).toBe('/visualization');
    router.history.push('/test');
    await expect.element(page.getByText('Reachable', { exact: true })).toBeVisible();
  }
  expect(address()).toBe('/test');
});

// Shows P1.5.
test.each(['/', '/visualization', '/admin'])('nothing is drawn before the session is known: %s', async (path) => {
  const response = gate();
  const getSession = vi.fn(async () => {
    await response.opened;
    return sessionOf('approved');
  });
  const opening = openApp(path, { api: { ...empty, 'session.get': getSession } });
  await expect.poll(() => getSession.mock.calls.length).toBe(1);
  await atRest();
  expect(document.body.innerText.trim()).toBe('');
  response.open();
  await opening;
  await expect.poll(address).toBe('/visualization');
});

test('a page in whose browser somebody else has signed in shows nothing of the one before', async () => {
  const maps = await mapsApi({ upload: garden });
  await openApp('/visualization', { as: 'approved', api: { ...empty, ...maps } });
  await isOpen();
  await expect.poll(isHeard).toBe(true);
  fakeApi({ 'session.get': () => sessionOf('approved', { id: 'bob' }), 'visualizations.list': () => [] });
  serverSays('session');
  await expect.element(page.getByRole('heading', { name: 'Your sky is ready' })).toBeVisible();
});

// Shows P1.6.
test('an unknown path says so and links home', async () => {
  await openApp('/attic/box');
  await expect.element(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.getByText('Go Home').click();
  await expect.poll(address).toBe('/login');
});
