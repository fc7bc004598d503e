import { useEffect, useEffectEvent } from 'react';

/** Listens to the window as long as the component is there. */
export function useWindowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
  { capture = false }: { readonly capture?: boolean } = {},
): void {
  const latest = useEffectEvent(listener);
  useEffect(() => {
    const listen = (event: WindowEventMap[Name]) => latest(event);
    addEventListener(name, listen, { capture });
    return () => removeEventListener(name, listen, { capture });
  }, [name, capture]);
}
