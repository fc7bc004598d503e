import { defaultSettings, type SavedSettings } from '@kc/rules/settings';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { fakeApi, refuses } from '../../../../test/page/fake-api.ts';
import { address } from '../../../../test/page/open-app.tsx';
import { accountsOf, openDashboard } from '../../../../test/page/open-users.tsx';

const shows = (text: string | RegExp) => expect.element(page.getByText(text)).toBeVisible();
const preview = (name: string) => expect.element(page.getByRole('img', { name, exact: false })).toBeVisible();
const depth = (name: string) => page.getByRole('radio', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name });
const saveButton = button('Save Settings');

/** A server with settings, and every save of them. */
async function openSettings(change: Partial<SavedSettings> = {}) {
  let saved: SavedSettings = { version: 1, settings: defaultSettings, themeChosen: false, policyEnforced: true };
  saved = { ...saved, ...change };
  const save = vi.fn(({ version, settings, enforce }) => {
    saved = { ...saved, version: version + 1, settings, policyEnforced: saved.policyEnforced || enforce };
    return saved;
  });
  await openDashboard('/admin?tab=settings', {
    ...accountsOf().api,
    'settings.get': () => saved,
    'settings.save': save,
    'links.all': () => [],
    'accessTokens.all': () => [],
    'webhooks.list': () => [],
    'storage.use': () => ({ free: 41_200_000_000, kept: { files: 0, bytes: 0 } }),
  });
  await expect.element(saveButton).toBeDisabled();
  return {
    save,
    another: (settings: SavedSettings['settings']) => {
      saved = { ...saved, version: saved.version + 1, settings };
    },
  };
}

// Shows P11.3.
test('changes are announced and discarded, and pictures show what they do', async () => {
  await openSettings();
  await expect.element(button('Discard Changes')).not.toBeInTheDocument();
  await depth('3').click();
  await shows('You have unsaved changes. Click "Save Settings" to apply them.');
  await shows('was: 2');
  await preview('a tree of 12 nodes opens with 11 of them');
  await preview('after a topic is opened, 12 of 12 nodes are shown');
  await shows('Zooming in opens branches, too.');
  await page.getByRole('switch', { name: 'Auto-expand' }).click();
  await preview('a tree of 12 nodes opens with 4 of them');
  await preview('after a topic is opened, 6 of 12 nodes are shown');
  await shows('Zooming in opens no branches.');
  await shows(/every 30 minutes and offers what it finds\. A page opened now looks again at \d\d:\d\d [AP]M/);
  await page.getByRole('combobox', { name: 'Data refresh interval' }).click();
  await page.getByRole('option', { name: 'Never' }).click();
  await shows(/^An open page shows newer data only when its reader presses Refresh/);
  await button('Discard Changes').click();
  await shows('Changes discarded.');
  await expect.element(depth('2')).toBeChecked();
});

// Shows P11.3.
test('leaving asks, and the keyboard saves', async () => {
  const { save } = await openSettings();
  await depth('1').click();
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: /Users/ }).click();
  const leaving = page.getByRole('alertdialog', { name: 'Unsaved changes' });
  await expect
    .element(leaving.getByText('Your changes to the settings are not saved. Leave without saving them?'))
    .toBeVisible();
  await leaving.getByRole('button', { name: 'Stay' }).click();
  await expect.element(leaving).not.toBeInTheDocument();
  await userEvent.keyboard('{Control>}s{/Control}');
  await shows('Settings saved successfully');
  expect(save).toHaveBeenCalledExactlyOnceWith({
    version: 1,
    settings: { ...defaultSettings, defaultDepth: '1' },
    enforce: false,
  });
  expect(address()).toBe('/admin?tab=settings');
});

test.each([
  ['changed', { autoExpand: !defaultSettings.autoExpand }],
  ['taken back', { defaultDepth: defaultSettings.defaultDepth }],
])('what is %s while a save is under way stays, and is saved by the next one', async (how, late) => {
  const { save } = await openSettings();
  let respond = (_: SavedSettings): void => undefined;
  const sent = vi.fn(() => new Promise<SavedSettings>((resolve) => (respond = resolve)));
  fakeApi({ 'settings.save': sent });
  await depth('3').click();
  await saveButton.click();
  await expect.poll(() => sent.mock.calls).toHaveLength(1);
  await (how === 'changed' ? page.getByRole('switch', { name: 'Auto-expand' }) : depth('2')).click();
  const settings = { ...defaultSettings, defaultDepth: '3' } as const;
  const first: SavedSettings = { version: 2, settings, themeChosen: false, policyEnforced: true };
  fakeApi({ 'settings.get': () => first, 'settings.save': save });
  respond(first);
  await shows('Settings saved successfully');
  await shows('You have unsaved changes. Click "Save Settings" to apply them.');
  await saveButton.click();
  await expect
    .poll(() => save.mock.lastCall?.[0])
    .toEqual({ version: 2, settings: { ...settings, ...late }, enforce: false });
});

// Shows P11.3.
test('a reset asks, and is saved like any other change', async () => {
  const { save } = await openSettings({ settings: { ...defaultSettings, defaultDepth: '1' } });
  await button('Reset to Defaults').click();
  const question = page.getByRole('alertdialog', { name: 'Reset to Defaults' });
  await expect
    .element(
      question.getByText('Are you sure you want to reset all settings to default values? This cannot be undone.'),
    )
    .toBeVisible();
  await question.getByRole('button', { name: 'Reset to Defaults' }).click();
  await shows('was: 1');
  expect(save).not.toHaveBeenCalled();
  await saveButton.click();
  await shows('Settings saved successfully');
  expect(save.mock.lastCall![0].settings).toEqual(defaultSettings);
  await expect.element(depth('2')).toBeChecked();
});

test('what another admin saved meanwhile is not overwritten', async () => {
  const { another } = await openSettings();
  await depth('All').click();
  another({ ...defaultSettings, dataRefreshInterval: '60' });
  fakeApi({ 'settings.save': refuses('settings/stale') });
  await saveButton.click();
  await shows(
    'Failed to save settings: Another administrator has saved the settings in the meantime. Discard your changes to see them, then save again.',
  );
  await button('Discard Changes').click();
  const interval = page.getByRole('combobox', { name: 'Data refresh interval' });
  await expect.element(interval.getByText('60 minutes')).toBeVisible();
});

test('a policy that nobody decided is pointed out until it is enforced', async () => {
  const { save } = await openSettings({ policyEnforced: false });
  const notice = page.getByText('Not enforced yet: anyone may sign up and waits for approval');
  await expect.element(notice).toBeVisible();
  await expect.element(page.getByRole('switch', { name: 'Auto-approve' })).toBeDisabled();
  await button('Enforce this policy').click();
  await shows('Settings saved successfully');
  expect(save).toHaveBeenCalledExactlyOnceWith({ version: 1, settings: defaultSettings, enforce: true });
  await expect.element(notice).not.toBeInTheDocument();
  await page.getByRole('switch', { name: 'Open registration' }).click();
  await page.getByRole('switch', { name: 'Auto-approve' }).click();
  await saveButton.click();
  await expect.poll(() => save.mock.lastCall![0].settings).toMatchObject({ openRegistration: true, autoApprove: true });
});
