import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, uncovered, useStage } from './app.ts';
import { violations } from './axe.ts';
import { uploadFor } from './upload.ts';

const real = fileURLToPath(new URL('../../shared/data/seed-shape-real/add-to-website.json', import.meta.url));
const hasReal = existsSync(real);
if (!hasReal) console.log('The story of a report of a real file is skipped: there is no ../shared/data');

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Report' });
const paper = (page: Page) => page.getByRole('article', { name: 'Report' });
const printed = (page: Page) => page.locator('.printed-article');

async function openReport(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Print report…' }).click();
  await dialog(page).getByRole('button', { name: 'Print', exact: true }).waitFor();
}

/** The cells of a table of the report, line by line. */
const cells = (page: Page, label: string): Promise<string[][]> =>
  paper(page)
    .getByRole('table', { name: label })
    .locator('tbody tr')
    .evaluateAll((rows) =>
      (rows as { cells: ArrayLike<{ innerText: string }> }[]).map(({ cells: all }) =>
        Array.from(all, ({ innerText }) => innerText.trim()),
      ),
    );

/** The sum of the volumes of distinct keywords, from the raw file. */
function volumeIn(file: { keywords: { keyword: string; search_volume?: number | null }[] }): number {
  const volumes = new Map(file.keywords.map(({ keyword, search_volume: volume }) => [keyword, volume ?? 0]));
  return [...volumes.values()].reduce((sum, volume) => sum + volume, 0);
}

story('a report of the current view', () => {
  const stage = useStage();

  // Shows P16.16.
  test.skipIf(!hasReal)(
    'has the figures of the file, the plan and the warnings, and is printed without anything else',
    { timeout: 240_000 },
    async () => {
      const { page: admin } = await stage.signedIn('admin');
      const { page } = await stage.signedIn('approved');
      const file = JSON.parse(readFileSync(real, 'utf8'));
      await uploadFor(admin, 'approved@example.com', file);
      await page.goto('/visualization?view=treemap&score=branch.volume*(1-difficulty/100)&tx=30&ty=500');
      await page.getByRole('application').waitFor();
      await uncovered(page);
      await page.getByRole('treeitem').nth(1).click();
      await page.keyboard.press('x');
      await page.getByText(/^Added .* to the plan/).waitFor();

      await openReport(page);
      await expect.poll(() => paper(page).getByText('Loading…').count()).toBe(0);
      const figure = async (name: string) =>
        (
          await paper(page)
            .locator('dl > div')
            .filter({ has: page.getByText(name, { exact: true }) })
            .innerText()
        ).split('\n');
      await expect.poll(async () => (await figure('Keywords'))[1]).toBe('27,640');
      await expect.poll(async () => (await figure('Clusters'))[1]).toBe('116');
      const volume = new Intl.NumberFormat('en').format(volumeIn(file));
      await expect.poll(async () => (await figure('Volume a month'))[1]).toBe(volume);
      const opportunities = () => cells(page, 'Top opportunities by Volume × ease');
      await expect.poll(opportunities).toHaveLength(20);
      const top = await opportunities();
      expect(top.slice(1, 4).map((line) => [line[0]!.split('\n')[0], line.at(-1)!.replace(/[\s*].*/s, '')])).toEqual([
        ['2. Bookmarks/Favorites', '8,285'],
        ['3. Desktop/Dock', '7,884'],
        ['4. Home screen', '7,337'],
      ]);
      await expect
        .poll(async () => (await cells(page, 'Quadrants')).map(([name, clusters]) => [name, clusters]))
        .toEqual([
          ['Write first', '24'],
          ['Worth the effort', '20'],
          ['Easy extras', '8'],
          ['Leave for later', '4'],
        ]);
      await paper(page).getByText('1 entry, whatever the filter keeps.').waitFor();
      await paper(page)
        .getByRole('heading', { name: /^Mixed intent|^Oversized cluster|^Repeated keyword/ })
        .first()
        .waitFor();
      const picture = paper(page).getByRole('img', { name: /^The chart of/ });
      await picture.waitFor();
      expect(await violations(page)).toEqual([]);

      await page.emulateMedia({ media: 'print' });
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      await printed(page).waitFor();
      expect(await dialog(page).isVisible()).toBe(false);
      expect(await printed(page).locator('tbody tr').count()).toBeGreaterThan(20);
      await page.evaluate("dispatchEvent(new Event('afterprint'))");
      await page.emulateMedia({ media: 'screen' });
      await printed(page).waitFor({ state: 'detached' });

      await dialog(page).getByRole('checkbox', { name: 'Warnings' }).uncheck();
      await paper(page).getByRole('heading', { name: 'Warnings' }).waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog(page).count()).toBe(0);
      // Back shows another view, which this would not be the report of.
      await page.getByRole('radio', { name: 'Sunburst', exact: true }).check();
      await page.getByRole('application', { name: /^Sunburst/ }).waitFor();
      await openReport(page);
      await page.goBack();
      await expect.poll(() => dialog(page).count()).toBe(0);
    },
  );

  test('of a table has no picture, and says which filter it is under', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample&view=table&f=has-tomato');
    await page.getByRole('treegrid').waitFor();
    await uncovered(page);
    await openReport(page);
    expect(await dialog(page).getByRole('checkbox', { name: 'Picture' }).count()).toBe(0);
    await paper(page).getByRole('heading', { name: 'Largest clusters' }).waitFor();
    await paper(page).getByText('Filter: Contains “tomato”').waitFor();
    await paper(page).getByText('Figures cover only the keywords that the filter keeps').waitFor();
  });
});
