import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, uncovered, useStage } from './app.ts';
import { violations } from './axe.ts';
import { uploadFor } from './upload.ts';

const real = fileURLToPath(new URL('../../shared/data/seed-shape-real/add-to-website.json', import.meta.url));
const hasReal = existsSync(real);
if (!hasReal) console.log('The story of a lasso is skipped: there is no ../shared/data');

type Keyword = { keyword: string; search_volume?: number | null; keyword_difficulty?: number | null };

const plot = (page: Page) => page.getByRole('application', { name: /^Opportunity/ });
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selection' });
const summary = (page: Page) => bar(page).getByText(/ selected ·/);
const lasso = (page: Page) => page.getByRole('button', { name: 'Lasso', exact: true });
const values = (page: Page) => page.getByRole('dialog', { name: 'Select by values' });

/** How many points have a ring. */
const ringed = (page: Page): Promise<number> =>
  plot(page)
    .locator('path.fill-none.stroke-brand')
    .evaluate((path) => ((path as { getAttribute(name: string): string }).getAttribute('d').match(/M/g) ?? []).length);

/** Corners around the middle of the plot, in steps of the crosshair. */
const corners = [
  [-20, -10],
  [6, -10],
  [12, 4],
  [-20, 14],
] as const;
const stepPx = 8;
/** Room around the plot within its frame, in CSS pixels. */
const room = { left: 58, right: 96, top: 74, bottom: 66 };

async function middle(page: Page): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await plot(page).boundingBox())!;
  return { x: x + (room.left + width - room.right) / 2, y: y + (room.top + height - room.bottom) / 2 };
}

async function drawByPointer(page: Page, held?: 'Shift' | 'Alt'): Promise<void> {
  const at = await middle(page);
  const places = corners.map(([across, down]) => [at.x + across * stepPx, at.y + down * stepPx] as const);
  if (held) await page.keyboard.down(held);
  await page.mouse.move(...places[0]!);
  await page.mouse.down();
  for (const place of [...places.slice(1), places[0]!]) await page.mouse.move(...place, { steps: 12 });
  await page.mouse.up();
  if (held) await page.keyboard.up(held);
}

async function drawByKeys(page: Page): Promise<void> {
  let [x, y] = [0, 0];
  for (const [across, down] of corners) {
    for (; x < across; x++) await page.keyboard.press('ArrowRight');
    for (; x > across; x--) await page.keyboard.press('ArrowLeft');
    for (; y < down; y++) await page.keyboard.press('ArrowDown');
    for (; y > down; y--) await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
  }
  await page.keyboard.press('Enter');
}

story('a selection in Opportunity', () => {
  const stage = useStage();

  test.skipIf(!hasReal)(
    'is drawn by pointer, drawn by keys and given by numbers, and is what the file says',
    { timeout: 240_000 },
    async () => {
      const { page: admin } = await stage.signedIn('admin');
      const { page } = await stage.signedIn('approved');
      const file = JSON.parse(readFileSync(real, 'utf8')) as { keywords: Keyword[] };
      await uploadFor(admin, 'approved@example.com', file);
      await page.goto('/visualization?view=opportunity&level=keywords');
      await plot(page).waitFor();
      await uncovered(page);

      // By numbers, against the file.
      await page.getByRole('button', { name: 'Select by values…' }).click();
      await values(page).getByLabel('Difficulty to', { exact: true }).fill('thirty');
      await values(page).getByText('“thirty” is not a number.').waitFor();
      expect(await values(page).getByRole('button', { name: 'Select', exact: true }).isDisabled()).toBe(true);
      await values(page).getByLabel('Difficulty to', { exact: true }).fill('30');
      await values(page).getByLabel('Volume from', { exact: true }).fill('100');
      const wanted = new Map(file.keywords.map((one) => [one.keyword, one] as const));
      const inRange = [...wanted.values()].filter(
        ({ search_volume: volume, keyword_difficulty: difficulty }) =>
          typeof volume === 'number' && volume >= 100 && typeof difficulty === 'number' && difficulty <= 30,
      );
      expect(inRange.length).toBeGreaterThan(10);
      const volume = inRange.reduce((sum, { search_volume: one }) => sum + one!, 0).toLocaleString('en');
      await values(page).getByText(`${inRange.length} keywords · volume ${volume}`).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await expect.poll(() => summary(page).innerText()).toContain(`${inRange.length} keywords · ${volume} volume`);
      expect(await ringed(page)).toBeGreaterThan(10);

      // By pointer and by keys the same shape selects the same. The bar below makes the plot smaller.
      await bar(page).getByRole('button', { name: 'Clear' }).click();
      await expect.poll(() => bar(page).count()).toBe(0);
      await lasso(page).click();
      await drawByPointer(page);
      await summary(page).waitFor();
      const drawn = await summary(page).innerText();
      expect(Number(drawn.split(' ')[0]!.replace(',', ''))).toBe(await ringed(page));
      await bar(page).getByRole('button', { name: 'Clear' }).click();
      await expect.poll(() => bar(page).count()).toBe(0);
      await plot(page).focus();
      await drawByKeys(page);
      await expect.poll(() => summary(page).innerText()).toBe(drawn);
      // What is taken away is gone, and can be added again.
      await drawByPointer(page);
      await expect.poll(() => summary(page).innerText()).not.toBe(drawn);
      await drawByPointer(page, 'Alt');
      await expect.poll(() => bar(page).count()).toBe(0);
      await drawByPointer(page, 'Shift');
      await expect.poll(() => summary(page).innerText()).toBe(drawn);
      expect(await violations(page)).toEqual([]);

      // The selection as a filter is in the link, and has the same totals after a reload.
      await page.keyboard.press('Escape');
      expect(await lasso(page).getAttribute('aria-pressed')).toBe('false');
      await bar(page).getByRole('button', { name: 'Keep only these' }).click();
      await page.getByText('Keywords in an area of difficulty and volume').waitFor();
      await page.reload();
      await plot(page).waitFor();
      await page.getByText(new RegExp(`^${drawn.split(' ')[0]} rows: `)).waitFor();
    },
  );

  test.skipIf(!hasReal)('of a quadrant has the rows that its label counts, and is planned from its menu', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?view=opportunity&tx=30&ty=500');
    await plot(page).waitFor();
    await page.getByRole('button', { name: /^Write first/ }).click();
    await page.getByRole('menuitem', { name: 'Select 24 clusters' }).click();
    await expect.poll(() => summary(page).innerText()).toMatch(/^24 selected · 18,586 keywords · 89,920 volume/);
    expect(await ringed(page)).toBe(24);
    await page.getByRole('button', { name: /^Worth the effort/ }).click();
    await page.getByRole('menuitem', { name: 'Add 20 clusters to plan' }).click();
    await page.getByText('Added 20').waitFor();
    // A menu that fades out still has the focus, and its keys.
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await page.keyboard.press('ControlOrMeta+z');
    await page.getByText('Undone').waitFor();
    // A filter that is set elsewhere ends it, and so does another level.
    await page.keyboard.press('Alt+1');
    await page.getByRole('application', { name: /^Treemap/ }).waitFor();
    await page.getByRole('treeitem', { name: /^SEO ,/ }).click();
    await page.keyboard.press('Shift+H');
    await page.getByRole('button', { name: /^Remove filter: Hidden: SEO/ }).waitFor();
    await page.keyboard.press('Alt+6');
    await plot(page).waitFor();
    await expect.poll(() => bar(page).count()).toBe(0);
    await page.getByRole('button', { name: /^Write first/ }).click();
    await page.getByRole('menuitem', { name: /^Select \d+ clusters/ }).click();
    await summary(page).waitFor();
    await plot(page).focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => bar(page).count()).toBe(0);
  });
});
