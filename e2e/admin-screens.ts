import type { Page, Route } from 'playwright-core';
import { answer, errorOf, heading, personMenu, press, type Screen, text } from './screen-steps.ts';

const users = text('pending@example.com');
/** Another answer to the list of users. */
const respond = (how: (route: Route) => unknown) => (page: Page) => page.route('**/api/users', how);
const anyHeading = (page: Page) => page.getByRole('heading', { level: 1 }).first().waitFor();
const subTab = (name: RegExp) => async (page: Page) => {
  await users(page);
  await page.getByRole('tab', { name }).click();
  await page.getByRole('tab', { name, selected: true }).waitFor();
};
const waiting = (page: Page) => page.getByRole('row', { name: /pending@example/ });
/** Runs in the page: the account as the server has it. */
const pendingUser = `fetch('/api/users').then((response) => response.json()).then((all) =>
  all.find(({ email }) => email === 'pending@example.com'))`;
/** The dialog that a key opens on the row of a user. */
const key = (name: string, dialog: string) => async (page: Page) => {
  await users(page);
  await waiting(page).focus();
  await page.keyboard.press(name);
  await page.getByRole('dialog', { name: dialog }).waitFor();
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

/** The screens of administrators. */
export const administration: readonly Omit<Screen, 'as'>[] = [
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
  { name: 'users', texts: '§2 Users tab', contrast: true, path: '/admin', open: users },
  {
    name: 'nobody found',
    texts: '§2 Users tab, nobody found',
    path: '/admin',
    open: async (page) => {
      await users(page);
      await page.getByRole('searchbox').fill('nobody of this name');
    },
  },
  {
    name: 'users that were not loaded',
    texts: '§2 Users tab, not loaded',
    alone: true,
    path: '/admin',
    prepare: respond((route) => route.fulfill({ status: 503, body: '' })),
    open: anyHeading,
  },
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
      const dialog = page.getByRole('alertdialog');
      await dialog.getByLabel(/^Type/).fill('approved@example.com');
      await page.keyboard.press('Enter');
      await dialog.getByLabel('Your password').fill('not the password');
      await page.keyboard.press('Enter');
      await dialog.getByText('Incorrect password').waitFor();
    },
  },
  {
    name: 'selected users',
    path: '/admin',
    overlay: true,
    wideOnly: true,
    open: async (page) => {
      await users(page);
      await waiting(page).getByRole('checkbox').check();
      await press(page, 'Set status');
      await page.getByRole('menuitem', { name: 'Disabled' }).waitFor();
    },
  },
  {
    name: 'undo of a change',
    path: '/admin',
    wideOnly: true,
    open: async (page) => {
      await users(page);
      await answer(page, '**/api/users/*/status', await page.evaluate(pendingUser));
      await waiting(page).focus();
      await page.keyboard.press('d');
      await text('User status updated successfully to Disabled')(page);
    },
  },
  { name: 'details of a user', path: '/admin', wideOnly: true, overlay: true, open: key('Enter', 'User details') },
  {
    name: 'keys of the dashboard',
    path: '/admin',
    wideOnly: true,
    overlay: true,
    open: key('?', 'Keyboard shortcuts'),
  },
  {
    name: 'menu of a user',
    path: '/admin',
    wideOnly: true,
    overlay: true,
    open: async (page) => {
      await users(page);
      await waiting(page)
        .getByRole('button', { name: /More actions/ })
        .click();
      await page.getByRole('menuitem', { name: 'Copy id' }).waitFor();
    },
  },
  {
    name: 'sheet of a user',
    path: '/admin',
    narrowOnly: true,
    overlay: true,
    open: async (page) => {
      await page.getByRole('button', { name: 'More actions for sample@example.com' }).click();
      await page.getByRole('dialog', { name: 'sample@example.com' }).waitFor();
    },
  },
  {
    name: 'created user',
    path: '/admin',
    open: async (page) => {
      await subTab(/^Create User/)(page);
      await answer(page, '**/api/users', { ...(await page.evaluate<object>(pendingUser)), email: 'nina@example.com' });
      await page.getByLabel('Email', { exact: true }).fill('nina@example.com');
      await press(page, 'Generate');
      await page.getByRole('button', { name: 'Create User', exact: true }).click();
      await text('User nina@example.com created successfully')(page);
    },
    alone: true,
  },
  {
    name: 'create user with an error',
    texts: '§2 Create User',
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
  { name: 'upload', texts: '§2 Upload tab', contrast: true, path: '/admin?tab=upload', open: heading('File format') },
  {
    name: 'upload, before the users are known',
    texts: '§2 Upload tab, loading',
    alone: true,
    path: '/admin?tab=upload',
    prepare: respond(() => undefined),
    open: anyHeading,
  },
  { name: 'user to upload for', path: '/admin?tab=upload', open: choice(/^Select User/), overlay: true },
  {
    name: 'upload under way',
    alone: true,
    path: '/admin?tab=upload',
    open: async (page) => {
      await uploadUnderWay(page);
      await page.getByText('Valid JSON', { exact: true }).waitFor();
    },
  },
  {
    name: 'unfinished upload',
    alone: true,
    path: '/admin?tab=upload',
    prepare: (page) => {
      const receiver = { id: 'b', email: 'bea@example.com' };
      const sent = { fileName: 'garden.json', fileSize: 8_000_000, description: '', begunAt: 0, uploadedBy: 'a' };
      const open = { ...sent, id: 'u', state: 'receiving', share: 0.4, isYours: true, isSending: false, receiver };
      return answer(page, '**/api/unfinished-uploads', [open]);
    },
    open: heading('Unfinished upload'),
  },
  {
    name: 'question before an upload is cancelled',
    alone: true,
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
    alone: true,
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
    alone: true,
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
    alone: true,
    path: '/admin?tab=upload',
    overlay: true,
    open: async (page) => {
      await recentUploads(page);
      await page.evaluate(dragFiles);
      await text('Drop to upload for')(page);
    },
  },
  { name: 'settings', texts: '§2 Settings tab', path: '/admin?tab=settings', open: heading('User Registration') },
  {
    name: 'settings that were changed',
    texts: '§2 Settings tab, changed',
    alone: true,
    path: '/admin?tab=settings',
    open: (page) => page.getByRole('radio', { name: '3' }).check(),
  },
  {
    name: 'reset of the settings',
    alone: true,
    path: '/admin?tab=settings',
    overlay: true,
    open: async (page) => {
      await page.getByRole('radio', { name: '3' }).check();
      await press(page, 'Reset to Defaults');
      await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor();
    },
  },
  {
    name: 'leaving settings that were changed',
    alone: true,
    path: '/admin?tab=settings',
    overlay: true,
    open: async (page) => {
      await page.getByRole('radio', { name: '3' }).check();
      await page.getByRole('link', { name: /Users/ }).first().click();
      await page.getByRole('alertdialog', { name: 'Unsaved changes' }).waitFor();
    },
  },
  // The last one of the settings: what was held is saved in the end.
  {
    name: 'settings being saved',
    texts: '§2 Settings tab, being saved',
    alone: true,
    path: '/admin?tab=settings',
    open: async (page) => {
      await page.getByRole('radio', { name: '3' }).check();
      await page.route('**/api/settings', () => undefined);
      await press(page, 'Save Settings');
      await text('Saving...')(page);
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
  {
    name: 'removal of a deleted email',
    alone: true,
    path: '/admin?tab=activity',
    overlay: true,
    prepare: (page) => {
      const gone = { target: 'gone@example.com', targetId: 'b1c2d3e4', targetDeleted: true };
      const line = { id: 1, at: 0, actor: 'a@b.c', actorId: 'a', actorDeleted: false, ...gone };
      const deletion = { ...line, kind: 'delete', result: 'ok', details: { email: 'gone@example.com' } };
      return answer(page, '**/api/activity', { lines: [deletion] });
    },
    open: async (page) => {
      await press(page, 'Remove the email gone@example.com');
      await page.getByRole('alertdialog').waitFor();
    },
  },
  { name: 'kinds of activity', path: '/admin?tab=activity', open: choice(/^Kind of activity/), overlay: true },
  {
    name: 'menu of an admin',
    texts: '§2 Header, menu of an admin',
    path: '/admin',
    open: personMenu,
    overlay: true,
  },
  {
    name: 'menu of an admin on a phone',
    texts: '§2 Header, on a phone',
    path: '/admin',
    open: personMenu,
    overlay: true,
    narrowOnly: true,
  },
  {
    name: 'admin check',
    texts: '§2 Admin check, admin',
    path: '/admin-check',
    open: text('You have admin privileges!'),
  },
];
