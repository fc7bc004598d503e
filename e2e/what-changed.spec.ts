import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { uploadFor } from './upload.ts';

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
const picture = (page: Page) => page.getByRole('application');

story('what changed between two uploads', () => {
  const stage = useStage();

  // Shows P24.10.
  test('an upload is compared by key, the map is cut to what is new, and a reload shows the same', async () => {
    const { page: admin } = await stage.signedIn('admin');
    const { page } = await stage.signedIn('approved');
    await uploadFor(admin, 'approved@example.com', earlier);
    await uploadFor(admin, 'approved@example.com', later);
    await page.goto('/visualization');
    await picture(page).focus();
    await page.keyboard.press('u');
    await page
      .getByRole('dialog', { name: 'Compare with another upload' })
      .getByRole('button', { name: /^Garden/ })
      .click();
    await expect
      .poll(() => kinds(page).allInnerTexts())
      .toEqual([
        expect.stringMatching(/New\s+1/),
        expect.stringMatching(/Gone\s+1/),
        expect.stringMatching(/Moved\s+1/),
        expect.stringMatching(/Renamed\s+1/),
        expect.stringMatching(/Volume up\s+1/),
      ]);
    await expect.poll(() => listed(page)).toEqual(['Lawn', 'Rakes', 'Herbs', 'Roses', 'Digging']);
    await page.getByRole('region', { name: 'Legend' }).getByRole('button', { name: 'New' }).click();
    await page.getByText('2 of 9 keywords').first().waitFor();
    await page.waitForURL(/[?&]f=change-new(?:&|$)/);
    await page.reload();
    await page.getByRole('button', { name: /^Stop comparing: Compared with/ }).waitFor();
    await page.getByText('2 of 9 keywords').first().waitFor();
    await expect.poll(() => listed(page)).toEqual(['Lawn']);
  });
});
