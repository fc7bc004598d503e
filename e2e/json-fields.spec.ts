import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';

const entry = (reach: number | string, volume: number) => ({ search_volume: volume, reach, 'Owner ID': 'Zoe' });
const hoses = { keyword: 'garden hose', ...entry('1,200', 5) };
const spades = { keyword: 'spade', ...entry(300, 7) };
const content = {
  keywords: [hoses, spades, { keyword: 'rake', search_volume: 8 }],
  hierarchy: { name: 'Shop', children: [{ name: 'garden hose' }, { name: 'spade' }, { name: 'rake' }] },
};
/** After the closing brace there is only white space, so that the file is sent in several parts. */
const big = Buffer.alloc(5 * 2 ** 20, ' ');
big.write(JSON.stringify(content));
const file = { name: 'shop.json', mimeType: 'application/json', buffer: big };

story('how the fields of a JSON file are read', () => {
  const stage = useStage();

  test('a member that was not recognised is corrected while the file is sent, and again after publishing', async () => {
    const { page } = await stage.signedIn('admin');
    const gate = await holdSecondPart(page);
    await openTab(page);
    await page.locator('input[type=file]').setInputFiles(file);
    const table = page.getByRole('table', { name: 'How we read your fields' });
    await expect
      .poll(() => table.getByRole('row').allInnerTexts())
      .toEqual([
        'Member\tMeaning\tSample\tKnown',
        expect.stringMatching(/^search_volume\s+Search volume\s+5\s+100 %$/),
        expect.stringMatching(/^reach\s+Keep as it is\s+1,200\s+66.7 %$/),
        expect.stringMatching(/^Owner ID\s+Keep as it is\s+Zoe\s+66.7 %$/),
      ]);
    await page.getByText('By the first 3 entries').waitFor();
    await page.getByText('Not recognised as metrics, kept as custom fields: reach, Owner ID').waitFor();
    await correct(page, 'Owner ID', 'Clicks');
    await page.getByText('Only 0 % of the values are numbers.').waitFor();
    await page.getByText('Not recognised as metrics, kept as custom fields: reach', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Read again without corrections' }).click();
    await page.getByText('Only 0 % of the values are numbers.').waitFor({ state: 'detached' });

    await correct(page, 'reach', 'Search volume');
    // A meaning that exists once leaves the member that had it.
    await meaning(page, 'search_volume').getByText('Keep as it is').waitFor();
    await page.getByText('Not recognised as metrics, kept as custom fields: Owner ID').waitFor();
    gate.open();
    await page.getByText('File uploaded and processed successfully for admin@example.com').waitFor();
    await page.getByRole('link', { name: 'View', exact: true }).click();
    // 1,200 and 300.
    await volumeIs(page, '1,500');
    await page.goBack();

    // The file can be read in another way as long as its panel is open.
    await meaning(page, 'reach').getByText('Search volume').waitFor();
    await correct(page, 'reach', 'Leave out');
    await meaning(page, 'search_volume').getByText('Search volume').waitFor();
    await page.getByText('Saved. The file is read again with your corrections; the map follows by itself.').waitFor();
    await page.getByText('File uploaded and processed successfully').waitFor({ state: 'detached' });
    // axe takes a button half scrolled under the bar at the top for one that is too small.
    await page.evaluate('scrollTo(0, 0)');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close In this file' }).click();
    await page.getByRole('heading', { name: 'In this file' }).waitFor({ state: 'detached' });
    expect(await page.evaluate<string>('document.activeElement?.textContent')).toContain('Choose file');
    await page.goto('/visualization');
    await expect
      .poll(async () => {
        await page.reload();
        return volumeOf(page);
      })
      .toMatch(/^20$/m);
  });

  test('a correction that cannot be saved says so, and the table shows what the server has', async () => {
    const visitor = await stage.signedIn('admin');
    const { page } = visitor;
    const gate = await holdSecondPart(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await openTab(page);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('By the first 3 entries').waitFor();
    await page.route('**/field-map', (route) => route.abort());
    visitor.expectProblem(/net::ERR_FAILED/);
    await correct(page, 'reach', 'Clicks');
    await page.getByText(/^The correction was not saved: /).waitFor();
    await meaning(page, 'reach').getByText('Keep as it is').waitFor();
    await page.unroute('**/field-map');
    await correct(page, 'reach', 'Clicks');
    await page.getByText(/^The correction was not saved: /).waitFor({ state: 'detached' });
    await meaning(page, 'reach').getByText('Clicks').waitFor();
    expect(await violations(page)).toEqual([]);
    gate.open();
    await page.getByText('File uploaded and processed successfully for admin@example.com').waitFor();
  });
});

async function openTab(page: Page): Promise<void> {
  await page.goto('/admin?tab=upload');
  await page.getByRole('combobox', { name: 'Select User' }).click();
  await page.getByRole('option', { name: /^admin@example\.com/ }).click();
  await page.getByRole('listbox').waitFor({ state: 'detached' });
}

const meaning = (page: Page, member: string) =>
  page.getByRole('combobox', { name: `Meaning of member ${member}`, exact: true });

async function correct(page: Page, member: string, to: string): Promise<void> {
  await meaning(page, member).click();
  await page.getByRole('option', { name: to, exact: true }).click();
  await page.getByRole('listbox').waitFor({ state: 'detached' });
}

/** Holds all parts of a file but the first until it is opened. */
async function holdSecondPart(page: Page) {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let parts = 0;
  await page.route('**/api/uploads/*', async (route) => {
    if (route.request().method() === 'PATCH' && ++parts > 1) await opened;
    await route.continue().catch(() => undefined);
  });
  return { open };
}

const volume = (page: Page) =>
  page.getByRole('complementary', { name: 'Details' }).locator('div:has(> dt:text-is("Volume a month")) > dd').first();
const volumeOf = (page: Page): Promise<string> => volume(page).innerText();

async function volumeIs(page: Page, figure: string): Promise<void> {
  await expect.poll(() => volumeOf(page)).toContain(figure);
}
