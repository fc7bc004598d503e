import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { none } from '../tree-data/no-row.ts';
import { depthOf, type ExplorerStore, withRow } from './explorer-state.ts';
import { pathTo, siblingsOf } from './tree-walk.ts';
import { type Depth, depths } from './url-state.ts';

type OpenBranchesDeps = {
  readonly tree: LoadedTree;
  readonly store: ExplorerStore;
  /** Requests the children of a row. */
  readonly askForChildren: (row: number) => void;
};

/** How many branches may request their children at once. The others do so when they scroll into view. */
export const askedAtOnce = 50;

/**
 * Opens and closes branches, in the outline and the table (`expanded`) and in Tree (`opened`, `closed`, `unfolded`).
 */
export function createOpenBranches({ tree, store, askForChildren }: OpenBranchesDeps) {
  const get = store.getState;
  const isEmpty = (row: number): boolean => tree.children(row).length === 0;

  /** Sets the depth. Branches that the user opened or closed follow it again. */
  function setDepth(depth: Depth): void {
    const isUsual = depth === depthOf({ ...get(), depth: undefined });
    store.setState({ depth: isUsual ? undefined : depth, opened: new Set(), closed: new Set() });
  }

  return {
    setDepth,

    changeDepth(by: 1 | -1): void {
      const at = depths.indexOf(depthOf(get())) + by;
      setDepth(depths[Math.min(depths.length - 1, Math.max(0, at))]!);
    },

    /** Opens or closes a branch of the outline and the table. */
    setExpanded(row: number, open: boolean): void {
      if (open && isEmpty(row)) askForChildren(row);
      store.setState({ expanded: withRow(get().expanded, row, open) });
    },

    /** Opens or closes a branch of Tree, whatever the depth says. */
    toggleBranch(row: number, isOpen: boolean): void {
      const { opened, closed } = get();
      if (!isOpen && isEmpty(row)) askForChildren(row);
      store.setState({ opened: withRow(opened, row, !isOpen), closed: withRow(closed, row, isOpen) });
    },

    /** Opens all loaded siblings of the selection that are branches. */
    expandSiblings(): void {
      const { selected, focus, expanded, opened } = get();
      const { rows } = siblingsOf(tree, selected === none ? focus : selected);
      const branches = Array.from(rows).filter((row) => tree.childCount[row]! > 0);
      for (const row of branches.filter(isEmpty).slice(0, askedAtOnce)) askForChildren(row);
      store.setState({ expanded: new Set([...expanded, ...branches]), opened: new Set([...opened, ...branches]) });
    },

    /**
     * Closes all branches except those on the way to a row, in the outline, the table and Tree. Opens the row itself.
     */
    collapseOthers(row: number): void {
      const { focus } = get();
      const way = new Set(pathTo(tree, row));
      const closed = new Set<number>();
      for (const at of way) {
        for (const child of tree.children(at)) if (tree.childCount[child]! > 0 && !way.has(child)) closed.add(child);
      }
      // Branches below the row stay as they are.
      for (const child of tree.children(row)) closed.delete(child);
      if (isEmpty(row)) askForChildren(row);
      store.setState({ expanded: way, opened: new Set([...way].filter((at) => at !== focus)), closed });
    },

    /** Shows all children of a row instead of its remainder. */
    unfold(row: number): void {
      askForChildren(row);
      store.setState({ unfolded: withRow(get().unfolded, row, true), expanded: withRow(get().expanded, row, true) });
    },
  };
}
