import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { uploadOnScreen } from './upload.ts';

const entry = (keyword: string, more: object = {}) => ({ keyword, ...more });
const days = Array.from({ length: 30 }, (_, day) =>
  entry(day % 2 === 0 ? 'garden hose' : 'Garden  Hose', {
    date: `2026-04-${String(day + 1).padStart(2, '0')}`,
    clicks: 2,
    impressions: 10 + day,
    position: day < 15 ? 4 : 2,
    url: `https://garden.example/${day < 20 ? 'hoses' : 'hose-guide'}`,
    search_volume: 100 + day,
  }),
);
const others = Array.from({ length: 1000 }, (_, n) => entry(`orphan ${n}`, { search_volume: 5000 - n }));
/** One keyword by day, and more keywords outside the hierarchy than a page of the list shows. */
const content = {
  hierarchy: {
    name: 'Garden',
    children: [{ name: 'Watering', children: [{ name: 'garden hose' }, { name: 'sprinkler' }] }],
  },
  keywords: [...days, entry('sprinkler', { clicks: 1, impressions: 5, position: 9 }), ...others],
};

story('repeated keywords, and keywords outside the hierarchy', () => {
  const stage = useStage();

  test('merged entries are reported at the upload and in the details, and keywords outside the hierarchy are a list', async () => {
    await (await stage.signedIn('approved')).context.close();
    const admin = await stage.signedIn('admin');
    await uploadOnScreen(admin.page, 'approved@example.com', content);
    await admin.page.getByText('29 entries merged').waitFor();
    await admin.context.close();

    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization');
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByText('1,000 keywords of the file that no node names').waitFor();
    await details.getByRole('button', { name: 'Show these keywords' }).click();
    await page.getByRole('dialog', { name: 'Not in the hierarchy' }).getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    // 30 days at 735 impressions, 255 of them at position 4; 5 impressions at 9.
    const position = details.getByRole('definition').filter({ hasText: 'weighted by impressions' }).first();
    await position.getByText('2.7', { exact: true }).waitFor();
    await page.getByRole('treeitem', { name: /^Watering/ }).click();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: /^garden hose/ }).click();
    await details.getByRole('heading', { name: 'Merged from 30 entries' }).waitFor();
    const told = async () =>
      (await details.getByRole('row').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
    await expect
      .poll(told)
      .toEqual([
        'Address Position Entries',
        'https://garden.example/hose-guide 2 10',
        'https://garden.example/hoses 3.3 20',
      ]);
    expect(await violations(page, { within: '[aria-label="Details"]' })).toEqual([]);

    await page.getByRole('combobox', { name: 'Search keywords' }).fill('99 orphan');
    // 99 and 990 to 999 begin with it, and 199, 299 up to 899 contain it.
    await page.getByText('19 not in the hierarchy – show the list').click();
    const dialog = page.getByRole('dialog', { name: 'Not in the hierarchy' });
    const lines = dialog.getByRole('option');
    await dialog.getByText('19 matches').waitFor();
    await expect.poll(() => lines.count()).toBeLessThanOrEqual(19);
    await lines.first().click();
    await dialog.getByRole('region', { name: 'orphan 99' }).getByText('4901').waitFor();
    const search = dialog.getByRole('searchbox');
    await search.fill('');
    await expect.poll(() => dialog.getByText('19 matches').count()).toBe(0);
    const list = dialog.getByRole('listbox');
    await list.focus();
    await page.keyboard.press('End');
    await dialog.getByRole('option', { name: /^orphan 999/ }).waitFor();
    expect(await lines.count()).toBeLessThan(60);
    await page.keyboard.press('Enter');
    await dialog.getByRole('region', { name: 'orphan 999' }).waitFor();
    expect(await violations(page, { within: '[role="dialog"]' })).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Export as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/Not in the hierarchy – keywords – \d{4}-\d\d-\d\d\.csv$/);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
  });
});
