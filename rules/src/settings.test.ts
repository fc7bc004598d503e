import { describe, expect, test } from 'vitest';
import {
  admission,
  changedSettings,
  defaultSettings,
  initialSettings,
  refreshIntervalMs,
  refreshIntervals,
  type SavedSettings,
  type Settings,
  saveSettings,
  screenSettings,
  withOpenRegistration,
} from './settings.ts';

const changedTo = (change: Partial<Settings>): Settings => ({ ...defaultSettings, ...change });

function saved(change: Partial<Settings>, { enforce = false, before = initialSettings } = {}): SavedSettings {
  const answer = saveSettings(before, { version: before.version, settings: changedTo(change), enforce });
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.value;
}

test('the refresh interval is a number of minutes, or never', () => {
  expect([...refreshIntervals, undefined].map(refreshIntervalMs)).toEqual([
    300_000,
    900_000,
    1_800_000,
    3_600_000,
    false,
    false,
  ]);
});

// Shows P11.2.
test('the settings have the specified defaults', () => {
  expect(defaultSettings).toEqual({
    defaultDepth: '2',
    autoExpand: true,
    openRegistration: false,
    autoApprove: false,
    darkMode: false,
    dataRefreshInterval: '30',
    userImports: false,
    clientLinks: false,
    maxUserVisualizations: 5,
    maxUserImportMb: 100,
  });
});

describe('saving', () => {
  test('creates a new version only if something changes', () => {
    expect(saved({ defaultDepth: '3' })).toMatchObject({ version: 2, settings: { defaultDepth: '3' } });
    expect(saved({})).toBe(initialSettings);
  });

  // Shows P11.4.
  test('does not overwrite what another admin saved meanwhile', () => {
    const change = { version: 1, settings: defaultSettings, enforce: false };
    expect(saveSettings(saved({ autoExpand: false }), change)).toMatchObject({ refusal: { code: 'settings/stale' } });
  });

  // Shows P11.6.
  test('auto-approve needs open registration', () => {
    const settings = changedTo({ autoApprove: true });
    expect(saveSettings(initialSettings, { version: 1, settings, enforce: false })).toMatchObject({
      refusal: { code: 'settings/auto-approve-closed' },
    });
  });

  test('closing registration ends auto-approve, and opening it does not start it', () => {
    const open = changedTo({ openRegistration: true, autoApprove: true });
    expect(withOpenRegistration(open, false)).toMatchObject({ openRegistration: false, autoApprove: false });
    expect(withOpenRegistration(defaultSettings, true)).toMatchObject({ openRegistration: true, autoApprove: false });
  });

  test('names the settings that differ', () => {
    expect(changedSettings(defaultSettings, changedTo({ darkMode: true, defaultDepth: 'all' }))).toEqual([
      'defaultDepth',
      'darkMode',
    ]);
  });
});

describe('a new user who signs up', () => {
  test('waits for approval until a policy is decided, whatever else is saved', () => {
    expect(admission(initialSettings)).toEqual({ ok: true, value: 'pending' });
    expect(admission(saved({ darkMode: true, defaultDepth: '1' }))).toEqual({ ok: true, value: 'pending' });
  });

  test('is refused once the closed policy is enforced', () => {
    expect(admission(saved({}, { enforce: true }))).toMatchObject({ refusal: { code: 'sign-up/closed' } });
  });

  test('waits when registration is open, and is approved at once with auto-approve', () => {
    expect(admission(saved({ openRegistration: true }))).toEqual({ ok: true, value: 'pending' });
    expect(admission(saved({ openRegistration: true, autoApprove: true }))).toEqual({ ok: true, value: 'approved' });
  });

  test('is refused after registration was opened and closed again', () => {
    const opened = saved({ openRegistration: true });
    expect(admission(saved({ openRegistration: false }, { before: opened }))).toMatchObject({ ok: false });
  });
});

test('the screen settings have a theme only after an admin has chosen one, dark or light', () => {
  expect(screenSettings(saved({ defaultDepth: '3' }))).toEqual({
    defaultDepth: '3',
    autoExpand: true,
    dataRefreshInterval: '30',
    userImports: false,
    clientLinks: false,
  });
  const dark = saved({ darkMode: true });
  expect(screenSettings(dark).theme).toBe('dark');
  expect(screenSettings(saved({ darkMode: false }, { before: dark })).theme).toBe('light');
});
