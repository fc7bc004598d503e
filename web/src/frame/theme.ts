import { limits } from '@kc/rules/limits';
import type { QueryClient } from '@tanstack/react-query';
import { screenSettingsQuery } from '../session/screen-settings.ts';
import { sessionQuery } from '../session/session.ts';
import type { Theme } from '../ui/theme.ts';

/** Sets the person's own choice, which stays over everything else from now on. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(choiceKey, theme);
  show(theme);
}

/**
 * Follows the theme that the admins set, unless the person or the link that was opened has chosen one. It is kept for
 * `/theme.js`, so that the next page has it before its first paint and an open one no longer follows the system.
 *
 * Source: decisions §3 "Theme".
 */
export function followThemeSetting(theme: Theme): void {
  localStorage.setItem(settingKey, theme);
  const linked = new URLSearchParams(location.search).get('t');
  if (localStorage.getItem(choiceKey) === null && linked !== 'light' && linked !== 'dark') show(theme);
}

/**
 * Waits, before a page is drawn for the first time, for the theme that the admins set: it may have changed since this
 * browser was here last, and a page must not begin in one theme and go on in another. Nobody waits long for it.
 */
export async function settleTheme(queries: QueryClient): Promise<void> {
  const session = queries.getQueryData(sessionQuery.queryKey);
  if (!session?.isAdmin && session?.status !== 'approved') return;
  const asked = queries.ensureQueryData(screenSettingsQuery).catch(() => undefined);
  const settings = await Promise.race([asked, new Promise<undefined>((over) => setTimeout(over, limits.themeWaitMs))]);
  if (settings?.theme) followThemeSetting(settings.theme);
}

/** As `/theme.js` knows them. */
const choiceKey = 'theme';
const settingKey = 'theme-setting';

/** Changes all colours at once: some parts have transitions, and would stay in the other theme for a moment. */
function show(theme: Theme): void {
  const root = document.documentElement;
  if (root.dataset.theme === theme) return;
  root.dataset.themeChange = '';
  root.dataset.theme = theme;
  requestAnimationFrame(() => requestAnimationFrame(() => delete root.dataset.themeChange));
}
