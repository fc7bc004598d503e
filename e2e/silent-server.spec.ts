import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { insertAccounts } from './many-accounts.ts';

const longestRead = 30_000;
const longestChange = 60_000;

/** A server that accepts the requests for some addresses and never answers them. */
async function silence(page: Page, addresses: string): Promise<{ asked(): number; end(): Promise<void> }> {
  let asked = 0;
  await page.route(addresses, () => void asked++);
  return { asked: () => asked, end: () => page.unroute(addresses) };
}

story('a server accepts requests and does not answer them', () => {
  const stage = useStage();

  test('REL-33 a map that does not come is given up after 30 s, says so, and comes when asked again', async () => {
    const { page } = await stage.signedIn('approved');
    await page.clock.install();
    const slices = await silence(page, '**/slice?*');
    await page.goto('/visualization?v=sample');
    await expect.poll(slices.asked).toBe(1);
    await page.clock.runFor(longestRead);
    await page.getByRole('heading', { name: 'This visualization could not be loaded' }).waitFor();
    await page.getByText('The server is not ready. Please try again in a moment.').waitFor();
    expect(slices.asked()).toBe(1);
    await slices.end();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('application', { name: /^Treemap of Garden shop/ }).waitFor();
  });

  test('REL-33 a list of users is given up after 30 s, says so, and is loaded anew by its button', async () => {
    const { page } = await stage.signedIn('admin');
    await page.clock.install();
    const lists = await silence(page, '**/api/users');
    await page.goto('/admin');
    await expect.poll(lists.asked).toBe(1);
    await page.clock.runFor(longestRead);
    await page.getByText('Failed to load users. Please try again or check the backend connection.').waitFor();
    await lists.end();
    // The page may ask again by itself at any time. The button begins anew, whatever it waits for.
    await page.getByRole('tabpanel').getByRole('button', { name: 'Refresh Users' }).click();
    await page.getByRole('row', { name: /admin@example/ }).waitFor();
  });

  test('REL-33 a change is given up after 60 s, and the page shows what the server has', async () => {
    const { page } = await stage.signedIn('admin');
    await insertAccounts(stage.server, ['ann'], 'pending');
    await page.clock.install();
    const changes = await silence(page, '**/api/users/*/status');
    await page.goto('/admin');
    const ann = page.getByRole('row', { name: /ann@example/ });
    await ann.getByText('Pending').first().waitFor();
    await ann.focus();
    await page.keyboard.press('a');
    await ann.getByText('Active').first().waitFor();
    await expect.poll(changes.asked).toBe(1);
    await page.clock.runFor(longestChange);
    await page.getByText('Failed to change user status: The server is not ready.', { exact: false }).waitFor();
    await ann.getByText('Pending').first().waitFor();
    expect(changes.asked()).toBe(1);
    await changes.end();
    await ann.focus();
    await page.keyboard.press('a');
    await page.getByText('User status updated successfully to Active').waitFor();
  });
});
