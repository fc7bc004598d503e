import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, uncovered, useStage } from './app.ts';
import { violations } from './axe.ts';
import { uploadFor } from './upload.ts';

const real = fileURLToPath(new URL('../../shared/data/seed-shape-real/add-to-website.json', import.meta.url));
const hasReal = existsSync(real);
if (!hasReal) console.log('The story of warnings about a real file is skipped: there is no ../shared/data');

const panel = (page: Page) => page.getByRole('complementary', { name: 'Details' });
const group = (page: Page, name: string) => panel(page).getByRole('region', { name, exact: true });
const head = (page: Page, name: string, count: number) =>
  group(page, name).getByRole('button', { name: `${name} ${count}`, exact: true });

story('warnings', () => {
  const stage = useStage();

  test.skipIf(!hasReal)(
    'are walked by key, dismissed for the next upload too, restored, and follow their thresholds',
    { timeout: 300_000 },
    async () => {
      const file = JSON.parse(readFileSync(real, 'utf8'));
      const { page: admin } = await stage.signedIn('admin');
      const { page, expectProblem } = await stage.signedIn('approved');
      await uploadFor(admin, 'approved@example.com', file);
      await page.goto('/visualization');
      await uncovered(page);

      await panel(page)
        .getByRole('tab', { name: /^Warnings/ })
        .click();
      for (const [name, count] of [
        ['Oversized cluster', 8],
        ['Single keyword', 5],
        ['Mixed intent', 1],
        ['Mostly unknown', 77],
      ] as const)
        await head(page, name, count).waitFor();
      await panel(page).getByText('14 warnings', { exact: true }).waitFor();
      await panel(page).getByText('One URL, several clusters: this file has no URLs.').waitFor();
      expect(new URL(page.url()).searchParams.get('panel')).toBe('warnings');
      expect(await violations(page)).toEqual([]);

      // The order of the tab: what affects most volume comes first.
      await page.getByRole('application').focus();
      await page.keyboard.press('i');
      const current = panel(page).locator('[aria-current=true]');
      const other = current.getByRole('button', { name: 'Other volume 36,440 Other 12,586 keywords', exact: true });
      await other.waitFor();
      await page.keyboard.press('i');
      await current.getByText('Home screen', { exact: true }).waitFor();
      await other.waitFor({ state: 'detached' });
      await page.keyboard.press('Shift+I');
      await other.waitFor();

      await head(page, 'Mixed intent', 1).click();
      const mixed = group(page, 'Mixed intent');
      await mixed.getByText('Informational 50 %, commercial 50 %, of 10 known').waitFor();

      await head(page, 'Single keyword', 5).click();
      const single = group(page, 'Single keyword');
      await single.getByRole('button', { name: /^Notion/ }).click();
      await single.getByRole('button', { name: 'Not a problem' }).click();
      await head(page, 'Single keyword', 4).waitFor();
      // warnings/dismissed
      await page.getByText('Dismissed. It stays so after a new upload.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await head(page, 'Single keyword', 5).waitFor();
      // warnings/restored
      await page.getByText('Restored', { exact: true }).waitFor();
      await single.getByRole('button', { name: 'Not a problem' }).click();
      await head(page, 'Single keyword', 4).waitFor();

      await uploadFor(admin, 'approved@example.com', file);
      await page.goto('/visualization?panel=warnings');
      await head(page, 'Single keyword', 4).waitFor();
      await panel(page).getByRole('button', { name: 'Dismissed (1)' }).click();
      await panel(page).getByRole('button', { name: 'Restore Notion' }).click();
      await head(page, 'Single keyword', 5).waitFor();

      await panel(page).getByRole('button', { name: 'Thresholds' }).click();
      await panel(page).getByLabel('More keywords than').fill('600');
      await page.keyboard.press('Enter');
      await head(page, 'Oversized cluster', 5).waitFor();
      expect(await page.evaluate('document.activeElement.value')).toBe('600');
      await page.reload();
      await head(page, 'Oversized cluster', 5).waitFor();
      await panel(page).getByRole('button', { name: 'Thresholds' }).click();
      await panel(page).getByRole('button', { name: 'Reset' }).click();
      await head(page, 'Oversized cluster', 8).waitFor();

      // Without the server, each change says that it was not made, and is not shown.
      await head(page, 'Single keyword', 5).click();
      await single.getByRole('button', { name: /^Notion/ }).click();
      await single.getByRole('button', { name: 'Not a problem' }).click();
      await head(page, 'Single keyword', 4).waitFor();
      expectProblem(/ERR_FAILED/);
      await page.route(/\/(?:dismissed|warning-thresholds)/, (route) =>
        route.request().method() === 'GET' ? route.continue() : route.abort(),
      );
      const dismissed = panel(page).getByRole('button', { name: 'Dismissed (1)' });
      const restore = panel(page).getByRole('button', { name: 'Restore Notion' });
      if (!(await restore.isVisible())) await dismissed.click();
      await restore.click();
      // warnings/not-restored
      await page.getByText('The warning was not restored: ').waitFor();
      await panel(page).getByLabel('More keywords than').fill('600');
      await page.keyboard.press('Enter');
      // warnings/not-set
      await page.getByText('The thresholds were not saved: ').waitFor();
      await head(page, 'Oversized cluster', 8).waitFor();
      await head(page, 'Mixed intent', 1).click();
      await mixed.getByRole('button', { name: /^Google reviews/ }).click();
      await mixed.getByRole('button', { name: 'Not a problem' }).click();
      // warnings/not-dismissed
      await page.getByText('The warning was not dismissed: ').waitFor();
      await head(page, 'Mixed intent', 1).waitFor();
      await page.unroute(/\/(?:dismissed|warning-thresholds)/);
      await restore.click();
      await head(page, 'Single keyword', 5).waitFor();
      await page.reload();

      // The keywords of a warning are shown by a filter, under which the warnings are counted again.
      await head(page, 'Mixed intent', 1).click();
      await mixed.getByRole('button', { name: /^Google reviews/ }).click();
      await mixed.getByRole('button', { name: 'Show keywords' }).click();
      await panel(page).getByText('1 warning', { exact: true }).waitFor();
      await page.goBack();
      await panel(page).getByText('14 warnings', { exact: true }).waitFor();
    },
  );
});
