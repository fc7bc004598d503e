import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { fakeApi, gate, refuse } from '../../../../test/page/fake-api.ts';
import { button, goTo, grouped, hasRow, isCurrent, lacksRow, press, rename } from '../../../../test/page/in-draft.ts';
import { openDraft } from '../../../../test/page/open-draft.tsx';

const shows = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible();

// Shows P22.2.
test('a selection is named anew by keyboard, after the best keyword or phrase', async () => {
  const { api } = await openDraft(grouped);
  await goTo('Hoses');
  await press(' ');
  await goTo('Rakes');
  await press(' ');
  await press('en');
  const dialog = page.getByRole('dialog', { name: 'Name 2 selected by' });
  await expect.element(dialog.getByRole('button', { name: /^Keyword/ })).toBeVisible();
  expect(await violations()).toEqual([]);
  (dialog.getByRole('button', { name: /^Keyword/ }).element() as HTMLElement).focus();
  await press('{Enter}');
  await shows('Named 2 clusters anew.');
  expect(api['drafts.operate'].mock.lastCall?.[0].operation).toMatchObject({ kind: 'name', by: 'keyword' });
  await hasRow(/^red hose.*, locked/);
  await hasRow(/^lawn rake.*, locked/);

  await goTo('lawn rake');
  (page.getByRole('application').element() as HTMLElement).focus();
  await press('{Shift>}{F10}{/Shift}');
  await page.getByRole('menuitem', { name: 'New name' }).click();
  await page
    .getByRole('dialog', { name: 'Name lawn rake by' })
    .getByRole('button', { name: /^Phrase What/ })
    .click();
  await shows('Named rake.');
  await isCurrent(/^rake/);
});

// Shows P22.2.
test('a new name is shown before the server answers, and the old one again if it refuses', async () => {
  const { api } = await openDraft(grouped);
  await goTo('Rakes');
  const request = gate();
  fakeApi({
    'drafts.operate': async () => {
      await request.opened;
      return refuse('draft/name-taken');
    },
  });
  await rename('Tools');
  await hasRow(/^Tools/);
  await lacksRow(/^Rakes/);
  const dialog = page.getByRole('dialog', { name: 'Rename' });
  await expect.element(dialog).not.toBeInTheDocument();
  request.open();
  await hasRow(/^Rakes/);
  await lacksRow(/^Tools/);
  fakeApi({ 'drafts.operate': api['drafts.operate'] });
  await button('Edit the name').click();
  const field = dialog.getByRole('textbox', { name: 'Name' });
  await expect.element(field).toHaveValue('Tools');
  await expect.element(field).toHaveAccessibleDescription('Another cluster here has this name. Choose another one.');
  await press('{End} 2{Enter}');
  await shows('Renamed to Tools 2.');
});

// Shows P22.2.
test('a name that is refused stays in its dialog with the reason, and can be changed there', async () => {
  await openDraft(grouped);
  const field = page.getByRole('dialog').getByRole('textbox', { name: /^(Name|New pillar topic)$/ });
  const isRefused = async (name: string, reason: string) => {
    await field.fill(name);
    await press('{Enter}');
    await expect.element(field).toHaveAccessibleDescription(reason);
    await expect.element(field).toHaveValue(name);
    await expect.element(field).toHaveFocus();
    expect(await violations(page.getByRole('dialog').element())).toEqual([]);
  };
  const closes = () => expect.element(page.getByRole('dialog')).not.toBeInTheDocument();

  await goTo('Rakes');
  await press('{F2}');
  await isRefused('Hoses', 'Another cluster here has this name. Choose another one.');
  await isRefused(' ', 'Enter a name.');
  await field.fill('Tools');
  await press('{Enter}');
  await closes();
  await shows('Renamed to Tools.');

  await goTo('Pets');
  await press('{F2}');
  await isRefused('Garden', 'A pillar topic with this name exists. Choose another name.');
  await press('{Escape}');
  await closes();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();

  await goTo('Food');
  await press('ev');
  for (const name of ['', ' ']) await isRefused(name, 'Enter a name.');
  await isRefused('Garden', 'A pillar topic with this name exists. Choose another name.');
  await field.fill('Kitchen');
  await press('{Enter}');
  await closes();
  await shows('Moved 3 keywords to Kitchen.');
});
