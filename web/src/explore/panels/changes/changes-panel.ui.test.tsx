import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import {
  addressSays,
  cardAt,
  details,
  follow,
  isGone,
  picture,
  pressInPicture,
  reload,
} from '../../../../test/page/in-explorer.ts';
import type { Upload } from '../../../../test/page/maps-api.ts';
import { mouse } from '../../../../test/page/mouse.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';
import { expectProblem } from '../../../../test/page/problems.ts';
import { resize, toPhone } from '../../../../test/page/window.ts';

type Clusters = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Keywords with their volumes, by cluster and pillar. */
function upload(pillars: Readonly<Record<string, Clusters>>): Upload {
  const clusters = Object.values(pillars).flatMap((some) => Object.values(some));
  return {
    keywords: clusters.flatMap((some) => Object.entries(some)).map(([keyword, volume]) => ({ keyword, volume })),
    hierarchy: {
      name: 'Garden',
      type: 'pillar_topic',
      children: Object.entries(pillars).map(([name, some]) => ({
        name,
        type: 'pillar_topic',
        children: Object.entries(some).map(([cluster, keywords]) => ({
          name: cluster,
          type: 'cluster',
          children: Object.keys(keywords).map((keyword) => ({ name: keyword, type: 'keyword' })),
        })),
      })),
    },
  };
}

const spades = { spade: 100, shovel: 101, trowel: 102 };
const roses = { rose: 300, climber: 301, bush: 302 };
const earlier = upload({
  Tools: { Spades: spades, Rakes: { rake: 300, hoe: 301 } },
  Plants: { Roses: roses, Herbs: { mint: 60 } },
});
/** Spades renamed, Roses moved, Rakes gone, Lawn new, mint searched more often. */
const later = upload({
  Tools: { Digging: spades, Roses: roses },
  Plants: { Herbs: { mint: 90 }, Lawn: { lawn: 700, grass: 701 } },
});
const everything = ['Lawn', 'Rakes', 'Herbs', 'Roses', 'Digging'];

const kinds = details.getByRole('group', { name: 'Kind of change' }).getByRole('button');
const kind = (name: string) => kinds.filter({ hasText: name });
const counts = () => kinds.elements().map((one) => one.textContent!.replace(/^\W+/, '').replace(/(\d+)$/, ' $1'));
const listed = () =>
  details
    .getByRole('listitem')
    .elements()
    .map((one) => (one as HTMLElement).innerText.split('\n')[0]);
const lists = (names: readonly string[]) => expect.poll(listed).toEqual(names);
const tab = (name: string) => details.getByRole('tab', { name });
const legend = page.getByRole('region', { name: 'Legend' });
const shown = (text: string) => expect.element(page.getByText(text, { exact: true }).first()).toBeVisible();
const stopComparing = page.getByRole('button', { name: /^Stop comparing: Compared with/ });
const open = (search = '?vs=map-1&panel=changes&color=change') => openExplorer(later, { search, earlier: [earlier] });

test('an upload is compared by key, and its changes are listed, filtered and visited', async () => {
  await open('');
  await pressInPicture('u');
  const dialog = page.getByRole('dialog', { name: 'Compare with another upload' });
  const choice = dialog.getByRole('listitem').getByRole('button').first();
  await expect.element(choice).toBeVisible();
  expect(await violations(dialog.element())).toEqual([]);
  await choice.click();
  await expect.poll(counts).toEqual(['New 1', 'Gone 1', 'Moved 1', 'Renamed 1', 'Volume up 1']);
  await lists(everything);
  await expect.element(details.getByText('from Plants › Roses')).toBeVisible();
  await expect.element(details.getByText('Volume 60 → 90 (+30, +50.0 %)')).toBeVisible();
  expect(await violations()).toEqual([]);

  await kind('Moved').click();
  await lists(['Roses']);
  await kind('Moved').click();
  await lists(everything);
  await details.getByRole('radio', { name: 'Keywords' }).click();
  await lists(['grass', 'lawn', 'hoe', 'rake', 'mint']);

  // A listed node leads to its place; its details say what happened to it.
  await details.getByRole('button', { name: /^mint/ }).click();
  await addressSays('sel', /^[0-9a-f]{16}$/);
  await tab('Details').click();
  await expect.element(details.getByRole('heading', { name: /^Since / })).toBeVisible();
  await expect.element(details.getByRole('row', { name: 'Volume 60 90 +30, +50.0 %' })).toBeVisible();
  await addressSays('panel', null);
  // From the first tab to the last.
  await userEvent.keyboard('{ArrowLeft}');
  await expect.poll(() => document.activeElement!.textContent).toBe('Changes');
  await addressSays('panel', 'changes');
  await addressSays('changes', 'keywords');
  await reload();
  await expect.element(stopComparing).toBeVisible();
  await lists(['grass', 'lawn', 'hoe', 'rake', 'mint']);

  await stopComparing.click();
  await isGone(tab('Changes'));
  await addressSays('vs', null);
  await addressSays('color', null);
});

test('the map has the colours of the change, and is cut to one kind of it', async () => {
  await open();
  await lists(everything);
  const entries = legend.getByRole('list', { name: 'Change' });
  await expect
    .poll(() => (entries.element() as HTMLElement).innerText.split(/\s*\n\s*/))
    .toEqual(expect.arrayContaining(['New', 'Moved', 'Renamed', 'About the same', '+20 % to +100 %']));
  await legend.getByRole('button', { name: /^New/ }).click();
  await shown('2 of 9 keywords');
  await expect.element(page.getByRole('button', { name: 'Remove filter: Change: New' })).toBeVisible();
  await addressSays('f', 'change-new');
  await reload();
  await shown('2 of 9 keywords');
  await lists(['Lawn']);
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Remove filter: Change: New' }).click();
  await addressSays('f', null);
});

test('the table shows the change in volume, and a list is sorted by it', async () => {
  await open();
  await pressInPicture('t');
  const table = page.getByRole('treegrid');
  await expect.element(table.getByRole('columnheader', { name: /^Change in volume/ })).toBeVisible();
  await expect.element(table.getByRole('row', { name: /\+30/ }).first()).toBeVisible();
  await userEvent.keyboard('g4');
  const list = page.getByRole('grid', { name: 'Keywords of Garden' });
  await list
    .getByRole('columnheader', { name: /^Change in volume/ })
    .getByRole('button')
    .first()
    .click();
  await addressSays('sort', '-volume_change');
  await expect.element(list.getByRole('row').nth(1)).toMatchTextContent(/^mint/);
  await userEvent.keyboard('g1');
  await expect.element(table).toBeVisible();
});

test('swapped, what was new is gone, until Back', async () => {
  await open();
  await expect.element(details.getByText('from Plants › Roses')).toBeVisible();
  await details.getByRole('button', { name: 'Swap' }).click();
  await lists(['Lawn', 'Rakes', 'Herbs', 'Roses', 'Spades']);
  await expect.element(details.getByText('from Tools › Roses')).toBeVisible();
  history.back();
  await expect.element(details.getByText('from Plants › Roses')).toBeVisible();
});

test('a search among the uploads that finds none says so', async () => {
  await openExplorer(later, { earlier: Array.from({ length: 9 }, () => earlier) });
  await pressInPicture('u');
  const dialog = page.getByRole('dialog', { name: 'Compare with another upload' });
  await dialog.getByRole('searchbox', { name: 'Search uploads' }).fill('Boots');
  await expect.element(dialog.getByText('Nothing matches “Boots”')).toBeVisible();
});

test('thresholds and a filter change the list, and the picker starts a comparison', async () => {
  await open('');
  await page.getByRole('button', { name: 'My Visualizations' }).click();
  await page.getByRole('button', { name: /^Compare with this: / }).click();
  await expect.poll(() => counts().length).toBe(5);
  await details.getByText('Thresholds', { exact: true }).click();
  await details.getByRole('textbox', { name: 'Volume, in %' }).fill('80');
  await userEvent.keyboard('{Enter}');
  await lists(['Lawn', 'Rakes', 'Roses', 'Digging']);
  await addressSays('ct', '80_10_5_3');
  await expect.element(details.getByRole('textbox', { name: 'Volume, in %' })).toHaveFocus();
  await reload();
  await lists(['Lawn', 'Rakes', 'Roses', 'Digging']);
  await details.getByRole('button', { name: 'Reset' }).click();
  await expect.element(details.getByRole('textbox', { name: 'Volume, in %' })).toBeVisible();
  await expect.element(details.getByRole('textbox', { name: 'Volume, in %' })).not.toHaveValue('80');
  await expect.poll(() => counts().length).toBe(5);
  await addressSays('ct', null);
  await follow(`${location.search}&f=has-mint`);
  await lists(['Herbs']);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await isGone(tab('Changes'));
});

/** Shares of the chart where something is gone. */
async function placeOfGone(): Promise<readonly [number, number]> {
  for (let y = 0.1; y < 1; y += 0.2) {
    for (let x = 0.06; x < 1; x += 0.11) if (await isGoneAt(x, y)) return [x, y];
  }
  throw new Error('Nothing is gone on the chart');
}
const isGoneAt = async (x: number, y: number) => (await cardAt(x, y)).includes('gone since then');

// Shows P24.13.
test('what is gone keeps its place on the chart, is listed by a click, and can be left out', async () => {
  await open();
  await expect.element(legend.getByText(/Hatched, with −: gone, at its former size/)).toBeVisible();
  const [x, y] = await placeOfGone();
  const text = await cardAt(x, y);
  expect(text.split(/\s*\n\s*/)).toEqual([
    '1 gone since then',
    '2 keywords',
    'Volume 601 then',
    'Click to list them',
    'in Tools',
  ]);
  const { left, top, width, height } = picture.element().getBoundingClientRect();
  await mouse.click({ x: left + x * width, y: top + y * height });
  await lists(['Rakes']);
  await addressSays('changes', 'clusters.gone');
  // The list is about that branch only, also when the link is opened, until its name is removed.
  await addressSays('in', /^[0-9a-f]{16}$/);
  await reload();
  await lists(['Rakes']);
  await kind('Gone').click();
  await lists(['Rakes', 'Roses', 'Digging']);
  await details.getByRole('button', { name: 'List changes everywhere, not only in Tools' }).click();
  await lists(everything);
  await addressSays('in', null);
  await kind('Gone').click();
  await lists(['Rakes']);
  await legend.getByRole('checkbox', { name: 'Show gone' }).click();
  await addressSays('gone', '0');
  await reload();
  await expect.element(legend.getByText(/Change in volume since the other upload/)).toBeVisible();
  expect(await isGoneAt(x, y)).toBe(false);
  await legend.getByRole('checkbox', { name: 'Show gone' }).click();
  await addressSays('gone', null);
  await expect.poll(() => isGoneAt(x, y)).toBe(true);
  expect(await violations()).toEqual([]);
});

test('on a phone its tab is in sight beside the four others, and nothing is wider than the screen', async () => {
  await resize(360, 780);
  await open();
  const tab = page.getByRole('tab', { name: 'Changes' });
  await expect.element(tab).toBeVisible();
  expect(tab.element().getBoundingClientRect().right).toBeLessThanOrEqual(360);
  expect(document.documentElement.scrollWidth).toBe(360);
});

test('on a phone a link to the changes opens their tab of the sheet, and an unknown upload is an error with a way out', async () => {
  expectProblem(/not-found|No longer there/);
  await toPhone();
  await open('?vs=nobody&panel=changes');
  await expect.element(page.getByText(/^What changed could not be loaded\./)).toBeVisible();
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Stop comparing' }).click();
  await isGone(page.getByRole('tab', { name: 'Changes' }));
});
