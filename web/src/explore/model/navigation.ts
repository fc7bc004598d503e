import { none } from '../tree-data/no-row.ts';
import { createOpenBranches } from './open-branches.ts';
import { createSelection, type SelectionDeps } from './selection.ts';
import { childrenInView, siblingsInView } from './sibling-order.ts';
import { isWithin } from './tree-walk.ts';
import type { View } from './url-state.ts';

type NavigationDeps = SelectionDeps & {
  /** Loads a path of pack rows, root first. @returns the row of its last node, or none */
  readonly loadPath: (path: readonly number[]) => Promise<number>;
};

/** Where a key leads from the selection. */
type Step = 'previous' | 'next' | 'first' | 'last' | 'parent' | 'child';

/** Where a branch is looked at from: from inside, or from its parent, among its siblings. */
export type GoTo = 'inside' | 'beside';

/** The ways through the tree: the same for pointer, keyboard, outline, table and search. */
export function createNavigation(deps: NavigationDeps) {
  const { tree, store, askForChildren, loadPath } = deps;
  const get = store.getState;
  const { lastVisited, ...selection } = createSelection(deps);
  const { select, focusOn } = selection;
  /** The chart that the table has replaced. */
  let chart: View = 'treemap';

  function targetOf(to: Step, from: number): number {
    const { rows, at } = siblingsInView(tree, from, get());
    const target = {
      previous: () => rows[at - 1],
      next: () => rows[at + 1],
      first: () => rows[0],
      last: () => rows.at(-1),
      parent: () => Math.max(0, tree.parent[from]!),
      child: () => lastVisited(from) ?? childrenInView(tree, from, get())[0],
    };
    return target[to]() ?? from;
  }

  function setView(view: View): void {
    store.setState({ view, hovered: none, outlineOnly: false });
  }

  return {
    ...selection,
    ...createOpenBranches(deps),
    setView,

    /** Selects what a key leads to, starting at the focus. Siblings are in the order of the view. */
    step(to: Step): void {
      const { selected, focus } = get();
      const from = selected === none ? focus : selected;
      const target = targetOf(to, from);
      if (to === 'child' && tree.children(from).length === 0) askForChildren(from);
      if (isWithin(tree, target, focus)) select(target);
      else focusOn(Math.max(0, tree.parent[target]!), target);
    },

    /**
     * Goes to a node by its path of pack rows, root first.
     * @returns whether it is shown; false if it could not be loaded, or the user went elsewhere meanwhile
     */
    async goTo(path: readonly number[], how: GoTo = 'inside'): Promise<boolean> {
      const { focus, selected } = get();
      const row = await loadPath(path);
      const isElsewhere = get().focus !== focus || get().selected !== selected;
      if (row === none || isElsewhere) return false;
      const isBranch = tree.childCount[row]! > 0;
      focusOn(isBranch && how === 'inside' ? row : Math.max(0, tree.parent[row]!), row);
      store.setState({ sought: row });
      return true;
    },

    hover(row: number): void {
      if (get().hovered !== row) store.setState({ hovered: row });
    },

    /** Switches between the table and the last chart. */
    toggleTable(): void {
      const { view } = get();
      if (view !== 'table') chart = view;
      setView(view === 'table' ? chart : 'table');
    },
  };
}
