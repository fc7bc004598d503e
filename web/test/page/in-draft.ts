import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';

/** A list with its own groups, which needs no clustering. */
export const grouped = [
  'Keyword,Group,Cluster,Volume',
  ...[
    'red hose,Garden,Hoses,90',
    'blue hose,Garden,Hoses,80',
    'long hose,Garden,Hoses,70',
    'lawn rake,Garden,Rakes,60',
    'leaf rake,Garden,Rakes,50',
    'steel rake,Garden,Rakes,40',
    'cat food,Pets,Food,30',
    'dog food,Pets,Food,20',
    'bird food,Pets,Food,10',
  ],
].join('\n');

export const row = (name: RegExp) => page.getByRole('treeitem', { name }).first();
export const hasRow = (name: RegExp) => expect.element(row(name)).toBeVisible();
export const lacksRow = (name: RegExp) => expect.element(page.getByRole('treeitem', { name })).not.toBeInTheDocument();
export const button = (name: string | RegExp) => page.getByRole('button', { name });
export const press = (keys: string) => userEvent.keyboard(keys);

/** The outline has the focus, and this is the name of its current row. */
export const isCurrent = (name: RegExp) =>
  expect
    .poll(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant');
      return (id && document.getElementById(id)?.innerText) ?? '';
    })
    .toMatch(name);

export async function goTo(name: string): Promise<void> {
  await row(new RegExp(`^${name}\\b`)).click();
  await isCurrent(new RegExp(`^${name}`));
}

export async function rename(to: string): Promise<void> {
  await press('{F2}');
  await page.getByRole('textbox', { name: 'Name' }).fill(to);
  await press('{Enter}');
}
