import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

/** The theme of the document now. `/theme.js` has chosen it before the first paint. */
export function currentTheme(): Theme {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
}

/** Calls when the theme became another one, whoever changed it. @returns how to stop */
export function watchTheme(onChange: () => void): () => void {
  const watch = new MutationObserver(onChange);
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => watch.disconnect();
}

export function useTheme(): Theme {
  return useSyncExternalStore(watchTheme, currentTheme);
}
