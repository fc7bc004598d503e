import { limits } from '@kc/rules/limits';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { gate } from './gate.ts';
import { insertAccounts } from './many-accounts.ts';
import { adminPerson, makeAccount, type Visitor } from './visitor.ts';

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`${name}@example`) });
const focused = (page: Page) => page.locator(':focus');
const statusOf = async ({ call }: Visitor, name: string): Promise<string | undefined> => {
  const accounts = await call<{ email: string; status: string }[]>('GET', '/users');
  return accounts.find(({ email }) => email === `${name}@example.com`)?.status;
};

/** Presses Tab until the focused element matches; between the last element and the first one, nothing has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor();
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if ((await page.locator(selector).and(focused(page)).count()) > 0) return;
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

story('an admin manages the users', () => {
  const stage = useStage();

  test('with the keyboard alone, from the sign-in page to an approval and back', async () => {
    await stage.signedIn('admin');
    await insertAccounts(stage.server, ['ann'], 'pending');
    const admin = await stage.visitor();
    const { page } = admin;
    await tabTo(page, 'input[type=email]');
    await page.keyboard.type(adminPerson.email);
    await tabTo(page, 'input[type=password]');
    await page.keyboard.type(adminPerson.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/visualization');
    await tabTo(page, 'a[href="/admin"]');
    await page.keyboard.press('Enter');
    await row(page, 'ann').waitFor();
    await tabTo(page, 'tr[data-user]');
    expect(await focused(page).textContent()).toContain('ann@example.com');
    await page.keyboard.press('a');
    await page.getByText('User status updated successfully to Active').waitFor();
    expect(await statusOf(admin, 'ann')).toBe('approved');
    await page.keyboard.press('z');
    await page.getByText('User status updated successfully to Pending').waitFor();
    expect(await statusOf(admin, 'ann')).toBe('pending');
    expect(await focused(page).textContent()).toContain('ann@example.com');
  });

  test('and clears the queue with one key each', async () => {
    const admin = await stage.signedIn('admin');
    await insertAccounts(stage.server, ['bea', 'cleo', 'dora'], 'pending');
    const { page } = admin;
    await page.goto('/admin?list=pending');
    const badge = page.getByRole('tab', { name: /Pending Users/ });
    await row(page, 'dora').focus();
    await page.keyboard.press('a');
    await expect.poll(() => focused(page).textContent()).toContain('cleo@example.com');
    await page.keyboard.press('d');
    await expect.poll(() => focused(page).textContent()).toContain('bea@example.com');
    await page.getByText('User status updated successfully to Disabled').waitFor();
    expect(await badge.textContent()).toBe('Pending Users2');
    expect([await statusOf(admin, 'dora'), await statusOf(admin, 'cleo')]).toEqual(['approved', 'denied']);

    admin.expectProblem(/status of 500/);
    await page.route('**/api/users/*/status', (route) =>
      route.fulfill({ status: 500, json: { data: { code: 'fault/unavailable' } } }),
    );
    await page.keyboard.press('a');
    await page.getByText('Failed to change user status: The server is not ready.', { exact: false }).waitFor();
    await row(page, 'bea').waitFor();
    expect(await badge.textContent()).toBe('Pending Users2');

    const banner = page.getByRole('alert').filter({ hasText: 'Failed to change user status' });
    const asked = page.waitForResponse('**/api/users');
    await banner.getByRole('button', { name: 'Refresh Users' }).click();
    expect((await asked).status()).toBe(200);
    await banner.getByRole('button', { name: 'Reset UI State' }).click();
    await banner.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'All Users', selected: true }).waitFor();
  });

  test('changes several at once, skips the own row and says so, and undoes it', async () => {
    const admin = await stage.signedIn('admin');
    await insertAccounts(stage.server, ['emil', 'finn'], 'denied');
    const { page } = admin;
    await page.goto('/admin');
    for (const name of ['emil', 'finn', 'admin']) await row(page, name).getByRole('checkbox').check();
    const bar = page.getByRole('region', { name: 'Selected users' });
    await bar.getByText('3 selected').waitFor();
    expect(await page.locator('thead input:indeterminate').count()).toBe(1);
    await bar.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('2 changed, 1 skipped: You cannot change your own status').waitFor();
    await bar.waitFor({ state: 'detached' });
    expect([await statusOf(admin, 'emil'), await statusOf(admin, 'finn')]).toEqual(['approved', 'approved']);
    await page.getByRole('button', { name: 'Undo all 2' }).click();
    await page.getByText('2 changed back').waitFor();
    expect([await statusOf(admin, 'emil'), await statusOf(admin, 'finn')]).toEqual(['denied', 'denied']);
  });

  test('shows bulk changes once they are saved, in one call, and denies from the bar and from the drawer', async () => {
    const admin = await stage.signedIn('admin');
    await insertAccounts(stage.server, ['gwen', 'hedy', 'ines', 'jan'], 'pending');
    const { page } = admin;
    await page.goto('/admin?list=pending');
    const badge = page.getByRole('tab', { name: /Pending Users/ });
    await row(page, 'gwen').waitFor();
    const before = Number((await badge.textContent())!.replace(/\D/g, ''));
    for (const name of ['gwen', 'hedy', 'ines']) await row(page, name).getByRole('checkbox').check();
    const calls: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && calls.push(new URL(request.url()).pathname));
    const answer = gate();
    await page.route('**/api/users/changes', async (route) => {
      await answer.opened;
      await route.continue();
    });
    await page.getByRole('region', { name: 'Selected users' }).getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Saving changes to 3 users…').waitFor();
    // The users must not look changed before the server has saved the changes.
    for (const name of ['gwen', 'hedy', 'ines']) await row(page, name).waitFor();
    expect(await badge.textContent()).toBe(`Pending Users${before}`);
    expect(await statusOf(admin, 'gwen')).toBe('pending');
    answer.open();
    await page.getByText('3 changed').waitFor();
    expect(calls).toEqual(['/api/users/changes']);
    for (const name of ['gwen', 'hedy', 'ines']) expect(await statusOf(admin, name)).toBe('denied');

    await row(page, 'jan').focus();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'User details' });
    await drawer.getByRole('button', { name: 'Deny jan@example.com' }).click();
    await page.getByText('User status updated successfully to Disabled').waitFor();
    expect(await statusOf(admin, 'jan')).toBe('denied');
  });

  test('selects with the keyboard, opens the lists of a row, and navigates by keys', async () => {
    const { page } = await stage.signedIn('admin');
    await page.goto('/admin?sort=email');
    await row(page, 'ann').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('2 selected').waitFor({ state: 'detached' });
    for (const [key, label] of [
      ['s', 'Active'],
      ['r', 'Administrator'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole('option', { name: label }).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => focused(page).getAttribute('aria-rowindex')).toBe('4');
    }
    // The screen's shortcuts wait until the list has faded.
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page
      .getByRole('dialog', { name: 'Keyboard shortcuts' })
      .getByText('Approve or deny somebody who waits')
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('nobody');
    await page.getByText('No user matches this search.').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('nobody');
    await page.getByRole('tab', { name: 'All Users' }).focus();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL('**/admin?tab=settings');
    await page.keyboard.press('c');
    await page.waitForURL('**/admin?tab=users&list=create');
  });

  test('opens a list while the previous one fades, and keeps it open', async () => {
    const { page, context } = await stage.signedIn('admin');
    await insertAccounts(stage.server, ['hugo'], 'approved');
    await page.goto('/admin');
    const list = (what: string) => page.getByRole('combobox', { name: `${what} of hugo@example.com` });
    const animations = await context.newCDPSession(page);
    await animations.send('Animation.enable');
    await list('Status').click();
    await page.getByRole('option', { name: 'Disabled' }).waitFor();
    await animations.send('Animation.setPlaybackRate', { playbackRate: 0.001 });
    await page.getByRole('option', { name: 'Disabled' }).click();
    await page.getByText('User status updated successfully to Disabled').waitFor();
    await list('Role').click();
    await page.getByRole('option', { name: 'Administrator' }).waitFor();
    expect(await page.getByRole('listbox').count()).toBe(2);
    await animations.send('Animation.setPlaybackRate', { playbackRate: 1 });
    await expect.poll(() => page.getByRole('listbox').count()).toBe(1);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByText('User role updated successfully to Administrator').waitFor();
  });

  test('sorts by a column; the address stores it, and an invalid value is ignored', async () => {
    const { page } = await stage.signedIn('admin');
    await page.goto('/admin?sort=height&list=nobody');
    const head = page.getByRole('columnheader', { name: 'Email' });
    await row(page, 'sample').waitFor();
    expect(await head.getAttribute('aria-sort')).toBeNull();
    await head.getByRole('button').click();
    await head.getByRole('button').click();
    await page.waitForURL('**/admin?tab=users&sort=-email');
    await page.reload();
    await row(page, 'sample').waitFor();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    expect(await page.locator('tr[data-user]').first().textContent()).toContain('sample@example.com');
  });

  test('reads the details of an account in the drawer', async () => {
    const { page } = await stage.signedIn('admin');
    await page.goto('/admin');
    await row(page, 'ann').focus();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'User details' });
    await drawer.getByText('None yet.').waitFor();
    for (const fact of ['Pending', 'Email not verified', 'Never', 'system']) await drawer.getByText(fact).waitFor();
    await drawer.getByRole('link', { name: 'Upload Data' }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page).textContent()).toContain('ann@example.com');
  });
});

story('a long list of users', () => {
  const stage = useStage();

  test('renders only the visible rows, and keeps the focus when others change it', async () => {
    const { page } = await stage.signedIn('admin');
    const names = Array.from({ length: 300 }, (_, n) => `person-${n + 1}`);
    await insertAccounts(stage.server, names, 'approved');
    await page.goto('/admin?sort=created');
    const grid = page.getByRole('grid', { name: 'User accounts' });
    await grid.getByText('person-1@example.com').waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe('303');
    expect(await grid.getByRole('row').count()).toBeLessThan(60);
    await row(page, 'person-1').first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('End');
    await expect.poll(() => focused(page).getAttribute('aria-rowindex')).toBe('303');
    await page.keyboard.press('Home');
    await expect.poll(() => focused(page).textContent()).toContain('person-1@example.com');

    const other = await stage.signedIn('admin');
    await makeAccount(other, 'newcomer', 'approved');
    await page.getByText('303 users').waitFor();
    expect(await focused(page).textContent()).toContain('person-1@example.com');
    expect(await focused(page).getAttribute('aria-selected')).toBe('true');
  });
});

story('more users than one call accepts', () => {
  const stage = useStage();

  test('are changed in batches, and the page says how many are saved', async () => {
    const admin = await stage.signedIn('admin');
    const { page } = admin;
    const count = limits.maxBulkChanges + 5;
    const names = Array.from({ length: count }, (_, n) => `person-${n + 1}`);
    await insertAccounts(stage.server, names, 'pending');
    await page.goto('/admin?list=pending');
    await page.getByRole('tab', { name: `Pending Users ${count}` }).waitFor();
    await page.locator('thead').getByRole('checkbox').check();
    const rest = gate();
    let calls = 0;
    await page.route('**/api/users/changes', async (route) => {
      if (++calls > 1) await rest.opened;
      await route.continue();
    });
    await page.getByRole('region', { name: 'Selected users' }).getByRole('button', { name: 'Approve' }).click();
    await page.getByText(`Saving changes to ${count} users… ${limits.maxBulkChanges} saved`).waitFor();
    await page.getByRole('tab', { name: 'Pending Users 5' }).waitFor();
    // The page says that these changes are saved, so they must survive closing it.
    const pending = async () => {
      const accounts = await admin.call<{ status: string }[]>('GET', '/users');
      return accounts.filter(({ status }) => status === 'pending').length;
    };
    expect(await pending()).toBe(5);
    rest.open();
    await page.getByText(`${count} changed`).waitFor();
    expect(await pending()).toBe(0);
  });
});

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

story('axe finds nothing in the users tab', () => {
  const stage = useStage();

  test.each(['light', 'dark'] as const)('desktop, %s: bar, notice, lists, menu, drawer, keys', async (colorScheme) => {
    const admin = await stage.signedIn('admin', { viewport: sizes.desktop, colorScheme, reducedMotion: 'reduce' });
    const { page } = admin;
    // The theme changes colours only.
    const coloursOnly = colorScheme === 'dark';
    await insertAccounts(stage.server, [`wait-${colorScheme}`], 'pending');
    await page.goto('/admin');
    const waiting = row(page, `wait-${colorScheme}`);
    await waiting.getByRole('checkbox').check();
    expect(await violations(page, { coloursOnly })).toEqual([]);
    await page.getByRole('button', { name: 'Set status' }).click();
    await page.getByRole('menuitem', { name: 'Disabled' }).waitFor();
    expect(await violations(page, { coloursOnly })).toEqual([]);
    await page.keyboard.press('Escape');
    await waiting.focus();
    for (const [key, role] of [
      ['s', 'listbox'],
      ['Enter', 'dialog'],
      ['?', 'dialog'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole(role).waitFor();
      expect(await violations(page, { coloursOnly })).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole(role).waitFor({ state: 'detached' });
    }
    await waiting.getByRole('button', { name: /More actions/ }).click();
    await page.getByRole('menuitem', { name: 'Copy id' }).waitFor();
    expect(await violations(page, { coloursOnly })).toEqual([]);
    await page.keyboard.press('Escape');
    await page.goto('/admin?list=pending');
    await waiting.focus();
    await page.keyboard.press('a');
    await page.getByText('User status updated successfully to Active').waitFor();
    expect(await violations(page, { coloursOnly })).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('phone, %s: cards, sheet, drawer', async (colorScheme) => {
    const how = { viewport: sizes.phone, colorScheme, reducedMotion: 'reduce', hasTouch: true } as const;
    const { page } = await stage.signedIn('admin', how);
    const coloursOnly = colorScheme === 'dark';
    await page.goto('/admin');
    await page.getByRole('button', { name: 'More actions for sample@example.com' }).click();
    await page.getByRole('dialog', { name: 'sample@example.com' }).waitFor();
    expect(await violations(page, { coloursOnly })).toEqual([]);
    await page.getByRole('button', { name: 'Details' }).click();
    await page
      .getByRole('dialog', { name: 'User details' })
      .getByText('which every approved person can open', { exact: false })
      .waitFor();
    expect(await violations(page, { coloursOnly })).toEqual([]);
  });
});
