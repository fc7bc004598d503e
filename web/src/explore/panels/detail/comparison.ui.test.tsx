import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { garden } from '../../../../test/page/garden.ts';
import {
  activeFilters,
  addressSays,
  focus,
  follow,
  isGone,
  line,
  outline,
  pressInPicture,
  reload,
  shows,
} from '../../../../test/page/in-explorer.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

const comparison = page.getByRole('region', { name: 'Comparison' });
const table = comparison.getByRole('table');
const row = (name: RegExp) => comparison.getByRole('row', { name });
const cells = (name: RegExp) =>
  row(name)
    .getByRole('cell')
    .elements()
    .map((cell) => cell.textContent!);
/** In the order of their comparison numbers. */
const names = () =>
  comparison
    .getByRole('listitem')
    .elements()
    .flatMap((one) => one.querySelector('button [dir=auto], span[dir=auto]')?.textContent ?? []);
const compares = (...expected: readonly string[]) => expect.poll(names).toEqual(expected);

async function compareBoth(one: string, other: string): Promise<void> {
  await line(one).click();
  await line(other).click({ modifiers: ['ControlOrMeta'] });
  await expect.element(table).toBeVisible();
}

test('two are chosen with a pointer, a link opens the same, and their figures leave as a table', async () => {
  const exported: number[][] = [];
  await openExplorer(garden, {
    search: '?d=2',
    api: {
      'POST /api/visualizations/{id}/export.csv': async ({ request }) => {
        exported.push([...new Uint32Array(await request.arrayBuffer())]);
        return new Response('Name\r\nRoses\r\nRakes\r\n');
      },
    },
  });
  await compareBoth('Roses', 'Rakes');
  await compares('Roses', 'Rakes');
  await addressSays('sel', /^[0-9a-f]{16}(\.[0-9a-f]{16}){2}$/);
  await reload();
  await expect.element(table).toBeVisible();
  await compares('Roses', 'Rakes');
  await expect.poll(() => cells(/^Keywords /)).toEqual(['3', '2']);

  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await comparison.getByRole('button', { name: 'Copy as a table' }).click();
  await shows('Table of 2 copied');
  const sheet = copied.mock.calls[0]![0].split('\n').map((one) => one.split('\t').slice(0, 2));
  expect(sheet).toEqual([
    ['Name', 'Keywords'],
    ['Roses', '3'],
    ['Rakes', '2'],
  ]);
  const made = vi.spyOn(URL, 'createObjectURL');
  await comparison.getByRole('button', { name: 'CSV' }).click();
  await expect.poll(() => made.mock.calls.length).toBe(1);
  expect(await (made.mock.calls[0]![0] as Blob).text()).toMatch(/^Name\r\nRoses\r\nRakes/);
  expect(exported.map((rows) => rows.length)).toEqual([2]);
});

test('the better values are marked in words, with trends side by side and the keywords that differ', async () => {
  await openExplorer(garden, { search: '?d=2' });
  await compareBoth('Roses', 'Spades');
  await expect.element(comparison.getByRole('cell', { name: /, the better$/ }).first()).toBeVisible();
  const isMarked = (name: RegExp) => cells(name).map((text) => text.endsWith(', the better'));
  // Difficulties of 31.7 and 23.3, volumes of 780 and 180.
  expect(isMarked(/^Difficulty/)).toEqual([false, true]);
  expect(isMarked(/^Volume a month/)).toEqual([true, false]);
  expect(isMarked(/^Keywords /)).toEqual([false, false]);

  const heading = comparison.getByRole('heading', { name: 'Trends' });
  await expect.element(heading).toBeVisible();
  const trends = heading.element().parentElement!;
  expect(trends.querySelectorAll('[role=img]')).toHaveLength(2);
  const onlyFirst = comparison.getByRole('group').filter({ hasText: /^Only in 1/ });
  await expect.element(onlyFirst).toBeVisible();
  const summary = onlyFirst.element().querySelector('summary')!;
  expect(summary.textContent).toMatch(/3$/);
  summary.click();
  await onlyFirst.getByRole('button', { name: 'rose bush' }).click();
  await expect.element(page.getByRole('heading', { level: 2, name: 'rose bush' })).toBeVisible();
});

// Shows P15.13.
test('what a filter leaves out keeps its place, and is back when the filter goes', async () => {
  await openExplorer(garden, { search: '?d=2' });
  await compareBoth('Roses', 'Rakes');
  await compares('Roses', 'Rakes');
  await addressSays('sel', /^[0-9a-f]{16}(\.[0-9a-f]{16}){2}$/);
  await follow(`${location.search}&f=has-rake`);
  const leftOut = comparison.getByText('not in the filter', { exact: true });
  await expect.element(leftOut.first()).toBeVisible();
  await compares('Roses', 'Rakes');
  await activeFilters.getByRole('button', { name: /^Remove filter: / }).click();
  await isGone(leftOut.first());
  await compares('Roses', 'Rakes');
  await expect.element(row(/^Keywords \d/)).toBeVisible();
});

// Shows P15.13.
test('with keys: four at most, each told, and taken out one by one without losing the keyboard', async () => {
  await openExplorer(garden, { search: '?d=2' });
  await line('Roses').click();
  const isAnnounced = (text: string) =>
    expect.element(page.getByRole('status').filter({ hasText: text })).toBeInTheDocument();
  await userEvent.keyboard('{ControlOrMeta>}{Enter}{/ControlOrMeta}');
  await isAnnounced('Compared: 1 of at most 4');
  const chosen = ['Roses'];
  for (const next of ['Herbs', 'Tools', 'Rakes']) {
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
    chosen.push(next);
    await isAnnounced(`Compared: ${chosen.length} of at most 4`);
    await compares(...chosen);
  }
  await line('Hoses').click();
  await pressInPicture('{ControlOrMeta>}{Enter}{/ControlOrMeta}');
  await shows('At most 4 can be compared');
  await compares(...chosen);

  await focus(comparison.getByRole('button', { name: /^Take out / }).first());
  for (const left of [3, 2, 1, 0]) {
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => names().length).toBe(left);
    await expect.poll(() => document.activeElement === document.body).toBe(false);
  }
  await expect.poll(() => new URLSearchParams(location.search).get('sel')).not.toContain('.');
  expect(outline.getByRole('treeitem').elements().length).toBe(9);
});
