import { flushSync } from 'react-dom';

/**
 * Changes what the card holds: old and new cross-fade while its lower edge moves; its top edge stays. Without view
 * transitions, or where less motion is wanted, it just changes. The times are in the stylesheet.
 */
export function crossFade(change: () => void): void {
  const fades = 'ViewTransition' in window && 'types' in ViewTransition.prototype;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (fades && !still) document.startViewTransition({ update: () => flushSync(change), types: ['card'] });
  else change();
}
