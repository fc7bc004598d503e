import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { garden } from '../../../../test/page/garden.ts';
import { addressSays, focus, isGone, pressInPicture, reload, shows } from '../../../../test/page/in-explorer.ts';
import { middleOf, mouse } from '../../../../test/page/mouse.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';
import { savedViews } from '../../../../test/page/saved-texts.ts';

const chart = (view: string) => page.getByRole('application', { name: new RegExp(`^${view} of`) });
const draws = (view: string) => expect.element(chart(view)).toBeVisible();
const dialog = page.getByRole('dialog', { name: 'Saved views' });
const openers = () => [...dialog.element().querySelectorAll<HTMLElement>('[data-open]')];
const listed = (names: readonly string[]) =>
  expect.poll(() => openers().map((one) => one.innerText.replace(/^\d+\s*/, '').trim())).toEqual(names);
const announces = (text: string | RegExp) =>
  expect
    .poll(
      () =>
        page
          .getByRole('region', { name: /^Presentation/ })
          // Before it is the place for messages.
          .getByRole('status')
          .last()
          .query()?.textContent ?? '',
    )
    .toMatch(text);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const press = (keys: string) => userEvent.keyboard(keys);

/** Saves the view by the shortcut in the chart. */
async function saveByKey(name?: string): Promise<string> {
  await pressInPicture('{Shift>}s{/Shift}');
  const field = page.getByRole('textbox', { name: 'Save this view as' });
  await expect.element(field).toBeVisible();
  if (name !== undefined) await field.fill(name);
  const saved = (field.element() as HTMLInputElement).value;
  await focus(field);
  await press('{Enter}');
  await shows(`“${saved}” saved`);
  await press('{Escape}');
  await isGone(dialog);
  return saved;
}

// Shows P16.5, P16.6.
test('two views are saved with keys, restored after a reload, stepped through, and one is deleted and undone', async () => {
  const { api, views } = savedViews();
  await openExplorer(garden, { search: '?view=sunburst&color=difficulty', api });
  await draws('Sunburst');
  const first = await saveByKey();
  expect(first).toBe('Garden – Sunburst, colour by difficulty');
  await page.getByRole('radio', { name: 'Icicle' }).click({ force: true });
  await draws('Icicle');
  await saveByKey('Everything in a row');

  history.replaceState(undefined, '', '/visualization');
  await reload();
  await draws('Treemap');
  await pressInPicture('p');
  await announces(`1 of 2 · ${first}`);
  await draws('Sunburst');
  // Nothing else is reachable: neither the header nor the bars.
  await expect.poll(() => page.getByRole('banner').query()).toBeNull();
  await isGone(button('Share'));
  await press('{ArrowRight}');
  await announces('2 of 2 · Everything in a row');
  await draws('Icicle');
  await press('{ArrowRight}{ArrowLeft}');
  await announces(`1 of 2 · ${first}`);
  await press(' ');
  await announces('2 of 2 · Everything in a row');
  await press('{Escape}');
  await expect.element(page.getByRole('banner')).toBeVisible();
  await expect.element(page.getByRole('application')).toHaveFocus();
  await addressSays('view', 'icicle');
  // The whole presentation is one history entry.
  history.back();
  await draws('Treemap');

  await button('Save view').click();
  await listed([first, 'Everything in a row']);
  await button(`Delete: ${first}`).click();
  await listed(['Everything in a row']);
  await expect.poll(() => document.activeElement?.hasAttribute('data-open')).toBe(true);
  await button('Undo').click();
  await shows(`“${first}” is back`);
  await expect
    .poll(() => views().map(({ name, state }) => [name, state]))
    .toEqual([
      [first, 'view=sunburst&color=difficulty'],
      ['Everything in a row', expect.stringContaining('view=icicle')],
    ]);
});

test('views are reordered with keys and by dragging, renamed, and opened from everywhere', async () => {
  const { api, views } = savedViews(
    { name: 'One', state: 'view=tree' },
    { name: 'Two', state: 'view=bubbles&color=volume' },
    { name: 'Three', state: 'view=icicle' },
  );
  await openExplorer(garden, { api });
  await draws('Treemap');
  await button('Save view').click();
  await listed(['One', 'Two', 'Three']);
  openers()[0]!.focus();
  await press('{Alt>}{ArrowDown}{/Alt}');
  await listed(['Two', 'One', 'Three']);
  const grips = page.getByTitle('Drag to another place').elements();
  await mouse.drag([middleOf(grips[2]!), middleOf(grips[0]!)], { steps: 4 });
  await listed(['Three', 'Two', 'One']);
  openers()[1]!.focus();
  await press('{F2}');
  await page.getByRole('textbox', { name: 'New name of Two' }).fill('By volume');
  await press('{Enter}');
  await listed(['Three', 'By volume', 'One']);
  await expect.poll(() => views().map(({ name }) => name)).toEqual(['Three', 'By volume', 'One']);
  openers()[1]!.click();
  await draws('Bubbles');
  await addressSays('view', 'bubbles');
  await addressSays('color', 'volume');

  await isGone(page.getByRole('dialog'));
  await button('My Visualizations').click();
  await page.getByRole('link', { name: 'One', exact: true }).click();
  await draws('Tree');
  await isGone(page.getByRole('dialog'));
  await press('{Control>}k{/Control}');
  await page.getByRole('combobox', { name: 'What to do' }).fill('three');
  await page.getByRole('option', { name: 'Three', exact: true }).click();
  await draws('Icicle');
  await isGone(page.getByRole('dialog'));
  await press('{Control>}k{/Control}');
  await page.getByRole('combobox', { name: 'What to do' }).fill('save this view');
  await page.getByRole('option', { name: 'Save this view', exact: true }).click();
  await shows('Saved already as “Three”');
});

test('the keyboard stays where a deleted view was', async () => {
  const { api } = savedViews(
    { name: 'One', state: 'view=tree' },
    { name: 'Two', state: 'view=bubbles' },
    { name: 'Three', state: 'view=icicle' },
  );
  await openExplorer(garden, { api });
  await draws('Treemap');
  await button('Save view').click();
  await listed(['One', 'Two', 'Three']);
  openers()[1]!.focus();
  await press('{Delete}');
  await listed(['One', 'Three']);
  await expect.poll(() => openers().indexOf(document.activeElement as HTMLElement)).toBe(1);
});

test('without any, a presentation says what to do, and keys of hidden parts do nothing', async () => {
  await openExplorer(garden);
  await pressInPicture('p');
  await announces(/^No view is saved yet/);
  for (const key of ['{ArrowRight}', ' ', 'v', '3', '[[', 'f', '{Shift>}s{/Shift}']) await press(key);
  await button('Leave').click();
  await expect.element(page.getByRole('complementary', { name: 'Outline' })).toBeVisible();
  await draws('Treemap');
  await isGone(page.getByRole('dialog'));
});
