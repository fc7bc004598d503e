import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { bytesOf } from './download.ts';
import { readInput } from './inputs.ts';
import { uploadFor } from './upload.ts';

type Node = { readonly name: string; readonly type?: string; readonly children?: readonly Node[] };
type Entry = { readonly keyword: string; readonly search_volume?: number; readonly volume?: number } & {
  readonly keyword_difficulty?: number;
  readonly difficulty?: number;
};
type File = { readonly hierarchy: Node; readonly keywords: readonly Entry[] };
type Cluster = { readonly name: string; readonly volume: number; readonly difficulty: number | undefined };

const input = readInput();
const shown = (count: number) => count.toLocaleString('en');

/** The clusters of the file with their figures, computed without product code. */
function clustersOf({ hierarchy, keywords }: File): Cluster[] {
  const entries = new Map(keywords.map((entry) => [String(entry.keyword), entry]));
  const leaves = (node: Node): string[] => (node.children?.length ? node.children.flatMap(leaves) : [node.name]);
  const all = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(all)];
  return all(hierarchy)
    .filter(({ type }) => type === 'cluster')
    .map((node) => {
      const own = [...new Set(leaves(node))].flatMap((name) => entries.get(name) ?? []);
      const known = own.flatMap((entry) => entry.keyword_difficulty ?? entry.difficulty ?? []);
      return {
        name: node.name,
        volume: own.reduce((sum, entry) => sum + Number(entry.search_volume ?? entry.volume ?? 0), 0),
        difficulty: known.length === 0 ? undefined : known.reduce((sum, one) => sum + one, 0) / known.length,
      };
    });
}

const plot = (page: Page): Locator => page.getByRole('application', { name: /^Opportunity of .*: [\d,]+ \w+\. / });
const quadrant = (page: Page, name: string): Locator => page.getByRole('button', { name: new RegExp(`^${name}`) });
const slider = (page: Page, name: string): Locator => page.getByRole('slider', { name: `${name} threshold` });

story('thresholds in Opportunity', () => {
  const stage = useStage();
  const file = JSON.parse(readFileSync(input.path, 'utf8')) as File;
  const clusters = clustersOf(file);
  const placed = clusters.flatMap(({ difficulty, volume }) =>
    difficulty === undefined ? [] : [{ difficulty, volume }],
  );

  /** The text of a quadrant label: its rows and their volume. */
  function labelOf(isEasy: boolean, isMuch: boolean, at = { difficulty: 30, volume: 500 }): string {
    const inside = placed.filter(
      ({ difficulty, volume }) => difficulty <= at.difficulty === isEasy && volume >= at.volume === isMuch,
    );
    const volume = inside.reduce((sum, one) => sum + one.volume, 0);
    return `${shown(inside.length)} ${inside.length === 1 ? 'cluster' : 'clusters'} · ${shown(volume)} · `;
  }

  beforeAll(async () => {
    const admin = await stage.signedIn('admin');
    await stage.signedIn('approved');
    await uploadFor(admin.page, 'approved@example.com', file);
  }, 120_000);

  async function opened(search: string, options: BrowserContextOptions = {}): Promise<Page> {
    const { page } = await stage.signedIn('approved', options);
    await page.goto(`/visualization${search}`);
    return page;
  }

  async function readsAsAt30And500(page: Page): Promise<void> {
    await quadrant(page, 'Write first').getByText(labelOf(true, true)).waitFor();
    await quadrant(page, 'Worth the effort').getByText(labelOf(false, true)).waitFor();
    await quadrant(page, 'Easy extras').getByText(labelOf(true, false)).waitFor();
    await quadrant(page, 'Leave for later').getByText(labelOf(false, false)).waitFor();
  }

  test('typed thresholds divide all clusters, and a filter keeps a quadrant until it is undone', async () => {
    const page = await opened('?view=opportunity');
    await plot(page).waitFor();
    await slider(page, 'Difficulty')
      .getByText(/^median /)
      .waitFor();
    await page
      .getByLabel(/^Difficulty/, { exact: false })
      .and(page.locator('input'))
      .focus();
    await page.keyboard.type('30');
    await page.keyboard.press('Tab');
    await page.keyboard.type('500');
    await readsAsAt30And500(page);
    const missing = clusters.length - placed.length;
    await page.getByRole('region', { name: `${shown(missing)} not shown (difficulty missing)` }).waitFor();
    expect(await slider(page, 'Difficulty').getAttribute('aria-valuetext')).toContain('threshold 30, ');
    await page.waitForURL((url) => url.searchParams.get('tx') === '30' && url.searchParams.get('ty') === '500');
    expect(await violations(page)).toEqual([]);

    await quadrant(page, 'Write first').click();
    await page.getByRole('menuitem', { name: 'Filter to these' }).click();
    await page.waitForURL((url) => url.searchParams.get('f') === 'cluster-volume-500_*cluster-difficulty-_30');
    const kept = placed.filter(({ difficulty, volume }) => difficulty <= 30 && volume >= 500).length;
    await page.getByText(`${shown(kept)} clusters: ${shown(kept)} with a place, 0 without`).waitFor();
    expect(await slider(page, 'Difficulty').innerText()).toBe('30');
    await page.goBack();
    await page.getByText(`${shown(clusters.length)} clusters: ${shown(placed.length)} with a place`).waitFor();
    await readsAsAt30And500(page);
  });

  test('a threshold moves by key and by pointer, and a link shows it elsewhere', async () => {
    const page = await opened('?view=opportunity&level=clusters&tx=30&ty=500');
    await readsAsAt30And500(page);
    await slider(page, 'Difficulty').focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL((url) => url.searchParams.get('tx') === '31');
    await quadrant(page, 'Write first')
      .getByText(labelOf(true, true, { difficulty: 31, volume: 500 }))
      .waitFor();
    await page.keyboard.press('ArrowLeft');
    await readsAsAt30And500(page);

    const handle = (await slider(page, 'Volume').boundingBox())!;
    const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 60, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL((url) => Number(url.searchParams.get('ty')) > 500);
    const moved = Number(new URL(page.url()).searchParams.get('ty'));
    await quadrant(page, 'Write first')
      .getByText(labelOf(true, true, { difficulty: 30, volume: moved }))
      .waitFor();
  });

  test('keys choose a point, and the level keeps selection and thresholds', async () => {
    const page = await opened('?view=opportunity&level=clusters&tx=30&ty=500');
    await plot(page).focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/[?&]sel=[0-9a-f]{16}/);
    const selected = new URL(page.url()).searchParams.get('sel');
    await page.keyboard.press('g');
    await page.keyboard.press('2');
    await page.waitForURL((url) => url.searchParams.get('level') === 'pillars');
    await page.getByText(/^\d+ pillars: /).waitFor();
    expect(new URL(page.url()).searchParams.get('sel')).toBe(selected);
    await page.keyboard.press('g');
    await page.keyboard.press('4');
    await page.getByText(/^[\d,]+ rows: /).waitFor();
    expect(new URL(page.url()).searchParams.get('tx')).toBe('30');
    await page.goBack();
    await page.goBack();
    await readsAsAt30And500(page);
    await page.keyboard.press('g');
    await page.keyboard.press('1');
    await page
      .getByRole('application', { name: /^Opportunity of/ })
      .and(page.locator(':not(:has(svg))'))
      .waitFor();
  });

  test('scales are chosen, axes swapped, a part zoomed to and kept in the link, and marks have a menu', async () => {
    const page = await opened('?view=opportunity&level=clusters&tx=30&ty=500');
    await readsAsAt30And500(page);
    const axesButton = page.getByRole('button', { name: 'Scales and swapping of axes' });
    await axesButton.click();
    await page.getByRole('menuitem', { name: 'Volume: even steps' }).click();
    await page.waitForURL((url) => url.searchParams.get('ys') === 'even');
    await axesButton.click();
    await page.getByRole('menuitem', { name: 'Swap axes' }).click();
    await page.waitForURL(({ searchParams: of }) => of.get('x') === 'volume' && of.get('y') === 'difficulty');
    await page.waitForURL(({ searchParams: of }) => of.get('xs') === 'even' && of.get('tx') === '500');
    // Little volume that is hard to get is now above on the left.
    await quadrant(page, 'Leave for later').getByText(labelOf(false, false)).waitFor();

    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByText('140 %', { exact: true }).waitFor();
    await page.waitForURL((url) => url.searchParams.get('cam')?.endsWith(',1.4') === true);
    await page.reload();
    await page.getByText('140 %', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^\d+ marks? further right. Show them$/ }).click();
    await page.waitForURL((url) => url.searchParams.get('cam')?.endsWith(',1.4') !== true);
    await page.getByRole('button', { name: 'Fit everything' }).click();
    await page.waitForURL((url) => !url.searchParams.has('cam'));

    await plot(page).focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/[?&]sel=[0-9a-f]{16}/);
    await page.keyboard.press('ContextMenu');
    await page.getByRole('menuitem', { name: 'Focus here' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Share' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download SVG' }).click();
    const svg = (await bytesOf(await download)).toString();
    for (const text of ['Leave for later', 'Volume a month', 'Pillar topic']) expect(svg).toContain(text);
    expect(await violations(page)).toEqual([]);
  });

  test('a quadrant of any figures is filtered to as an area, also one of a score', async () => {
    const page = await opened(
      '?view=opportunity&level=clusters&score=branch.volume&x=field:competition&y=score&ty=500',
    );
    const label = page.getByRole('button', { name: /^High competition, high score|^Worth the effort/ });
    const text = await label.getByText(/^[\d,]+ clusters? · /).innerText();
    await label.click();
    await page.getByRole('menuitem', { name: 'Filter to these' }).click();
    await page.waitForURL((url) => url.searchParams.get('f')?.startsWith('area-clusters-field:competition-') === true);
    const count = text.split(' ')[0]!;
    await page.getByText(`${count} clusters: ${count} with a place, 0 without`).waitFor();
    await page
      .getByText(/^Clusters with competition .* and score 500 – /)
      .first()
      .waitFor();
    await page.goBack();
    await page.getByText(`${shown(clusters.length)} clusters: `).waitFor();
  });

  test.each(['light', 'dark'] as const)('on a phone in the %s theme nothing is cut or inaccessible', async (theme) => {
    const page = await opened(`?view=opportunity&level=clusters&tx=30&ty=500&t=${theme}`, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await readsAsAt30And500(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await violations(page)).toEqual([]);
  });
});
