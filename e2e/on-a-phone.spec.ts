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
