import { addressOf } from '@kc/pack/plan/node-paths';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { chat } from '../../../../test/page/garden.ts';
import { focus, follow, isGone, line, pressInPicture, shows } from '../../../../test/page/in-explorer.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

const owner = page.getByRole('combobox', { name: 'Owner', exact: true });
const option = (name: string) => page.getByRole('option', { name });
const hint = page.getByText('Has an account here, and is told by mail.');
const press = (keys: string) => userEvent.keyboard(keys);

/** Opens the fields of an entry that was just planned. */
async function openEntry(): Promise<void> {
  await openExplorer(chat, { search: `?panel=plan&sel=${addressOf('chat', [['Bots', 0]])}` });
  await pressInPicture('x');
  await expect.element(owner).toBeVisible();
}

// Shows P24.14.
test('a person is chosen by mouse, and is told by mail unless it is oneself', async () => {
  await openEntry();
  await owner.click();
  await expect.element(option('Bob Miller')).toBeVisible();
  expect(await violations(page.getByRole('listbox', { name: 'Owners' }).element())).toEqual([]);
  await option('Bob Miller').click();
  await expect.element(owner).toHaveValue('Bob Miller');
  await expect.element(hint).toBeVisible();
  await owner.click();
  await option('Ann · you').click();
  await expect.element(owner).toHaveValue('Ann');
  await isGone(hint);
  await page.getByRole('button', { name: 'History' }).click();
  await shows('Owner: Bob Miller → Ann');
});

// Shows P24.14.
test('by keyboard: a part of the name, the arrow and Enter', async () => {
  await openEntry();
  await focus(owner);
  await press('mill');
  await expect.element(option('Bob Miller')).toBeVisible();
  await isGone(option('Ann · you'));
  await press('{ArrowDown}{Enter}');
  await expect.element(owner).toHaveValue('Bob Miller');
  await expect.element(hint).toBeVisible();
});

test('any other text is kept, is offered for other entries, and is cleared', async () => {
  await openEntry();
  await owner.fill('Lena');
  await press('{Enter}');
  await expect.element(owner).toHaveValue('Lena');
  await isGone(hint);
  await line('Mail').click();
  await pressInPicture('x');
  await expect.element(owner).toHaveValue('');
  await owner.click();
  await option('Lena · no account').click();
  await expect.element(owner).toHaveValue('Lena');
  await owner.fill('');
  await press('{Tab}');
  await expect.element(owner).toHaveValue('');
  expect(page.getByText('Owner: Lena').elements()).toEqual([]);
});

test('a name that one person has means them, and Escape takes back what was typed', async () => {
  await openEntry();
  await owner.fill('bob miller');
  await press('{Enter}');
  await expect.element(owner).toHaveValue('Bob Miller');
  await expect.element(hint).toBeVisible();
  await owner.fill('Nobody knows');
  await press('{Escape}');
  await expect.element(owner).toHaveValue('Bob Miller');
});

test('in the list of the plan, and for several entries at once', async () => {
  await openEntry();
  await line('Mail').click();
  await pressInPicture('x');
  await follow('?view=table&level=plan');
  const list = page.getByRole('grid', { name: 'Plan of chat' });
  await focus(list);
  await press('{F2}{Escape}{ArrowRight}{Enter}');
  const cell = page.getByRole('combobox', { name: 'Owner of Bots' });
  await expect.element(cell).toHaveFocus();
  await cell.fill('bob');
  await option('Bob Miller').click();
  const ofBots = (name: string) => list.getByRole('row', { name: /Bots/ }).getByText(name, { exact: true });
  await expect.element(ofBots('Bob Miller')).toBeVisible();
  await press('{Enter}');
  await cell.fill('ann');
  await expect.element(option('Ann · you')).toBeVisible();
  await press('{ArrowDown}{Enter}');
  await expect.element(ofBots('Ann')).toBeVisible();
  await press('{Enter}');
  await cell.fill('Lena');
  await press('{Enter}');
  await expect.element(ofBots('Lena')).toBeVisible();
  await press('{Control>}a{/Control}');
  await page.getByRole('button', { name: 'Set…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set fields of 2 entries' });
  await dialog.getByRole('combobox', { name: 'New owner' }).click();
  await option('Ann · you').click();
  await dialog.getByRole('checkbox', { name: 'Status' }).click();
  await dialog.getByRole('button', { name: 'Set owner of 2 entries' }).click();
  await expect.element(list.getByRole('row', { name: /Bots/ }).getByText('Ann', { exact: true })).toBeVisible();
  await expect.element(list.getByRole('row', { name: /Mail/ }).getByText('Ann', { exact: true })).toBeVisible();
});
