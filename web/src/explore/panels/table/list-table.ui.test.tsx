import { expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { failsFor } from '../../../../test/page/fake-api.ts';
import { garden } from '../../../../test/page/garden.ts';
import {
  addressSays,
  focus,
  inAddress,
  isGone,
  pressInPicture,
  reload,
  shows,
} from '../../../../test/page/in-explorer.ts';
import { middleOf, mouse } from '../../../../test/page/mouse.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';
import { toPhone } from '../../../../test/page/window.ts';

const list = (of: string): Locator => page.getByRole('grid', { name: `${of} of Garden` });
const clusters = list('Clusters');
const selection = page.getByRole('toolbar', { name: 'Selection' });
const byVolume = ['Roses', 'Rakes', 'Spades', 'Hoses', 'Herbs'];

/** The first words of the rows, without the heads. */
const rowsOf = (grid: Locator): (string | null)[] =>
  grid
    .getByRole('row')
    .elements()
    .slice(1)
    .map((row) => row.querySelector('[dir=auto]')?.textContent ?? null);
const lists = (names: readonly string[], grid = clusters) => expect.poll(() => rowsOf(grid)).toEqual(names);

// Shows P15.16.
test('keys lead from the treemap to the clusters by volume, and a second key to difficulty', async () => {
  await openExplorer(garden);
  await pressInPicture('t');
  await expect.element(page.getByRole('treegrid')).toBeVisible();
  await userEvent.keyboard('g3');
  await lists(byVolume);
  await expect.element(clusters.getByRole('row').nth(1).getByRole('gridcell', { name: '780' })).toBeVisible();
  await shows('5 clusters · 11 keywords');
  await expect.element(clusters).toHaveAttribute('aria-rowcount', '6');
  // Trends and intents are as wide as their columns allow.
  const widths = clusters
    .getByRole('img')
    .elements()
    .map((one) => one.getBoundingClientRect().width);
  expect(widths.length).toBeGreaterThan(3);
  expect(Math.min(...widths)).toBeGreaterThan(60);

  const difficulty = page
    .getByRole('columnheader', { name: /^Difficulty/ })
    .getByRole('button')
    .first();
  await difficulty.click({ modifiers: ['Shift'] });
  await expect.element(page.getByRole('button', { name: /^Difficulty ?, sort key 2, descending/ })).toBeVisible();
  await difficulty.click({ modifiers: ['Shift'] });
  await expect.element(page.getByRole('button', { name: /^Difficulty ?, sort key 2, ascending/ })).toBeVisible();
  await addressSays('sort', '-volume*difficulty');
  await shows('Sorted by volume, then difficulty');
  expect(await violations()).toEqual([]);
});

test('another level keeps the selection, and back is as it was', async () => {
  await openExplorer(garden, { search: '?view=table&level=clusters' });
  await lists(byVolume);
  // Nothing is selected, so that no row looks as if it were.
  const chosen = clusters.getByRole('row', { selected: true });
  expect(chosen.elements()).toEqual([]);
  expect(clusters.element().querySelector('[aria-current]')).toBeNull();
  await focus(clusters);
  await userEvent.keyboard('{ArrowDown}');
  await addressSays('sel', /^[0-9a-f]{16}$/);
  await expect.element(chosen).toMatchTextContent(/^Rakes/);
  const before = location.search;
  await userEvent.keyboard('g4');
  await expect.element(list('Keywords')).toBeVisible();
  await addressSays('level', 'keywords');
  expect(inAddress('sel')).toBe(new URLSearchParams(before).get('sel'));
  await userEvent.keyboard('g3');
  await expect.poll(() => location.search).toBe(before);
  await expect.element(chosen).toMatchTextContent(/^Rakes/);
});

// Shows P15.19.
test('a link shows the same rows in the same columns elsewhere', async () => {
  const columns = 'name.300*volume*difficulty';
  await openExplorer(garden, { search: `?view=table&level=clusters&sort=-volume*difficulty&cols=${columns}` });
  await lists(byVolume);
  expect(clusters.getByRole('columnheader').elements()).toHaveLength(3);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Move Difficulty up' }).click();
  await addressSays('cols', 'name.300*difficulty*volume');
  await page.getByRole('button', { name: 'Reset columns' }).click();
  await addressSays('cols', null);
});

test('End leads to the last keyword without a gap', async () => {
  const count = 3_000;
  const keywords = Array.from({ length: count }, (_, at) => ({ keyword: `word ${at + 1}`, volume: count - at }));
  const children = keywords.map(({ keyword }) => ({ name: keyword }));
  await openExplorer({ keywords, hierarchy: { name: 'Garden', children } }, { search: '?view=table&level=keywords' });
  const grid = list('Keywords');
  await expect.poll(() => rowsOf(grid)[0]).toBe('word 1');
  await focus(grid);
  const last = [2_996, 2_997, 2_998, 2_999, 3_000].map((nth) => `word ${nth}`);
  // The columns may still follow what the file has, and the list be loaded again.
  const atTheEnd = async () => {
    await userEvent.keyboard('{End}');
    return rowsOf(grid).slice(-5);
  };
  await expect.poll(atTheEnd).toEqual(last);
});

// Shows P15.18.
test('rows are selected by keyboard, their totals count each keyword once, a link keeps them, and Esc lets them go', async () => {
  await openExplorer(garden, { search: '?view=table&level=clusters' });
  await lists(byVolume);
  await focus(clusters);
  await userEvent.keyboard('{Home}{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  await expect.element(selection.getByText(/^3 selected · 8 keywords · 1,280 volume · KD /)).toBeVisible();
  await userEvent.keyboard(' ');
  await expect.element(selection.getByText(/^2 selected · /)).toBeVisible();
  expect(await violations()).toEqual([]);
  // A link names the few that are selected.
  await addressSays('rows', /^[0-9a-f]{16}\.[0-9a-f]{16}$/);
  await reload();
  await expect.element(selection.getByText(/^2 selected · /)).toBeVisible();
  await focus(clusters);
  await userEvent.keyboard('{ControlOrMeta>}a{/ControlOrMeta}');
  await expect.element(selection.getByText(/^5 selected · /)).toBeVisible();
  await addressSays('rows', null);
  await userEvent.keyboard('{Escape}');
  await isGone(selection);
});

// Shows P14.21.
test('with the panels closed a name is 480 pixels wide, and its edge moves from where it is drawn', async () => {
  await openExplorer(garden, { search: '?view=table&level=clusters' });
  await lists(byVolume);
  await page.getByRole('button', { name: 'Hide the details' }).click();
  const head = clusters.getByRole('columnheader', { name: /^Name/ });
  const widthOf = () => head.element().getBoundingClientRect().width;
  await expect.poll(widthOf).toBe(480);
  await focus(head.getByRole('separator', { name: 'Width of Name' }));
  await userEvent.keyboard('{ArrowLeft}');
  await expect.poll(widthOf).toBe(464);
  await addressSays('cols', /^name\.464/);
});

// Shows P15.19.
test('a column is dragged to another place, and moved by keys while its head has the keyboard', async () => {
  await openExplorer(garden, { search: '?view=table&level=clusters&cols=name*keywords*volume*difficulty' });
  await lists(byVolume);
  const head = (title: string) => clusters.getByRole('columnheader', { name: new RegExp(`^${title}`) });
  const at = middleOf(head('Difficulty').element());
  await mouse.drag([at, middleOf(head('Keywords').element())]);
  await addressSays('cols', 'name*difficulty*keywords*volume');
  // It was not sorted by, too.
  expect(inAddress('sort')).toBeNull();
  await focus(head('Difficulty').getByRole('button').first());
  await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}');
  await addressSays('cols', 'name*keywords*difficulty*volume');
  expect(await violations()).toEqual([]);
});

test('a press on a row keeps the keyboard in the list, and what is selected stays selected', async () => {
  await openExplorer(garden, { search: '?view=table&level=clusters' });
  await lists(byVolume);
  await focus(clusters);
  await userEvent.keyboard('{Home}{Shift>}{ArrowDown}{/Shift}');
  await expect.element(selection.getByText(/^2 selected · /)).toBeVisible();
  await clusters.getByRole('row').nth(4).click();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(clusters.getByRole('row').nth(5)).toHaveAttribute('aria-current', 'true');
  await userEvent.keyboard('{Shift>}{ArrowUp}{/Shift}');
  await expect.element(selection.getByText(/^4 selected · /)).toBeVisible();
});

/** Waits until the tab of a view is where nothing covers it. */
async function isInSight(view: string): Promise<void> {
  const tab = page.getByRole('radio', { name: view, exact: true });
  await expect
    .poll(() => {
      const { left, right, top, height } = tab.element().getBoundingClientRect();
      return [left + 2, right - 2].every((x) => document.elementFromPoint(x, top + height / 2) === tab.element());
    })
    .toBe(true);
}

test('a failed ranking says so, and can be asked for again', async () => {
  await openExplorer(garden);
  await pressInPicture('t');
  await expect.element(page.getByRole('treegrid')).toBeVisible();
  const repair = failsFor('GET /api/visualizations/{id}/rows');
  await userEvent.keyboard('g3');
  await shows('The ranking could not be loaded.');
  repair();
  await page.getByRole('button', { name: 'Try again' }).click();
  await lists(byVolume);
});

// Shows P14.21.
test('on a phone the level is beside the current view, and nothing is inaccessible', async () => {
  await toPhone();
  await openExplorer(garden, { search: '?view=table&level=clusters' });
  await expect.poll(() => rowsOf(clusters)[0]).toBe('Roses');
  await expect.element(page.getByRole('combobox', { name: 'Level' })).toBeVisible();
  await isInSight('Table');
  expect(await violations()).toEqual([]);
  for (const view of ['Opportunity', 'Tree', 'Treemap']) {
    await page.getByRole('radio', { name: view, exact: true }).click({ force: true });
    await isInSight(view);
  }
});

test('on a phone the name of the pillar has a line of its own below that of the cluster, and is not cut', async () => {
  await toPhone();
  await openExplorer(garden, { search: '?view=table&level=clusters' });
  await expect.poll(() => rowsOf(clusters)[0]).toBe('Roses');
  const box = (text: string) => clusters.getByText(text, { exact: true }).first().element() as HTMLElement;
  const [name, pillar] = [box('Roses'), box('Plants')];
  expect(pillar.scrollWidth, 'not cut').toBeLessThanOrEqual(pillar.clientWidth);
  expect(pillar.getBoundingClientRect().top).toBeGreaterThanOrEqual(name.getBoundingClientRect().bottom - 1);
  const row = pillar.closest('[role=row]')!.getBoundingClientRect();
  expect(pillar.getBoundingClientRect().bottom, 'in its row').toBeLessThanOrEqual(row.bottom);
});

test('a menu closes when another filter replaces the rows, of which its own would be another', async () => {
  await openExplorer(garden, { search: '?view=table&level=clusters' });
  await lists(byVolume);
  await focus(clusters);
  await userEvent.keyboard('{End} ');
  await selection.getByRole('button', { name: 'Keep only these' }).click();
  await lists(['Herbs']);
  await focus(clusters);
  await userEvent.keyboard('{ContextMenu}');
  const menu = page.getByRole('menu');
  await expect.element(menu).toBeVisible();
  history.back();
  await lists(byVolume);
  await isGone(menu);
});
