import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

story('a page that is out of date', () => {
  const stage = useStage();

  // Shows P2.10.
  test('is loaded anew by its button after a new version, and by itself after the fix of an admin', async () => {
    const { page } = await stage.signedIn('admin');
    // What the server says of the session, changed on its way: this page knows less, or comes from another version.
    const changes: readonly { isAdmin?: false; version?: string }[] = [
      { isAdmin: false, version: '99.0.0' },
      { isAdmin: false },
      {},
    ];
    let loads = -1;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads++;
    });
    await page.route('**/api/session', async (route) => {
      const response = await route.fetch();
      const { server, ...session } = (await response.json()) as { server: object };
      const { version, ...change } = changes[loads]!;
      await route.fulfill({
        response,
        json: { ...session, ...change, server: { ...server, ...(version && { version }) } },
      });
    });
    await page.goto('/admin-check');
    await page.getByText('Backend SDK not available. Please refresh the page and try again.').waitFor();
    await page.getByRole('button', { name: 'Refresh Page' }).click();
    await page
      .getByText(
        'Your email is in the admin list, but your status is not set as admin. Click "Fix Admin Status" to update.',
      )
      .waitFor();
    expect(await page.getByText('Backend SDK not available').count()).toBe(0);
    // The message is gone with the page a moment later.
    await Promise.all([
      page.getByText('Successfully updated to admin! Refreshing page...').waitFor(),
      page.getByRole('button', { name: 'Fix Admin Status' }).click(),
    ]);
    await page.getByText('You have admin privileges!').waitFor();
  });
});
