// Chooses the theme before the first paint: the person's own choice, else the link's `t`, else the one that the admins
// set as this browser last heard of it, else the system's, which an open page goes on following.
(() => {
  const known = (value) => (value === 'light' || value === 'dark' ? value : undefined);
  const kept = (key) => {
    try {
      return known(localStorage.getItem(key));
    } catch {
      // storage is switched off: the link and the system still decide
    }
  };
  const linked = known(new URLSearchParams(location.search).get('t'));
  const system = matchMedia('(prefers-color-scheme: dark)');
  const choose = () => {
    const theme = kept('theme') ?? linked ?? kept('theme-setting') ?? (system.matches ? 'dark' : 'light');
    document.documentElement.dataset.theme = theme;
  };
  choose();
  system.addEventListener('change', choose);
})();
