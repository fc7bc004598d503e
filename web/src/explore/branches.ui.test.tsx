import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../test/page/axe.ts';
import { garden } from '../../test/page/garden.ts';
import { addressSays, inAddress, isGone, picture, pressInPicture, reload } from '../../test/page/in-explorer.ts';
import { openExplorer } from '../../test/page/open-explorer.tsx';
import { toPhone } from '../../test/page/window.ts';

const view = (name: string) => page.getByRole('radio', { name, exact: true });
const press = (keys: string) => userEvent.keyboard(keys);

/** The path above the chart. */
const crumbs = () =>
  [
    ...page
      .getByRole('navigation', { name: 'Path' })
      .element()
      .querySelectorAll('li:not([aria-hidden]) button:not([aria-label]) > span:first-child'),
  ].map((crumb) => crumb.textContent);

test('a double click and the keyboard open a branch, Escape goes up, and the address follows', async () => {
  await openExplorer(garden);
  const { width, height } = picture.element().getBoundingClientRect();
  await picture.dblClick({ position: { x: width * 0.3, y: height * 0.4 } });
  await addressSays('n', /^[0-9a-f]{16}$/);
  await expect.poll(() => crumbs()[1]).toMatch(/^(Plants|Tools|Watering)$/);
  for (const _level of crumbs().slice(1)) await pressInPicture('{Escape}');
  await addressSays('n', null);
  await press('{ArrowDown}{Enter}');
  await addressSays('n', /^[0-9a-f]{16}$/);
  await expect.poll(() => crumbs()[1]).toMatch(/^(Plants|Tools|Watering)$/);
  history.back();
  await addressSays('n', null);
});

// Shows P14.2.
test('Tree and Table show the same branch, and a reload restores it', async () => {
  await openExplorer(garden);
  await pressInPicture('{ArrowDown}{Enter}');
  await addressSays('n', /^[0-9a-f]{16}$/);
  await expect.poll(crumbs).toEqual(['Garden', 'Plants']);
  await view('Tree').click({ force: true });
  await expect.element(page.getByRole('application', { name: /^Tree of Plants/ })).toBeVisible();
  expect(crumbs()).toEqual(['Garden', 'Plants']);
  await view('Table').click({ force: true });
  await expect.element(page.getByRole('treegrid')).toBeVisible();
  await addressSays('view', 'table');
  const branch = inAddress('n');
  await reload();
  await expect.element(page.getByRole('treegrid')).toBeVisible();
  await expect.poll(crumbs).toEqual(['Garden', 'Plants']);
  expect([inAddress('n'), inAddress('view')]).toEqual([branch, 'table']);
});

// Shows P15.11.
test('a search finds a keyword, and the details show every field that the file has', async () => {
  await openExplorer(garden);
  await page.getByRole('combobox', { name: 'Search keywords' }).fill('how to sharpen');
  await expect.element(page.getByRole('option', { name: /how to sharpen a spade/ }).first()).toBeVisible();
  await press('{Enter}');
  const about = page.getByRole('region', { name: 'All about the selection' });
  await expect.element(about.getByRole('heading', { name: 'how to sharpen a spade' })).toBeVisible();
  const terms = () =>
    about
      .getByRole('term')
      .elements()
      .map((term) => term.textContent!.toLowerCase());
  for (const field of ['volume', 'difficulty', 'intent']) {
    await expect.poll(terms).toContainEqual(expect.stringContaining(field));
  }
});

// Shows P14.22.
test('on a phone the half-open sheet shows figures', async () => {
  await toPhone();
  await openExplorer(garden);
  await page.getByRole('button', { name: 'Open the sheet further' }).click();
  const sheet = page.getByRole('tabpanel', { name: 'Detail' });
  for (const name of ['Keywords', 'Volume a month', 'Difficulty']) {
    const figure = sheet.getByText(name, { exact: true });
    await expect.element(figure).toBeVisible();
    const end = () => figure.element().closest('div')!.getBoundingClientRect().bottom;
    await expect.poll(end, { message: name }).toBeLessThan(innerHeight);
  }
  expect(await violations()).toEqual([]);
});

// Shows P14.22.
test('the details of a branch show their figures first, and their menu opens it in the Tree', async () => {
  await openExplorer(garden);
  await pressInPicture('{ArrowDown}');
  const about = page.getByRole('region', { name: 'All about the selection' });
  const figure = (name: string) =>
    about.getByText(name, { exact: true }).element().closest('dt')?.nextElementSibling?.textContent;
  await expect.element(about.getByText('Nodes below', { exact: true })).toBeVisible();
  await expect.poll(() => [figure('Level'), figure('Nodes below')]).toEqual(['1', '6']);
  // The figures come first, then what can be done: one button, and a menu.
  const add = about.getByRole('button', { name: 'Add to plan' });
  const more = about.getByRole('button', { name: 'More actions' });
  await expect.element(add).toBeVisible();
  expect(about.getByText('Nodes below', { exact: true }).element().compareDocumentPosition(add.element())).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  );
  await more.click();
  const item = (name: string) => page.getByRole('menuitem', { name });
  await expect.element(item('Export branch')).toBeVisible();
  for (const name of ['Focus here', 'Compare', 'Copy keywords', 'Copy link'])
    await expect.element(item(name)).toBeVisible();
  expect(await violations()).toEqual([]);
  await item('Open in Tree').click();
  await addressSays('view', 'tree');
  expect(inAddress('n')).not.toBeNull();
  await more.click();
  await expect.element(item('Export branch')).toBeVisible();
  await isGone(item('Open in Tree'));
});
