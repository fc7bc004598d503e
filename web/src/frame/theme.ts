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

/** As `/theme.js` knows them. */
const choiceKey = 'theme';
const settingKey = 'theme-setting';

function show(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}
