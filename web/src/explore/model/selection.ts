import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { none } from '../tree-data/no-row.ts';
import { describeRow } from './describe-row.ts';
import type { ExplorerState, ExplorerStore } from './explorer-state.ts';
import { siblingsInView } from './sibling-order.ts';
import { keptAround, pathTo } from './tree-walk.ts';

export type SelectionDeps = {
  readonly tree: LoadedTree;
  readonly store: ExplorerStore;
  /** Requests the children of a row. */
  readonly askForChildren: (row: number) => void;
};

/** Selects rows and focuses branches. */
export function createSelection({ tree, store, askForChildren }: SelectionDeps) {
  /** The child that was last selected or focused, by parent. */
  const visited = new Map<number, number>();
  const get = store.getState;

  function remember(row: number): void {
    const parent = tree.parent[row] ?? none;
    if (parent !== none) visited.set(parent, row);
  }

  /** @param also changes in the same update of the state */
  function select(row: number, also: Partial<ExplorerState> = {}): void {
    if (row === none) {
      store.setState({ selected: none, ...also });
      return;
    }
    remember(row);
    const expanded = expandedFor(tree, row, get().expanded);
    store.setState({ selected: row, expanded, spoken: spokenOf(tree, row, get()), ...also });
  }

  /**
   * Focuses a branch. A leaf and a row that the filter leaves out cannot be focused: the nearest branch around it is,
   * and the row is selected there.
   */
  function focusOn(row: number, selected: number = row): void {
    const isLeaf = tree.childCount[row] === 0;
    const focus = keptAround(tree, isLeaf ? Math.max(0, tree.parent[row]!) : row);
    if (tree.tail(focus).nodes > 0) askForChildren(focus);
    const expanded = new Set([...expandedFor(tree, selected, get().expanded), ...pathTo(tree, focus)]);
    remember(row);
    store.setState({
      focus,
      selected,
      hovered: none,
      expanded,
      spoken: spokenOf(tree, selected, { ...get(), expanded }),
    });
  }

  return {
    select,
    focusOn,

    /** Goes up one level. At the root, clears the first of these: selection, comparison, search, details panel. */
    climb(): void {
      const { focus, selected, compared, query, detailOpen } = get();
      if (focus !== 0) focusOn(tree.parent[focus]!, focus);
      else if (selected !== none) select(none);
      else if (compared.length > 0) store.setState({ compared: [] });
      else if (query !== '') store.setState({ query: '', previewed: none });
      else if (detailOpen) store.setState({ detailOpen: false });
    },

    /** The child of a row that was last selected or focused. */
    lastVisited: (row: number): number | undefined => visited.get(row),
    /** Rows are other nodes now. */
    forgetVisits: (): void => visited.clear(),
  };
}

/** What a screen reader says about a row. */
function spokenOf(tree: LoadedTree, row: number, state: ExplorerState): string {
  const { view, x, y, expanded } = state;
  const { at } = siblingsInView(tree, row, state);
  const text = describeRow(tree, row, at, view === 'opportunity' ? [x, y] : []);
  if (tree.childCount[row] === 0) return text;
  return `${text}, ${expanded.has(row) ? 'expanded' : 'collapsed'}`;
}

/** The expanded rows, with those that must be expanded to show `row`. */
function expandedFor(tree: LoadedTree, row: number, expanded: ReadonlySet<number>): ReadonlySet<number> {
  const collapsed = pathTo(tree, row)
    .slice(0, -1)
    .filter((at) => !expanded.has(at));
  return collapsed.length === 0 ? expanded : new Set([...expanded, ...collapsed]);
}
