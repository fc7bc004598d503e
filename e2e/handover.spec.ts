import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { bytesOf } from './download.ts';
import { uploadFor } from './upload.ts';

const leaf = (name: string, volume: number) => ({ name, type: 'keyword', volume, difficulty: 40 });
const file = {
  keywords: [],
  hierarchy: {
    name: 'chat',
    type: 'root',
    children: [
      { name: 'Live chat', type: 'cluster', children: [leaf('talk', 900), leaf('=1+1', 500)] },
      { name: 'Bots', type: 'cluster', children: [leaf('bot', 300)] },
    ],
  },
};

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Hand over' });

async function handOver(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Hand over…' }).click();
  await dialog(page).waitFor();
}

async function download(page: Page): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const coming = page.waitForEvent('download');
  await dialog(page).getByRole('link', { name: 'Download' }).click();
  const taken = await coming;
  return { name: taken.suggestedFilename(), bytes: await bytesOf(taken) };
}

story('a plan is handed over', () => {
  const stage = useStage();

  // Shows P24.8.
  test('as a workbook, a table and an outline, whole or under the filter', async () => {
    const { page, context } = await stage.signedIn('approved');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await uploadFor((await stage.signedIn('admin')).page, 'approved@example.com', file);
    await page.goto('/visualization');
    await page.getByRole('treeitem', { name: /^Live chat/ }).click();
    await page.keyboard.press('x');
    await page.getByText('Added Live chat to the plan.').waitFor();

    await handOver(page);
    expect(await dialog(page).getByRole('radio', { name: /^Plan/ }).isChecked()).toBe(true);
    await dialog(page).getByText('1 entry').waitFor();
    expect(await violations(page)).toEqual([]);
    const day = new Date().toISOString().slice(0, 10);
    await dialog(page).getByText(`chat-plan-${day}.xlsx`).waitFor();
    const book = await download(page);
    expect(book.name).toBe(`chat-plan-${day}.xlsx`);
    const { sheets } = await readXlsx(new Uint8Array(book.bytes));
    expect(sheets.map(({ name }) => name)).toEqual(['Plan', 'Live chat', 'About']);
    expect(sheets[1]!.rows.map((row) => row[1])).toEqual(['Keyword', 'talk', '=1+1']);

    await handOver(page);
    await dialog(page).getByText('Current view').click();
    await dialog(page).getByText('CSV', { exact: true }).click();
    const table = await download(page);
    expect(table.name).toBe(`chat-clusters-${day}.csv`);
    const lines = parse(table.bytes, { bom: true, columns: true }) as Record<string, string>[];
    expect(lines.map(({ Cluster, Status }) => [Cluster, Status])).toEqual([
      ['Live chat', 'Idea'],
      ['Bots', ''],
    ]);

    await handOver(page);
    await dialog(page).getByText('Markdown', { exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Copy as Markdown' }).click();
    await page.getByText('Copied as Markdown.').waitFor();
    const outline = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(outline).toContain('# chat\n\n## Live chat (1 cluster, 1,400)');
    expect(outline).toContain('- \\=1+1 (500, KD 40)');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });

    await page.goto('/visualization?f=has-bot');
    await page.getByRole('treeitem', { name: /^Bots/ }).waitFor();
    await handOver(page);
    await dialog(page).getByText('What the filter keeps').click();
    await dialog(page).getByText('CSV', { exact: true }).click();
    // The only entry of the plan does not pass.
    expect((await download(page)).bytes.toString('utf8').trim().split('\r\n')).toHaveLength(1);
  });
});
