// Before the first paint: the person's own choice, the link's `t`, what the admins set, else the system's.
(() => {
  const known = (value) => (value === 'light' || value === 'dark' ? value : undefined);
  const kept = (key) => {
    try {
      return known(localStorage.getItem(key));
    } catch {
      // No storage here.
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
