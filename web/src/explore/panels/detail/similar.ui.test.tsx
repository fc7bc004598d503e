import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { details, isGone, outline } from '../../../../test/page/in-explorer.ts';
import type { Upload } from '../../../../test/page/maps-api.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

const keyword = (name: string, volume: number) => ({ name, type: 'keyword', volume });
const cluster = (name: string, ...children: readonly ReturnType<typeof keyword>[]) => ({
  name,
  type: 'cluster',
  children,
});
const shop: Upload = {
  keywords: [],
  hierarchy: {
    name: 'shop',
    type: 'root',
    children: [
      {
        name: 'Shoes',
        type: 'pillar_topic',
        children: [
          cluster('Trail', keyword('trail shoes', 90), keyword('trail boots', 10)),
          cluster('Road', keyword('road shoes', 50)),
        ],
      },
      { name: 'Tents', type: 'pillar_topic', children: [cluster('Dome', keyword('dome tent', 40))] },
    ],
  },
};
// In document order: 1 Shoes, 2 Trail, 3 trail shoes, 4 trail boots, 5 Road, 6 road shoes, 7 Tents, 8 Dome, 9 dome tent.
const published: Upload = { ...shop, similar_nodes: [0, 0, 2, 8, 5, 1, 6, 0, 1, 2, 1, 3, 0, 1, 2, 0] };

const heading = details.getByRole('heading', { name: 'Similar', exact: true });
const buttons = (): HTMLElement[] => [...(heading.query()?.parentElement?.querySelectorAll('button') ?? [])];
const textOf = (button: HTMLElement): string => button.innerText.replace(/\s+/g, ' ');
const lines = (): string[] => buttons().map(textOf);
const select = (name: string) => outline.getByRole('treeitem', { name: new RegExp(`^${name}`) }).click();

// Shows P15.33.
test('the details of a cluster and of a keyword list what is similar, and lead there by keyboard', async () => {
  await openExplorer(published);
  await select('Shoes');
  await userEvent.keyboard('{ArrowRight}');
  await select('Trail');
  await expect.poll(() => lines()).toEqual(['Dome Tents', 'Road Shoes']);
  expect(await violations(details.element())).toEqual([]);
  buttons()[1]!.focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(details.getByRole('heading', { name: 'Road', exact: true })).toBeVisible();
  await expect.poll(() => lines()).toEqual(['Trail Shoes']);
  buttons()[0]!.click();
  await userEvent.keyboard('{ArrowRight}');
  await select('trail shoes');
  await expect.poll(() => lines()).toEqual(['road shoes Road']);
});

// Shows P15.33.
test('nothing is said to be similar where the file does not say it', async () => {
  await openExplorer(shop);
  await select('Shoes');
  await userEvent.keyboard('{ArrowRight}');
  await select('Trail');
  await expect.element(details.getByRole('heading', { name: 'Trail', exact: true })).toBeVisible();
  await expect.element(details.getByText('trail shoes').first()).toBeVisible();
  await isGone(heading);
});

// Shows P15.33.
test('the lists have a column with what is similar, only if the file says it', async () => {
  const clusters = page.getByRole('grid', { name: 'Clusters of shop' });
  const columns = async () => {
    await page.getByRole('button', { name: 'Columns' }).click();
    return page.getByRole('checkbox', { name: 'Similar', exact: true });
  };
  await openExplorer(published, { search: '?view=table&level=clusters' });
  await expect.element(clusters).toBeVisible();
  await (await columns()).click();
  await expect.element(clusters.getByRole('columnheader', { name: /^Similar/ })).toBeInTheDocument();
  await expect.element(clusters.getByRole('row', { name: /\bTrail\b.*Dome, Road/ })).toBeInTheDocument();
  await openExplorer(shop, { search: '?view=table&level=clusters' });
  await expect.element(clusters.getByRole('row').nth(1)).toBeVisible();
  await isGone(await columns());
});

// Shows P24.16.
test('an entry of the plan lists the pages to link to and from, with the text of the link', async () => {
  await openExplorer(published, { search: '?view=table&level=clusters' });
  const clusters = page.getByRole('grid', { name: 'Clusters of shop' });
  await expect.element(clusters.getByRole('row').nth(3)).toBeVisible();
  for (const row of ['Trail', 'Road', 'Dome']) {
    const found = clusters.getByRole('row', { name: new RegExp(`\\b${row}\\b`) }).first();
    found.element().querySelector<HTMLElement>('[data-pick]')!.click();
  }
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Add to plan' }).click();
  await expect.element(page.getByText('Added 3 entries to the plan.')).toBeVisible();
  const trail = clusters.getByRole('row', { name: /\bTrail\b/ }).first();
  await trail.click();
  await page.getByRole('tab', { name: /^Plan/ }).click();
  const to = page.getByRole('region', { name: 'Link from here to' });
  const linesIn = () => (to.getByRole('button').elements() as HTMLElement[]).map(textOf);
  // Within its pillar first: Road before Dome, which is more similar.
  await expect.poll(linesIn).toEqual(['Road with the text “road shoes”', 'Dome with the text “dome tent”']);
  await expect
    .element(page.getByRole('region', { name: 'Link to here from' }).getByRole('button', { name: /Road/ }))
    .toBeVisible();
  await to.getByRole('button', { name: /Dome/ }).click();
  await expect.element(page.getByRole('heading', { name: 'Dome', exact: true }).first()).toBeVisible();
});
