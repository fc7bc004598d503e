import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

type Node = { readonly name: string; readonly children?: readonly Node[] };
type Sample = {
  readonly hierarchy: Node;
  readonly keywords: readonly { readonly keyword: string; readonly search_volume: number | null }[];
};

/** The keywords of a branch of the sample, each once. */
function keywordsIn({ name, children = [] }: Node): ReadonlySet<string> {
  return new Set(children.length === 0 ? [name] : children.flatMap((child) => [...keywordsIn(child)]));
}

/** What the sample's own file says is kept of it and of its first branch that keeps any. */
function countedFrom(file: string, text: string) {
  const { hierarchy, keywords } = JSON.parse(readFileSync(file, 'utf8')) as Sample;
  const kept = (node: Node) => [...keywordsIn(node)].filter((keyword) => keyword.includes(text));
  const branch = hierarchy.children!.find((child) => kept(child).length > 0)!;
  const volumes = new Map(keywords.map(({ keyword, search_volume }) => [keyword, search_volume ?? 0]));
  const shown = (count: number) => count.toLocaleString('en');
  return {
    all: `${shown(kept(hierarchy).length)} of ${shown(keywordsIn(hierarchy).size)}`,
    whole: shown(keywordsIn(hierarchy).size),
    branch: branch.name,
    ofBranch: `${shown(kept(branch).length)} of ${shown(keywordsIn(branch).size)}`,
    branches: hierarchy.children!.filter((child) => kept(child).length > 0).length,
    volume: shown(kept(hierarchy).reduce((sum, keyword) => sum + volumes.get(keyword)!, 0)),
  };
}

const picture = (page: Page, keywords: string) =>
  page.getByRole('application', { name: new RegExp(`^Treemap of .*, ${keywords} keywords\\.`) }).waitFor();

story('a filter', () => {
  const stage = useStage();

  test('counts what it keeps the same everywhere, is undone by Back, and stays with the address', async () => {
    const expected = countedFrom('fixtures/sample/garden-shop.json', 'spade');
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample');
    await picture(page, expected.whole);
    await page.getByRole('application').focus();
    await page.keyboard.press('f');
    await page.getByLabel('Contains', { exact: true }).fill('spade');
    await page.waitForURL((url) => url.searchParams.get('f') === 'has-spade');
    await page.keyboard.press('Escape');
    await picture(page, expected.all);

    const outline = page.getByRole('tree', { name: 'Outline' });
    await outline
      .getByRole('treeitem', { name: new RegExp(`^${expected.branch}.*, ${expected.ofBranch} keywords$`) })
      .waitFor();
    expect(await outline.getByRole('treeitem', { level: 2 }).count()).toBe(expected.branches);
    await page
      .getByRole('definition')
      .filter({ hasText: `of ${expected.whole}` })
      .waitFor();
    await page.getByRole('definition').filter({ hasText: expected.volume }).waitFor();
    expect(await page.getByRole('region', { name: 'Active filters' }).textContent()).toContain(
      `${expected.all} keywords`,
    );
    await expect
      .poll(() => page.title())
      .toBe(`Garden shop (sample data) – ${expected.all} keywords · Keyword Clustering`);
    await page.getByRole('radio', { name: 'Table', exact: true }).check();
    await page
      .getByRole('row', { name: new RegExp(`^(Open )?${expected.branch}`) })
      .getByRole('gridcell', { name: expected.ofBranch })
      .waitFor();

    await page.goBack();
    await picture(page, expected.all);
    await page.goBack();
    await picture(page, expected.whole);
    expect(new URL(page.url()).searchParams.has('f')).toBe(false);
    await page.goForward();
    await picture(page, expected.all);
    await page.reload();
    await picture(page, expected.all);
    await page.getByRole('button', { name: 'Remove filter: Contains “spade”' }).click();
    await picture(page, expected.whole);
  });

  test('is brushed with the arrow keys, kept alone from the legend, and says when it keeps nothing', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample&color=intent');
    await page.getByRole('application').waitFor();
    await page.getByRole('button', { name: 'Transactional' }).click();
    await page.waitForURL((url) => url.searchParams.get('f') === 'intent-transactional');
    await page.getByRole('button', { name: /^Filter 1 active/ }).click();
    await page.getByRole('button', { name: 'Volume', exact: true }).click();
    await page.getByRole('slider', { name: 'Volume, at least' }).press('ArrowRight');
    await page.waitForURL(/volume-[\d.]+_(&|$)/);
    await page.getByLabel('Contains', { exact: true }).fill('no such thing');
    await page.getByText('No keywords match these filters').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear all' }).last().click();
    await page.waitForURL((url) => !url.searchParams.has('f'));
    await picture(page, countedFrom('fixtures/sample/garden-shop.json', '').whole);
  });
});
