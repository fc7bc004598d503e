import type { Page } from 'playwright-core';
import type { Screen } from './screen-steps.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const saved = [
  { id: 'a', name: 'Plants by difficulty', state: 'view=sunburst&color=difficulty' },
  { id: 'b', name: 'A name that is as long as only somebody writes who never reads it again', state: '' },
];
const keep = (page: Page, views: readonly object[]) =>
  page.route('**/api/visualizations/*/views', (route) => route.fulfill({ json: views }));

/** The current view, with which a presentation starts. */
async function present(page: Page, views: readonly object[], says: RegExp): Promise<void> {
  await keep(page, views);
  // A full-screen window cannot be resized.
  await page.evaluate('document.documentElement.requestFullscreen = undefined');
  await page.getByRole('application').focus();
  await page.keyboard.press('p');
  await page
    .getByRole('region', { name: /^Presentation/ })
    .getByText(says)
    .waitFor();
}

/** The saved views of a user, the report of a view, and what selects in Opportunity. */
export const savedScreens: readonly Omit<Screen, 'as'>[] = [
  {
    name: 'selection in Opportunity',
    path: '/visualization?v=sample&view=opportunity&level=keywords',
    open: async (page) => {
      await page.getByRole('application').waitFor();
      await press(page, 'Select by values…');
      await press(page, 'Select');
      await page.getByRole('toolbar', { name: 'Selection' }).waitFor();
    },
    overlay: true,
  },
  {
    name: 'select by values',
    path: '/visualization?v=sample&view=opportunity&level=keywords',
    open: async (page) => {
      await page.getByRole('application').waitFor();
      await press(page, 'Select by values…');
      await page
        .getByRole('dialog')
        .getByText(/keywords · volume/)
        .waitFor();
    },
    overlay: true,
  },
  {
    name: 'report',
    path: '/visualization?v=sample',
    open: async (page) => {
      await page.getByRole('application').waitFor();
      await press(page, 'Share');
      await page.getByRole('menuitem', { name: 'Print report…' }).click();
      await page.getByRole('button', { name: 'Print', exact: true }).waitFor();
    },
    overlay: true,
  },
  {
    name: 'saved views, none yet',
    path: '/visualization?v=sample',
    open: async (page) => {
      await keep(page, []);
      await page.getByRole('application').waitFor();
      await press(page, 'Save view');
      await page.getByText(/^No view of these data is saved yet/).waitFor();
    },
    overlay: true,
  },
  {
    name: 'saved views, one changed',
    path: '/visualization?v=sample',
    open: async (page) => {
      await keep(page, saved);
      await page.getByRole('application').waitFor();
      await press(page, 'Save view');
      await press(page, 'Rename or move: Plants by difficulty');
      await page.getByRole('textbox', { name: 'New name of Plants by difficulty' }).waitFor();
    },
    overlay: true,
  },
  {
    name: 'saved views among the visualizations',
    path: '/visualization?v=sample',
    open: async (page) => {
      await keep(page, saved);
      await page.getByRole('application').waitFor();
      await page.getByRole('heading', { level: 1 }).getByRole('button').click();
      await page.getByRole('link', { name: 'Plants by difficulty' }).waitFor();
    },
    overlay: true,
  },
  {
    name: 'presentation',
    path: '/visualization?v=sample',
    open: async (page) => {
      await present(page, saved, /^2 of 2/);
    },
    overlay: true,
  },
  {
    name: 'presentation of nothing',
    path: '/visualization?v=sample',
    open: (page) => present(page, [], /^No view is saved yet/),
    overlay: true,
  },
];
