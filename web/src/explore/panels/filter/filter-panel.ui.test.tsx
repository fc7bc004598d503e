import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { failsFor } from '../../../../test/page/fake-api.ts';
import { garden } from '../../../../test/page/garden.ts';
import {
  activeFilters,
  addressSays,
  cardAt,
  details,
  focus,
  follow,
  inAddress,
  isGone,
  line,
  outline,
  pressInPicture,
  reload,
  shows,
} from '../../../../test/page/in-explorer.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';
import { savedFilters } from '../../../../test/page/saved-texts.ts';

const panel = page.getByRole('complementary', { name: 'Filter' });
const removal = (part: string) => page.getByRole('button', { name: `Remove filter: ${part}` });
const button = (name: string | RegExp) => panel.getByRole('button', { name });
/** The chart says how many keywords it shows. */
const isDrawn = (keywords: string) =>
  expect
    .element(page.getByRole('application', { name: new RegExp(`^Treemap of Garden, ${keywords} keywords\\.`) }))
    .toBeVisible();
const keeps = (keywords: number) => expect.element(activeFilters.getByText(`${keywords} of 11 keywords`)).toBeVisible();
const pillars = () => outline.getByRole('treeitem', { level: 2 }).elements().length;

async function openFilter(): Promise<void> {
  await pressInPicture('f');
  // It takes the focus once it is there.
  await expect.poll(() => panel.elements()[0]?.contains(document.activeElement)).toBe(true);
}

// Shows P15.1.
test('a filter shows the same counts everywhere, is undone by Back, and is part of the address', async () => {
  // One level open: collapsed branches show how many of their keywords match.
  await openExplorer(garden, { search: '?d=1' });
  await isDrawn('11');
  await openFilter();
  await panel.getByLabelText('Contains', { exact: true }).fill('garden');
  await addressSays('f', 'has-garden');
  await userEvent.keyboard('{Escape}');
  await isDrawn('2 of 11');
  await expect.element(outline.getByRole('treeitem', { name: /^Tools .*, 1 of 5 keywords$/ })).toBeVisible();
  await expect.element(outline.getByRole('treeitem', { name: /^Watering .*, 1 of 2 keywords$/ })).toBeVisible();
  await expect.poll(pillars).toBe(2);
  await expect.element(page.getByRole('definition').filter({ hasText: 'of 11' })).toBeVisible();
  await expect.element(page.getByRole('definition').filter({ hasText: '140' })).toBeVisible();
  await keeps(2);
  await expect.poll(() => document.title).toBe('Garden – 2 of 11 keywords · Keyword Clustering');
  await page.getByRole('radio', { name: 'Table' }).click();
  const row = page.getByRole('row', { name: /^(Open )?Tools/ });
  await expect.element(row.getByRole('gridcell', { name: '1 of 5' })).toBeVisible();

  history.back();
  await isDrawn('2 of 11');
  history.back();
  await isDrawn('11');
  expect(inAddress('f')).toBeNull();
  history.forward();
  await isDrawn('2 of 11');
  await reload();
  await isDrawn('2 of 11');
  await removal('Contains “garden”').click();
  await isDrawn('11');
});

test('a text that the server refuses stays in its field, with the reason below it', async () => {
  await openExplorer(garden);
  await openFilter();
  const contains = panel.getByLabelText('Contains', { exact: true });
  await contains.fill('garden');
  await keeps(2);
  const works = failsFor('GET /api/visualizations/{id}/slice');
  await contains.fill('spade');
  const why = 'The server is not ready. Please try again in a moment.';
  await expect.element(contains).toHaveAccessibleDescription(why);
  await expect.element(contains).toHaveValue('spade');
  await expect.element(contains).toBeInvalid();
  expect(page.getByRole('status').getByText(why).elements()).toHaveLength(1);
  // The chips say what is shown.
  await expect.element(removal('Contains “garden”')).toBeVisible();
  await addressSays('f', 'has-garden');
  works();
  await contains.fill('sharpen');
  await keeps(1);
  await expect.element(contains).toBeValid();
});

test('a refused text keeps the way to match that was chosen for it, and gives way to another filter', async () => {
  await openExplorer(garden, { search: '?f=has-garden' });
  await openFilter();
  const contains = panel.getByLabelText('Contains', { exact: true });
  const how = panel.getByRole('combobox', { name: 'Contains: how to match' });
  const works = failsFor('GET /api/visualizations/{id}/slice');
  await how.click();
  await page.getByRole('option', { name: 'Regex' }).click();
  await contains.fill('^spade');
  await expect.element(contains).toBeInvalid();
  await expect.element(contains).toHaveValue('^spade');
  await expect.element(how).toHaveTextContent('Regex');
  works();
  await contains.fill('^spade$');
  await addressSays('f', 'regex-^spade$');
  const breaks = failsFor('GET /api/visualizations/{id}/slice');
  await contains.fill('^spade x');
  await expect.element(contains).toBeInvalid();
  breaks();
  await removal('Matches /^spade$/').click();
  await expect.element(contains).toHaveValue('');
  await expect.element(contains).toBeValid();
});

// Shows P15.3.
test('a filter is set from the legend, brushed with the arrow keys, and says when nothing matches', async () => {
  await openExplorer(garden, { search: '?color=intent' });
  await page
    .getByRole('region', { name: 'Legend' })
    .getByRole('button', { name: /^Transactional/ })
    .click();
  await addressSays('f', 'intent-transactional');
  await page.getByRole('button', { name: /^Filter 1 active/ }).click();
  await button('Volume').click();
  await focus(panel.getByRole('slider', { name: 'Volume, at least' }));
  await userEvent.keyboard('{ArrowRight}');
  await addressSays('f', /volume-[\d.]+_$/);
  await panel.getByLabelText('Contains', { exact: true }).fill('no such thing');
  await expect.element(page.getByText('No keywords match these filters').first()).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Clear all' }).last().click();
  await addressSays('f', null);
  await isDrawn('11');
});

// Shows P15.4.
test('a branch is hidden from the menu or by a key, and one chip or Back shows it again', async () => {
  await openExplorer(garden, { search: '?d=1' });
  await line('Plants').click();
  await pressInPicture('{Shift>}{F10}{/Shift}');
  await page.getByRole('menuitem', { name: 'Hide' }).click();
  await isDrawn('7 of 11');
  await isGone(line('Plants'));
  await expect.element(removal('Hidden: Plants')).toBeVisible();
  await reload();
  await isDrawn('7 of 11');
  await expect.element(removal('Hidden: Plants')).toBeVisible();

  // Hiding the focus makes its parent the focus.
  await line('Tools').dblClick();
  await addressSays('n', /^[0-9a-f]{16}$/);
  await expect.element(line('Rakes')).toBeVisible();
  await line('Tools').click();
  await userEvent.keyboard('{Shift>}H{/Shift}');
  await isDrawn('2 of 11');
  await addressSays('n', null);
  await removal('Hidden: Plants').click();
  await isDrawn('6 of 11');
  history.back();
  await isDrawn('2 of 11');
  history.back();
  await expect.element(line('Tools')).toBeVisible();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect.element(line('Plants')).toBeVisible();
  await addressSays('f', null);
});

test('the legend keeps one pillar topic, then two, and offers the others', async () => {
  await openExplorer(garden);
  const legend = page.getByRole('region', { name: 'Legend' });
  await legend.getByRole('button', { name: /^Pillar/ }).click();
  const entry = (name: string) => legend.getByRole('button', { name: new RegExp(`^${name}`) });
  await entry('Plants').click();
  await isDrawn('4 of 11');
  await expect.element(removal('Only in: Plants')).toBeVisible();
  for (const name of ['Plants', 'Tools', 'Watering']) await expect.element(entry(name)).toBeVisible();
  await entry('Watering').click({ modifiers: ['ControlOrMeta'] });
  await isDrawn('6 of 11');
  await expect.element(entry('Plants')).toHaveAttribute('aria-pressed', 'true');
  await expect.element(entry('Tools')).toHaveAttribute('aria-pressed', 'false');
  await entry('Plants').click({ modifiers: ['ControlOrMeta'] });
  await isDrawn('2 of 11');
  await entry('Watering').click();
  await isDrawn('11');
});

test('a filter says when a branch in it no longer exists', async () => {
  await openExplorer(garden, { search: '?f=outside-0123456789abcdef' });
  await isDrawn('11');
  await expect.element(removal('Hidden: a branch that is no longer here')).toBeVisible();
  await follow('?f=within-0123456789abcdef');
  await expect.element(page.getByText('No keywords match these filters').first()).toBeVisible();
  await expect.element(page.getByText('Only in: a branch that is no longer here').first()).toBeVisible();
});

// Shows P15.5.
test('a filter can show excluded marks faintly: the panels say so, and no figure counts them', async () => {
  await openExplorer(garden, { search: '?f=has-spade' });
  await isDrawn('3 of 11');
  await expect.poll(pillars).toBe(1);
  await page.getByRole('button', { name: /^Filter 1 active/ }).click();
  await panel.getByRole('switch', { name: 'Show filtered-out items faintly' }).click();
  await addressSays('rest', 'faint');
  expect(await violations()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await reload();
  await isDrawn('3 of 11');
  const words = 'left out by the filter, 4 keywords without it';
  const plants = outline.getByRole('treeitem', { name: new RegExp(`^Plants .*${words}`) });
  await plants.click();
  await expect.element(details.getByText(words).first()).toBeVisible();
  await pressInPicture('{Enter}');
  // A hidden branch cannot be the focus.
  await isDrawn('3 of 11');
  expect(inAddress('n')).toBeNull();
  const cards: string[] = [];
  for (let step = 1; step < 10; step++) cards.push(await cardAt(step / 10, 1 / 3));
  expect(cards.join('\n')).toMatch(/left out by the filter, \d keywords? without it/i);
  await page.getByRole('radio', { name: 'Table' }).click();
  const row = page.getByRole('row', { name: /^((Open|Close) )?Plants/ });
  await expect.element(row.getByRole('gridcell', { name: '0 of 4' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect.element(row.getByRole('gridcell', { name: '4', exact: true })).toBeVisible();
});

test('a hidden branch is shown again from its faint mark', async () => {
  await openExplorer(garden, { search: '?rest=faint' });
  await line('Plants').click();
  await pressInPicture('{Shift>}H{/Shift}');
  await isDrawn('7 of 11');
  await outline.getByRole('treeitem', { name: /^Plants .*left out/ }).click();
  await pressInPicture('{Shift>}{F10}{/Shift}');
  await expect.element(page.getByRole('menuitem', { name: 'Show again' })).toBeVisible();
  expect(page.getByRole('menuitem', { name: 'Export branch' }).elements()).toEqual([]);
  await page.getByRole('menuitem', { name: 'Show again' }).click();
  await isDrawn('11');
});

// Shows P15.23.
test('brand and non-brand divide the keywords, and remember the terms', async () => {
  await openExplorer(garden);
  await openFilter();
  await button('Brand').click();
  // The first use asks for the terms.
  await expect.element(panel.getByLabelText('Brand terms')).toHaveFocus();
  await userEvent.keyboard('Spade, hose');
  await addressSays('f', 'brand-Spade,hose');
  await keeps(5);
  expect(await violations()).toEqual([]);
  await button('Non-brand').click();
  await addressSays('f', 'nonbrand-Spade,hose');
  await keeps(6);
  await expect.element(button('Brand')).toHaveAttribute('aria-pressed', 'false');
  await button('Non-brand').click();
  await addressSays('f', null);
  // Another visit has the terms, so one click is enough.
  await reload();
  await openFilter();
  await button('Brand').click();
  await keeps(5);
});

test('presets combine with each other and with a range of clusters', async () => {
  await openExplorer(garden);
  await openFilter();
  await button('Quick wins').click();
  await addressSays('f', 'quick-50_30');
  await keeps(4);
  await button('Questions').click();
  await addressSays('f', 'ask-en*quick-50_30');
  await keeps(1);
  await button('Quick wins').click();
  await keeps(2);
  // Of roses, questions have a volume of 80; of spades 30.
  const branches = panel.getByRole('group', { name: 'Branches' });
  await branches.getByRole('button', { name: 'Cluster volume' }).click();
  await branches.getByRole('textbox', { name: 'Cluster volume, at least' }).fill('50');
  await addressSays('f', 'ask-en*cluster-volume-50_');
  await keeps(1);
  await button('Questions').click();
  await button('Rising').click();
  await addressSays('f', 'rising-20_50*cluster-volume-50_');
  await keeps(1);
  await removal('Cluster volume at least 50').click();
  await addressSays('f', 'rising-20_50');
  await keeps(1);
});

// Shows P15.25.
test('saved filters are applied, renamed and deleted, and are there for another visit', async () => {
  await openExplorer(garden, { search: '?f=quick-100_40*words-2_', api: savedFilters() });
  await expect.element(removal('Quick wins: volume ≥ 100, difficulty ≤ 40')).toBeVisible();
  await openFilter();
  await panel.getByLabelText('Save this filter as').fill('Easy ones');
  await button('Save filter').click();
  await shows('“Easy ones” saved');
  await shows('Saved as “Easy ones”');
  expect(await violations()).toEqual([]);
  await button('Clear all').click();
  await addressSays('f', null);
  // The button stays, because the keyboard is on it.
  await expect.element(button('Clear all')).toHaveAttribute('aria-disabled', 'true');
  await expect.element(button('Clear all')).toHaveFocus();
  await button('Easy ones').click();
  await addressSays('f', 'words-2_*quick-100_40');
  await button('Rename: Easy ones').click();
  await panel.getByLabelText('New name of Easy ones').fill('First pages');
  await userEvent.keyboard('{Enter}');
  await expect.element(button('First pages')).toBeVisible();
  await reload();
  await openFilter();
  await expect.element(button('First pages')).toHaveAttribute('aria-pressed', 'true');
  await button('Delete: First pages').click();
  await shows('“First pages” deleted');
  await page.getByRole('button', { name: 'Undo' }).click();
  await shows('“First pages” is back');
  await expect.element(button('First pages')).toBeVisible();
});

// Shows P15.24.
test('a range of clusters is set with the keyboard, named in a chip, and undone by Back', async () => {
  await openExplorer(garden);
  await openFilter();
  const branches = panel.getByRole('group', { name: 'Branches' });
  await focus(branches.getByRole('button', { name: 'Cluster volume' }));
  await userEvent.keyboard('{Enter}');
  await expect.element(branches.getByText('5 clusters')).toBeVisible();
  await branches.getByRole('textbox', { name: 'Cluster volume, at least' }).fill('180');
  await addressSays('f', 'cluster-volume-180_');
  await expect.element(removal('Cluster volume at least 180')).toBeVisible();
  await keeps(8);
  await branches.getByText('Pillars', { exact: true }).click();
  await branches.getByRole('button', { name: 'Pillar keywords' }).click();
  await expect.element(branches.getByRole('textbox', { name: 'Pillar keywords, at least' })).toBeVisible();
  expect(await violations()).toEqual([]);
  history.back();
  await isGone(activeFilters);
});
