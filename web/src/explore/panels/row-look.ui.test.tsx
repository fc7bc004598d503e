import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { garden } from '../../../test/page/garden.ts';
import { focus, outline } from '../../../test/page/in-explorer.ts';
import { openExplorer } from '../../../test/page/open-explorer.tsx';

/** How a row looks without its colours: the bar at its start, in px, and the weight of its text. */
function shapeOf(row: Element) {
  const bar = getComputedStyle(row, '::before');
  return { bar: bar.content === 'none' ? '0px' : bar.borderLeftWidth, weight: getComputedStyle(row).fontWeight };
}
const currentIn = (list: Element) => list.querySelector('[aria-current=true]');

const current = { bar: '4px', weight: '600' };
const other = { bar: '0px', weight: '400' };

test('in a flat list the current row has a bar and bold text, and a selected one a tick instead', async () => {
  await openExplorer(garden, { search: '?view=table&level=keywords' });
  const list = page.getByRole('grid');
  await expect.element(list.getByRole('row', { name: /rose bush/ })).toBeVisible();
  await focus(list);
  await userEvent.keyboard(' {ArrowDown} {ArrowDown}');
  const selected = list.getByRole('row', { name: /rose bush.*, selected/ });
  await expect.element(selected).toBeVisible();
  await expect.poll(() => shapeOf(selected.element())).toEqual(other);
  const tick = '[data-pick] svg';
  expect(selected.element().querySelector(tick)).not.toBeNull();
  const row = currentIn(list.element())!;
  expect(shapeOf(row)).toEqual(current);
  expect(row.querySelector(tick)).toBeNull();
});

test('in the tree of the table and in the outline, the current row looks the same', async () => {
  await openExplorer(garden, { search: '?view=table&d=2' });
  const table = page.getByRole('treegrid');
  await page.getByRole('button', { name: 'Show the outline' }).click();
  await table
    .getByRole('row')
    .filter({ has: page.getByText('Tools', { exact: true }) })
    .click();
  for (const list of [table.element(), outline.element()]) {
    await expect.poll(() => currentIn(list)?.textContent).toContain('Tools');
    const row = currentIn(list)!;
    expect(shapeOf(row)).toEqual(current);
    const plain = [...list.querySelectorAll('[aria-selected=false][aria-level]')].at(-1)!;
    expect(shapeOf(plain)).toEqual(other);
  }
});
