// Uncovers the sentence of the document when the application cannot start: its scripts cannot be fetched, or throw before
// the first screen is drawn. The first screen replaces the sentence, so its absence means that the start went well.
(() => {
  const hasStarted = () => document.body !== null && document.getElementById('failed-start') === null;
  /** Only our own scripts count: those of a browser extension throw in this window, too. */
  const isOurs = ({ target, filename }) =>
    target === window ? filename.startsWith(location.origin) : target instanceof HTMLScriptElement;
  addEventListener(
    'error',
    (event) => {
      if (isOurs(event) && !hasStarted()) document.documentElement.dataset.start = 'failed';
    },
    true,
  );
  // The form reloads the page without this script, too, but drops the query and the fragment, which carries the token of
  // a claim link.
  addEventListener('submit', (event) => {
    if (event.target.closest('#failed-start') === null) return;
    event.preventDefault();
    location.reload();
  });
})();
