import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Explorer } from '../model/explorer.ts';
import type { ExplorerState } from '../model/explorer-state.ts';
import { none } from '../tree-data/no-row.ts';

export const ExplorerContext = createContext<Explorer | undefined>(undefined);

/** The explorer of the surrounding screen. @throws Error outside of one */
export function useExplorer(): Explorer {
  const explorer = useContext(ExplorerContext);
  if (!explorer) throw new Error('No explorer around this view');
  return explorer;
}

/** Selects a value from the explorer state. The component re-renders when it changes. */
export function useLook<T>(pick: (state: ExplorerState) => T): T {
  const { store, look } = useExplorer();
  return useSyncExternalStore(look.subscribe, () => pick(store.getState()));
}

/** The row whose path is highlighted everywhere: the hovered row, otherwise the previewed search hit. */
export const litRow = ({ hovered, previewed }: ExplorerState): number => (hovered === none ? previewed : hovered);
