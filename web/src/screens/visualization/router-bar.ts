import { useRouter } from '@tanstack/react-router';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { AddressBar } from '../../explore/model/parts.ts';
import { readUrlState } from '../../explore/model/url-state.ts';

/** The address bar through the router, so that links, Back and the explorer stay in sync. */
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

/**
 * The visualization named in the address. Changes to the explorer's part of the address do not re-render the screen.
 */
export const useNamed = (): string | undefined => useInAddress((search) => readUrlState(search).visualization);

/** The draft named in the address. */
export const useNamedDraft = (): string | undefined => useInAddress(draftIn);

function useInAddress(read: (search: string) => string | undefined): string | undefined {
  const { history } = useRouter();
  const listen = useCallback((onChange: () => void) => history.subscribe(onChange), [history]);
  return useSyncExternalStore(listen, () => read(history.location.search));
}

/** The parameter of the page that names a draft. */
export const draftParameter = 'draft';

/** The draft that an address names. @param search with its question mark */
export function draftIn(search: string): string | undefined {
  const id = new URLSearchParams(search).get(draftParameter);
  return id !== null && /^[\w-]{1,64}$/.test(id) ? id : undefined;
}
