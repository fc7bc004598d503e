import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { gate } from './gate.ts';

/** `web/src/routes.test.ts` has the table of all routes and visitors; here is one of each direction, in the browser. */
story('a route admits its visitor or leads to another one', () => {
  const stage = useStage();

  test('an approved user is led home from the sign-in page and from the pages of administrators, and stays elsewhere', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/test');
    await page.getByText('Reachable', { exact: true }).waitFor();
    const go = (path: string) => page.evaluate(`history.pushState({}, '', '${path}')`);
    for (const path of ['/admin', '/login', '/pending-approval']) {
      await go(path);
      await page.waitForURL('**/visualization');
      await page.getByRole('heading', { name: 'Your sky is ready' }).waitFor();
      await go('/test');
      await page.getByText('Reachable', { exact: true }).waitFor();
    }
    expect(new URL(page.url()).pathname).toBe('/test');
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

  test('an unknown path says so and links home', async () => {
    const { page } = await stage.visitor();
    await page.goto('/attic/box');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByText('Go Home').click();
    await page.waitForURL('**/login');
  });
});
