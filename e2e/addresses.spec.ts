import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { uploadFor } from './upload.ts';

/** Sixty pages of one shop in three directories: too many for colours, and few enough for a filter. */
const names = Array.from({ length: 60 }, (_, n) => `spade ${n}`);
const directories = ['tools', 'guides', 'blog'];
const content = {
  hierarchy: { name: 'Spades', children: [{ name: 'All spades', children: names }] },
  keywords: names.map((keyword, n) => ({
    keyword,
    search_volume: 10 + n,
    Page: `https://garden-shop.example/${directories[n % 3]}/a-long-name-of-a-page-about-spades-${n}`,
  })),
};

story('the addresses of keywords', () => {
  const stage = useStage();

  test('are filtered by directory and by address, and colour the picture by directory', async () => {
    await (await stage.signedIn('approved')).context.close();
    const admin = await stage.signedIn('admin');
    await uploadFor(admin.page, 'approved@example.com', content);
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization');
    const shows = (keywords: string) =>
      page.getByRole('application', { name: new RegExp(`^Treemap of .*, ${keywords} keywords\\.`) }).waitFor();
    await shows('60');
    await page.getByRole('combobox', { name: 'Colour by' }).click();
    const refused = page.getByRole('option', { name: 'Page: 60 values, too many to tell apart' });
    expect(await refused.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('option', { name: 'Page (directory)', exact: true }).click();
    await page.getByRole('button', { name: '/guides/' }).first().waitFor();

    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const panel = page.getByRole('complementary', { name: 'Filter' });
    await panel.getByRole('button', { name: /^Page \(directory\)/ }).click();
    await panel.getByRole('checkbox', { name: '/blog/' }).check();
    await shows('20 of 60');
    await page.getByRole('button', { name: 'Remove filter: Page (directory): /blog/' }).click();
    await shows('60');

    await panel.getByRole('button', { name: /^Page(?! \()/ }).click();
    await panel.getByLabel('Values that contain').fill('spades-17');
    await panel.getByText('1 of 61').waitFor();
    await panel.getByRole('checkbox', { name: /spades-17$/ }).check();
    await shows('1 of 60');
    await panel.getByLabel('Values that contain').fill('no such page');
    // A selected value stays in the list even if it does not match, so that it can be deselected.
    await panel.getByRole('checkbox', { name: /spades-17$/ }).click();
    await shows('60');
    await panel.getByLabel('Values that contain').fill('/tools/');
    await panel.getByText('20 of 61').waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
