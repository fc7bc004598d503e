// Chooses the theme before the first paint: the person's own choice, else the link's `t`, else the system's.
(() => {
  const known = (value) => (value === 'light' || value === 'dark' ? value : undefined);
  let chosen;
  try {
    chosen = known(localStorage.getItem('theme'));
  } catch {
    chosen = undefined; // storage is switched off: the link and the system still decide
  }
  const linked = known(new URLSearchParams(location.search).get('t'));
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = chosen ?? linked ?? system;
})();
