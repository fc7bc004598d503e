import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pressSequence, story, useStage } from './app.ts';
import { groupedList } from './drafts.ts';

/** Of the keywords of `groupedList`, two of three; and new ones. */
const nextMonth = [
  'Keyword,Volume',
  'red hose,95',
  'blue hose,85',
  'lawn rake,65',
  'leaf rake,55',
  'cat food,35',
  'dog food,25',
  'hoses red,15',
  'chess board,300',
  'chess clock,200',
].join('\n');

type Listed = {
  readonly id: string;
  readonly fileName: string;
  readonly description: string;
  readonly isActive: boolean;
  readonly keywords: number;
};

story('importing a keyword list', () => {
  const stage = useStage();

  // Shows P21.5, P22.5, P22.7.
  test('a user whom administrators let import makes a map of a list, edits it, publishes it, and updates it next month', async () => {
    const admin = await stage.signedIn('admin');
    await admin.page.goto('/admin?tab=settings');
    await admin.page.getByRole('switch', { name: 'Users may import their own lists' }).click();
    await admin.page.getByLabel('Visualizations per user').fill('3');
    await admin.page.getByRole('button', { name: 'Save' }).first().click();
    await admin.page.getByText('Settings saved').first().waitFor();

    const { page, call, ...visitor } = await stage.signedIn('approved');
    await page.goto('/import');
    await choose(page, 'tools.csv', groupedList);
    await page.getByText('9 rows · 9 keywords · 0 repeated · 0 unreadable').waitFor();
    await page.getByRole('button', { name: 'Import 9 keywords in 3 groups' }).click();
    await page.waitForURL(/\/visualization\?draft=[0-9a-f]+/);
    const draft = new URL(page.url()).searchParams.get('draft')!;

    // The list came with its own groups.
    await row(page, /^Garden/).waitFor();
    expect(await page.getByRole('button', { name: /^Granularity/ }).count()).toBe(0);
    await row(page, /^Hoses/).click();
    await page.keyboard.press('Space');
    await row(page, /^Rakes/).click();
    await page.keyboard.press('Space');
    await page.getByText('2 selected').waitFor();
    await pressSequence(page, 'e', 'm');
    await page.getByText('Merged 2 clusters into Hoses. 6 keywords.').waitFor();
    await row(page, /^Hoses.*6 keywords/).waitFor();
    // What a person changed is locked.
    await row(page, /^Hoses.*, locked/).waitFor();
    // Everything is stored: a reload shows the same, and can still undo it. That the selected node is gone is no error.
    await page.reload();
    await row(page, /^Hoses.*6 keywords/).waitFor();
    await page.getByRole('button', { name: /^Undo/ }).click();
    await row(page, /^Rakes/).waitFor();

    await page.getByRole('button', { name: 'Name and description' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Tools of spring');
    await page.getByRole('textbox', { name: 'Description' }).fill('By hand');
    await page.keyboard.press('Enter');
    await page.getByText('File uploaded and processed successfully for approved@example.com').waitFor();
    await page.waitForURL(/\?v=/);
    await row(page, /^Tools of spring/).waitFor();
    expect(await page.title()).not.toContain('Draft');
    const active = async () => (await call<Listed[]>('GET', '/visualizations')).find(({ isActive }) => isActive);
    expect(await active()).toMatchObject({ fileName: 'Tools of spring.json', description: 'By hand' });
    // The draft has become the map: its address leads there.
    await page.goto(`/visualization?draft=${draft}`);
    await page.waitForURL(/\?v=/);

    await page.goto('/import');
    await choose(page, 'may.csv', nextMonth);
    await page.getByRole('combobox', { name: 'What becomes of the list' }).click();
    await page.getByRole('option', { name: 'An update of Tools of spring' }).click();
    await page.getByRole('button', { name: 'Update with 9 keywords' }).click();
    await page.waitForURL(/\/visualization\?draft=[0-9a-f]+/);
    await page.getByText('3 new · 3 gone').waitFor();
    await page.getByRole('button', { name: 'Accept chess board' }).click();
    await page.getByText('2 new · 3 gone').waitFor();
    await page.reload();
    await page.getByText('2 new · 3 gone').waitFor();
    // While it is published, its review cannot be read.
    visitor.expectProblem(/409 .*\/review\//);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('File uploaded and processed successfully for approved@example.com').waitFor();
    await page.waitForURL(/\?v=/);
    const updated = await active();
    expect(updated).toMatchObject({ fileName: 'may.json', keywords: 9 });
    const found = await call<{ total: number }>('GET', `/visualizations/${updated!.id}/search?q=chess`);
    expect(found.total).toBe(2);
  });
});

const choose = (page: Page, name: string, text: string): Promise<void> =>
  page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

const row = (page: Page, name: RegExp) => page.getByRole('treeitem', { name }).first();
