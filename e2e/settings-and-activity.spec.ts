import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { adminPerson } from './visitor.ts';

const settingsAt = '/admin?tab=settings';
const themeOf = (page: Page) => page.locator('html').getAttribute('data-theme');
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await page.getByText('Settings saved successfully').waitFor();
};

story('an admin decides for everybody, and everything is written down', () => {
  const stage = useStage();

  test('until somebody chooses a theme, an open page follows the system', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization');
    await page.getByRole('button', { name: 'Switch to dark theme' }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('button', { name: 'Switch to light theme' }).waitFor();
    expect(await themeOf(page)).toBe('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    for (const theme of ['dark', 'light']) await page.getByRole('button', { name: `Switch to ${theme} theme` }).click();
    // Listeners run in the order in which they were added, so the page's own has run by then.
    await page.evaluate(`void (globalThis.told = new Promise((heard) =>
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', heard, { once: true })))`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.evaluate('told.then(() => undefined)');
    expect(await themeOf(page)).toBe('light');
  });

  test('changes are announced, discarded, asked about, reset and saved', async () => {
    const { page } = await stage.signedIn('admin');
    await page.goto(settingsAt);
    const saveButton = page.getByRole('button', { name: 'Save Settings' });
    await saveButton.waitFor();
    expect(await saveButton.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Discard Changes' }).count()).toBe(0);

    await page.getByRole('radio', { name: '3' }).check();
    await page.getByText('You have unsaved changes. Click "Save Settings" to apply them.').waitFor();
    await page.getByText('was: 2').waitFor();
    await page.getByRole('img', { name: 'a tree of 12 nodes opens with 11 of them' }).waitFor();
    await page.getByRole('img', { name: 'after a topic is opened, 12 of 12 nodes are shown' }).waitFor();
    await page.getByText('Zooming in opens branches, too.').waitFor();
    await page.getByRole('switch', { name: 'Auto-expand' }).click();
    await page.getByRole('img', { name: 'a tree of 12 nodes opens with 4 of them' }).waitFor();
    await page.getByRole('img', { name: 'after a topic is opened, 6 of 12 nodes are shown' }).waitFor();
    await page.getByText('Zooming in opens no branches.').waitFor();
    const interval = page.getByRole('combobox', { name: 'Data refresh interval' });
    await page
      .getByText(/every 30 minutes and offers what it finds\. A page opened now looks again at \d\d:\d\d [AP]M/)
      .waitFor();
    await interval.click();
    await page.getByRole('option', { name: 'Never' }).click();
    await page.getByText('An open page shows newer data only when its reader presses Refresh').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Discard Changes' }).click();
    await page.getByText('Changes discarded.').waitFor();
    expect(await page.getByRole('radio', { name: '2' }).isChecked()).toBe(true);

    await page.getByRole('radio', { name: '1' }).check();
    await page.getByRole('link', { name: /Users/ }).first().click();
    const leaving = page.getByRole('dialog', { name: 'Unsaved changes' });
    await leaving.getByText('Your changes to the settings are not saved. Leave without saving them?').waitFor();
    expect(await violations(page)).toEqual([]);
    await leaving.getByRole('button', { name: 'Stay' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('Settings saved successfully').waitFor();

    await page.getByRole('button', { name: 'Reset to Defaults' }).click();
    const question = page.getByRole('dialog', { name: 'Reset to Defaults' });
    await question
      .getByText('Are you sure you want to reset all settings to default values? This cannot be undone.')
      .waitFor();
    await question.getByRole('button', { name: 'Reset to Defaults' }).click();
    await page.getByText('was: 1').waitFor();
    await save(page);
    expect(await page.getByRole('radio', { name: '2' }).isChecked()).toBe(true);
  });

  test('what another admin saved meanwhile is not overwritten', async () => {
    const admin = await stage.signedIn('admin');
    admin.expectProblem(/status of 409/);
    const { page } = admin;
    await page.goto(settingsAt);
    await page.getByRole('radio', { name: 'All' }).check();
    const now = await admin.call<{ version: number; settings: object }>('GET', '/settings');
    const settings = { ...now.settings, dataRefreshInterval: '60' };
    await admin.call('PUT', '/settings', { version: now.version, settings, enforce: false });
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await page
      .getByText(
        'Failed to save settings: Another administrator saved the settings meanwhile. Discard your changes to see them, then save again.',
      )
      .waitFor();
    await page.getByRole('button', { name: 'Discard Changes' }).click();
    await page.getByRole('combobox', { name: 'Data refresh interval' }).getByText('60 minutes').waitFor();
  });

  test('the explorer opens with the default depth, and a link with its own', async () => {
    const admin = await stage.signedIn('admin');
    const { version, settings } = await admin.call<{ version: number; settings: object }>('GET', '/settings');
    await admin.call('PUT', '/settings', { version, settings: { ...settings, defaultDepth: '3' }, enforce: false });
    const { page } = await stage.signedIn('approved');
    const depth = page.getByRole('group', { name: 'Depth' });
    await page.goto('/visualization?v=sample');
    await depth.getByRole('radio', { name: 'Auto', checked: true }).waitFor();
    await page.goto('/visualization?v=sample&d=1');
    await depth.getByRole('radio', { name: '1', checked: true }).waitFor();

    // Without auto-expand a tree starts with one level; the other views keep their depth.
    const now = await admin.call<{ version: number; settings: object }>('GET', '/settings');
    const byHand = { ...now.settings, autoExpand: false };
    await admin.call('PUT', '/settings', { version: now.version, settings: byHand, enforce: false });
    await page.goto('/visualization?v=sample&view=tree');
    await depth.getByRole('radio', { name: '1', checked: true }).waitFor();
    await page.goto('/visualization?v=sample');
    await depth.getByRole('radio', { name: '3', checked: true }).waitFor();
  });

  test('dark mode reaches a page that is open, yields to its reader’s choice, and is there before the next paint', async () => {
    const [{ page: admin }, { page: reader }, { page: chooser }] = [
      await stage.signedIn('admin'),
      await stage.signedIn('approved'),
      await stage.signedIn('approved'),
    ];
    for (const page of [reader, chooser]) {
      await page.goto('/visualization');
      await page.getByRole('heading', { name: 'Your sky is ready' }).waitFor();
      expect(await themeOf(page)).toBe('light');
    }
    await chooser.getByRole('button', { name: 'Switch to dark theme' }).click();
    await chooser.getByRole('button', { name: 'Switch to light theme' }).click();
    await admin.goto(settingsAt);
    await admin.getByRole('switch', { name: 'Dark mode' }).click();
    await save(admin);
    await reader.locator('html[data-theme=dark]').waitFor();
    // The next page has the theme from the start, before the server has responded.
    await reader.route('**/api/settings/screen', () => undefined);
    await reader.reload();
    expect(await themeOf(reader)).toBe('dark');
    expect(await themeOf(chooser)).toBe('light');
    await admin.getByRole('switch', { name: 'Dark mode' }).click();
    await save(admin);
  });

  test('a page that is opened after dark mode was saved is dark from its first picture on', async () => {
    const admin = await stage.signedIn('admin');
    const reader = await stage.signedIn('approved');
    await reader.page.goto('/visualization');
    await reader.page.getByRole('heading', { name: 'Your sky is ready' }).waitFor();
    expect(await themeOf(reader.page)).toBe('light');
    await reader.page.goto('/healthz');
    const { version, settings } = await admin.call<{ version: number; settings: object }>('GET', '/settings');
    await admin.call('PUT', '/settings', { version, settings: { ...settings, darkMode: true }, enforce: false });
    // The theme when the page first rendered content.
    await reader.page.addInitScript(`new MutationObserver((_, watch) => {
      if (!document.querySelector('main')) return;
      watch.disconnect();
      globalThis.firstTheme = document.documentElement.dataset.theme;
    }).observe(document, { childList: true, subtree: true })`);
    await reader.page.goto('/visualization');
    await reader.page.getByRole('heading', { name: 'Your sky is ready' }).waitFor();
    expect(await reader.page.evaluate('firstTheme')).toBe('dark');

    // The page loads even without a response.
    await reader.page.route('**/api/settings/screen', () => undefined);
    await reader.page.reload();
    await reader.page.getByRole('heading', { name: 'Your sky is ready' }).waitFor();
    const now = await admin.call<{ version: number; settings: object }>('GET', '/settings');
    const light = { ...now.settings, darkMode: false };
    await admin.call('PUT', '/settings', { version: now.version, settings: light, enforce: false });
  });

  test('sign-up is open until a policy is enforced, and closed then', async () => {
    const { page: admin } = await stage.signedIn('admin');
    const stranger = await stage.visitor();
    const signUp = (name: string) =>
      stranger.call('POST', '/sign-up', {
        email: `${name}@example.com`,
        password: 'rakes and ladders',
        displayName: name,
      });
    await signUp('early');
    await admin.goto(settingsAt);
    await admin.getByText('Not enforced yet: anyone may sign up and waits for approval').waitFor();
    expect(await admin.getByRole('switch', { name: 'Auto-approve' }).isDisabled()).toBe(true);
    await admin.getByRole('button', { name: 'Enforce this policy' }).click();
    await admin.getByText('Settings saved successfully').waitFor();
    expect(await admin.getByText('Not enforced yet', { exact: false }).count()).toBe(0);

    // The third sign-up from an address requires a proof of work, which the page computes.
    stranger.expectProblem(/status of (403|429)/);
    const { page } = stranger;
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    // The notice is shown before anything is filled in, and nowhere else.
    const closed = page.getByText('Registration is closed. Please ask an administrator for an account.');
    await closed.waitFor();
    const form = page.getByRole('main');
    await form.getByRole('button', { name: 'Sign in', exact: true }).last().click();
    await form.getByLabel('Full name').waitFor({ state: 'detached' });
    expect(await closed.count()).toBe(0);
    await form.getByRole('button', { name: 'Sign up', exact: true }).click();
    await closed.waitFor();
    await page.getByLabel('Full name').fill('Late Comer');
    await page.getByLabel('Email address').fill('late@example.com');
    await page.getByLabel('Password', { exact: true }).fill('rakes and ladders');
    await page.getByLabel('Confirm Password', { exact: true }).fill('rakes and ladders');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Registration is closed. Please ask an administrator').waitFor();

    await admin.getByRole('switch', { name: 'Open registration' }).click();
    await admin.getByRole('switch', { name: 'Auto-approve' }).click();
    await save(admin);
    await page.keyboard.press('Enter');
    await page.getByText('Account created successfully! You can sign in now.').waitFor();
  });

  test('Activity shows who did what, filters, pages and is downloaded', async () => {
    const { page } = await stage.signedIn('admin');
    await page.goto('/admin?tab=activity');
    await page
      .getByRole('row', { name: /Changed the settings/ })
      .first()
      .waitFor();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('combobox', { name: 'Kind of activity' }).click();
    await page.getByRole('option', { name: 'Signed up' }).click();
    await page.getByLabel('Search activity').fill('LATE@');
    const rows = page.getByRole('row', { name: /Signed up/ });
    await expect.poll(() => rows.count()).toBe(1);
    const signedUp = page.getByRole('row', { name: /late@example\.com/ });
    await signedUp.getByText('status: approved').waitFor();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^activity-\d{4}-\d\d-\d\d\.csv$/);
  });

  test('the email of a deleted person leaves the activity when an admin says so', async () => {
    const visitor = await stage.signedIn('admin');
    const email = 'gone@example.com';
    const made = await visitor.call<{ id: string }>('POST', '/users', {
      email,
      password: 'rakes-and-ladders',
      role: 'user',
    });
    const { page } = visitor;
    const { stepUp } = await visitor.call<{ stepUp: string }>('POST', '/session/step-up', {
      password: adminPerson.password,
    });
    const { idToken } = await visitor.call<{ idToken: string }>('POST', '/session/id-token', { stepUp });
    await visitor.call('POST', '/forceDeleteUser', { userId: made.id, idToken });
    await page.goto('/admin?tab=activity');
    const row = page.getByRole('row', { name: /Deleted a user/ });
    await row.getByText(`${email} (deleted)`).waitFor();
    await page
      .getByRole('row', { name: /Created a user/ })
      .getByText(`${email} (deleted)`)
      .waitFor();
    // The button beside the details leaves them enough width.
    const details = await row.getByTitle(/^email: gone@/).boundingBox();
    expect(details!.width).toBeGreaterThanOrEqual(100);
    await row.getByRole('button', { name: `Remove the email ${email}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await row.getByText(`${email} (deleted)`).waitFor();
    await row.getByRole('button', { name: `Remove the email ${email}` }).click();
    const question = page.getByRole('alertdialog');
    expect(await violations(page)).toEqual([]);
    await question.getByRole('button', { name: 'Remove email' }).click();
    await page.getByText('The email was removed from the activity. Backups made before keep it.').waitFor();
    await page.getByRole('row', { name: /Removed a deleted email/ }).waitFor();
    await row.getByText(`a deleted account (${made.id.slice(0, 8)})`).waitFor();
    expect(await page.getByText(email).count()).toBe(0);
    expect(await row.getByRole('button').count()).toBe(0);
  });

  test.each(['settings', 'activity'])('axe finds nothing in %s on a dark phone', async (tab) => {
    const how = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
    const { page } = await stage.signedIn('admin', how);
    await page.goto(`/admin?tab=${tab}`);
    await page
      .getByText(tab === 'settings' ? 'User Registration' : 'Signed in')
      .first()
      .waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
