import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { cardAt } from './hover-card.ts';

type Node = { readonly name: string; readonly children?: readonly Node[] };
type Sample = {
  readonly hierarchy: Node;
  readonly keywords: readonly { readonly keyword: string; readonly search_volume: number | null }[];
};

/** The keywords of a branch of the sample, each once. */
function keywordsIn({ name, children = [] }: Node): ReadonlySet<string> {
  return new Set(children.length === 0 ? [name] : children.flatMap((child) => [...keywordsIn(child)]));
}

/** Matches of the whole sample and of its first branch with matches, computed from the file. */
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

/** Pillar topics as the outline lists them: highest volume first. */
function pillarsOf(file: string): readonly Node[] {
  const { hierarchy, keywords } = JSON.parse(readFileSync(file, 'utf8')) as Sample;
  const volumes = new Map(keywords.map(({ keyword, search_volume }) => [keyword, search_volume ?? 0]));
  const volumeOf = (pillar: Node) => [...keywordsIn(pillar)].reduce((sum, keyword) => sum + volumes.get(keyword)!, 0);
  return hierarchy.children!.toSorted((one, other) => volumeOf(other) - volumeOf(one));
}

/** The label of each pillar topic with matches, computed from the file. */
function shownFrom(file: string) {
  const { hierarchy } = JSON.parse(readFileSync(file, 'utf8')) as Sample;
  const whole = keywordsIn(hierarchy).size.toLocaleString('en');
  return (isWanted: (pillar: string) => boolean) => {
    const kept = hierarchy.children!.filter(({ name }) => isWanted(name)).flatMap((child) => [...keywordsIn(child)]);
    return { whole, all: `${new Set(kept).size.toLocaleString('en')} of ${whole}` };
  };
}

const picture = (page: Page, keywords: string) =>
  page.getByRole('application', { name: new RegExp(`^Treemap of .*, ${keywords} keywords\\.`) }).waitFor();

/** Moves the pointer over the chart until the tooltip matches. */
async function hoverUntil(page: Page, words: RegExp): Promise<void> {
  const frame = (await page.getByRole('application').boundingBox())!;
  for (let step = 1; step < 10; step++) {
    const text = await cardAt(page, { x: frame.x + frame.width * (step / 10), y: frame.y + frame.height / 3 });
    if (words.test(text)) return;
  }
  throw new Error(`Nothing in the picture says ${words}`);
}

story('a filter', () => {
  const stage = useStage();

  test('shows the same counts everywhere, is undone by Back, and is part of the address', async () => {
    const expected = countedFrom('fixtures/sample/garden-shop.json', 'spade');
    const { page } = await stage.signedIn('approved');
    // One level open: collapsed branches show how many of their keywords match.
    await page.goto('/visualization?v=sample&d=1');
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

  test('is brushed with the arrow keys, set from the legend, and says when nothing matches', async () => {
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

  test('hides a branch from the menu or by a key, and one chip or Back shows it again', async () => {
    const shown = shownFrom('fixtures/sample/garden-shop.json');
    const pillars = pillarsOf('fixtures/sample/garden-shop.json');
    const [first, second] = pillars.map(({ name }) => name) as [string, string];
    const inner = pillars[1]!.children![0]!.name;
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample&d=1');
    await picture(page, shown(() => true).whole);
    const outline = page.getByRole('tree', { name: 'Outline' });
    const line = (name: string) => outline.getByRole('treeitem', { name: new RegExp(`^${name}\\b`) });
    await line(first).click();
    await page.getByRole('application').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Hide', exact: true }).click();
    const without = shown((pillar) => pillar !== first);
    await picture(page, without.all);
    expect(await line(first).count()).toBe(0);
    await page.getByRole('button', { name: `Remove filter: Hidden: ${first}` }).waitFor();
    await page.reload();
    await picture(page, without.all);
    await page.getByRole('button', { name: `Remove filter: Hidden: ${first}` }).waitFor();

    // Hiding the focus makes its parent the focus.
    await line(second).dblclick();
    await page.waitForURL((url) => url.searchParams.has('n'));
    await line(inner).waitFor();
    await line(second).click();
    await page.keyboard.press('Shift+H');
    await picture(page, shown((pillar) => pillar !== first && pillar !== second).all);
    expect(new URL(page.url()).searchParams.has('n')).toBe(false);
    await page.getByRole('button', { name: `Remove filter: Hidden: ${first}` }).click();
    await picture(page, shown((pillar) => pillar !== second).all);
    await page.goBack();
    await page.goBack();
    await line(second).waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await line(first).waitFor();
    expect(new URL(page.url()).searchParams.has('f')).toBe(false);
  });

  test('keeps one pillar topic of the legend, then two, and offers the others', async () => {
    const { hierarchy } = JSON.parse(readFileSync('fixtures/sample/garden-shop.json', 'utf8')) as Sample;
    const shown = shownFrom('fixtures/sample/garden-shop.json');
    const names = hierarchy.children!.map(({ name }) => name);
    const [one, two] = [names[2]!, names[4]!];
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample');
    await picture(page, shown(() => true).whole);
    const legend = page.getByRole('region', { name: 'Legend' });
    await legend.getByRole('button', { name: 'Pillar' }).click();
    const entry = (name: string) => legend.getByRole('button', { name: new RegExp(`^${name}`) });
    await entry(one).click();
    await picture(page, shown((pillar) => pillar === one).all);
    await page.getByRole('button', { name: `Remove filter: Only in: ${one}` }).waitFor();
    for (const name of names) await entry(name).waitFor();
    await entry(two).click({ modifiers: ['ControlOrMeta'] });
    await picture(page, shown((pillar) => pillar === one || pillar === two).all);
    expect(await entry(one).getAttribute('aria-pressed')).toBe('true');
    expect(await entry(names[0]!).getAttribute('aria-pressed')).toBe('false');
    await entry(one).click({ modifiers: ['ControlOrMeta'] });
    await picture(page, shown((pillar) => pillar === two).all);
    await entry(two).click();
    await picture(page, shown(() => true).whole);
  });

  test('says when a branch in it no longer exists', async () => {
    const whole = shownFrom('fixtures/sample/garden-shop.json')(() => true).whole;
    const { page, expectProblem } = await stage.signedIn('approved');
    expectProblem(/status of 404 .*\/locate/);
    await page.goto('/visualization?v=sample&f=outside-0123456789abcdef');
    await picture(page, whole);
    await page.getByRole('button', { name: 'Remove filter: Hidden: a branch that is no longer here' }).waitFor();
    await page.goto('/visualization?v=sample&f=within-0123456789abcdef');
    await page.getByText('No keywords match these filters').first().waitFor();
    await page.getByText('Only in: a branch that is no longer here').first().waitFor();
  });

  test('can show excluded marks faintly: the panels say so, and no figure counts them', async () => {
    const pillars = pillarsOf('fixtures/sample/garden-shop.json');
    const spades = countedFrom('fixtures/sample/garden-shop.json', 'spade');
    const first = pillars.find((child) => ![...keywordsIn(child)].some((name) => name.includes('spade')))!;
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample&f=has-spade');
    await picture(page, spades.all);
    const outline = page.getByRole('tree', { name: 'Outline' });
    expect(await outline.getByRole('treeitem', { level: 2 }).count()).toBe(spades.branches);
    await page.getByRole('button', { name: /^Filter 1 active/ }).click();
    await page.getByRole('switch', { name: 'Show filtered-out items faintly' }).click();
    await page.waitForURL((url) => url.searchParams.get('rest') === 'faint');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.reload();
    await picture(page, spades.all);
    const words = `left out by the filter, ${keywordsIn(first).size} keywords without it`;
    const line = outline.getByRole('treeitem', { name: new RegExp(`^${first.name}\\b.*${words}`) });
    await line.click();
    await page.getByRole('complementary', { name: 'Details' }).getByText(words).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('application').focus();
    await page.keyboard.press('Enter');
    // A hidden branch cannot be the focus.
    await picture(page, spades.all);
    expect(new URL(page.url()).searchParams.has('n')).toBe(false);
    await hoverUntil(page, /left out by the filter, [\d,]+ keywords? without it/i);
    await page.getByRole('radio', { name: 'Table', exact: true }).check();
    await page
      .getByRole('row', { name: new RegExp(`^((Open|Close) )?${first.name}`) })
      .getByRole('gridcell', { name: `0 of ${keywordsIn(first).size}` })
      .waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByRole('gridcell', { name: String(keywordsIn(first).size), exact: true }).waitFor();
  });

  test('shows a hidden branch again from its faint mark', async () => {
    const { name } = pillarsOf('fixtures/sample/garden-shop.json')[0]!;
    const shown = shownFrom('fixtures/sample/garden-shop.json');
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample&rest=faint');
    await picture(page, shown(() => true).whole);
    await page
      .getByRole('treeitem', { name: new RegExp(`^${name}\\b`) })
      .first()
      .click();
    await page.getByRole('application').focus();
    await page.keyboard.press('Shift+H');
    await picture(page, shown((pillar) => pillar !== name).all);
    await page.getByRole('treeitem', { name: new RegExp(`^${name}\\b.*left out`) }).click();
    await page.getByRole('application').focus();
    await page.keyboard.press('Shift+F10');
    expect(await page.getByRole('menuitem', { name: 'Export branch' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Show again' }).click();
    await picture(page, shown(() => true).whole);
  });
});
