import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { garden } from '../../test/page/garden.ts';
import {
  addressSays,
  details,
  focus,
  inAddress,
  isGone,
  outline,
  picture,
  pressInPicture,
  reload,
} from '../../test/page/in-explorer.ts';
import { openExplorer } from '../../test/page/open-explorer.tsx';

const press = (keys: string) => userEvent.keyboard(keys);

// Shows P17.3.
test('letters that act by themselves can be switched off, for good on this machine', async () => {
  await openExplorer(garden);
  await pressInPicture('?');
  await page.getByRole('switch', { name: 'Keys without ⌘ or Ctrl' }).click();
  await press('{Escape}');
  await reload();
  await pressInPicture('?t{ArrowDown}');
  await addressSays('sel', /^[0-9a-f]{16}$/);
  expect(inAddress('view')).toBeNull();
  await isGone(page.getByRole('dialog'));
});

test('a screen reader is told where the arrow keys lead in the picture, what a filter keeps and what a search found', async () => {
  await openExplorer(garden);
  const says = (text: string | RegExp) =>
    expect
      .poll(() =>
        page
          .getByRole('status')
          .elements()
          .map((status) => status.textContent!.trim()),
      )
      .toContainEqual(expect.stringMatching(text));
  await pressInPicture('{ArrowDown}');
  await says(/^Plants, pillar topic, level 2, 1 of 3, 4 keywords, expanded$/);
  await press('{ArrowDown}');
  await says(/^Roses, cluster, level 3, 1 of 2, 3 keywords, (?:collapsed|expanded)$/);
  await press('f');
  await expect.element(page.getByLabelText('Contains', { exact: true })).toBeVisible();
  await page.getByLabelText('Contains', { exact: true }).fill('spade');
  await says(/^3 of 11 keywords kept$/);
  await press('{Escape}');
  await isGone(page.getByRole('complementary', { name: 'Filter' }));
  await page.getByRole('combobox', { name: 'Search keywords' }).fill('spade');
  await says(/^4 matches$/);
  await press('{Enter}');
  await says(/^1 of 4\. .+, level \d, .+ keywords?/);
});

test('the picture is named after the branch that it shows', async () => {
  await openExplorer(garden);
  const isNamed = (name: RegExp) => expect.element(page.getByRole('application', { name })).toBeVisible();
  await isNamed(/^Treemap of Garden, 11 keywords\./);
  await pressInPicture('{ArrowDown}{Enter}');
  await isNamed(/^Treemap of Plants, 4 keywords\./);
  await page.getByRole('radio', { name: 'Opportunity', exact: true }).click({ force: true });
  await isNamed(/^Opportunity of Plants: /);
  await pressInPicture('{Escape}');
  await isNamed(/^Opportunity of Garden: /);
});

// Shows P17.5.
test('the keyboard is never lost: whatever goes away, something on the screen has it', async () => {
  await openExplorer(garden, { search: '?f=has-spade' });
  const isHeld = (after: string) =>
    expect.poll(() => document.activeElement !== document.body, { message: after }).toBe(true);
  const chip = page.getByRole('button', { name: 'Remove filter: Contains “spade”' });
  await focus(chip);
  await press('{Enter}');
  await isGone(chip);
  await isHeld('the last filter was taken away');

  await focus(outline);
  await press('[[');
  await isGone(outline);
  await isHeld('the outline was hidden');
  await press('{Enter}');
  await expect.element(outline).toBeVisible();
  await isHeld('the outline was shown');
  await focus(outline);
  await press('{ArrowDown}{ArrowLeft}');
  await isHeld('a branch was closed');

  await focus(details.getByRole('button', { name: 'Show the list' }));
  await press('{Enter}');
  const list = details.getByRole('listbox', { name: /^All keywords of / });
  await expect.element(list.getByRole('option').first()).toBeVisible();
  await focus(list);
  await press('{End}{Enter}');
  await isGone(list);
  await isHeld('a keyword was opened');
  await focus(details.getByRole('button', { name: 'Hide the details' }));
  await press('{Enter}');
  await isGone(details);
  await isHeld('the details were hidden');
  await press(']');
  await expect.element(details).toBeVisible();
  await isHeld('the details were shown');

  for (const [keys, opened] of [
    ['{Shift>}{F10}{/Shift}', page.getByRole('menu').first()],
    ['f', page.getByRole('complementary', { name: 'Filter' })],
    ['{Control>}{Shift>}e{/Shift}{/Control}', page.getByRole('menu', { name: 'Share' })],
    ['?', page.getByRole('dialog', { name: 'Keyboard shortcuts' })],
    ['{Control>}k{/Control}', page.getByRole('combobox', { name: 'What to do' })],
  ] as const) {
    await pressInPicture(keys);
    await expect.element(opened).toBeVisible();
    await isHeld(`${keys} opened something`);
    await press('{Escape}');
    await isGone(opened);
    await isHeld(`what ${keys} opened was closed`);
  }
  await focus(picture);
  for (const [keys, role] of [
    ['v7', 'treegrid'],
    ['v5', 'application'],
    ['v1', 'application'],
    ['{Alt>}7{/Alt}', 'treegrid'],
    ['{Alt>}1{/Alt}', 'application'],
  ] as const) {
    await press(keys);
    await expect.element(page.getByRole(role)).toBeVisible();
    await isHeld(`${keys} chose a view`);
  }
  await focus(outline);
  await press('{End}');
  history.back();
  await isHeld('somebody went back');
});
