import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pressSequence, story, useStage } from './app.ts';
import { bytesOf } from './download.ts';
import { readInput } from './inputs.ts';
import { uploadFor } from './upload.ts';

type Node = { readonly name: string; readonly type?: string; readonly children?: readonly Node[] };
type Entry = { readonly keyword: string; readonly search_volume?: number | null; readonly volume?: number | null };
type File = { readonly hierarchy: Node; readonly keywords: readonly Entry[] };

const input = readInput();
const file = JSON.parse(readFileSync(input.path, 'utf8')) as File;
const volumes = new Map(file.keywords.map((one) => [one.keyword, Number(one.search_volume ?? one.volume ?? 0)]));
const shown = (count: number) => count.toLocaleString('en');

/** The keywords of a branch, each once, computed without product code. */
const keywordsIn = ({ name, children = [] }: Node): readonly string[] =>
  children.length === 0 ? [name] : [...new Set(children.flatMap(keywordsIn))];
const clustersIn = (node: Node): readonly Node[] => [
  ...(node.type === 'cluster' ? [node] : []),
  ...(node.children ?? []).flatMap(clustersIn),
];

/** The longest word of a keyword that is in the file. */
const word = input.keyword.split(' ').reduce((one, other) => (other.length > one.length ? other : one));
const keptIn = (node: Node) => keywordsIn(node).filter((name) => name.toLowerCase().includes(word.toLowerCase()));
const clusterVolumes = clustersIn(file.hierarchy)
  .map(keptIn)
  .filter((names) => names.length > 0)
  .map((names) => names.reduce((sum, name) => sum + (volumes.get(name) ?? 0), 0))
  .sort((one, other) => other - one);

const kept = (page: Page) =>
  page
    .getByRole('region', { name: 'Active filters' })
    .getByText(`${shown(keptIn(file.hierarchy).length)} of ${shown(keywordsIn(file.hierarchy).length)} keywords`);

story('an analyst', () => {
  const stage = useStage();

  test('filters a file, ranks its clusters, plans the first two and hands them over, and a colleague sees the same', async () => {
    const { page: admin } = await stage.signedIn('admin');
    const { page } = await stage.signedIn('approved');
    await uploadFor(admin, 'approved@example.com', file);
    await page.goto('/visualization');
    await page.getByRole('application').focus();
    await page.keyboard.press('f');
    await page.getByLabel('Contains', { exact: true }).fill(word);
    await kept(page).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('application').focus();
    await page.keyboard.press('t');
    await page.getByRole('treegrid').waitFor();
    await pressSequence(page, 'g', '3');
    const grid = page.getByRole('grid', { name: /^Clusters of / });
    await grid.locator('[role=row][aria-rowindex="3"] [dir=auto]').first().waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(clusterVolumes.length + 1));
    expect(await grid.locator('[role=row][aria-rowindex="2"]').innerText()).toContain(shown(clusterVolumes[0]!));

    await grid.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    const bar = page.getByRole('toolbar', { name: 'Selection' });
    await bar.getByText(/^2 selected · /).waitFor();
    await bar.getByRole('button', { name: 'Add to plan' }).click();
    await page.getByText('Added 2 entries to the plan.').waitFor();

    const id = await page.evaluate<string>(
      `fetch('/api/visualizations').then((answer) => answer.json()).then(([one]) => one.id)`,
    );
    // The address follows the selection a moment later, because a browser allows only so many changes of it.
    await page.waitForURL(({ searchParams }) => searchParams.get('rows')?.split('.').length === 2);
    await admin.goto(`${page.url()}&v=${id}`);
    await kept(admin).waitFor();
    await admin
      .getByRole('toolbar', { name: 'Selection' })
      .getByText(/^2 selected · /)
      .waitFor();

    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Hand over…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Hand over' });
    await dialog.getByText('2 entries').first().waitFor();
    await dialog.getByText('CSV', { exact: true }).click();
    const coming = page.waitForEvent('download');
    await dialog.getByRole('link', { name: 'Download' }).click();
    expect(parse(await bytesOf(await coming), { bom: true, columns: true })).toHaveLength(2);
  });
});
