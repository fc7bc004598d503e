import { limits } from '@kc/rules/limits';
import type { Explorer } from '../model/explorer.ts';
import { outlinePlaceOf, type Room, startsWithOutline } from '../model/explorer-state.ts';
import type { View } from '../model/url-state.ts';

/** The space in the window as it is now. */
export const roomNow = (): Room => ({
  isSmall: innerWidth < limits.mobileBelowPx,
  panelsOpen: innerWidth >= limits.panelsFromPx,
});

/**
 * Restores the open state of panels on this device: of the outline for the charts, the table and Opportunity each.
 * Windows in which panels are closed by default have a state of their own, also while a window is as narrow as that: what is
 * closed there covers the chart. The sheet on a phone is always closed initially.
 */
export function rememberPanels({ store }: Explorer): void {
  const { isSmall, panelsOpen } = store.getInitialState();
  if (isSmall) return;
  const ofWindow = () => (roomNow().panelsOpen ? '' : '.narrow');
  const detailKey = () => `explorer.detail.open${ofWindow()}`;
  const outlineKey = (view: View) => {
    const place = outlinePlaceOf(view);
    return `explorer.outline.open${place === 'charts' ? '' : `.${place}`}${ofWindow()}`;
  };
  const keptOutline = (view: View) => kept(outlineKey(view)) ?? startsWithOutline(view, panelsOpen);
  const { view, detailOpen } = store.getState();
  store.setState({ outlineOpen: keptOutline(view), detailOpen: kept(detailKey()) ?? detailOpen });
  let isRestoring = false;
  store.subscribe((now, before) => {
    if (now.detailOpen !== before.detailOpen) keep(detailKey(), now.detailOpen);
    if (outlinePlaceOf(now.view) !== outlinePlaceOf(before.view)) {
      // What is restored is not what somebody has just chosen.
      isRestoring = true;
      store.setState({ outlineOpen: keptOutline(now.view) });
      isRestoring = false;
    } else if (now.outlineOpen !== before.outlineOpen && !isRestoring) {
      keep(outlineKey(now.view), now.outlineOpen);
    }
  });
}

function kept(key: string): boolean | undefined {
  const text = localStorage.getItem(key);
  return text === null ? undefined : text === 'yes';
}

function keep(key: string, isOpen: boolean): void {
  if (!roomNow().isSmall) localStorage.setItem(key, isOpen ? 'yes' : 'no');
}
