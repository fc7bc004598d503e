import type { Explorer } from '../model/explorer.ts';

const panels = { outlineOpen: 'outline', detailOpen: 'detail' } as const;
const fields = ['outlineOpen', 'detailOpen'] as const;

/**
 * Restores the open state of panels on this device. Windows in which panels are closed by default have a state of their
 * own. The sheet on a phone is always closed initially.
 */
export function rememberPanels({ store }: Explorer): void {
  const { isSmall, outlineOpen: beginOpen } = store.getInitialState();
  if (isSmall) return;
  const keyOf = (field: (typeof fields)[number]) => `explorer.${panels[field]}.open${beginOpen ? '' : '.narrow'}`;
  for (const field of fields) {
    const kept = localStorage.getItem(keyOf(field));
    if (kept !== null) store.setState({ [field]: kept === 'yes' });
  }
  store.subscribe((now, before) => {
    for (const field of fields) {
      if (now[field] !== before[field]) localStorage.setItem(keyOf(field), now[field] ? 'yes' : 'no');
    }
  });
}
