import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { readInput } from './inputs.ts';

const input = readInput();
const shown = (count: number) => count.toLocaleString('en-US');

story('an admin uploads a keyword hierarchy and its user explores it', () => {
  const stage = useStage();

  beforeAll(() => {
    expect(input.pillars.length).toBeGreaterThan(1);
  });

  test('the Upload tab accepts the file for a chosen user and says when it is done', async () => {
    await (await stage.signedIn('approved')).context.close();
    const { page } = await stage.signedIn('admin');
    await page.goto('/admin?tab=upload');
    const zone = page.getByRole('group', { name: 'JSON file' });
    await zone.getByText('Please select a user before uploading a file.').waitFor();
    await page.getByRole('combobox', { name: 'Select User' }).click();
    await page.getByRole('option', { name: 'approved@example.com' }).click();
    await page.locator('input[type=file]').setInputFiles(input.path);
    await page
      .getByText('File uploaded and processed successfully for approved@example.com')
      .waitFor({ timeout: 90_000 });
  });

  test('the user sees a Treemap with the real counts', async () => {
    const { page, call } = await stage.signedIn('approved');
    await openMap(page);
    await page
      .getByRole('application', { name: new RegExp(`^Treemap of .*${shown(input.keywords)} keywords`) })
      .waitFor();
    const [record] = await call<{ id: string; keywords: number; isActive: boolean }[]>('GET', '/visualizations');
    expect(record).toMatchObject({ keywords: input.keywords, isActive: true });
    // With one level open, all rows fit into the outline.
    await page.goto('/visualization?d=1');
    expect(await pillarsInOutline(page)).toEqual([...input.pillars].sort());
  });
});

async function openMap(page: Page) {
  await page.goto('/visualization');
  const map = page.getByRole('application', { name: /^Treemap of .*\d keywords/ });
  await map.waitFor();
  await page.getByRole('treeitem').nth(1).waitFor();
  return map;
}

/** The names of the outline's rows right below the root, sorted. */
async function pillarsInOutline(page: Page): Promise<string[]> {
  const rows = page.getByRole('tree', { name: 'Outline' }).locator('[role=treeitem][aria-level="2"] [title]');
  await expect.poll(() => rows.count()).toBe(input.pillars.length);
  return (await rows.allInnerTexts()).sort();
}
