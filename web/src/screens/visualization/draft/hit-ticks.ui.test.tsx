import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { button, grouped, hasRow, press } from '../../../../test/page/in-draft.ts';
import { openDraft } from '../../../../test/page/open-draft.tsx';
import { isMac } from '../../../ui/keys.ts';
import { addressOf } from './select-matches.ts';

const shows = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible();

// Shows P22.2.
test('what the search finds is selected, excluded and brought back', async () => {
  await openDraft(grouped);
  await page.getByRole('combobox', { name: 'Search keywords' }).fill('rake');
  await expect.element(button('Select all 4 matches')).toBeVisible();
  await press('{Escape}');
  await page.getByRole('combobox', { name: 'Search keywords' }).fill('leaf rake');
  await button('Select all 1 match').click();
  await shows('1 selected');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Exclude' }).click();
  await shows('Excluded 1 keyword.');
  await button('Excluded (1)').click();
  await button(/^Restore.*leaf rake$/).click();
  await shows('Restored 1 keyword.');
});

// Shows P22.2.
test('matches are selected one by one in the list of the search, by mouse and by keyboard, without an outline too', async () => {
  const { api } = await openDraft(grouped);
  const search = page.getByRole('combobox', { name: 'Search keywords' });
  const match = (name: string) =>
    page.getByRole('listbox', { name: 'Matches' }).getByRole('option', { name: new RegExp(`^${name}`) });
  await search.fill('rake');
  await expect.element(match('leaf rake')).toHaveAttribute('aria-checked', 'false');
  await shows(/Enter goes there · .* Enter selects/);
  (match('leaf rake').element().querySelector('[data-tick]') as HTMLElement).click();
  await expect.element(match('leaf rake')).toHaveAttribute('aria-checked', 'true');
  await hasRow(/^tools/);
  await shows('1 selected');
  await button('Hide the outline').click();
  await shows('1 selected');

  (search.element() as HTMLElement).focus();
  await expect.element(match('Rakes')).toHaveAttribute('aria-selected', 'true');
  const addKey = isMac ? 'Meta' : 'Control';
  await press(`{ArrowDown}{${addKey}>}{Enter}{/${addKey}}`);
  await shows('2 selected');
  await match('steel rake').click({ modifiers: [addKey] });
  await shows('3 selected');
  await press(`{${addKey}>}{Enter}{/${addKey}}`);
  await expect.element(match('steel rake')).toHaveAttribute('aria-checked', 'false');
  expect(await violations()).toEqual([]);
  await press('{Escape}');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Move' }).click();
  await page
    .getByRole('dialog', { name: 'Move 2 selected to' })
    .getByRole('button', { name: /^Hoses/ })
    .click();
  await shows('Moved 2 keywords to Hoses.');
  const nodes = ['leaf rake', 'lawn rake'].map((name) => addressOf(['tools', 'Garden', 'Rakes', name]));
  expect(api['drafts.operate'].mock.lastCall?.[0].operation).toMatchObject({ nodes });
});
