import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { failsFor } from '../../../../test/page/fake-api.ts';
import { details, focus, follow, isGone, outline } from '../../../../test/page/in-explorer.ts';
import type { Upload } from '../../../../test/page/maps-api.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

const texts = (rows: readonly Element[]) =>
  rows.map((row) => (row as HTMLElement).innerText.replace(/\s+/g, ' ').trim());
const leaf = (name: string) => ({ name });

/** One keyword by day, and more keywords outside the hierarchy than a page of the list shows. */
const days: Upload = {
  hierarchy: {
    name: 'Garden',
    children: [{ name: 'Watering', children: [leaf('garden hose'), leaf('sprinkler')] }],
  },
  keywords: [
    ...Array.from({ length: 30 }, (_, day) => ({
      keyword: day % 2 === 0 ? 'garden hose' : 'Garden  Hose',
      date: `2026-04-${String(day + 1).padStart(2, '0')}`,
      clicks: 2,
      impressions: 10 + day,
      position: day < 15 ? 4 : 2,
      url: `https://garden.example/${day < 20 ? 'hoses' : 'hose-guide'}`,
      search_volume: 100 + day,
    })),
    { keyword: 'sprinkler', clicks: 1, impressions: 5, position: 9 },
    ...Array.from({ length: 1000 }, (_, n) => ({ keyword: `orphan ${n}`, search_volume: 5000 - n })),
  ],
};

// Shows P10.8.
test('merged entries of a keyword are listed by their addresses', async () => {
  await openExplorer(days);
  // 30 days at 735 impressions, 255 of them at position 4; 5 impressions at 9.
  const position = details.getByRole('definition').filter({ hasText: 'weighted by impressions' }).first();
  await expect.element(position.getByText('2.7', { exact: true })).toBeVisible();
  await outline.getByRole('treeitem', { name: /^Watering/ }).click();
  await userEvent.keyboard('{ArrowRight}');
  await outline.getByRole('treeitem', { name: /^garden hose/ }).click();
  await expect.element(details.getByRole('heading', { name: 'Merged from 30 entries' })).toBeVisible();
  await expect
    .poll(() => texts(details.getByRole('row').elements()))
    .toEqual([
      'Address Position Entries',
      'https://garden.example/hose-guide 2 10',
      'https://garden.example/hoses 3.3 20',
    ]);
  expect(await violations(details.element())).toEqual([]);
});

test('addresses without positions are listed without that column', async () => {
  const keywords = ['hoses', 'hose-guide'].map((at) => ({ keyword: 'hose', url: `https://garden.example/${at}` }));
  await openExplorer({ keywords, hierarchy: { name: 'Garden', children: [leaf('hose')] } });
  await outline.getByRole('treeitem', { name: /^hose/ }).click();
  await expect.element(details.getByRole('heading', { name: 'Merged from 2 entries' })).toBeVisible();
  const rows = () => texts(details.getByRole('row').elements()).toSorted();
  await expect
    .poll(rows)
    .toEqual(['Address Entries', 'https://garden.example/hose-guide 1', 'https://garden.example/hoses 1']);
});

// Shows P10.8.
test('keywords outside the hierarchy are a list, which the details and the search lead to', async () => {
  await openExplorer(days);
  await expect.element(details.getByText(/1,000 keywords of the file that no node names/)).toBeVisible();
  await details.getByRole('button', { name: 'Show these keywords' }).click();
  const dialog = page.getByRole('dialog', { name: 'Not in the hierarchy' });
  await expect.element(dialog.getByRole('option').first()).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await isGone(dialog);

  await page.getByRole('combobox', { name: 'Search keywords' }).fill('99 orphan');
  // 99 and 990 to 999 begin with it, and 199, 299 up to 899 contain it.
  await page.getByText('19 not in the hierarchy – show the list').click();
  await expect.element(dialog.getByText('19 matches')).toBeVisible();
  const lines = () => dialog.getByRole('option').elements();
  await expect.poll(() => lines().length).toBeLessThanOrEqual(19);
  await dialog.getByRole('option').first().click();
  await expect.element(dialog.getByRole('region', { name: 'orphan 99' }).getByText('4901')).toBeVisible();
  await dialog.getByRole('searchbox').fill('');
  await isGone(dialog.getByText('19 matches'));
  await focus(dialog.getByRole('listbox'));
  await userEvent.keyboard('{End}');
  await expect.element(dialog.getByRole('option', { name: /^orphan 999/ })).toBeVisible();
  expect(lines().length).toBeLessThan(60);
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByRole('region', { name: 'orphan 999' })).toBeVisible();
  expect(await violations(dialog.element())).toEqual([]);
  const csv = dialog.getByRole('link', { name: 'Export as CSV' }).element();
  expect(csv.getAttribute('href')).toMatch(/^\/api\/visualizations\/map\/not-in-hierarchy\.csv/);
});

test('if the keywords outside the hierarchy cannot be loaded, their list says so, and is asked for again', async () => {
  await openExplorer(days);
  const works = failsFor('visualizations.notInHierarchy');
  await details.getByRole('button', { name: 'Show these keywords' }).click();
  const dialog = page.getByRole('dialog', { name: 'Not in the hierarchy' });
  await expect.element(dialog.getByRole('alert')).toBeVisible();
  works();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect.element(dialog.getByRole('option').first()).toBeVisible();
  await isGone(dialog.getByRole('alert'));
});

/** Keyword `n` of twelve has the first `n + 1` values; the last keyword has none. */
const features = ['Ads', 'Video', 'Images', 'Map', 'News', 'Shopping', 'Reviews', 'Sitelinks'];
const names = Array.from({ length: 12 }, (_, n) => `rake ${n}`);
const rakes: Upload = {
  hierarchy: {
    name: 'Rakes',
    children: [
      { name: 'Small', children: names.slice(0, 6).map(leaf) },
      { name: 'Large', children: names.slice(6).map(leaf) },
    ],
  },
  keywords: names.slice(0, -1).map((keyword, n) => ({
    keyword,
    search_volume: 100 - n,
    serp_features: features.slice(0, n + 1),
    'Dificulty %': n,
  })),
};

test('the details count the keywords of a branch for each of several values, also under a filter', async () => {
  await openExplorer(rakes);
  const list = () => details.getByRole('definition').filter({ hasText: 'Ads' }).getByRole('listitem').elements();
  const told = () => texts(list());
  await expect
    .poll(told)
    .toEqual(['Ads 11 100 %', 'Video 10 90.9 %', 'Images 9 81.8 %', 'Map 8 72.7 %', 'News 7 63.6 %']);
  await expect.element(details.getByText('known for 11 of 12', { exact: true }).first()).toBeVisible();
  await details.getByRole('button', { name: 'All 8', exact: true }).click();
  await expect.poll(() => told().at(-1)).toBe('Sitelinks 4 36.4 %');
  const unrecognised = details.getByRole('heading', { name: 'Not recognised as metrics' });
  await expect.element(unrecognised).toBeVisible();
  expect(unrecognised.element().closest('section')!.textContent).toContain('Dificulty %');
  expect(await violations(details.element())).toEqual([]);
  await details.getByRole('button', { name: 'Only the first 5' }).click();
  await expect.poll(() => list().length).toBe(5);

  await outline.getByRole('treeitem', { name: /^Small/ }).click();
  // Unrecognised names are shown for the whole file, not for a branch.
  await isGone(unrecognised);
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
  await follow('?f=has-rake 1');
  // rake 1, rake 10, and rake 11, which has no values.
  await expect.poll(() => told().slice(0, 3)).toEqual(['Ads 2 100 %', 'Video 2 100 %', 'Images 1 50.0 %']);
  await expect.element(details.getByText('known for 2 of 3', { exact: true }).first()).toBeVisible();
});

test('with another filter, keys begin at the first of all keywords again', async () => {
  await openExplorer(rakes, { search: '?f=has-rake 1' });
  await expect.element(details.getByRole('button', { name: 'Show the list' })).toBeVisible();
  history.pushState(undefined, '', '?');
  await expect.element(details.getByRole('heading', { name: 'All keywords (12)' })).toBeVisible();
  await details.getByRole('button', { name: 'Show the list' }).click();
  const list = details.getByRole('listbox', { name: /^All keywords of / });
  const current = () => document.getElementById(list.element().getAttribute('aria-activedescendant') ?? '')?.innerText;
  await expect.element(list.getByRole('option').nth(11)).toBeInTheDocument();
  await focus(list);
  await userEvent.keyboard('{End}');
  await expect.poll(current).toMatch(/^rake 11/);
  history.back();
  await expect.poll(() => list.getByRole('option').elements().length).toBe(3);
  await expect.poll(current).toMatch(/^rake 1\b/);
});
