import { afterAll, expect, inject, test } from 'vitest';
import { story } from './app.ts';
import { launch } from './browser.ts';
import { claimLink, newDataDir, type RunningServer, removeDataDir, startServer } from './server.ts';
import { arrive, claim, makeAccount, signIn } from './visitor.ts';

story('an account is added to ADMIN_EMAILS later', () => {
  const dataDir = newDataDir();
  const closing: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    removeDataDir(dataDir);
  });

  const start = async (env: Record<string, string>): Promise<RunningServer> => {
    const server = await startServer({ dataDir, env });
    closing.push(() => server.stop());
    return server;
  };

  test('the admin check leads to the claim link, which makes it an admin', async () => {
    const browser = await launch(inject('browser'));
    closing.push(() => browser.close());
    const before = await start({});
    const admin = await arrive(browser, before);
    await claim(admin, before);
    const person = await makeAccount(admin, 'later', 'approved');
    await admin.context.close();
    await before.stop();

    const server = await start({ ADMIN_EMAILS: `admin@example.com,${person.email}` });
    const { page, ...visitor } = await arrive(browser, server);
    await signIn({ page, ...visitor }, person);
    await page.goto('/admin-check');
    const told = page.getByText(
      'Your email is in the admin list, but it is not proven to be yours yet. Open your claim link: the server prints one when it starts, and "npm run claim-link" on the server makes a new one.',
    );
    await told.waitFor();
    const answer = page.waitForResponse('**/api/admin-check/fix');
    await page.getByRole('button', { name: 'Fix Admin Status' }).click();
    expect(await (await answer).json()).toEqual({ updated: false });
    await told.waitFor();
    expect(await page.getByText('Failed to update admin status.').count()).toBe(0);

    await page.goto(claimLink(server));
    await page.getByLabel('Password', { exact: true }).fill('a long quiet morning');
    await page.getByLabel('Confirm Password', { exact: true }).fill('a long quiet morning');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/visualization');
    await page.goto('/admin-check');
    await page.getByText('You have admin privileges!').waitFor();
    expect(visitor.problems).toEqual([]);
  });
});
