import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, uncovered, useStage } from './app.ts';

const sample = '/visualization?v=sample';
const picture = (page: Page) => page.getByRole('application');
const opened = async (page: Page, path = sample) => {
  await page.goto(path);
  await picture(page).waitFor();
  await uncovered(page);
};

story('nothing lies over the picture', () => {
  const stage = useStage();

  test('the filter docks beside it, with its content, and gives the keyboard back', async () => {
    const { page } = await stage.signedIn('approved');
    await opened(page);
    const wide = await boxOf(picture(page));
    const button = page.getByRole('button', { name: /^Filter/ });
    const dock = page.getByRole('complementary', { name: 'Filter' });
    const contains = dock.getByRole('textbox', { name: 'Contains', exact: true });
    await page.evaluate(`new MutationObserver(() => {
      const dock = document.querySelector('aside[aria-label=Filter]');
      if (dock && !dock.querySelector('input')) console.error('The filter was empty');
    }).observe(document.body, { childList: true, subtree: true })`);
    await button.click();
    await contains.waitFor();
    await apart(picture(page), dock);
    await apart(page.getByRole('toolbar', { name: 'Camera' }), dock);
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await contains.fill('spade');
    await page.getByRole('button', { name: 'Remove filter: Contains “spade”' }).waitFor();
    await picture(page).click();
    expect(await contains.isVisible()).toBe(true);
    await contains.focus();
    await page.keyboard.press('Escape');
    await dock.waitFor({ state: 'detached' });
    await expect.poll(async () => (await boxOf(picture(page))).width).toBe(wide.width);
    expect(await page.locator(':focus').innerText()).toMatch(/^Filter/);
  });

  test('the opened legend takes room of its own, beside the status line', async () => {
    const { page } = await stage.signedIn('approved');
    await opened(page);
    const before = await boxOf(picture(page));
    const legend = page.getByRole('region', { name: 'Legend' });
    await legend.getByRole('button', { name: 'Pillar topic' }).click();
    await legend.getByRole('button', { name: /^Plants/ }).waitFor();
    await expect.poll(async () => (await boxOf(picture(page))).height).toBeLessThan(before.height);
    await apart(picture(page), legend);
    await apart(page.getByText(/^2,026 keywords$/).last(), legend);
    await apart(page.getByRole('toolbar', { name: 'Camera' }), legend);
    await legend.getByRole('button', { name: 'Pillar topic' }).click();
    await expect.poll(async () => (await boxOf(picture(page))).height).toBe(before.height);
  });

  test('the status line tells of the branch in focus', async () => {
    const { page, call } = await stage.signedIn('approved');
    await opened(page);
    const status = page.getByRole('paragraph').filter({ hasText: /\d+ branches/ });
    await status.getByText('· 8 branches').waitFor();
    const branch = page.getByRole('treeitem', { level: 2 }).filter({ hasText: 'Watering' });
    await branch.dblclick();
    await status.getByText('Watering').waitFor();
    const { path: _, ...root } = await call<{ path: unknown; keywords: number }>(
      'GET',
      '/visualizations/sample/nodes/0',
    );
    const shown = Number.parseInt(
      await status
        .getByText(/keywords$/)
        .innerText()
        .then((text) => text.replace('· ', '')),
      10,
    );
    expect(shown).toBeGreaterThan(0);
    expect(shown).toBeLessThan(root.keywords);
    expect(await status.getByText('· 4 branches').isVisible()).toBe(true);
  });
});

story('the explorer on a phone', () => {
  const stage = useStage();
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

  test('the top bar names the place and leads back, and all that draws or keeps the picture is in reach', async () => {
    const { page } = await stage.signedIn('approved', phone);
    await opened(page);
    const path = page.getByRole('navigation', { name: 'Path' });
    await path.getByText('Garden shop (sample data)').waitFor();
    for (const name of ['Filter', 'Colour, size and depth', 'Save view', 'Share', 'My Visualizations']) {
      const { x, width } = await boxOf(page.getByRole('button', { name, exact: true }));
      expect(x, name).toBeGreaterThanOrEqual(0);
      expect(x + width, name).toBeLessThanOrEqual(390);
      expect(width, name).toBeGreaterThanOrEqual(44);
    }
    await page.getByRole('button', { name: 'Next sibling' }).waitFor();
    await picture(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const place = path.getByRole('button');
    await expect.poll(() => place.innerText()).not.toContain('Garden shop');
    await place.click();
    await page.getByRole('menuitem', { name: /^Garden shop/ }).click();
    await path.getByText('Garden shop (sample data)').waitFor();

    await page.getByRole('button', { name: 'Colour, size and depth' }).click();
    await page.getByRole('combobox', { name: 'Size by' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Filter' })
      .getByRole('textbox', { name: 'Contains', exact: true })
      .waitFor();
  });
});

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
const boxOf = async (one: Locator): Promise<Box> => (await one.boundingBox())!;

/** Waits until two elements do not overlap. */
async function apart(one: Locator, other: Locator): Promise<void> {
  const overlap = async () => {
    const [a, b] = [await boxOf(one), await boxOf(other)];
    const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
    const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
    return wide > 0.5 && high > 0.5;
  };
  await expect.poll(overlap).toBe(false);
}
