import type { Page } from 'playwright-core';
import { administration } from './admin-screens.ts';
import { savedScreens } from './saved-screens.ts';
import { answer, errorOf, heading, personMenu, press, type Screen, text } from './screen-steps.ts';

async function editName(page: Page, wide: boolean): Promise<void> {
  await personMenu(page, wide);
  await page.getByRole(wide ? 'menuitem' : 'button', { name: 'Edit name' }).click();
  await page.getByLabel('Full name').fill(' ');
  await page.keyboard.press('Enter');
  await page.getByText('Please enter your full name').waitFor();
}

async function signUpWithError(page: Page): Promise<void> {
  await press(page, 'Sign up');
  await page.getByLabel('Full name').fill('Ann');
  await page.getByLabel('Email address').fill('ann@example.com');
  await page.getByLabel('Password', { exact: true }).fill('rakes and ladders');
  await page.getByLabel('Confirm Password', { exact: true }).fill('rakes');
  await page.keyboard.press('Enter');
  await errorOf(page);
}

const signedOut: readonly Omit<Screen, 'as'>[] = [
  {
    name: 'sign-in',
    texts: '§2 Login screen, sign-in',
    contrast: 'sky',
    path: '/login',
    open: heading('Keyword Clustering'),
  },
  {
    name: 'sign-in with an error',
    path: '/login',
    open: async (page) => {
      await press(page, 'Sign in');
      await errorOf(page);
    },
  },
  { name: 'sign-up with an error', texts: '§2 Login screen, sign-up', path: '/login', open: signUpWithError },
  {
    name: 'forgot password',
    path: '/login',
    open: async (page) => {
      await press(page, 'Forgot password');
      await press(page, 'Send a link');
      await errorOf(page);
    },
  },
  {
    name: 'claim',
    alone: true,
    path: '/claim#token',
    prepare: (page) => answer(page, '**/api/claim/read', { email: 'admin@example.com' }),
    open: (page) => page.getByLabel('Confirm Password', { exact: true }).waitFor(),
  },
  { name: 'spent claim link', path: '/claim#none', open: text('Go to sign in') },
  {
    name: 'new password',
    alone: true,
    path: '/reset-password#token',
    prepare: (page) => answer(page, '**/api/reset-password/read', { email: 'ann@example.com', minPasswordLength: 6 }),
    open: (page) => page.getByLabel('New password', { exact: true }).waitFor(),
  },
  { name: 'spent reset link', path: '/reset-password#none', open: text('Go to sign in') },
  {
    name: 'confirm email',
    path: '/verify-email#none',
    open: (page) => page.getByRole('button', { name: 'Sign in and confirm' }).waitFor(),
  },
  {
    name: 'admin check, signed out',
    texts: '§2 Admin check, signed out',
    path: '/admin-check',
    open: text('Please log in to check admin status'),
  },
  { name: 'test page', texts: '§2 Header, signed out', path: '/test', open: text('Reachable') },
  { name: 'the API', path: '/docs', open: heading('HTTP API') },
  { name: 'not found', texts: '§2 Page not found', path: '/attic', open: heading('Page not found') },
  {
    name: 'error screen',
    texts: '§2 Error screen',
    alone: true,
    path: '/test',
    prepare: (page) => page.route('**/assets/test-screen-*.js', (route) => route.abort()),
    open: (page) => page.getByText('Technical details').click(),
  },
];

const signedOutAtGoogle: Omit<Screen, 'as'> = {
  name: 'waiting for Google',
  alone: true,
  path: '/login',
  prepare: async (page) => {
    const session = await page.evaluate<{ server: object }>(`fetch('/api/session').then((answer) => answer.json())`);
    await answer(page, '**/api/session', { ...session, server: { ...session.server, google: true } });
    await page.addInitScript(`window.open = () => ({ closed: false, focus() {}, close() {} })`);
  },
  open: async (page) => {
    await press(page, 'Sign in with Google');
    await page.getByRole('button', { name: 'Waiting for Google...' }).waitFor();
  },
};

const waiting: readonly Screen[] = [
  {
    name: 'pending',
    texts: '§2 Pending page, pending',
    as: 'pending',
    path: '/pending-approval',
    open: heading('Account Pending Approval'),
  },
  { name: 'edit name', as: 'pending', path: '/pending-approval', open: editName, overlay: true },
  {
    name: 'account error',
    texts: '§2 Pending page, error',
    alone: true,
    as: 'pending',
    path: '/pending-approval',
    open: async (page) => {
      await heading('Account Pending Approval')(page);
      await page.route('**/api/session', (route) => route.fulfill({ status: 503, body: '' }));
      await press(page, 'Check Status Now');
      await heading('Account Error')(page);
    },
  },
  {
    name: 'denied',
    texts: '§2 Pending page, denied',
    as: 'denied',
    path: '/access-denied',
    open: heading('Access Denied'),
  },
];

const explorer: readonly Omit<Screen, 'as'>[] = [
  { name: 'empty sky', path: '/visualization', open: heading('Your sky is ready') },
  { name: 'menu', alone: true, path: '/visualization', open: personMenu, overlay: true },
  {
    name: 'Treemap',
    path: '/visualization?v=sample',
    open: (page) => page.getByRole('application').waitFor(),
    overlay: true,
  },
  ...['Bubbles', 'Sunburst', 'Icicle', 'Tree', 'Opportunity'].map((name) => ({
    name,
    path: `/visualization?v=sample&view=${name.toLowerCase()}`,
    open: (page: Page) => page.getByRole('application').waitFor(),
    overlay: true as const,
  })),
  {
    name: 'details of a branch',
    contrast: true,
    path: '/visualization?v=sample',
    open: async (page) => {
      await page.getByRole('treeitem').nth(1).click();
      await page.getByRole('heading', { level: 2 }).first().waitFor();
    },
    overlay: true,
    wideOnly: true,
    tallOnly: true,
  },
  {
    name: 'Table with a score',
    path: '/visualization?v=sample&view=table&level=clusters&score=branch.volume*2',
    open: (page) => page.locator('#edit-score').getByText(', set').waitFor({ state: 'attached' }),
    overlay: true,
  },
  {
    name: 'first steps',
    path: '/visualization?v=sample',
    open: async (page) => {
      await page.getByRole('application').waitFor();
      await press(page, 'Keyboard shortcuts');
      await press(page, 'Show the first steps');
      await page.getByRole('region', { name: 'First steps' }).waitFor();
    },
    overlay: true,
  },
  {
    name: 'loading',
    alone: true,
    path: '/visualization?v=sample',
    prepare: (page) => page.route('**/slice?*', () => undefined),
    open: (page) => page.getByRole('button', { name: 'Cancel' }).waitFor(),
    overlay: true,
  },
  {
    name: 'minimap',
    path: '/visualization?v=sample&cam=200,100,3',
    open: (page) => page.getByRole('group', { name: /^Minimap/ }).waitFor(),
    overlay: true,
    wideOnly: true,
    tallOnly: true,
  },
  {
    name: 'share menu',
    path: '/visualization?v=sample',
    open: async (page) => {
      await page.getByRole('application').waitFor();
      await press(page, 'Share');
      await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
    },
    overlay: true,
  },
  ...savedScreens,
  {
    name: 'commands',
    path: '/visualization?v=sample',
    open: async (page) => {
      await page.getByRole('application').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('option', { name: /Sunburst/ }).waitFor();
    },
    overlay: true,
  },
  {
    name: 'keywords of a branch',
    path: '/visualization?v=sample',
    open: async (page) => {
      await page.getByRole('application').waitFor();
      await press(page, 'Show the list');
      await page.getByRole('listbox', { name: /^All keywords of / }).waitFor();
    },
    overlay: true,
    wideOnly: true,
    tallOnly: true,
  },
  {
    name: 'comparison',
    path: '/visualization?v=sample',
    open: async (page) => {
      await page.getByRole('treeitem', { level: 3 }).nth(0).click();
      await page
        .getByRole('treeitem', { level: 3 })
        .nth(1)
        .click({ modifiers: ['ControlOrMeta'] });
      await page.getByRole('region', { name: 'Comparison' }).getByRole('table').waitFor();
    },
    overlay: true,
    wideOnly: true,
    tallOnly: true,
  },
  {
    name: 'matches of a search',
    path: '/visualization?v=sample',
    open: async (page) => {
      await page.getByRole('application').waitFor();
      await page.getByRole('combobox', { name: 'Search keywords' }).fill('spade');
      await page.getByRole('listbox', { name: 'Matches' }).getByRole('option').first().waitFor();
    },
    overlay: true,
    wideOnly: true,
  },
  {
    name: 'Table',
    contrast: true,
    path: '/visualization?v=sample&view=table',
    open: (page) => page.getByRole('treegrid').getByRole('row').nth(2).waitFor(),
    overlay: true,
  },
  {
    name: 'filter',
    contrast: true,
    path: '/visualization?v=sample&f=has-spade*volume-10_&rest=faint',
    overlay: true,
    open: async (page) => {
      await page.getByRole('button', { name: 'Remove filter: Volume at least 10' }).waitFor();
      await page.getByRole('button', { name: /^Filter 2 active/ }).click();
      await page.getByRole('slider', { name: 'Volume, at least' }).waitFor();
    },
  },
  {
    name: 'nothing kept',
    path: '/visualization?v=sample&f=has-no%20such%20thing',
    open: text('No keywords match these filters'),
    overlay: true,
  },
  { name: 'admin check, no admin', texts: '§2 Admin check, no admin', path: '/admin-check', open: text('Not Admin') },
];

/** Every screen of the product with its overlays. */
export const screens: readonly Screen[] = [
  ...[...signedOut, signedOutAtGoogle].map((screen) => ({ ...screen, as: 'stranger' as const })),
  ...waiting,
  ...explorer.map((screen) => ({ ...screen, as: 'approved' as const })),
  ...administration.map((screen) => ({ ...screen, as: 'admin' as const })),
];
