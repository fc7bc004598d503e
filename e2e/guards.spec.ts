import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { gate } from './gate.ts';
import type { Role } from './visitor.ts';

/** Where each route leads each kind of visitor. */
const stay = 'stay';
type Kind = Role | 'stranger';
const kinds: readonly Kind[] = ['stranger', 'pending', 'denied', 'approved', 'admin'];
const [waiting, refused, home] = ['/pending-approval', '/access-denied', '/visualization'];
const table: Readonly<Record<string, readonly string[]>> = {
  // path: stranger, pending, denied, approved, admin
  '/': ['/login', waiting, refused, home, home],
  '/login': [stay, waiting, refused, home, home],
  '/visualization': ['/login', waiting, refused, stay, stay],
  '/admin': ['/login', waiting, refused, home, stay],
  '/admin/upload/nobody': ['/login', waiting, refused, home, '/admin'],
  '/admin-check': [stay, waiting, refused, stay, stay],
  '/pending-approval': ['/login', stay, stay, home, home],
  '/access-denied': ['/login', waiting, stay, home, home],
  '/test': [stay, stay, stay, stay, stay],
  '/claim': [stay, stay, stay, stay, stay],
  '/reset-password': [stay, stay, stay, stay, stay],
  '/shared': [stay, stay, stay, stay, stay],
  '/verify-email': [stay, stay, stay, stay, stay],
  '/docs': [stay, stay, stay, stay, stay],
  '/any/other/path': [stay, stay, stay, stay, stay],
};

story('every route sends every kind of visitor to the right page', () => {
  const stage = useStage();

  test.each(kinds)('%s', async (kind) => {
    const visitor = kind === 'stranger' ? await stage.visitor() : await stage.signedIn(kind);
    visitor.expectProblem(/status of 422.*\/(claim|reset-password)\/read/);
    const { page } = visitor;
    const arrivals: Record<string, string> = {};
    for (const [path, places] of Object.entries(table)) {
      const place = places[kinds.indexOf(kind)];
      const expected = place === stay ? path : place;
      await page.goto(path);
      await page.waitForURL((url) => url.pathname === expected, { timeout: 15_000 }).catch(() => undefined);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      arrivals[path] = new URL(page.url()).pathname === path ? stay : new URL(page.url()).pathname;
    }
    const expected = Object.entries(table).map(([path, places]) => [path, places[kinds.indexOf(kind)]]);
    expect(arrivals).toEqual(Object.fromEntries(expected));
  });

  test('nothing is drawn before the session is known', async () => {
    const { page } = await stage.signedIn('approved');
    const answer = gate();
    await page.route('**/api/session', async (route) => {
      await answer.opened;
      await route.continue();
    });
    for (const path of ['/', '/visualization', '/admin']) {
      const asking = page.waitForRequest('**/api/session');
      await page.goto(path, { waitUntil: 'commit' });
      await asking;
      expect(await page.locator('#root').innerText()).toBe('');
    }
    answer.open();
    await page.waitForURL('**/visualization');
  });

  test('the server’s landing page takes precedence over the page’s rule', async () => {
    const { page } = await stage.signedIn('approved');
    await page.route('**/api/session', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), redirectPath: '/test' } });
    });
    await page.goto('/');
    await page.waitForURL('**/test');
  });

  test('an unknown path says so and links home', async () => {
    const { page } = await stage.visitor();
    await page.goto('/attic/box');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByText('Go Home').click();
    await page.waitForURL('**/login');
  });
});
