import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { uploadFor } from './upload.ts';

/** Keyword `n` of twelve has the first `n` values; the last keyword has none. */
const features = ['Ads', 'Video', 'Images', 'Map', 'News', 'Shopping', 'Reviews', 'Sitelinks'];
const names = Array.from({ length: 12 }, (_, n) => `rake ${n}`);
const content = {
  hierarchy: {
    name: 'Rakes',
    children: [
      { name: 'Small', children: names.slice(0, 6).map((name) => ({ name })) },
      { name: 'Large', children: names.slice(6).map((name) => ({ name })) },
    ],
  },
  keywords: names.slice(0, -1).map((keyword, n) => ({
    keyword,
    search_volume: 100 - n,
    serp_features: features.slice(0, n + 1),
    'Dificulty %': n,
  })),
};

story('fields with several values per keyword', () => {
  const stage = useStage();

  test('the details count the keywords of a branch for each value, also under a filter', async () => {
    await (await stage.signedIn('approved')).context.close();
    const admin = await stage.signedIn('admin');
    await uploadFor(admin.page, 'approved@example.com', content);
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization');
    const details = page.getByRole('complementary', { name: 'Details' });
    const list = details.getByRole('definition').filter({ hasText: 'Ads' }).getByRole('listitem');
    const told = async () => (await list.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
    await expect
      .poll(told)
      .toEqual(['Ads 11 100 %', 'Video 10 90.9 %', 'Images 9 81.8 %', 'Map 8 72.7 %', 'News 7 63.6 %']);
    await details.getByText('known for 11 of 12', { exact: true }).first().waitFor();
    await details.getByRole('button', { name: 'All 8', exact: true }).click();
    await expect.poll(async () => (await told()).at(-1)).toBe('Sitelinks 4 36.4 %');
    const unrecognised = details
      .locator('section:has(> h3:text-is("Not recognised as metrics"))')
      .getByRole('listitem');
    await expect.poll(() => unrecognised.allInnerTexts()).toEqual(['Dificulty %']);
    expect(await violations(page, { within: '[aria-label="Details"]' })).toEqual([]);
    await details.getByRole('button', { name: 'Only the first 5' }).click();
    await expect.poll(() => list.count()).toBe(5);

    await page.getByRole('treeitem', { name: /^Small/ }).click();
    // Unrecognised names are shown for the whole file, not for a branch.
    await expect.poll(() => unrecognised.count()).toBe(0);
    await expect
      .poll(told)
      .toEqual([
        'Ads 6 100 %',
        'Video 5 83.3 %',
        'Images 4 66.7 %',
        'Map 3 50.0 %',
        'News 2 33.3 %',
        'Shopping 1 16.7 %',
      ]);
    await page.goto('/visualization?f=has-rake 1');
    // rake 1, rake 10, and rake 11, which has no values.
    await expect
      .poll(async () => (await told()).slice(0, 3))
      .toEqual(['Ads 2 100 %', 'Video 2 100 %', 'Images 1 50.0 %']);
    await details.getByText('known for 2 of 3', { exact: true }).first().waitFor();
  });
});
