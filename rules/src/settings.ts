import type { Status } from './account.ts';
import { done, type Result, refuse } from './result.ts';

export const defaultDepths = ['1', '2', '3', 'all'] as const;
export type DefaultDepth = (typeof defaultDepths)[number];

/** Minutes between looks for newer data, or never. */
export const refreshIntervals = ['5', '15', '30', '60', 'none'] as const;
export type RefreshInterval = (typeof refreshIntervals)[number];

/** Milliseconds between looks for newer data; `false`: nobody looks, or nobody knows yet. */
export const refreshIntervalMs = (interval: RefreshInterval | undefined): number | false =>
  interval === undefined || interval === 'none' ? false : Number(interval) * 60_000;

/** What admins decide for everybody. Source: spec §3 "Settings object". */
export type Settings = {
  /** Levels that the explorer opens at first. */
  readonly defaultDepth: DefaultDepth;
  readonly autoExpand: boolean;
  /** Whether anybody may sign up by themselves. */
  readonly openRegistration: boolean;
  /** Whether who signs up is approved at once. Only with {@link openRegistration}. */
  readonly autoApprove: boolean;
  readonly darkMode: boolean;
  readonly dataRefreshInterval: RefreshInterval;
};

/** Source: spec §9 "Settings defaults". */
export const defaultSettings: Settings = {
  defaultDepth: '2',
  autoExpand: true,
  openRegistration: false,
  autoApprove: false,
  darkMode: false,
  dataRefreshInterval: '30',
};

/** The settings as they are kept, and which of them somebody has decided on. */
export type SavedSettings = {
  /** Grows with every save; whoever saves says which one they have seen. */
  readonly version: number;
  readonly settings: Settings;
  /** Whether `darkMode` was ever changed: until then everybody's own system decides. */
  readonly themeChosen: boolean;
  /** Whether the registration settings hold: until an admin has changed or enforced them, anybody may sign up. */
  readonly policyEnforced: boolean;
};

export const initialSettings: SavedSettings = {
  version: 1,
  settings: defaultSettings,
  themeChosen: false,
  policyEnforced: false,
};

/** What an admin asks to be saved. `enforce`: the "Enforce this policy" button. */
export type SettingsChange = {
  readonly version: number;
  readonly settings: Settings;
  readonly enforce: boolean;
};

/**
 * What is kept after a save, or why nothing is: another admin saved meanwhile, or auto-approve without open registration.
 * A save that changes nothing keeps its version.
 *
 * Source: spec §5 "Auto-approve", decisions §3.
 */
export function saveSettings(before: SavedSettings, change: SettingsChange): Result<SavedSettings> {
  if (change.version !== before.version) return refuse('settings/stale');
  if (change.settings.autoApprove && !change.settings.openRegistration) return refuse('settings/auto-approve-closed');
  const changed = changedSettings(before.settings, change.settings);
  const after: SavedSettings = {
    version: before.version + 1,
    settings: change.settings,
    themeChosen: before.themeChosen || changed.includes('darkMode'),
    policyEnforced:
      before.policyEnforced ||
      change.enforce ||
      changed.includes('openRegistration') ||
      changed.includes('autoApprove'),
  };
  const isSame = changed.length === 0 && after.policyEnforced === before.policyEnforced;
  return done(isSame ? before : after);
}

/** Names of the settings in which two differ, in the order of the specification. */
export function changedSettings(before: Settings, after: Settings): (keyof Settings)[] {
  const names = Object.keys(defaultSettings) as (keyof Settings)[];
  return names.filter((name) => before[name] !== after[name]);
}

/** Another choice about registration: closing it ends auto-approve with it. Source: spec §5. */
export function withOpenRegistration(settings: Settings, openRegistration: boolean): Settings {
  return { ...settings, openRegistration, autoApprove: openRegistration && settings.autoApprove };
}

/**
 * The status that somebody who signs up by themselves begins with, or the refusal. Accounts that an admin makes and
 * built-in admins who claim theirs are not asked about.
 *
 * Source: decisions §3.
 */
export function admission({ settings, policyEnforced }: SavedSettings): Result<Status> {
  if (!policyEnforced) return done('pending');
  if (!settings.openRegistration) return refuse('sign-up/closed');
  return done(settings.autoApprove ? 'approved' : 'pending');
}

/** What acts on everybody's screen. `theme` is absent until an admin has chosen one. */
export type ScreenSettings = Pick<Settings, 'defaultDepth' | 'autoExpand' | 'dataRefreshInterval'> & {
  readonly theme?: 'light' | 'dark' | undefined;
};

export function screenSettings({ settings, themeChosen }: SavedSettings): ScreenSettings {
  const { defaultDepth, autoExpand, dataRefreshInterval, darkMode } = settings;
  return {
    defaultDepth,
    autoExpand,
    dataRefreshInterval,
    ...(themeChosen ? { theme: darkMode ? ('dark' as const) : ('light' as const) } : {}),
  };
}
