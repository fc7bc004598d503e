import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { readInput } from './inputs.ts';
import { uploadFor } from './upload.ts';
import type { Visitor } from './visitor.ts';

type Node = { readonly name: string; readonly type?: string; readonly children?: readonly Node[] };
type File = { readonly hierarchy: Node; readonly keywords: readonly Record<string, unknown>[] };
type Cluster = { readonly name: string; readonly volume: number };

const input = readInput();

/** The clusters of the file by volume, computed without product code. */
function clustersOf({ hierarchy, keywords }: File): Cluster[] {
  const volumes = new Map(
    keywords.map((entry) => [String(entry.keyword), Number(entry.search_volume ?? entry.volume ?? 0)]),
  );
  const leaves = (node: Node): string[] => (node.children?.length ? node.children.flatMap(leaves) : [node.name]);
  const all = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(all)];
  return all(hierarchy)
    .filter(({ type }) => type === 'cluster')
    .map((node) => ({
      name: node.name,
      volume: [...new Set(leaves(node))].reduce((sum, name) => sum + (volumes.get(name) ?? 0), 0),
    }))
    .sort((one, other) => other.volume - one.volume);
}

const shown = (count: number) => count.toLocaleString('en');
const list = (page: Page, of: string): Locator => page.getByRole('grid', { name: new RegExp(`^${of} of `) });
const rowAt = (grid: Locator, rank: number): Locator => grid.locator(`[role=row][aria-rowindex="${rank + 2}"]`);

/** The names of the first rows, once they are there. */
async function namesOf(grid: Locator, count: number): Promise<string[]> {
  await rowAt(grid, count - 1)
    .getByRole('gridcell')
    .first()
    .waitFor();
  const names: string[] = [];
  for (let rank = 0; rank < count; rank++) {
    names.push((await rowAt(grid, rank).locator('[dir=auto]').first().innerText()).trim());
  }
  return names;
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

story('a ranking of clusters', () => {
  const stage = useStage();
  const file = JSON.parse(readFileSync(input.path, 'utf8')) as File;
  const clusters = clustersOf(file);

  beforeAll(async () => {
    const admin = await stage.signedIn('admin');
    await stage.signedIn('approved');
    await uploadFor(admin.page, 'approved@example.com', file);
  }, 120_000);

  async function opened(search: string, options = {}): Promise<Visitor> {
    const visitor = await stage.signedIn('approved', options);
    await visitor.page.goto(`/visualization${search}`);
    return visitor;
  }

  test('keys lead from the treemap to the clusters by volume, and a second key to difficulty', async () => {
    const { page } = await opened('');
    await page.getByRole('application', { name: /^Treemap/ }).focus();
    await press(page, 't');
    await page.getByRole('treegrid').waitFor();
    await press(page, 'g', '3');
    const grid = list(page, 'Clusters');
    expect(await namesOf(grid, 3)).toEqual(clusters.slice(0, 3).map(({ name }) => name));
    expect(await rowAt(grid, 0).innerText()).toContain(shown(clusters[0]!.volume));
    await page.getByText(new RegExp(`^${shown(clusters.length)} clusters · [\\d,]+ keywords$`)).waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(clusters.length + 1));
    // Trends and intents are as wide as their columns allow.
    const drawn = grid.getByRole('img');
    const widths = await drawn.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    expect(widths.length).toBeGreaterThan(3);
    expect(Math.min(...widths)).toBeGreaterThan(60);

    const difficulty = page
      .getByRole('columnheader', { name: /^Difficulty/ })
      .getByRole('button')
      .first();
    await difficulty.click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: /^Difficulty ?, sort key 2, descending/ }).waitFor();
    await difficulty.click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: /^Difficulty ?, sort key 2, ascending/ }).waitFor();
    await page.waitForURL((url) => url.searchParams.get('sort') === '-volume*difficulty');
    await page.getByText('Sorted by volume, then difficulty', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('another level keeps the selection, and back is as it was', async () => {
    const { page } = await opened('?view=table&level=clusters');
    const grid = list(page, 'Clusters');
    await namesOf(grid, 3);
    await grid.focus();
    await press(page, 'ArrowDown');
    await page.waitForURL(/[?&]sel=[0-9a-f]{16}/);
    const before = new URL(page.url()).searchParams;
    await press(page, 'g', '4');
    await list(page, 'Keywords').waitFor();
    await page.waitForURL((url) => url.searchParams.get('level') === 'keywords');
    expect(new URL(page.url()).searchParams.get('sel')).toBe(before.get('sel'));
    await press(page, 'g', '3');
    await page.waitForURL((url) => url.searchParams.toString() === before.toString());
    await page.locator('[role=row][aria-rowindex="3"][aria-selected=true]').waitFor();
  });

  test('a link shows the same rows in the same columns elsewhere', async () => {
    const { page } = await opened('?view=table&level=clusters&sort=-volume*difficulty&cols=name.300*volume*difficulty');
    const grid = list(page, 'Clusters');
    expect(await namesOf(grid, 3)).toEqual(clusters.slice(0, 3).map(({ name }) => name));
    expect(await grid.getByRole('columnheader').allInnerTexts()).toHaveLength(3);
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('button', { name: 'Move Difficulty up' }).click();
    await page.waitForURL((url) => url.searchParams.get('cols') === 'name.300*difficulty*volume');
    await page.getByRole('button', { name: 'Reset columns' }).click();
    await page.waitForURL((url) => !url.searchParams.has('cols'));
  });

  test('End leads to the last keyword without a gap', async () => {
    const { page } = await opened('?view=table&level=keywords');
    const grid = list(page, 'Keywords');
    await namesOf(grid, 3);
    await grid.focus();
    await press(page, 'End');
    const last = Number(await grid.getAttribute('aria-rowcount')) - 2;
    await rowAt(grid, last).locator('[dir=auto]').first().waitFor();
    for (let rank = last; rank > last - 5; rank--) {
      expect((await rowAt(grid, rank).locator('[dir=auto]').first().innerText()).trim()).not.toBe('');
    }
  });

  test('rows are selected by keyboard, their totals count each keyword once, a link keeps them, and Esc lets them go', async () => {
    const { page } = await opened('?view=table&level=clusters');
    const grid = list(page, 'Clusters');
    await namesOf(grid, 3);
    await grid.focus();
    await press(page, 'Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
    const bar = page.getByRole('toolbar', { name: 'Selection' });
    const volume = clusters.slice(0, 3).reduce((sum, cluster) => sum + cluster.volume, 0);
    await bar.getByText(new RegExp(`^3 selected · [\\d,]+ keywords · ${shown(volume)} volume · KD `)).waitFor();
    await press(page, ' ');
    await bar.getByText(/^2 selected · /).waitFor();
    expect(await violations(page)).toEqual([]);
    // A link names the few that are selected.
    await page.waitForURL(/[?&]rows=[0-9a-f]{16}\.[0-9a-f]{16}(?:&|$)/);
    await page.reload();
    await bar.getByText(/^2 selected · /).waitFor();
    await grid.focus();
    await press(page, 'ControlOrMeta+a');
    await bar.getByText(new RegExp(`^${clusters.length} selected · `)).waitFor();
    await page.waitForURL((url) => !url.searchParams.has('rows'));
    await press(page, 'Escape');
    await bar.waitFor({ state: 'detached' });
  });

  test('a failed ranking says so, and can be asked for again', async () => {
    const visitor = await opened('');
    const { page } = visitor;
    visitor.expectProblem(/503/);
    await page.getByRole('application', { name: /^Treemap/ }).waitFor();
    await page.route('**/rows?*', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto('/visualization?view=table&level=clusters');
    await page.getByText('The ranking could not be loaded.').waitFor();
    await page.unroute('**/rows?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    expect(await namesOf(list(page, 'Clusters'), 1)).toEqual([clusters[0]!.name]);
  });

  test('on a phone the level is the first of the chips, and the name stays beside the figures', async () => {
    const { page } = await opened('?view=table&level=clusters', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await namesOf(list(page, 'Clusters'), 3);
    await page.getByRole('combobox', { name: 'Level' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
