import pg from 'pg';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { insertAccounts } from './many-accounts.ts';

story('an admin looks for duplicate accounts', () => {
  const stage = useStage();

  test('sees what a merge would do, merges, and sees the result', async () => {
    const admin = await stage.signedIn('admin');
    admin.expectProblem(/status of 500/);
    const { page } = admin;
    await page.goto('/admin');
    await page.getByRole('button', { name: 'Find duplicates' }).click();
    const dialog = page.getByRole('dialog', { name: 'Duplicate accounts' });
    await dialog.getByText('No email has more than one account.').waitFor();
    expect(await dialog.getByRole('button', { name: /^Merge/ }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    // A database that was imported from elsewhere may lack this index.
    const client = new pg.Client({ connectionString: stage.server.databaseUrl });
    await client.connect();
    await client.query('drop index accounts_email');
    await client.end();
    await insertAccounts(stage.server, ['ann', 'ben'], 'approved');
    await insertAccounts(stage.server, ['ann'], 'denied');
    await insertAccounts(stage.server, ['ben'], 'approved');

    await page.getByRole('button', { name: 'Find duplicates' }).click();
    await dialog.getByText('2 emails have more than one account. 2 accounts will be merged.').waitFor();
    const ann = dialog.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'ann@example.com' }) });
    await ann.getByText('The account that is kept becomes Disabled, because a merged one is.').waitFor();
    expect(await ann.getByText('Kept', { exact: true }).count()).toBe(1);
    expect(await ann.getByText('Merged', { exact: true }).count()).toBe(1);
    expect(await violations(page)).toEqual([]);

    await page.route('**/api/users/clean-duplicates', (route) => route.fulfill({ status: 500, json: {} }));
    await dialog.getByRole('button', { name: 'Merge 2 accounts' }).click();
    await dialog
      .getByText('The accounts could not be merged: The server is not ready. Please try again in a moment.')
      .waitFor();
    await page.unroute('**/api/users/clean-duplicates');
    await dialog.getByRole('button', { name: 'Merge 2 accounts' }).click();
    await dialog.getByText('2 duplicate accounts were merged.').waitFor();
    await dialog.getByText('No email has more than one account.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const row = page.getByRole('row', { name: /ann@example/ });
    await row.getByText('Disabled').waitFor();
    expect(await row.count()).toBe(1);
  });

  test('is told when the search fails, and tries again', async () => {
    const admin = await stage.signedIn('admin');
    admin.expectProblem(/status of 500/);
    const { page } = admin;
    await page.route('**/api/users/duplicates', (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto('/admin');
    await page.getByRole('button', { name: 'Find duplicates' }).click();
    const dialog = page.getByRole('dialog', { name: 'Duplicate accounts' });
    await dialog
      .getByText('Duplicate accounts could not be looked for: The server is not ready. Please try again in a moment.')
      .waitFor();
    await page.unroute('**/api/users/duplicates');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('No email has more than one account.').waitFor();
  });
});
