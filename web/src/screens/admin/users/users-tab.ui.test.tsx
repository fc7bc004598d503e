import { limits } from '@kc/rules/limits';
import { defaultSettings } from '@kc/rules/settings';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { runFor, stopClock } from '../../../../test/page/clock.ts';
import { fakeApi, gate, neverAnswers, refuses } from '../../../../test/page/fake-api.ts';
import { serverSays } from '../../../../test/page/fake-events.ts';
import { asksFor } from '../../../../test/page/media.ts';
import { address, openApp, sessionOf, signsIn } from '../../../../test/page/open-app.tsx';
import { accountsOf, openDashboard, person } from '../../../../test/page/open-users.tsx';

const row = (name: string) => page.getByRole('row', { name: new RegExp(`${name}@example`) });
const focused = () => document.activeElement!;
const isFocused = (text: string) => expect.poll(() => focused().textContent).toContain(text);
const press = (keys: string) => userEvent.keyboard(keys);
const shows = (text: string | RegExp) => expect.element(page.getByText(text)).toBeVisible();
const bar = page.getByRole('region', { name: 'Selected users' });
const badge = page.getByRole('tab', { name: /Pending Users/ });

/** Focuses a row as a click beside its controls does. */
async function focus(name: string): Promise<void> {
  await expect.element(row(name)).toBeVisible();
  (row(name).element() as HTMLElement).focus();
}

/** Presses Tab until the focused element matches; between the last element and the first one, nothing has the focus. */
async function tabTo(selector: string): Promise<void> {
  await expect.poll(() => document.querySelector(selector)).not.toBeNull();
  for (let presses = 0; presses < 60; presses++) {
    await userEvent.tab();
    if (focused().matches(selector)) return;
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

// Shows P7.6.
test('with the keyboard alone, from the sign-in page to an approval and back', async () => {
  const { api, statusOf } = accountsOf(person('bea', { status: 'pending' }));
  stopClock();
  const lists = { 'visualizations.list': () => [], 'drafts.list': () => [] };
  await openApp('/login', { api: { ...api, ...lists, 'session.signIn': signsIn(sessionOf('admin')) } });
  await tabTo('input[type=email]');
  await press('ann@example.com');
  await tabTo('input[type=password]');
  await press('rakes and ladders{Enter}');
  await shows('Login successful! Redirecting...');
  await runFor(limits.loginRedirectMs);
  await expect.poll(address).toBe('/visualization');
  await tabTo('a[href="/admin"]');
  await press('{Enter}');
  await expect.element(page.getByRole('heading', { name: 'Users', exact: true })).toBeVisible();
  await runFor(limits.userListDelayMs);
  await tabTo('[role=row][data-user]');
  await isFocused('bea@example.com');
  await press('a');
  await shows('User status updated successfully to Active');
  expect(statusOf('bea')).toBe('approved');
  await press('z');
  await shows('User status updated successfully to Pending');
  expect(statusOf('bea')).toBe('pending');
  await isFocused('bea@example.com');
});

// Shows P7.6.
test('the queue is cleared with one key each, and a failure puts the row back', async () => {
  const { api, statusOf } = accountsOf(...['bea', 'cleo', 'dora'].map((name) => person(name, { status: 'pending' })));
  await openDashboard('/admin?list=pending', api);
  await focus('dora');
  await press('a');
  await isFocused('cleo@example.com');
  await press('d');
  await isFocused('bea@example.com');
  await shows('User status updated successfully to Disabled');
  await expect.element(badge).toHaveTextContent('Pending Users1');
  expect([statusOf('dora'), statusOf('cleo')]).toEqual(['approved', 'denied']);

  fakeApi({ 'accounts.setStatus': refuses('fault/unavailable') });
  await press('a');
  const banner = page.getByRole('alert').filter({ hasText: 'Failed to change user status: The server is not ready.' });
  await expect.element(banner).toBeVisible();
  await expect.element(row('bea')).toBeVisible();
  await expect.element(badge).toHaveTextContent('Pending Users1');

  const requests = api['accounts.list'].mock.calls.length;
  await banner.getByRole('button', { name: 'Refresh Users' }).click();
  await expect.poll(() => api['accounts.list'].mock.calls.length).toBeGreaterThan(requests);
  await banner.getByRole('button', { name: 'Reset UI State' }).click();
  await expect.element(banner).not.toBeInTheDocument();
  await expect.element(page.getByRole('tab', { name: 'All Users', selected: true })).toBeVisible();
});

// Shows P7.4.
test('several are changed at once; the own row is skipped, with the reason, and it can be undone', async () => {
  const { api, statusOf } = accountsOf(...['emil', 'finn'].map((name) => person(name, { status: 'denied' })));
  await openDashboard('/admin', api);
  for (const name of ['emil', 'finn', 'ann']) await row(name).getByRole('checkbox').click();
  await expect.element(bar.getByText('3 selected')).toBeVisible();
  stopClock();
  await bar.getByRole('button', { name: 'Approve' }).click();
  await shows('2 users changed, 1 skipped: You cannot change your own status');
  await expect.element(bar).not.toBeInTheDocument();
  expect([statusOf('emil'), statusOf('finn')]).toEqual(['approved', 'approved']);
  await runFor(6 * limits.bannerMs - 1);
  await page.getByRole('button', { name: 'Undo all 2' }).click();
  await shows('2 users changed back');
  expect([statusOf('emil'), statusOf('finn')]).toEqual(['denied', 'denied']);
});

test('the box of the table head is half checked while some are selected', async () => {
  await openDashboard('/admin', accountsOf(person('emil')).api);
  await row('emil').getByRole('checkbox').click();
  await expect.element(bar.getByText('1 selected')).toBeVisible();
  expect(document.querySelectorAll('[role=columnheader] input:indeterminate')).toHaveLength(1);
});

test('bulk changes are shown once they are saved, in one call', async () => {
  const names = ['gwen', 'hedy', 'ines'];
  const { api, statusOf } = accountsOf(...names.map((name) => person(name, { status: 'pending' })));
  await openDashboard('/admin?list=pending', api);
  for (const name of names) await row(name).getByRole('checkbox').click();
  const response = gate();
  const save = api['accounts.changeMany'].getMockImplementation()!;
  api['accounts.changeMany'].mockImplementation(async (input) => {
    await response.opened;
    return save(input);
  });
  await bar.getByRole('button', { name: 'Deny' }).click();
  await shows('Saving changes to 3 users…');
  // The users must not look changed before the server has saved the changes.
  for (const name of names) await expect.element(row(name)).toBeVisible();
  await expect.element(badge).toHaveTextContent('Pending Users3');
  response.open();
  await shows('3 users changed');
  expect(api['accounts.changeMany']).toHaveBeenCalledOnce();
  expect(api['accounts.setStatus']).not.toHaveBeenCalled();
  for (const name of names) expect(statusOf(name)).toBe('denied');
});

test('more users than one call accepts are changed in batches, and the page says how many are saved', async () => {
  const count = limits.maxBulkChanges + 5;
  const people = Array.from({ length: count }, (_, n) => person(`person-${n + 1}`, { status: 'pending' }));
  const { api } = accountsOf(...people);
  await openDashboard('/admin?list=pending', api);
  await page.getByRole('columnheader').getByRole('checkbox').click();
  const rest = gate();
  const save = api['accounts.changeMany'].getMockImplementation()!;
  api['accounts.changeMany'].mockImplementation(async (input) => {
    if (api['accounts.changeMany'].mock.calls.length > 1) await rest.opened;
    return save(input);
  });
  await bar.getByRole('button', { name: 'Approve' }).click();
  await shows(`Saving changes to ${count} users… ${limits.maxBulkChanges} saved`);
  await expect.element(badge).toHaveTextContent('Pending Users5');
  rest.open();
  await shows(`${count} users changed`);
});

test('email and ID of an account are copied, and where the browser refuses, a toast says so', async () => {
  const { api } = accountsOf(person('jan'));
  await openDashboard('/admin', api);
  const clipboard = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const choose = async (name: string) => {
    await row('jan').getByRole('button', { name: 'More actions for jan@example.com' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Copy email');
  await shows('Email copied');
  await choose('Copy id');
  await shows('Id copied');
  expect(clipboard.mock.calls).toEqual([['jan@example.com'], ['jan']]);
  clipboard.mockRejectedValue(new Error('NotAllowedError'));
  await choose('Copy id');
  await shows('The browser does not allow copying here');
});

test('the drawer shows the details of an account, and decides', async () => {
  const { api, statusOf } = accountsOf(person('jan', { status: 'pending' }));
  await openDashboard('/admin', { ...api, 'visualizations.list': () => [], 'uploads.list': () => [] });
  await focus('jan');
  await press('{Enter}');
  const drawer = page.getByRole('dialog', { name: 'User details' });
  for (const fact of ['None yet.', 'Pending', 'Email not verified', 'Never', 'system']) {
    await expect.element(drawer.getByText(fact).first()).toBeVisible();
  }
  await expect.element(drawer.getByRole('link', { name: 'Upload Data' })).toBeVisible();
  await press('{Escape}');
  await expect.element(drawer).not.toBeInTheDocument();
  await isFocused('jan@example.com');
  await press('{Enter}');
  await drawer.getByRole('button', { name: 'Deny jan@example.com' }).click();
  await shows('User status updated successfully to Disabled');
  expect(statusOf('jan')).toBe('denied');
});

test('rows are selected with the keyboard, the lists of a row opened, and other places reached', async () => {
  const settings = { version: 1, settings: { ...defaultSettings }, themeChosen: false, policyEnforced: false };
  await openDashboard('/admin?sort=email', {
    ...accountsOf(person('bea'), person('cleo')).api,
    'settings.get': () => settings,
    'links.all': () => [],
    'accessTokens.all': () => [],
    'webhooks.list': () => [],
    'storage.use': () => ({ free: 41_200_000_000, kept: { files: 0, bytes: 0 } }),
  });
  await focus('bea');
  await press(' ');
  await press('{Shift>}{ArrowDown}{/Shift}');
  await shows('2 selected');
  await press('{Escape}');
  await expect.element(page.getByText('2 selected')).not.toBeInTheDocument();
  for (const [key, label] of [
    ['s', 'Active'],
    ['r', 'Administrator'],
  ] as const) {
    await press(key);
    await expect.element(page.getByRole('option', { name: label })).toBeVisible();
    await press('{Escape}');
    await expect.poll(() => focused().getAttribute('aria-rowindex')).toBe('4');
    await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
  }
  await press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect.element(keys.getByText('Approve or deny somebody who waits')).toBeVisible();
  await press('{Escape}');
  await expect.element(keys).not.toBeInTheDocument();
  await press('/');
  await press('nobody');
  await shows('No user matches this search.');
  await expect.poll(() => new URLSearchParams(location.search).get('q')).toBe('nobody');
  (page.getByRole('tab', { name: 'All Users' }).element() as HTMLElement).focus();
  await press('gs');
  await expect.poll(address).toBe('/admin?tab=settings');
  await press('c');
  await expect.poll(address).toBe('/admin?tab=users&list=create');
});

// Shows P7.5.
test('sorts by a column; the address stores it, and an invalid value is ignored', async () => {
  const { api } = accountsOf(person('bea'), person('zoe'));
  await openDashboard('/admin?sort=height&list=nobody', api);
  const head = page.getByRole('columnheader', { name: 'Email' });
  await expect.element(row('bea')).toBeVisible();
  await expect.element(head).not.toHaveAttribute('aria-sort');
  await head.getByRole('button').click();
  await head.getByRole('button').click();
  await expect.poll(address).toBe('/admin?tab=users&sort=-email');
  await openApp(address(), { as: 'admin' });
  await expect.element(row('zoe')).toBeVisible();
  await expect.element(head).toHaveAttribute('aria-sort', 'descending');
  expect(document.querySelector('[role=row][data-user]')?.textContent).toContain('zoe@example.com');
});

// Shows P7.9.
test('a long list renders only the visible rows, and keeps the focus when others change it', async () => {
  const { api, add } = accountsOf(...Array.from({ length: 300 }, (_, n) => person(`person-${n + 1}`)));
  await openDashboard('/admin?sort=created', api);
  const grid = page.getByRole('grid', { name: 'User accounts' });
  await expect.element(grid).toHaveAttribute('aria-rowcount', '302');
  expect(grid.getByRole('row').elements().length).toBeLessThan(60);
  await focus('person-1');
  await press(' ');
  await press('{End}');
  await expect.poll(() => focused().getAttribute('aria-rowindex')).toBe('302');
  await press('{Home}');
  await expect.poll(() => focused().getAttribute('aria-rowindex')).toBe('2');
  await press('{ArrowDown}');
  await isFocused('person-1@example.com');

  add(person('newcomer'));
  serverSays('accounts');
  await shows('302 users');
  expect(focused().textContent).toContain('person-1@example.com');
  await expect.element(row('person-1')).toHaveAttribute('aria-selected', 'true');
});

test('opens a list while the previous one fades, and keeps it open', async () => {
  await asksFor({ 'prefers-reduced-motion': 'no-preference' });
  await openDashboard('/admin', accountsOf(person('hugo')).api);
  const list = (what: string) => page.getByRole('combobox', { name: `${what} of hugo@example.com` });
  const shownLists = () => document.querySelectorAll('[role=listbox]').length;
  await list('Status').click();
  await expect.element(page.getByRole('option', { name: 'Disabled' })).toBeVisible();
  // Fades that start from now on are paused.
  document.addEventListener('transitionrun', hold, true);
  onTestFinished(() => document.removeEventListener('transitionrun', hold, true));
  await page.getByRole('option', { name: 'Disabled' }).click();
  await shows('User status updated successfully to Disabled');
  await list('Role').click();
  await expect.element(page.getByRole('option', { name: 'Administrator' })).toBeVisible();
  expect(shownLists()).toBe(2);
  document.removeEventListener('transitionrun', hold, true);
  for (const fade of pausedFades.splice(0)) fade.play();
  await expect.poll(shownLists).toBe(1);
  await press('{End}{Enter}');
  await shows('User role updated successfully to Administrator');
});

const pausedFades: Animation[] = [];
function hold({ target }: Event): void {
  if (!(target as Element).matches('[role=listbox], [role=listbox] *, :has([role=listbox])')) return;
  for (const fade of (target as Element).getAnimations()) {
    fade.pause();
    pausedFades.push(fade);
  }
}

const violet =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mPwd3v2HwAEbwKr8ZwVygAAAABJRU5ErkJggg==';

test('people are shown with their picture, and with their initial where it cannot be loaded', async () => {
  const people = accountsOf(person('bea', { photoUrl: violet }), person('cleo', { photoUrl: 'data:image/png,none' }));
  const admin = sessionOf('admin', { displayName: 'Ann', photoUrl: violet });
  await openDashboard('/admin', { ...people.api, 'session.get': () => admin });
  const width = (within: string) => document.querySelector<HTMLImageElement>(`${within} img`)?.naturalWidth;
  await expect.poll(() => width('header')).toBe(1);
  await expect.element(row('bea')).toBeVisible();
  await expect.poll(() => width('[data-user="bea"]')).toBe(1);
  await expect.poll(() => document.querySelectorAll('[data-user="cleo"] img')).toHaveLength(0);
  await expect.element(row('cleo').getByText('c', { exact: true })).toBeVisible();
  await openApp('/admin-check', { as: admin });
  await expect.poll(() => width('main')).toBe(1);
});

test('REL-33 a list that does not come is given up after 30 s, says so, and is loaded anew by its button', async () => {
  const list = vi.fn(neverAnswers);
  stopClock(Date.now());
  await openApp('/admin', { as: 'admin', api: { 'accounts.list': list } });
  await runFor(limits.userListDelayMs);
  await expect.poll(() => list.mock.calls.length).toBe(1);
  const failure = page.getByText('Failed to load users. Please try again or check the backend connection.');
  await runFor(29_999);
  await expect.element(failure).not.toBeInTheDocument();
  await runFor(1);
  await expect.element(failure).toBeVisible();
  fakeApi(accountsOf(person('bea')).api);
  await page.getByRole('tabpanel').getByRole('button', { name: 'Refresh Users' }).click();
  await runFor(limits.userListDelayMs);
  await expect.element(row('bea')).toBeVisible();
});

test('REL-33 a change that does not end is given up after 60 s, and the page shows what the server has', async () => {
  const { api } = accountsOf(person('bea', { status: 'pending' }));
  await openDashboard('/admin', api);
  await focus('bea');
  const setStatus = vi.fn(neverAnswers);
  fakeApi({ 'accounts.setStatus': setStatus });
  stopClock(Date.now());
  await press('a');
  await expect.element(row('bea').getByText('Active').first()).toBeVisible();
  await runFor(60_000);
  await shows(/^Failed to change user status: The server is not ready\./);
  await expect.element(row('bea').getByText('Pending').first()).toBeVisible();
  expect(setStatus).toHaveBeenCalledOnce();
  fakeApi(api);
  await focus('bea');
  await press('a');
  await shows('User status updated successfully to Active');
});

test('the button for compact rows says whether it is on, and is at least 24 pixels large', async () => {
  await openDashboard('/admin', accountsOf(person('jan')).api);
  const compact = page.getByRole('button', { name: 'Compact rows' });
  await expect.element(compact).toHaveAttribute('aria-pressed', 'false');
  const { width, height } = compact.element().getBoundingClientRect();
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
  await compact.click();
  await expect.element(compact).toHaveAttribute('aria-pressed', 'true');
  await compact.click();
});
