import { limits } from '@kc/rules/limits';
import { paths } from '@kc/rules/paths';

type Routing = {
  subscribe(
    event: 'onBeforeLoad' | 'onRendered',
    listener: (change: { readonly toLocation: { readonly pathname: string } }) => void,
  ): () => void;
};

/**
 * Removes the document's loading overlay once the first screen is drawn. It stays at least 700 ms, fades in 300 ms, and
 * is removed after 10 s at the latest. (The stylesheet hides it after 15 s even if no script runs.) "Preparing" on the
 * sign-in page lasts 0.8 s. Alt+Shift+R removes it at once.
 */
export function startLoadingOverlay(router: Routing): void {
  const overlay = document.getElementById('loading-overlay');
  const message = document.getElementById('loading-message');
  if (!overlay || !message) return;
  let preparingAt: number | undefined;

  const setMessage = (path: string | undefined) => {
    preparingAt = path === paths.login ? performance.now() : undefined;
    message.textContent = preparingAt === undefined ? 'Loading application...' : 'Preparing login page...';
  };
  const clear = () => {
    clearTimeout(safety);
    for (const stop of listening) stop();
    removeEventListener('keydown', onKey);
    overlay.dataset.leaving = '';
    setTimeout(() => overlay.remove(), limits.overlayFadeMs);
  };
  const onKey = (event: KeyboardEvent) => {
    if (!event.altKey || !event.shiftKey || event.code !== 'KeyR') return;
    event.preventDefault();
    clear();
  };
  const safety = setTimeout(clear, limits.overlaySafetyMs);
  addEventListener('keydown', onKey);

  setMessage(undefined);
  const listening = [
    router.subscribe('onBeforeLoad', ({ toLocation }) => setMessage(toLocation.pathname)),
    router.subscribe('onRendered', () => {
      for (const stop of listening) stop();
      setTimeout(clear, overlayLeftMs({ now: performance.now(), shownAt: firstPaint(), preparingAt }));
    }),
  ];
}

/** When the overlay was first painted; a background tab has not painted it yet. */
const firstPaint = (): number =>
  performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now();

type Times = { readonly now: number; readonly shownAt: number; readonly preparingAt: number | undefined };

/** How long the overlay stays, in ms. The times are in ms, too. */
export function overlayLeftMs({ now, shownAt, preparingAt = Number.NEGATIVE_INFINITY }: Times): number {
  return Math.max(0, shownAt + limits.overlayMinMs - now, preparingAt + limits.loginPreparingMs - now);
}
