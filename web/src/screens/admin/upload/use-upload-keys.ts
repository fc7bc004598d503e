import { useEffect, useEffectEvent } from 'react';
import { tinykeys } from 'tinykeys';
import { describeFocused, isOverlayOpen, keepsKey } from '../../../ui/kept-keys.ts';

/** Keys that answer anywhere but where something is typed or an overlay is open. */
export function useUploadKeys(keys: Readonly<Record<string, () => void>>): void {
  const press = useEffectEvent((key: string) => keys[key]?.());
  const names = Object.keys(keys).join();
  useEffect(() => {
    const bindings = names.split(',').map((name) => [name, () => press(name)] as const);
    return tinykeys(window, Object.fromEntries(bindings), { ignore: isForOthers });
  }, [names]);
}

function isForOthers({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || isOverlayOpen()) return true;
  return keepsKey(describeFocused(target), key);
}
