import type { Status } from './account.ts';
import { done, type Result, refuse } from './result.ts';

export const defaultDepths = ['1', '2', '3', 'all'] as const;
export type DefaultDepth = (typeof defaultDepths)[number];

/** Minutes between checks for newer data, or never. */
export const refreshIntervals = ['5', '15', '30', '60', 'none'] as const;
export type RefreshInterval = (typeof refreshIntervals)[number];

/** Milliseconds between checks for newer data; `false` for no checks, or while the setting is unknown. */
export const refreshIntervalMs = (interval: RefreshInterval | undefined): number | false =>
  interval === undefined || interval === 'none' ? false : Number(interval) * 60_000;

/** The settings that administrators make for all users. */
export type Settings = {
  /** Levels that the explorer expands initially. */
  readonly defaultDepth: DefaultDepth;
  readonly autoExpand: boolean;
  /** Whether users may sign up. */
  readonly openRegistration: boolean;
  /** Whether sign-ups are approved at once. Only with {@link openRegistration}. */
  readonly autoApprove: boolean;
  readonly darkMode: boolean;
  readonly dataRefreshInterval: RefreshInterval;
  /** Whether users may import keyword lists for themselves. */
  readonly userImports: boolean;
  /** Visualizations that a user may have to import another list. */
  readonly maxUserVisualizations: number;
  /** Megabytes of list files that a user may import at a time. */
  readonly maxUserImportMb: number;
  /** Whether owners may give people without an account links to their visualizations. */
  readonly clientLinks: boolean;
};

export const defaultSettings: Settings = {
  defaultDepth: '2',
  autoExpand: true,
  openRegistration: false,
  autoApprove: false,
  darkMode: false,
  dataRefreshInterval: '30',
  userImports: false,
  maxUserVisualizations: 5,
  maxUserImportMb: 100,
  clientLinks: false,
};

/** The stored settings, and which of them an administrator has decided. */
export type SavedSettings = {
  /** Increases with every save. A save names the version it is based on. */
  readonly version: number;
  readonly settings: Settings;
  /** Whether `darkMode` was ever changed: until then each user's system decides. */
  readonly themeChosen: boolean;
  /** Whether the registration settings apply: until an administrator has changed or enforced them, sign-up is open. */
  readonly policyEnforced: boolean;
};

export const initialSettings: SavedSettings = {
  version: 1,
  settings: defaultSettings,
  themeChosen: false,
  policyEnforced: false,
};

/** The settings that an administrator wants to save. `enforce`: the "Enforce this policy" button. */
export type SettingsChange = {
  readonly version: number;
  readonly settings: Settings;
  readonly enforce: boolean;
};

/**
 * The settings after a save, or a refusal: another administrator saved meanwhile, or auto-approve without open
 * registration. A save without changes keeps the version.
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

/** The names of the settings that differ, in the order of the specification. */
export function changedSettings(before: Settings, after: Settings): (keyof Settings)[] {
  const names = Object.keys(defaultSettings) as (keyof Settings)[];
  return names.filter((name) => before[name] !== after[name]);
}

/** A changed registration setting: closing registration also ends auto-approve. */
export function withOpenRegistration(settings: Settings, openRegistration: boolean): Settings {
  return { ...settings, openRegistration, autoApprove: openRegistration && settings.autoApprove };
}

/**
 * The status of a new self-registered account, or the refusal. Accounts that an administrator creates and claimed
 * built-in accounts are not subject to it.
 */
export function admission({ settings, policyEnforced }: SavedSettings): Result<Status> {
  if (!policyEnforced) return done('pending');
  if (!settings.openRegistration) return refuse('sign-up/closed');
  return done(settings.autoApprove ? 'approved' : 'pending');
}

/** The settings that affect every user's screen. `theme` is absent until an administrator has chosen one. */
export type ScreenSettings = Pick<
  Settings,
  'defaultDepth' | 'autoExpand' | 'dataRefreshInterval' | 'userImports' | 'clientLinks'
> & {
  readonly theme?: 'light' | 'dark' | undefined;
};

export function screenSettings({ settings, themeChosen }: SavedSettings): ScreenSettings {
  const { defaultDepth, autoExpand, dataRefreshInterval, userImports, clientLinks, darkMode } = settings;
  return {
    defaultDepth,
    autoExpand,
    dataRefreshInterval,
    userImports,
    clientLinks,
    ...(themeChosen ? { theme: darkMode ? ('dark' as const) : ('light' as const) } : {}),
  };
}
