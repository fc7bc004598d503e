import pg from 'pg';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { mailedLink } from './mail.ts';
import type { RunningServer } from './server.ts';
import { uploadFor } from './upload.ts';

const file = {
  keywords: [],
  hierarchy: {
    name: 'garden shop',
    type: 'root',
    children: ['Rakes', 'Ladders', 'Hoses'].map((name, at) => ({
      name,
      type: 'cluster',
      children: ['cheap', 'best'].map((word, place) => ({
        name: `${word} ${name.toLowerCase()}`,
        type: 'keyword',
        volume: 900 - 100 * at - 10 * place,
      })),
    })),
  },
};
const wide = { viewport: { width: 1440, height: 900 } };
const picture = (page: Page) => page.getByRole('application');

story('a colleague who writes', () => {
  const stage = useStage();

  // Shows P24.15.
  test('a colleague is told what is theirs, and edits the plan until the link is revoked', async () => {
    const { page } = await stage.signedIn('admin', wide);
    const colleague = await stage.signedIn('approved', wide);
    await uploadFor(page, 'admin@example.com', file);

    // A link that may edit the plan, which the colleague opens once.
    await page.goto('/visualization');
    await picture(page).waitFor();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Share with a person…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share with a person' });
    await dialog.getByLabel('Email').fill('approved@example.com');
    await dialog.getByRole('switch', { name: 'Allow editing the plan' }).check();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const address = await dialog.getByRole('textbox', { name: 'Link for approved@example.com' }).inputValue();
    await dialog.getByText('Edits the plan').waitFor();
    await colleague.page.goto(address);
    await picture(colleague.page).waitFor();
    await page.keyboard.press('Escape');

    // The owner plans Rakes and gives it to the colleague.
    await page.getByRole('treeitem', { name: /^Rakes/ }).click();
    await page.keyboard.press('x');
    await page.getByText('Added Rakes to the plan.').waitFor();
    await page.keyboard.press('Shift+X');
    const owner = page.getByRole('combobox', { name: 'Owner', exact: true });
    await owner.click();
    await page.getByRole('option', { name: 'approved', exact: true }).click();
    await page.getByText('Has an account here, and is told by mail.').waitFor();

    // The mail waits for other assignments; its link opens the entry, without a token and without the earlier cookie.
    await sendNow(stage.server);
    const link = await mailedLink(stage.server, 'approved@example.com', '/shared?v=');
    await colleague.context.clearCookies({ name: /^(__Host-)?kc_link/ });
    colleague.expectProblem(/401/);
    await colleague.page.goto(link);
    const editor = colleague.page.getByRole('region', { name: 'Rakes' });
    await editor.waitFor();
    await colleague.page.getByText(/you may edit the plan/).waitFor();
    expect(await violations(colleague.page)).toEqual([]);
    await editor.getByText('Written').click();
    await editor.getByLabel('Note').fill('Ready for review');
    await editor.getByLabel('Note').press('Tab');

    // The owner sees both, and who did it.
    await page.getByRole('radio', { name: 'Written' }).and(page.locator(':checked')).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('list', { name: 'History' });
    await history.getByText('Note: nothing → Ready for review').waitFor();
    await history.getByText('Status: Idea → Written').waitFor();
    await expect.poll(() => history.getByText(/^approved ·/).count()).toBe(2);

    // Revoked, it ends at once, and the link of the mail with it.
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Share with a person…' }).click();
    await dialog.getByRole('button', { name: 'Revoke the link for approved@example.com' }).click();
    await colleague.page.getByText('This link is no longer valid.').waitFor();
    colleague.expectProblem(/404/);
    await colleague.page.goto(link);
    await colleague.page.getByText('This link is no longer valid.').waitFor();
  });
});

/** Lets a mail go that waits for other assignments, once one is asked for. */
async function sendNow({ databaseUrl }: RunningServer): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await expect
    .poll(
      async () =>
        (await client.query(`update jobs.job set start_after = now() where name = 'assignment-mails'`)).rowCount,
    )
    .toBeGreaterThan(0);
  await client.end();
}
