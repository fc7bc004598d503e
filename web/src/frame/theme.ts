import { limits } from '@kc/rules/limits';
import type { QueryClient } from '@tanstack/react-query';
import { screenSettingsQuery, sessionQuery } from '../session/session.ts';
import type { Theme } from '../ui/environment.ts';

/** Sets the user's own theme, which from now on overrides the administrators' setting. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(choiceKey, theme);
  show(theme);
}

/**
 * Applies the theme set by the administrators, unless the user or the opened link has chosen one. Stored for
 * `/theme.js`, so that the next page has it before its first paint.
 */
export function followThemeSetting(theme: Theme): void {
  localStorage.setItem(settingKey, theme);
  const linked = new URLSearchParams(location.search).get('t');
  if (localStorage.getItem(choiceKey) === null && linked !== 'light' && linked !== 'dark') show(theme);
}

/**
 * Waits, before the first paint of a page, for the theme set by the administrators: it may have changed since the last
 * visit, and the page must not switch themes while it loads. The wait is short.
 */
export async function settleTheme(queries: QueryClient): Promise<void> {
  const session = queries.getQueryData(sessionQuery.queryKey);
  if (!session?.isAdmin && session?.status !== 'approved') return;
  const loading = queries.ensureQueryData(screenSettingsQuery).catch(() => undefined);
  const settings = await Promise.race([
    loading,
    new Promise<undefined>((over) => setTimeout(over, limits.themeWaitMs)),
  ]);
  if (settings?.theme) followThemeSetting(settings.theme);
}

/** Keys shared with `/theme.js`. */
const choiceKey = 'theme';
const settingKey = 'theme-setting';

/** Switches all colours at once, without transitions; otherwise some parts would keep the old theme for a moment. */
function show(theme: Theme): void {
  const root = document.documentElement;
  if (root.dataset.theme === theme) return;
  root.dataset.themeChange = '';
  root.dataset.theme = theme;
  requestAnimationFrame(() => requestAnimationFrame(() => delete root.dataset.themeChange));
}
