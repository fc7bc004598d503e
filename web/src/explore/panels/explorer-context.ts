import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Explorer } from '../model/explorer.ts';
import type { ExplorerState } from '../model/explorer-state.ts';
import { none } from '../tree-data/no-row.ts';

export const ExplorerContext = createContext<Explorer | undefined>(undefined);

/** The explorer around this part of the screen. @throws Error outside of one */
export function useExplorer(): Explorer {
  const explorer = useContext(ExplorerContext);
  if (!explorer) throw new Error('No explorer around this view');
  return explorer;
}

/** One thing of what is looked at; the component renders again when it is another one. */
export function useLook<T>(pick: (state: ExplorerState) => T): T {
  const { store, look } = useExplorer();
  return useSyncExternalStore(look.subscribe, () => pick(store.getState()));
}

/** The row whose path is lit everywhere: the one that is pointed at, else the hit that is looked at. */
export const litRow = ({ hovered, previewed }: ExplorerState): number => (hovered === none ? previewed : hovered);
