import { useMemo } from 'react';
import { tableListOf } from '../model/table-list.ts';
import { none } from '../tree-data/columns.ts';
import { useExplorer } from './explorer-context.ts';

/** Selects or opens a node that may not be loaded yet. The newest call wins. */
export function useOpenNode() {
  const explorer = useExplorer();
  return useMemo(() => {
    const { tree, store } = explorer;
    const load = async (node: number, act: (row: number) => void) => {
      try {
        const row = await tableListOf(explorer).loadNode(node);
        if (row !== none) act(row);
      } catch (failure) {
        if ((failure as Error).name !== 'AbortError') store.setState({ notice: explorer.explain(failure) });
      }
    };
    return {
      select: (node: number) => load(node, (row) => explorer.select(row)),
      /** Loads a node for its menu. */
      menuRow: load,
      /** Focuses a branch, and shows the details of a keyword. */
      open: (node: number) =>
        load(node, (row) => {
          if (tree.childCount[row]! > 0) explorer.focusOn(row);
          else {
            explorer.select(row);
            store.setState({ detailOpen: true });
          }
        }),
    };
  }, [explorer]);
}
