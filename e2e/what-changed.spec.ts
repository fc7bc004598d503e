import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { cardAt } from './hover-card.ts';
import { uploadFor } from './upload.ts';
import { adminPerson } from './visitor.ts';

type Node = { name: string; type?: string; volume?: number; children?: Node[] };

const keywords = (words: string, volume: number): Node[] =>
  words.split(' ').map((name, at) => ({ name, type: 'keyword', volume: volume + at }));
const cluster = (name: string, ...children: Node[]): Node => ({ name, type: 'cluster', children });
const pillar = (name: string, ...children: Node[]): Node => ({ name, type: 'pillar_topic', children });

const earlier = {
  keywords: [],
  hierarchy: pillar(
    'Garden',
    pillar(
      'Tools',
      cluster('Spades', ...keywords('spade shovel trowel', 100)),
      cluster('Rakes', ...keywords('rake hoe', 300)),
    ),
    pillar(
      'Plants',
      cluster('Roses', ...keywords('rose climber bush', 300)),
      cluster('Herbs', ...keywords('mint', 60)),
    ),
  ),
};
/** Spades renamed, Roses moved, Rakes gone, Lawn new, mint searched more often. */
const later = {
  keywords: [],
  hierarchy: pillar(
    'Garden',
    pillar(
      'Tools',
      cluster('Digging', ...keywords('spade shovel trowel', 100)),
      cluster('Roses', ...keywords('rose climber bush', 300)),
    ),
    pillar('Plants', cluster('Herbs', ...keywords('mint', 90)), cluster('Lawn', ...keywords('lawn grass', 700))),
  ),
};

const panel = (page: Page) => page.getByRole('complementary', { name: 'Details' });
const kinds = (page: Page) => panel(page).getByRole('group', { name: 'Kind of change' }).getByRole('button');
const listed = async (page: Page) =>
  (await panel(page).getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0]);
const tab = (page: Page, name: string) => panel(page).getByRole('tab', { name });
const picture = (page: Page) => page.getByRole('application');

type Point = { readonly x: number; readonly y: number };

/** A point of the chart where something is gone: what the card says there tells. */
async function placeOfGone(page: Page): Promise<Point> {
  const box = (await picture(page).boundingBox())!;
  const step = 60;
  for (let y = box.y + step / 2; y < box.y + box.height; y += step) {
    for (let x = box.x + step / 2; x < box.x + box.width; x += step) {
      if (await isGoneAt(page, { x, y })) return { x, y };
    }
  }
  throw new Error('Nothing is gone on the chart');
}

const isGoneAt = async (page: Page, point: Point) => (await cardAt(page, point)).includes('gone since then');

story('what changed between two uploads', () => {
  const stage = useStage();

  test('an upload is compared by key, its changes are filtered and visited, and all survives reload and Back', async () => {
    const { page: admin } = await stage.signedIn('admin');
    const { page } = await stage.signedIn('approved');
    const email = 'approved@example.com';
    await uploadFor(admin, email, earlier);
    await uploadFor(admin, email, later);
    await page.goto('/visualization');
    await picture(page).focus();
    await page.keyboard.press('u');
    const dialog = page.getByRole('dialog', { name: 'Compare with another upload' });
    await dialog.getByRole('button', { name: /^Garden/ }).waitFor();
    expect(await violations(page, { within: '[role=dialog]' })).toEqual([]);
    await dialog.getByRole('button', { name: /^Garden/ }).click();

    await expect
      .poll(() => kinds(page).allInnerTexts())
      .toEqual([
        expect.stringMatching(/New\s+1/),
        expect.stringMatching(/Gone\s+1/),
        expect.stringMatching(/Moved\s+1/),
        expect.stringMatching(/Renamed\s+1/),
        expect.stringMatching(/Volume up\s+1/),
      ]);
    expect(await listed(page)).toEqual(['Lawn', 'Rakes', 'Herbs', 'Roses', 'Digging']);
    await panel(page).getByText('from Plants › Roses').waitFor();
    await panel(page).getByText('Volume 60 → 90 (+30, +50.0 %)').waitFor();
    expect(await violations(page)).toEqual([]);

    await kinds(page).filter({ hasText: 'Moved' }).click();
    await expect.poll(() => listed(page)).toEqual(['Roses']);
    await panel(page).getByRole('radio', { name: 'Keywords' }).check();
    await expect.poll(() => listed(page)).toEqual(['grass', 'lawn', 'hoe', 'rake', 'mint']);

    // A listed node leads to its place; its details say what happened to it.
    await panel(page).getByRole('button', { name: /^mint/ }).click();
    await page.waitForURL(/[?&]sel=[0-9a-f]{16}/);
    await tab(page, 'Details').click();
    await panel(page)
      .getByRole('heading', { name: /^Since / })
      .waitFor();
    await panel(page).getByRole('row', { name: 'Volume 60 90 +30, +50.0 %' }).waitFor();
    await page.waitForURL((url) => !url.searchParams.has('panel'));
    // From the first tab to the last.
    await tab(page, 'Details').press('ArrowLeft');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Changes');

    await page.waitForURL(/[?&]panel=changes/);
    await page.waitForURL(/[?&]changes=keywords/);
    await page.reload();
    await page.getByRole('button', { name: /^Stop comparing: Compared with/ }).waitFor();
    await expect.poll(() => listed(page)).toEqual(['grass', 'lawn', 'hoe', 'rake', 'mint']);
    await panel(page).getByRole('radio', { name: 'Clusters' }).check();

    // The map has the colours of the change, and is cut to one kind of it.
    const legend = page.getByRole('region', { name: 'Legend' });
    expect((await legend.getByRole('list', { name: 'Change' }).innerText()).split(/\s*\n\s*/)).toEqual(
      expect.arrayContaining(['New', 'Moved', 'Renamed', 'About the same', '+20 % to +100 %']),
    );
    await legend.getByRole('button', { name: 'New' }).click();
    await page.getByText('2 of 9 keywords').first().waitFor();
    await page.getByRole('button', { name: 'Remove filter: Change: New' }).waitFor();
    await page.waitForURL(/[?&]f=change-new(?:&|$)/);
    await page.reload();
    await page.getByText('2 of 9 keywords').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove filter: Change: New' }).click();
    await page.waitForURL((url) => !url.searchParams.has('f'));
    await picture(page).focus();
    await page.keyboard.press('t');
    const table = page.getByRole('treegrid');
    await table.getByRole('columnheader', { name: 'Change in volume' }).waitFor();
    await table.getByRole('row', { name: /\+30/ }).first().waitFor();
    // As a list, it is sorted by the change, which the address says; without the comparison it has another order.
    const heads = page.getByRole('grid', { name: /^Keywords of / });
    await page.keyboard.press('g');
    await page.keyboard.press('4');
    await heads.getByRole('columnheader', { name: 'Change in volume' }).getByRole('button').first().click();
    await page.waitForURL(/[?&]sort=-volume_change(?:&|$)/);
    const first = async () => (await heads.getByRole('row').nth(1).innerText()).split('\n')[0];
    await expect.poll(first).toMatch(/mint/);
    await page.keyboard.press('g');
    await page.keyboard.press('1');
    await table.waitFor();
    await page.keyboard.press('t');
    await expect.poll(() => listed(page)).toEqual(['Lawn', 'Rakes', 'Herbs', 'Roses', 'Digging']);

    // The other upload, compared with this one: what was new is gone.
    await panel(page).getByRole('button', { name: 'Swap' }).click();
    await expect.poll(() => listed(page)).toEqual(['Lawn', 'Rakes', 'Herbs', 'Roses', 'Spades']);
    await panel(page).getByText('from Tools › Roses').waitFor();
    await page.goBack();
    await panel(page).getByText('from Plants › Roses').waitFor();

    await page.getByRole('button', { name: /^Stop comparing: Compared with/ }).click();
    await tab(page, 'Changes').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('vs')).toBe(false);
    expect(new URL(page.url()).searchParams.has('color')).toBe(false);
  });

  test('thresholds and a filter change the list, and the picker starts a comparison', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization');
    await picture(page).waitFor();
    await page.getByRole('button', { name: 'My Visualizations' }).click();
    await page.getByRole('button', { name: /^Compare with this: Garden/ }).click();
    await expect.poll(() => kinds(page).count()).toBe(5);
    await panel(page).getByText('Thresholds').click();
    await panel(page).getByRole('textbox', { name: 'Volume, in %' }).fill('80');
    await panel(page).getByRole('textbox', { name: 'Volume, in %' }).press('Enter');
    await expect.poll(() => listed(page)).toEqual(['Lawn', 'Rakes', 'Roses', 'Digging']);
    await page.waitForURL(/[?&]ct=80_10_5_3/);
    await page.reload();
    await expect.poll(() => listed(page)).toEqual(['Lawn', 'Rakes', 'Roses', 'Digging']);
    await panel(page).getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => kinds(page).count()).toBe(5);
    await page.waitForURL((url) => !url.searchParams.has('ct'));
    await page.goto(`${page.url()}&f=has-mint`);
    await expect.poll(() => listed(page)).toEqual(['Herbs']);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await tab(page, 'Changes').waitFor({ state: 'detached' });
  });

  test('what is gone keeps its place on the chart, is listed by a click, and can be left out', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization');
    await picture(page).waitFor();
    await page.getByRole('button', { name: 'My Visualizations' }).click();
    await page.getByRole('button', { name: /^Compare with this: Garden/ }).click();
    const legend = page.getByRole('region', { name: 'Legend' });
    await legend.getByText('Hatched, with −: gone, at its former size', { exact: false }).waitFor();
    const gone = await placeOfGone(page);
    await page.mouse.move(gone.x, gone.y);
    const card = page.getByRole('tooltip').filter({ hasText: 'gone since then' });
    expect((await card.innerText()).split(/\s*\n\s*/)).toEqual([
      '1 gone since then',
      '2 keywords',
      'Volume 601 then',
      'Click to list them',
      'in Tools',
    ]);
    await page.mouse.click(gone.x, gone.y);
    await expect.poll(() => listed(page)).toEqual(['Rakes']);
    await page.waitForURL(/[?&]changes=clusters\.gone/);
    // The list is about that branch only, also when the link is opened, until its name is removed.
    await page.waitForURL(/[?&]in=[0-9a-f]{16}/);
    await page.reload();
    await expect.poll(() => listed(page)).toEqual(['Rakes']);
    const kind = kinds(page).filter({ hasText: 'Gone' });
    await kind.click();
    await expect.poll(() => listed(page)).toEqual(['Rakes', 'Roses', 'Digging']);
    await panel(page).getByRole('button', { name: 'List changes everywhere, not only in Tools' }).click();
    await expect.poll(() => listed(page)).toEqual(['Lawn', 'Rakes', 'Herbs', 'Roses', 'Digging']);
    await page.waitForURL((url) => !url.searchParams.has('in'));
    await kind.click();
    await expect.poll(() => listed(page)).toEqual(['Rakes']);
    await legend.getByRole('checkbox', { name: 'Show gone' }).uncheck();
    await page.waitForURL(/[?&]gone=0(?:&|$)/);
    await page.reload();
    await legend.getByText('Change in volume since the other upload').waitFor();
    expect(await isGoneAt(page, gone)).toBe(false);
    await legend.getByRole('checkbox', { name: 'Show gone' }).check();
    await page.waitForURL((url) => !url.searchParams.has('gone'));
    await expect.poll(() => isGoneAt(page, gone)).toBe(true);
    expect(await violations(page)).toEqual([]);
  });

  test('on a phone the changes are a tab of the sheet, and an unknown upload is an error with a way out', async () => {
    const visitor = await stage.signedIn('approved', { viewport: { width: 390, height: 844 } });
    const { page } = visitor;
    visitor.expectProblem(/status of 404/);
    await page.goto('/visualization?vs=nobody&panel=changes');
    await page.getByRole('button', { name: 'Open the sheet further' }).click();
    await page.getByText('What changed could not be loaded.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Stop comparing', exact: true }).click();
    await page.getByRole('tab', { name: 'Changes' }).waitFor({ state: 'detached' });
  });

  const real = join(import.meta.dirname, '../../shared/data/seed-shape-real/add-to-website.json');
  test.skipIf(!existsSync(real))('a real upload and an edited copy differ in exactly what was edited', async () => {
    const { page } = await stage.signedIn('admin');
    const file = JSON.parse(await readFile(real, 'utf8')) as { keywords: unknown[]; hierarchy: Node };
    const edited = structuredClone(file);
    const pillars = edited.hierarchy.children!;
    const from = pillars.find(({ children }) => (children?.length ?? 0) > 3)!;
    const to = pillars.find((one) => one !== from)!;
    from.children![0]!.name = 'Renamed by the test';
    to.children!.push(from.children!.splice(1, 1)[0]!);
    from.children!.splice(1, 1);
    await uploadFor(page, adminPerson.email, file);
    await uploadFor(page, adminPerson.email, edited);
    await page.goto('/visualization');
    await picture(page).focus();
    await page.keyboard.press('u');
    await page.getByRole('dialog').getByRole('listitem').getByRole('button').first().click();
    await expect
      .poll(() =>
        kinds(page)
          .filter({ hasText: /Gone|Moved|Renamed/ })
          .allInnerTexts(),
      )
      .toEqual([
        expect.stringMatching(/Gone\s+1$/),
        expect.stringMatching(/Moved\s+1$/),
        expect.stringMatching(/Renamed\s+1$/),
      ]);
  });
});
