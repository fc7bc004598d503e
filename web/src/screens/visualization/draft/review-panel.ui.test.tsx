import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { fakeApi, refuses } from '../../../../test/page/fake-api.ts';
import { openApp } from '../../../../test/page/open-app.tsx';
import { draftApi, openDraft } from '../../../../test/page/open-draft.tsx';

const thisMonth = [
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
/** Two of three keywords, and new ones. */
const nextMonth = [
  'Keyword,Volume',
  'red hose,95',
  'blue hose,85',
  'lawn rake,65',
  'leaf rake,55',
  'cat food,35',
  'dog food,25',
  'hoses red,15',
  'chess board,300',
  'chess clock,200',
].join('\n');

const open = () => openDraft(nextMonth, { updateOf: thisMonth });
const shows = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible();
const button = (name: string) => page.getByRole('button', { name });
const focus = (name: string) => (button(name).element() as HTMLElement).focus();
const press = (keys: string) => userEvent.keyboard(keys);

/** The rows of a review list. */
const lists = (list: string, names: readonly string[]) =>
  expect
    .poll(() =>
      page
        .getByRole('list', { name: list })
        .getByRole('listitem')
        .elements()
        .map((row) => row.querySelector('bdi')?.textContent),
    )
    .toEqual(names);

// Shows P22.9.
test('an update is reviewed by keyboard: accept, send to the strays, keep what is gone, undo', async () => {
  const server = await open();
  await shows('3 new · 3 gone');
  const added = page.getByRole('tab', { name: /^New \d/ });
  await expect.element(added).toHaveAttribute('aria-selected', 'true');
  await lists('New', ['chess board', 'chess clock', 'hoses red']);

  focus('Accept chess board');
  await press('{Enter}');
  await shows('Accepted 1.');
  await shows('2 new · 3 gone');
  await lists('New', ['chess clock', 'hoses red']);
  // The next row has the focus.
  await expect.element(button('Accept chess clock')).toHaveFocus();
  await press('{Shift>}{Tab}{/Shift}');
  await expect.element(button('Send chess clock to the strays')).toHaveFocus();

  focus('Send hoses red to the strays');
  await press('{Enter}');
  await shows('Sent 1 keyword to the strays.');
  await shows('1 new · 3 gone');

  (added.element() as HTMLElement).focus();
  await press('{End}');
  await lists('Gone', ['long hose', 'steel rake', 'bird food']);
  focus('Keep steel rake with last month’s figures');
  await press('{Enter}');
  await shows("Kept 1 keyword with last month's figures.");
  await shows('1 new · 2 gone');
  await press('{Control>}z{/Control}');
  await shows('Undone.');
  await shows('1 new · 3 gone');
  await button('Let all go').click();
  await shows('Accepted 3.');
  await shows(/None are left\.$/);

  await added.click();
  await button('Accept all').click();
  await shows('Everything is reviewed.');
  await openApp(`/visualization?draft=${server.draft().id}`, { as: 'admin', api: await server.apiNow() });
  await shows('Everything is reviewed.');
});

test('a keyword is shown on the map, and what is selected is moved', async () => {
  await open();
  await page.getByRole('button', { name: 'hoses red', exact: true }).click();
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect.element(details.getByRole('heading', { name: 'hoses red' })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select chess board' }).click();
  await page.getByRole('checkbox', { name: 'Select chess clock' }).click();
  await shows('2 selected');
  const selection = page.getByRole('region', { name: 'Selection' });
  await selection.getByRole('button', { name: 'Move', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Move 2 selected to' });
  await dialog.getByRole('button', { name: /^Pets/ }).click();
  await shows('Moved 2 keywords to Pets.');
  await shows('1 new · 3 gone');
});

test('why a keyword cannot be shown on the map is said', async () => {
  await open();
  await shows('3 new · 3 gone');
  fakeApi({ 'visualizations.locate': refuses('request/not-found') });
  await page.getByRole('button', { name: 'hoses red', exact: true }).click();
  await shows('Nothing is here.');
});

test.each(['light', 'dark'] as const)('it has no accessibility findings in the %s theme', async (theme) => {
  const server = await draftApi(nextMonth, {}, thisMonth);
  const path = `/visualization?draft=${server.draft().id}&t=${theme}`;
  await openApp(path, { as: 'admin', api: server.api });
  const panel = page.getByRole('complementary', { name: 'Review' });
  await expect.element(panel.getByText('chess board', { exact: true })).toBeVisible();
  expect(await violations(panel.element())).toEqual([]);
  // On a phone it opens as a sheet.
  await page.viewport(390, 844);
  await openApp(path, { as: 'admin', api: server.api });
  await button('Review').click();
  const sheet = page.getByRole('dialog', { name: 'Review' });
  await expect.element(sheet.getByText('chess board', { exact: true })).toBeVisible();
  expect(await violations(sheet.element())).toEqual([]);
  await page.viewport(1440, 900);
});
