import { existsSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { uploadFor } from './upload.ts';

const sample = 'fixtures/sample/garden-shop.json';
const real = new URL('../../shared/data/seed-shape-real/add-to-website.json', import.meta.url);

type Node = { readonly name: string; readonly type?: string; readonly children?: readonly Node[] };
type Entry = {
  readonly keyword: string;
  readonly search_volume: number | null;
  readonly keyword_difficulty: number | null;
};
type File = { readonly keywords: readonly Entry[]; readonly hierarchy: Node };

const read = (file: string | URL) => JSON.parse(readFileSync(file, 'utf8')) as File;

const shown = (count: number) => count.toLocaleString('en');
const first =
  /^(?:who|what|when|where|why|which|whose|how|can|could|do|does|did|is|are|was|were|will|would|should|may|might|has|have)(?:\s|$)|\?\s*$/;

/** The keywords of a branch, each once. */
const keywordsIn = ({ name, children = [] }: Node): readonly string[] =>
  children.length === 0 ? [name] : [...new Set(children.flatMap(keywordsIn))];

/** The clusters of a branch. */
const clustersIn = (node: Node): readonly Node[] =>
  node.type === 'cluster' ? [node] : (node.children ?? []).flatMap(clustersIn);

const kept = (page: Page, keywords: number, of: number) =>
  page
    .getByRole('region', { name: 'Active filters' })
    .getByText(`${shown(keywords)} of ${shown(of)} keywords`)
    .waitFor();

async function openFilter(page: Page): Promise<void> {
  await page.getByRole('application').focus();
  await page.keyboard.press('f');
  await page.getByRole('complementary', { name: 'Filter' }).waitFor();
}

const chip = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

story('one-click filters', () => {
  const stage = useStage();

  test('brand and non-brand divide the keywords, and remember the terms', async () => {
    const { hierarchy } = read(sample);
    const all = keywordsIn(hierarchy);
    const branded = all.filter((keyword) => /\b(?:spade|wheelbarrow)\b/i.test(keyword)).length;
    expect(branded).toBeGreaterThan(0);
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample');
    await page.getByRole('application').waitFor();
    await openFilter(page);
    await chip(page, 'Brand').click();
    // The first use asks for the terms.
    const asked = `document.activeElement?.labels?.[0]?.innerText ?? ''`;
    await expect.poll(() => page.evaluate(asked)).toBe('Brand terms');
    await page.keyboard.type('Spade, wheelbarrow');
    await page.waitForURL((url) => url.searchParams.get('f') === 'brand-Spade,wheelbarrow');
    await kept(page, branded, all.length);
    expect(await violations(page)).toEqual([]);
    await chip(page, 'Non-brand').click();
    await page.waitForURL((url) => url.searchParams.get('f') === 'nonbrand-Spade,wheelbarrow');
    await kept(page, all.length - branded, all.length);
    expect(await chip(page, 'Brand').getAttribute('aria-pressed')).toBe('false');
    await chip(page, 'Non-brand').click();
    await page.waitForURL((url) => !url.searchParams.has('f'));
    // Another visit has the terms, so one click is enough.
    await page.reload();
    await page.getByRole('application').waitFor();
    await openFilter(page);
    await chip(page, 'Brand').click();
    await kept(page, branded, all.length);
  });

  test('saved filters are applied, renamed and deleted, and are there for another visualization', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample&f=quick-100_40*words-2_');
    await page.getByRole('button', { name: 'Remove filter: Quick wins: volume ≥ 100, difficulty ≤ 40' }).waitFor();
    await openFilter(page);
    await page.getByLabel('Save this filter as').fill('Easy ones');
    await page.getByRole('button', { name: 'Save filter' }).click();
    await page.getByText('“Easy ones” saved').waitFor();
    await page.getByText('Saved as “Easy ones”').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('complementary', { name: 'Filter' }).getByRole('button', { name: 'Clear all' }).click();
    await page.waitForURL((url) => !url.searchParams.has('f'));
    await chip(page, 'Easy ones').click();
    await page.waitForURL((url) => url.searchParams.get('f') === 'words-2_*quick-100_40');
    await page.getByRole('button', { name: 'Rename: Easy ones' }).click();
    await page.getByLabel('New name of Easy ones').fill('First pages');
    await page.keyboard.press('Enter');
    await chip(page, 'First pages').waitFor();
    await page.reload();
    await page.getByRole('application').waitFor();
    await openFilter(page);
    expect(await chip(page, 'First pages').getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Delete: First pages' }).click();
    await page.getByText('“First pages” deleted').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('“First pages” is back').waitFor();
    await chip(page, 'First pages').waitFor();
  });

  test('a range of clusters is set with the keyboard, named in a chip, and undone by Back', async () => {
    const { hierarchy, keywords } = read(sample);
    const volumes = new Map(keywords.map((entry) => [entry.keyword, entry.search_volume ?? 0]));
    const volumeOf = (node: Node) => keywordsIn(node).reduce((sum, keyword) => sum + (volumes.get(keyword) ?? 0), 0);
    const clusters = clustersIn(hierarchy);
    const median = clusters.map(volumeOf).toSorted((one, other) => one - other)[Math.floor(clusters.length / 2)]!;
    const passing = clusters.filter((cluster) => volumeOf(cluster) >= median);
    const left = new Set(passing.flatMap(keywordsIn)).size;
    const all = keywordsIn(hierarchy).length;
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample');
    await page.getByRole('application').waitFor();
    await openFilter(page);
    const branches = page.getByRole('group', { name: 'Branches', exact: true });
    await branches.getByRole('button', { name: 'Cluster volume', exact: true }).press('Enter');
    await branches.getByText(`${clusters.length} clusters`).waitFor();
    await branches.getByRole('textbox', { name: 'Cluster volume, at least' }).fill(String(median));
    await page.waitForURL((url) => url.searchParams.get('f') === `cluster-volume-${median}_`);
    await page.getByRole('button', { name: `Remove filter: Cluster volume at least ${shown(median)}` }).waitFor();
    await kept(page, left, all);
    await branches.getByText('Pillars', { exact: true }).click();
    await branches.getByRole('button', { name: 'Pillar keywords', exact: true }).click();
    await branches.getByRole('textbox', { name: 'Pillar keywords, at least' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('region', { name: 'Active filters' }).waitFor({ state: 'detached' });
  });

  test.skipIf(!existsSync(real))(
    'presets and a range of clusters keep of a real file what the steps keep',
    async () => {
      const file = read(real);
      const all = keywordsIn(file.hierarchy).length;
      const entries = new Map(file.keywords.map((entry) => [entry.keyword, entry]));
      const isQuick = (keyword: string) => {
        const { search_volume: volume, keyword_difficulty: difficulty } = entries.get(keyword)!;
        return (volume ?? 0) >= 50 && difficulty !== null && difficulty <= 30;
      };
      const volumeOf = (keywords: readonly string[]) =>
        keywords.reduce((sum, keyword) => sum + (entries.get(keyword)!.search_volume ?? 0), 0);
      const asked = clustersIn(file.hierarchy)
        .map((cluster) => keywordsIn(cluster).filter((keyword) => isQuick(keyword) && first.test(keyword.trim())))
        .filter((keywords) => volumeOf(keywords) >= 100)
        .flat();
      const { page } = await stage.signedIn('admin');
      await uploadFor(page, 'admin@example.com', file);
      await page.goto('/visualization');
      await page.getByRole('application').waitFor();
      await openFilter(page);
      await chip(page, 'Quick wins').click();
      await kept(page, 158, all);
      await chip(page, 'Questions').click();
      await page.waitForURL((url) => url.searchParams.get('f') === 'ask-en*quick-50_30');
      const branches = page.getByRole('group', { name: 'Branches', exact: true });
      await branches.getByRole('button', { name: 'Cluster volume', exact: true }).click();
      await branches.getByRole('textbox', { name: 'Cluster volume, at least' }).fill('100');
      await page.waitForURL((url) => url.searchParams.get('f') === 'ask-en*quick-50_30*cluster-volume-100_');
      await kept(page, asked.length, all);
      await chip(page, 'Quick wins').click();
      await chip(page, 'Questions').click();
      await chip(page, 'Rising').click();
      await page.waitForURL((url) => url.searchParams.get('f') === 'rising-20_50*cluster-volume-100_');
      await page.getByRole('button', { name: /^Remove filter: Cluster volume/ }).click();
      await kept(page, 70, all);
    },
  );
});
