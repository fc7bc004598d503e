import { seasonOfField } from '@kc/pack/season/season-name';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Explorer } from '../model/explorer.ts';
import type { ExplorerState } from '../model/explorer-state.ts';
import { none } from '../tree-data/columns.ts';

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

/**
 * The newest of the twelve months of the trends: `2026-04`. Undefined if neither the file nor a person names it.
 *
 * @param ofFile as the file names it. What a person said is known once the fields are loaded
 */
export function useNewestMonth(ofFile: string | undefined): string | undefined {
  const said = useLook(({ fields }) => fields?.flatMap(({ name }) => seasonOfField(name)?.newest ?? [])[0]);
  return ofFile ?? said;
}
