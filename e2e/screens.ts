import type { Page } from 'playwright-core';
import { savedScreens } from './saved-screens.ts';
import { answer, heading, press, type Screen, text } from './screen-steps.ts';

/** Opens the user menu, or on a phone the sheet in its place. */
async function personMenu(page: Page, wide: boolean): Promise<void> {
  await page.getByRole('banner').waitFor();
  if (!wide) return press(page, 'Menu');
  await page.getByRole('banner').getByRole('button', { expanded: false }).last().click();
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).waitFor();
}

async function editName(page: Page, wide: boolean): Promise<void> {
  await personMenu(page, wide);
  await page.getByRole(wide ? 'menuitem' : 'button', { name: 'Edit name' }).click();
  await page.getByLabel('Full name').fill(' ');
  await page.keyboard.press('Enter');
  await page.getByText('Please enter your full name').waitFor();
}

/** Hovers over the message, because it would disappear otherwise. */
const errorOf = async (page: Page) => page.getByRole('alert').first().hover();

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
  { name: 'sign-in', path: '/login', open: heading('Keyword Clustering') },
  {
    name: 'sign-in with an error',
    path: '/login',
    open: async (page) => {
      await press(page, 'Sign in');
      await errorOf(page);
    },
  },
  { name: 'sign-up with an error', path: '/login', open: signUpWithError },
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
    path: '/claim#token',
    open: async (page) => {
      await answer(page, '**/api/claim/read', { email: 'admin@example.com' });
      await page.reload();
      await page.getByLabel('Confirm Password', { exact: true }).waitFor();
    },
  },
  { name: 'spent claim link', path: '/claim#none', open: text('Go to sign in') },
  {
    name: 'new password',
    path: '/reset-password#token',
    open: async (page) => {
      await answer(page, '**/api/reset-password/read', { email: 'ann@example.com', minPasswordLength: 6 });
      await page.reload();
      await page.getByLabel('New password', { exact: true }).waitFor();
    },
  },
  { name: 'spent reset link', path: '/reset-password#none', open: text('Go to sign in') },
  {
    name: 'confirm email',
    path: '/verify-email#none',
    open: (page) => page.getByRole('button', { name: 'Sign in and confirm' }).waitFor(),
  },
  { name: 'admin check, signed out', path: '/admin-check', open: text('Please log in to check admin status') },
  { name: 'test page', path: '/test', open: text('Reachable') },
  { name: 'the API', path: '/docs', open: heading('HTTP API') },
  { name: 'not found', path: '/attic', open: heading('Page not found') },
  {
    name: 'error screen',
    path: '/login',
    open: async (page) => {
      await page.route('**/assets/test-screen-*.js', (route) => route.abort());
      await page.goto('/test');
      await page.getByText('Technical details').click();
    },
  },
];

const waiting: readonly Screen[] = [
  { name: 'pending', as: 'pending', path: '/pending-approval', open: heading('Account Pending Approval') },
  { name: 'edit name', as: 'pending', path: '/pending-approval', open: editName, overlay: true },
  {
    name: 'account error',
    as: 'pending',
    path: '/pending-approval',
    open: async (page) => {
      await heading('Account Pending Approval')(page);
      await page.route('**/api/session', (route) => route.fulfill({ status: 503, body: '' }));
      await press(page, 'Check Status Now');
      await heading('Account Error')(page);
    },
  },
  { name: 'denied', as: 'denied', path: '/access-denied', open: heading('Access Denied') },
];

const explorer: readonly Omit<Screen, 'as'>[] = [
  { name: 'empty sky', path: '/visualization', open: heading('Your sky is ready') },
  { name: 'menu', path: '/visualization', open: personMenu, overlay: true },
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
    path: '/visualization?v=sample',
    open: async (page) => {
      await page.route('**/slice?*', () => undefined);
      await page.reload();
      await page.getByRole('button', { name: 'Cancel' }).waitFor();
    },
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
    path: '/visualization?v=sample&view=table',
    open: (page) => page.getByRole('treegrid').waitFor(),
    overlay: true,
  },
  {
    name: 'filter',
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
  { name: 'admin check, no admin', path: '/admin-check', open: text('Not Admin') },
];

const users = text('pending@example.com');
const subTab = (name: RegExp) => async (page: Page) => {
  await users(page);
  await page.getByRole('tab', { name }).click();
  await page.getByRole('tab', { name, selected: true }).waitFor();
};
const choice = (name: RegExp) => async (page: Page) => {
  await page.getByRole('combobox', { name }).first().click();
  await page.getByRole('listbox').waitFor();
};

/** A file whose bytes never arrive completely. */
async function uploadUnderWay(page: Page): Promise<void> {
  await page.route('**/api/uploads', () => undefined);
  await userChosen(page);
  const buffer = Buffer.from('{"keywords":["rakes"],"hierarchy":{"name":"Shop","children":["rakes","spades"]}}');
  await page.locator('input[type=file]').setInputFiles({ name: 'garden.json', mimeType: 'application/json', buffer });
  await page.getByRole('button', { name: 'Pause' }).waitFor();
}

/** One visualization, one failed and one unfinished upload. */
async function recentUploads(page: Page): Promise<void> {
  const one = { fileName: 'garden.json', fileSize: 8_000_000, description: 'Spring', uploadedBy: 'nobody' };
  const made = {
    ...one,
    id: 'v',
    isActive: true,
    isSample: false,
    keywords: 32,
    nodes: 40,
    uploadDate: 0,
    userEmail: 'a@b.c',
  };
  const open = { ...one, begunAt: 0, share: 0.4, isYours: true, isSending: false };
  const refusal = { code: 'upload/unreadable' };
  await answer(page, '**/api/visualizations?userId=*', [made]);
  await answer(page, '**/api/users/*/uploads', [
    { ...open, id: 'a', state: 'receiving' },
    { ...open, id: 'b', state: 'failed', refusal },
  ]);
  await userChosen(page);
  await text('Failed to get download URL')(page);
}

async function userChosen(page: Page): Promise<void> {
  await choice(/^Select User/)(page);
  await page.getByRole('option', { name: 'approved@example.com' }).click();
  await page.getByRole('heading', { name: 'Recent uploads' }).waitFor();
}

/** Runs in the page. */
const dragFiles = `{
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['{}'], 'garden.json'));
  document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }));
}`;

/** A list in the preview, which is never sent. */
async function listChosen(page: Page): Promise<void> {
  await heading('Import a list')(page);
  const buffer = Buffer.from('Keyword,Group,Volume\nrakes,Tools,10\nspades,Tools,\nhoses,Water,3\na,b,c,d\n');
  await page.locator('input[type=file]').setInputFiles({ name: 'garden_us.csv', mimeType: 'text/csv', buffer });
  await page.getByText('1 unreadable row').click();
  await press(page, 'Choose columns');
  await page.getByRole('list', { name: 'The first branches' }).waitFor();
  await page.getByRole('button', { name: 'Change reading' }).click();
  await page.getByLabel('Header line').waitFor();
}

const administration: readonly Omit<Screen, 'as'>[] = [
  { name: 'import', path: '/import', open: heading('Import a list') },
  { name: 'list before it is sent', path: '/import', open: listChosen },
  {
    name: 'pasting a list',
    path: '/import',
    open: async (page) => {
      await press(page, 'Paste a list');
      await page.getByLabel('Keywords', { exact: true }).waitFor();
    },
    overlay: true,
  },
  { name: 'users', path: '/admin', open: users },
  { name: 'admins', path: '/admin', open: subTab(/^Admins/) },
  { name: 'regular users', path: '/admin', open: subTab(/^Regular Users/) },
  { name: 'pending users', path: '/admin', open: subTab(/^Pending Users/) },
  { name: 'status of a user', path: '/admin', open: choice(/^status of pending@/i), overlay: true, wideOnly: true },
  {
    name: 'deletion',
    path: '/admin',
    wideOnly: true,
    overlay: true,
    open: async (page) => {
      await page.getByRole('button', { name: 'Delete approved@example.com' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'create user with an error',
    path: '/admin',
    open: async (page) => {
      await subTab(/^Create User/)(page);
      await page.getByRole('button', { name: 'Create User', exact: true }).click();
      await errorOf(page);
    },
  },
  {
    name: 'invalid tab',
    path: '/admin?tab=attic',
    open: async (page) => {
      await text('Invalid tab: attic')(page);
      await users(page);
    },
  },
  { name: 'upload', path: '/admin?tab=upload', open: heading('File format') },
  { name: 'user to upload for', path: '/admin?tab=upload', open: choice(/^Select User/), overlay: true },
  {
    name: 'upload under way',
    path: '/admin?tab=upload',
    open: async (page) => {
      await uploadUnderWay(page);
      await page.getByText('Valid JSON', { exact: true }).waitFor();
    },
  },
  {
    name: 'question before an upload is cancelled',
    path: '/admin?tab=upload',
    overlay: true,
    open: async (page) => {
      await uploadUnderWay(page);
      await press(page, 'Cancel');
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'deletion of an upload',
    path: '/admin?tab=upload',
    overlay: true,
    open: async (page) => {
      await recentUploads(page);
      await press(page, 'More for garden.json');
      await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'description of an upload',
    path: '/admin?tab=upload',
    overlay: true,
    open: async (page) => {
      await recentUploads(page);
      await press(page, 'More for garden.json');
      await page.getByRole('menuitem', { name: 'Edit description' }).click();
      await page.getByRole('dialog', { name: 'Description of garden.json' }).waitFor();
    },
  },
  {
    name: 'files dragged over the upload',
    path: '/admin?tab=upload',
    overlay: true,
    open: async (page) => {
      await recentUploads(page);
      await page.evaluate(dragFiles);
      await text('Drop to upload for')(page);
    },
  },
  { name: 'settings', path: '/admin?tab=settings', open: heading('User Registration') },
  {
    name: 'reset of the settings',
    path: '/admin?tab=settings',
    overlay: true,
    open: async (page) => {
      await page.getByRole('radio', { name: '3' }).check();
      await press(page, 'Reset to Defaults');
      await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor();
    },
  },
  {
    name: 'visualizations of anybody',
    path: '/visualization?v=sample',
    overlay: true,
    open: async (page) => {
      await press(page, 'My Visualizations');
      await page.getByRole('link', { name: /^Garden shop/ }).waitFor();
      await page.getByRole('combobox', { name: 'Visualizations of' }).waitFor();
    },
  },
  { name: 'activity', path: '/admin?tab=activity', open: text('Signed in') },
  { name: 'kinds of activity', path: '/admin?tab=activity', open: choice(/^Kind of activity/), overlay: true },
  { name: 'menu of an admin', path: '/admin', open: personMenu, overlay: true },
  { name: 'admin check', path: '/admin-check', open: text('You have admin privileges!') },
];

/** Every screen of the product with its overlays. */
export const screens: readonly Screen[] = [
  ...signedOut.map((screen) => ({ ...screen, as: 'stranger' as const })),
  ...waiting,
  ...explorer.map((screen) => ({ ...screen, as: 'approved' as const })),
  ...administration.map((screen) => ({ ...screen, as: 'admin' as const })),
];
