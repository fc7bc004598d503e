// Chooses the theme before the first paint: the person's own choice, else the link's `t`, else the one that the admins
// set as this browser last heard of it, else the system's.
(() => {
  const known = (value) => (value === 'light' || value === 'dark' ? value : undefined);
  let chosen;
  let set;
  try {
    chosen = known(localStorage.getItem('theme'));
    set = known(localStorage.getItem('theme-setting'));
  } catch {
    // storage is switched off: the link and the system still decide
  }
  const linked = known(new URLSearchParams(location.search).get('t'));
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = chosen ?? linked ?? set ?? system;
})();
