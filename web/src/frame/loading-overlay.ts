import { limits } from '@kc/rules/limits';
import { paths } from '@kc/rules/paths';

type Routing = {
  subscribe(event: 'onRendered', listener: () => void): () => void;
  readonly state: { readonly location: { readonly pathname: string } };
};

/**
 * Takes the overlay of the document away once the first screen is drawn: shown at least 700 ms, faded in 300 ms,
 * cleared after 10 s whatever happened. (The stylesheet hides it after 15 s even when no script ever runs.)
 * Alt+Shift+R clears it at once. Source: spec §2 "Loading overlay", §9.
 */
export function startLoadingOverlay(router: Routing): void {
  const overlay = document.getElementById('loading-overlay');
  const message = document.getElementById('loading-message');
  if (!overlay || !message) return;
  message.textContent = 'Loading application...';

  const clear = () => {
    clearTimeout(safety);
    stopListening();
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

  const stopListening = router.subscribe('onRendered', () => {
    stopListening();
    const preparing = router.state.location.pathname === paths.login;
    if (preparing) message.textContent = 'Preparing login page...';
    setTimeout(clear, overlayLeftMs(performance.now(), preparing));
  });
}

/** How long the overlay still stays, in ms, `shownMs` after the document began to load. */
export function overlayLeftMs(shownMs: number, preparingLogin: boolean): number {
  const least = preparingLogin ? limits.loginPreparingMs : limits.overlayMinMs;
  return Math.max(0, least - shownMs);
}
