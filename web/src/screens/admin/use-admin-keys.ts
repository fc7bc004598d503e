import { type AdminTab, paths } from '@kc/rules/paths';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { tinykeys } from 'tinykeys';
import { describeFocused, isOverlayOpen, keepsKey } from '../../ui/kept-keys.ts';

const tabOfKey: Readonly<Record<string, AdminTab>> = { u: 'users', p: 'upload', s: 'settings' };
/**
 * Listens to the keys that work anywhere in the dashboard. Source: experience §4.1.
 *
 * They are heard before the widget with the focus hears them and go no further: after G the next S opens Settings, not
 * a row's list of statuses.
 */
export function useAdminKeys(onHelp: () => void): void {
  const navigate = useNavigate();
  const goTo = useEffectEvent((tab: AdminTab, parameters: { list?: string } = {}) => {
    void navigate({ to: paths.admin, search: { tab, ...parameters } });
  });
  const help = useEffectEvent(onHelp);
  useEffect(() => {
    const doing = (act: (key: string) => void) => (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
      act(event.key.toLowerCase());
    };
    return tinykeys(
      window,
      {
        // One sequence for all: of several that begin alike, those not taken would swallow the next G.
        'g ([ups])': doing((key) => goTo(tabOfKey[key]!)),
        c: doing(() => goTo('users', { list: 'create' })),
        '[Shift]+/': doing(() => document.querySelector<HTMLElement>('main input[type=search]')?.focus()),
        '[Shift]+?': doing(() => help()),
      },
      { ignore: isForOthers, capture: true },
    );
  }, []);
}

function isForOthers({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || isOverlayOpen()) return true;
  return keepsKey(describeFocused(target), key);
}
