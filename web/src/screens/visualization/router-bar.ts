import { useRouter } from '@tanstack/react-router';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { AddressBar } from '../../explore/model/address-bar.ts';
import { readUrlState } from '../../explore/model/url-state.ts';

/** The address of this page through the router, so that links, Back and the explorer agree about it. */
export function useRouterBar(): AddressBar {
  const { history } = useRouter();
  return useMemo(() => {
    let isWriting = false;
    return {
      read: () => history.location.search,
      write(search, how) {
        isWriting = true;
        history[how](`${history.location.pathname}${search}`);
        isWriting = false;
      },
      listen: (onChange) => history.subscribe(() => !isWriting && onChange()),
    };
  }, [history]);
}

/** How the address names the visualization; what else it says is the explorer's, and draws the screen no more for that. */
export function useNamed(): string | undefined {
  const { history } = useRouter();
  const listen = useCallback((onChange: () => void) => history.subscribe(onChange), [history]);
  return useSyncExternalStore(listen, () => readUrlState(history.location.search).visualization);
}
