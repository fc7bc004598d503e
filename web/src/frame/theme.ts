import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const changed = new EventTarget();

/** The theme of the document now. `/theme.js` has chosen it before the first paint. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, current);
}

/** Sets the person's own choice, which stays over the system's from now on. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem('theme', theme);
  changed.dispatchEvent(new Event('change'));
}

function subscribe(listener: () => void): () => void {
  changed.addEventListener('change', listener);
  return () => changed.removeEventListener('change', listener);
}

const current = (): Theme => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light');
