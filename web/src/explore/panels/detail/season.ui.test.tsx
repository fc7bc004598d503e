import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { garden } from '../../../../test/page/garden.ts';
import {
  activeFilters,
  addressSays,
  details,
  focus,
  follow,
  isGone,
  line,
  pressInPicture,
  reload,
  shows,
} from '../../../../test/page/in-explorer.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

const legend = page.getByRole('list', { name: 'Peak month' });
const lead = details.getByRole('combobox', { name: 'Publish' });

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 15), toFake: ['Date'] });
});

/** Says that the newest month of the file is October 2026: the sixth of twelve is April, the first November. */
async function nameMonths(): Promise<void> {
  await line('Roses').click();
  await details.getByRole('button', { name: 'Name the months…' }).click();
  await details.getByRole('combobox', { name: 'Which month is the newest?' }).click();
  await page.getByRole('option', { name: /^October 2026/ }).click();
  await details.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.element(details.getByText(/^Peak: Apr 2026/)).toBeVisible();
}

test('a list says when each cluster is searched most, and sorts by it', async () => {
  const columns = 'name*volume*field:season=*trend';
  await openExplorer(garden, { search: `?view=table&level=clusters&cols=${columns}&sort=-volume` });
  const grid = page.getByRole('grid', { name: 'Clusters of Garden' });
  const peaks = () =>
    grid
      .getByRole('row')
      .elements()
      .slice(1)
      .map((row) => {
        const [name, , peak] = row.querySelectorAll('[role=gridcell]');
        return [name!.querySelector('[dir=auto]')?.textContent, peak!.textContent];
      });
  await expect.poll(peaks).toEqual([
    ['Roses', 'Month 6 of 12'],
    ['Rakes', 'unknown'],
    ['Spades', 'Month 1 of 12'],
    ['Hoses', 'No clear season'],
    ['Herbs', 'unknown'],
  ]);
  const trends = [...grid.element().querySelectorAll('svg title')].map(({ textContent }) => textContent);
  expect(trends[0]).toBe('falling, peak in month 6 of 12, oldest first');
  await page
    .getByRole('columnheader', { name: /^Peak month/ })
    .getByRole('button')
    .first()
    .click();
  await addressSays('sort', /season/);
  expect(await violations()).toEqual([]);
});

// Shows P15.28.
test('the map is coloured by the peak month, and the legend keeps one of them', async () => {
  await openExplorer(garden);
  await page.getByRole('combobox', { name: 'Colour by' }).click();
  await page.getByRole('option', { name: 'Peak month' }).click();
  await addressSays('color', 'field:season=');
  await expect.element(legend.getByText('No clear season')).toBeVisible();
  expect(await violations()).toEqual([]);
  await legend.getByRole('button', { name: /^Month 1 of 12/ }).click();
  await expect.element(activeFilters.getByText('1 of 11 keywords')).toBeVisible();
  await expect.element(page.getByText('Peak month: Month 1 of 12').first()).toBeVisible();
  history.back();
  await isGone(activeFilters);
  await expect.element(legend.getByText('No clear season')).toBeVisible();
});

test('the details name the best month and how far it stands out', async () => {
  await openExplorer(garden);
  await pressInPicture('{ArrowDown}');
  const text = 'Seasonal: the best month has 3.79 times the searches of an average month';
  await expect.element(details.getByText(text)).toBeVisible();
});

// Shows P15.29.
test('whoever says which month is the newest sees months of the calendar and when to publish', async () => {
  await openExplorer(garden, { search: '?color=field:season=&d=all' });
  await line('Roses').click();
  await expect.element(details.getByText(/^The file names no months/)).toBeVisible();
  await expect.element(details.getByText(/^Peak: month 6 of 12/)).toBeVisible();
  await nameMonths();
  await expect.element(details.getByText('Publish by February 2027.')).toBeVisible();
  await expect.element(lead).toHaveValue('2');
  await userEvent.selectOptions(lead, '3 months before the peak');
  await expect.element(details.getByText('Publish by January 2027.')).toBeVisible();
  await addressSays('color', 'field:season=2026-10');
  await expect.element(legend.getByText('April', { exact: true })).toBeVisible();
  await details.getByRole('button', { name: 'Use as due month' }).click();
  const isDue = details.getByText('January 2027 is the due month in the plan.');
  await expect.element(isDue).toBeVisible();
  expect(await violations()).toEqual([]);
  await reload();
  await expect.element(isDue).toBeVisible();
  // Kept for the data, and where fields of many entries are set.
  await expect.element(lead).toHaveValue('3');
  await userEvent.selectOptions(lead, '2 months before the peak');
  await expect.element(lead).toHaveValue('2');
  await expect.element(legend.getByText('April', { exact: true })).toBeVisible();
});

// Shows P15.29.
test('planned clusters are due so many months before their own peaks, in one step', async () => {
  await openExplorer(garden, { search: '?d=all' });
  await nameMonths();
  await follow('?view=table&level=clusters');
  const clusters = page.getByRole('grid', { name: 'Clusters of Garden' });
  await expect.element(clusters.getByRole('row', { name: /^Roses/ })).toBeVisible();
  await focus(clusters);
  await userEvent.keyboard('{Control>}a{/Control}');
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Add to plan' }).click();
  await shows('Added 5 entries to the plan.');
  await follow('?view=table&level=plan');
  const plan = page.getByRole('grid', { name: 'Plan of Garden' });
  await expect.element(plan.getByRole('row', { name: /Roses/ })).toBeVisible();
  await focus(plan);
  await userEvent.keyboard('{Control>}a{/Control}');
  await page.getByRole('button', { name: 'Set…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Set fields of/ });
  await dialog.getByRole('checkbox', { name: 'Status' }).click();
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: /^Due month of/ }), 'publish');
  await expect
    .element(dialog.getByText(/^2 of them peak in a month\. The others keep their due month\.$/))
    .toBeVisible();
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Months before the peak' }), '3');
  expect(await violations(dialog.element())).toEqual([]);
  await dialog.getByRole('button', { name: /^Set due of/ }).click();
  await shows(/^Changed \d entries\.$/);
  const row = (name: string) => plan.getByRole('row', { name: new RegExp(name) });
  await expect.element(row('Roses')).toMatchTextContent(/Jan(uary)? 2027/);
  await expect.element(row('Spades')).toMatchTextContent(/Aug(ust)? 2027/);
  await expect.element(row('Rakes')).not.toMatchTextContent(/ 2027/);
  await focus(plan);
  await userEvent.keyboard('{Control>}z{/Control}');
  await shows('Undone.');
  await expect.element(row('Roses')).not.toMatchTextContent(/ 2027/);
});
