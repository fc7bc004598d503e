import { limits } from '@kc/rules/limits';
import { useCallback, useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

/** The current theme of the document, which `/theme.js` set before the first paint. */
export function currentTheme(): Theme {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
}

/**
 * Subscribes to theme changes, whatever caused them.
 *
 * @returns unsubscribes
 */
export function watchTheme(onChange: () => void): () => void {
  const watch = new MutationObserver(onChange);
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => watch.disconnect();
}

export function useTheme(): Theme {
  return useSyncExternalStore(watchTheme, currentTheme);
}

/**
 * Whether a media query matches. For components that render differently by width; purely visual differences belong in
 * CSS.
 */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** Whether the window is that of a phone. */
export const useIsSmall = (): boolean => !useMedia(`(min-width: ${limits.mobileBelowPx}px)`);

/** Whether the user's settings allow animation. */
export const allowsMotion = (): boolean => !matchMedia('(prefers-reduced-motion: reduce)').matches;
