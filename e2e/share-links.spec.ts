import { readXlsx } from 'hucre';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { bytesOf } from './download.ts';
import { uploadFor } from './upload.ts';

const file = {
  keywords: [],
  hierarchy: {
    name: 'garden shop',
    type: 'root',
    children: ['Rakes', 'Ladders', 'Hoses'].map((name, at) => ({
      name,
      type: 'cluster',
      secret: 'of the team',
      'Contact email': 'kim@example.com',
      children: ['cheap', 'best', 'long'].map((word, place) => ({
        name: `${word} ${name.toLowerCase()}`,
        type: 'keyword',
        volume: 900 - 100 * at - 10 * place,
      })),
    })),
  },
};

const picture = (page: Page) => page.getByRole('application');
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share with a person' });

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Share with a person…' }).click();
  await dialog(page).waitFor();
}

story('a link to a visualization', () => {
  const stage = useStage();

  // Shows P25.1.
  test('lets a client without an account explore it, until it is revoked', async () => {
    const admin = await stage.signedIn('admin');
    const owner = await stage.signedIn('approved', { viewport: { width: 1440, height: 900 } });
    await uploadFor(admin.page, 'approved@example.com', file);

    // Client links are off until an administrator allows them.
    await owner.page.goto('/visualization');
    await picture(owner.page).waitFor();
    await openDialog(owner.page);
    await dialog(owner.page).getByText('An administrator can also allow links for people without an account').waitFor();
    await admin.page.goto('/admin?tab=settings');
    await admin.page.getByRole('switch', { name: 'Client links' }).click();
    await admin.page.getByRole('button', { name: 'Save Settings' }).click();
    await admin.page.getByText('Settings saved successfully').waitFor();
    await dialog(owner.page).getByText('Anybody with the link').click();
    // Columns that may be personal are off.
    await dialog(owner.page).getByRole('checkbox', { name: 'secret', exact: true }).waitFor();
    expect(await dialog(owner.page).getByRole('checkbox', { name: 'secret', exact: true }).isChecked()).toBe(true);
    expect(await dialog(owner.page).getByRole('checkbox', { name: 'Contact email' }).isChecked()).toBe(false);
    await dialog(owner.page).getByRole('checkbox', { name: 'secret', exact: true }).uncheck();
    expect(await violations(owner.page)).toEqual([]);

    const { page } = owner;
    owner.expectProblem(/422/);
    await dialog(page).getByRole('button', { name: 'Create link' }).click();
    // link/unnamed
    await dialog(page).getByText('Enter who the link is for.').waitFor();
    await dialog(page).getByLabel('Whom it is for').fill('ACME');
    await dialog(page).getByRole('button', { name: 'Create link' }).click();
    const address = await dialog(page).getByRole('textbox', { name: 'Link for ACME' }).inputValue();
    expect(address).toMatch(/\/shared#[\w-]{43}$/);
    await dialog(page).getByText('Not opened yet').waitFor();

    // A browser without an account.
    const client = await stage.visitor({ viewport: { width: 1440, height: 900 } });
    const fields = client.page.waitForResponse(/\/api\/shared\/[^/]+\/fields$/);
    await client.page.goto(address);
    await picture(client.page).waitFor();
    await client.page.getByText(/^Shared with ACME · read-only · until /).waitFor();
    expect(client.page.url()).not.toContain('#');
    expect(await client.page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
    expect(await client.page.getByRole('tab', { name: /Plan|Warnings/ }).count()).toBe(0);
    await client.page.getByRole('treeitem', { name: /Ladders/ }).click();
    await client.page.getByRole('heading', { name: 'Ladders', level: 2 }).waitFor();
    expect(await client.page.getByText(/of the team|kim@example/).count()).toBe(0);
    expect(await (await fields).json()).toEqual([]);
    expect(await client.page.getByRole('button', { name: /Add to plan|Copy link|Save view/ }).count()).toBe(0);
    await client.page.getByRole('radio', { name: 'Table', exact: true }).check();
    await client.page.getByRole('treegrid').waitFor();
    expect(await violations(client.page)).toEqual([]);
    await client.page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(client.page, { coloursOnly: true })).toEqual([]);

    // The page can be loaded again without the token.
    await client.page.reload();
    await client.page.getByRole('treegrid').waitFor();

    // Whatever the page still asks for meanwhile is refused.
    client.expectProblem(/404/);
    await dialog(page).getByRole('button', { name: 'Revoke the link for ACME' }).click();
    // link/revoked
    await page.getByText('The link for ACME is revoked. Open pages stop working at once.').waitFor();
    // link/ended
    await client.page.getByText('This link is no longer valid.').waitFor();
    expect(await client.page.getByText('Ladders').count()).toBe(0);
    await client.page.goto(address);
    await client.page.getByText('This link is no longer valid.').waitFor();
    expect(await violations(client.page)).toEqual([]);
  });

  // Shows P25.3.
  test('with the plan and downloads gives a client the workbook and a report', async () => {
    const { page } = await stage.signedIn('approved', { viewport: { width: 1440, height: 900 } });
    await page.goto('/visualization');
    await page.getByRole('treeitem', { name: /^Rakes/ }).click();
    await page.keyboard.press('x');
    await page.getByText('Added Rakes to the plan.').waitFor();
    await openDialog(page);
    await dialog(page).getByText('Anybody with the link').click();
    await dialog(page).getByLabel('Whom it is for').fill('ACME');
    await dialog(page).getByRole('switch', { name: 'Show the plan' }).check();
    await dialog(page).getByRole('switch', { name: 'Allow downloads' }).check();
    await dialog(page).getByRole('button', { name: 'Create link' }).click();
    const address = await dialog(page).getByRole('textbox', { name: 'Link for ACME' }).inputValue();

    const client = await stage.visitor({ viewport: { width: 1440, height: 900 } });
    await client.page.goto(address);
    await picture(client.page).waitFor();
    await client.page.getByRole('button', { name: 'Share', exact: true }).click();
    await client.page.getByRole('menuitem', { name: 'Hand over…' }).click();
    const choice = client.page.getByRole('dialog', { name: 'Hand over' });
    expect(await choice.getByRole('radio', { name: /^Plan/ }).isChecked()).toBe(true);
    expect(await violations(client.page)).toEqual([]);
    const coming = client.page.waitForEvent('download');
    await choice.getByRole('link', { name: 'Download' }).click();
    const book = await readXlsx(new Uint8Array(await bytesOf(await coming)));
    expect(book.sheets.map(({ name }) => name)).toEqual(['Plan', 'Rakes', 'About']);
    expect(book.sheets[0]!.rows[0]).not.toContain('Owner');

    await client.page.getByRole('button', { name: 'Share', exact: true }).click();
    await client.page.getByRole('menuitem', { name: 'Print report…' }).click();
    const report = client.page.getByRole('article', { name: 'Report' });
    await report.getByText(/^Shared with ACME · read-only · until /).waitFor();
    await report.getByRole('table', { name: 'Largest clusters' }).getByText('Ladders').waitFor();
    // While sections load, the button is faint.
    await client.page.getByRole('button', { name: 'Print', exact: true }).waitFor();
    expect(await report.getByRole('heading', { name: 'Warnings' }).count()).toBe(0);
    expect(await violations(client.page)).toEqual([]);
  });
});
