import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { none } from '../tree-data/no-row.ts';
import { describeRow } from './describe-row.ts';
import { depthOf, type ExplorerState, type ExplorerStore, withRow } from './explorer-state.ts';
import { childrenInView, siblingsInView } from './sibling-order.ts';
import { isWithin, keptAround, pathTo, siblingsOf } from './tree-walk.ts';
import { type Depth, depths, type View } from './url-state.ts';

/** Branches whose children are asked for at once; the others' are when they come into sight. */
export const askedAtOnce = 50;

type NavigationDeps = {
  readonly tree: LoadedTree;
  readonly store: ExplorerStore;
  readonly askForChildren: (row: number) => void;
  readonly reveal: (path: readonly number[]) => Promise<number>;
};

/** The ways through the tree: the same for pointer, keys, outline, table and search. */
export function createNavigation({ tree, store, askForChildren, reveal }: NavigationDeps) {
  /** The child that was looked at last, by parent: where ↓ goes back to. */
  const visited = new Map<number, number>();
  const get = store.getState;
  /** The view that the table takes the place of. */
  let picture: View = 'treemap';

  function spokenOf(row: number, expanded = get().expanded): string {
    const { view, x, y } = get();
    const { at } = siblingsInView(tree, row, get());
    const said = describeRow(tree, row, at, view === 'opportunity' ? [x, y] : []);
    if (tree.childCount[row] === 0) return said;
    return `${said}, ${expanded.has(row) ? 'expanded' : 'collapsed'}`;
  }

  function remember(row: number): void {
    const parent = tree.parent[row] ?? none;
    if (parent !== none) visited.set(parent, row);
  }

  /** The rows shown open, so that `row` can be seen among them. */
  function expandedFor(row: number): ReadonlySet<number> {
    const expanded = get().expanded;
    const closed = pathTo(tree, row)
      .slice(0, -1)
      .filter((at) => !expanded.has(at));
    return closed.length === 0 ? expanded : new Set([...expanded, ...closed]);
  }

  function select(row: number, also: Partial<ExplorerState> = {}): void {
    if (row === none) {
      store.setState({ selected: none, ...also });
      return;
    }
    remember(row);
    store.setState({ selected: row, expanded: expandedFor(row), spoken: spokenOf(row), ...also });
  }

  /**
   * Looks into a branch. A leaf has no inside: its parent is looked into, and it is selected there; and so is what a filter
   * leaves out.
   */
  function focusOn(row: number, selected: number = row): void {
    const isLeaf = tree.childCount[row] === 0;
    const focus = keptAround(tree, isLeaf ? Math.max(0, tree.parent[row]!) : row);
    if (tree.tail(focus).nodes > 0) askForChildren(focus);
    const expanded = new Set([...expandedFor(selected), ...pathTo(tree, focus)]);
    remember(row);
    store.setState({ focus, selected, hovered: none, expanded, spoken: spokenOf(selected, expanded) });
  }

  /** Up one level; at the root the selection, the comparison, the search and then the details are given up. */
  function climb(): void {
    const { focus, selected, compared, query, detailOpen } = get();
    if (focus !== 0) focusOn(tree.parent[focus]!, focus);
    else if (selected !== none) select(none);
    else if (compared.length > 0) store.setState({ compared: [] });
    else if (query !== '') store.setState({ query: '', previewed: none });
    else if (detailOpen) store.setState({ detailOpen: false });
  }

  /** Where a key leads from the selection, which starts at the focus. Siblings follow each other as the view lays them out. */
  function step(to: 'previous' | 'next' | 'first' | 'last' | 'parent' | 'child'): void {
    const { selected, focus } = get();
    const from = selected === none ? focus : selected;
    const { rows, at } = siblingsInView(tree, from, get());
    const target = {
      previous: () => rows[at - 1] ?? from,
      next: () => rows[at + 1] ?? from,
      first: () => rows[0] ?? from,
      last: () => rows.at(-1) ?? from,
      parent: () => Math.max(0, tree.parent[from]!),
      child: () => visited.get(from) ?? childrenInView(tree, from, get())[0] ?? from,
    }[to]();
    if (to === 'child' && tree.children(from).length === 0) askForChildren(from);
    if (isWithin(tree, target, focus)) select(target);
    else focusOn(Math.max(0, tree.parent[target]!), target);
  }

  function setExpanded(row: number, open: boolean): void {
    if (open && tree.children(row).length === 0) askForChildren(row);
    store.setState({ expanded: withRow(get().expanded, row, open) });
  }

  /** Opens every held sibling of the selection that is a branch. */
  function expandSiblings(): void {
    const { selected, focus, expanded, opened } = get();
    const { rows } = siblingsOf(tree, selected === none ? focus : selected);
    const branches = Array.from(rows).filter((row) => tree.childCount[row]! > 0);
    for (const row of branches.filter((row) => tree.children(row).length === 0).slice(0, askedAtOnce))
      askForChildren(row);
    store.setState({ expanded: new Set([...expanded, ...branches]), opened: new Set([...opened, ...branches]) });
  }

  /** From a picture to the table, and from there back to the picture that it was. */
  function toggleTable(): void {
    const { view } = get();
    if (view !== 'table') picture = view;
    setView(view === 'table' ? picture : 'table');
  }

  function setView(view: View): void {
    store.setState({ view, hovered: none, outlineOnly: false });
  }

  /** Opens or closes a branch of the Tree, whatever the depth says. */
  function toggleBranch(row: number, isOpen: boolean): void {
    const { opened, closed } = get();
    if (!isOpen && tree.children(row).length === 0) askForChildren(row);
    store.setState({ opened: withRow(opened, row, !isOpen), closed: withRow(closed, row, isOpen) });
  }

  /** Closes every branch but those that lead to a row, in the outline, the table and the Tree; the row itself opens. */
  function collapseOthers(row: number): void {
    const { focus } = get();
    const way = new Set(pathTo(tree, row));
    const closed = new Set<number>();
    for (const at of way) {
      for (const child of tree.children(at)) if (tree.childCount[child]! > 0 && !way.has(child)) closed.add(child);
    }
    // Below the row its branches are as they were.
    for (const child of tree.children(row)) closed.delete(child);
    if (tree.children(row).length === 0) askForChildren(row);
    store.setState({ expanded: way, opened: new Set([...way].filter((at) => at !== focus)), closed });
  }

  /** Shows every child of a row instead of its tail. */
  function unfold(row: number): void {
    askForChildren(row);
    store.setState({ unfolded: withRow(get().unfolded, row, true), expanded: withRow(get().expanded, row, true) });
  }

  /**
   * Goes to a node by its path of pack rows, root first.
   * @returns whether it is there; false when it could not be loaded, or somebody went elsewhere meanwhile
   */
  async function goTo(path: readonly number[]): Promise<boolean> {
    const { focus, selected } = get();
    const row = await reveal(path);
    const isElsewhere = get().focus !== focus || get().selected !== selected;
    if (row === none || isElsewhere) return false;
    const isBranch = tree.childCount[row]! > 0;
    focusOn(isBranch ? row : Math.max(0, tree.parent[row]!), row);
    store.setState({ sought: row });
    return true;
  }

  function changeDepth(by: 1 | -1): void {
    const at = depths.indexOf(depthOf(get())) + by;
    setDepth(depths[Math.min(depths.length - 1, Math.max(0, at))]!);
  }

  /** A new depth takes back what was opened and closed by hand. */
  function setDepth(depth: Depth): void {
    const isUsual = depth === depthOf({ ...get(), depth: undefined });
    store.setState({ depth: isUsual ? undefined : depth, opened: new Set(), closed: new Set() });
  }

  return {
    /** Rows are other nodes now: nothing is known of where somebody was. */
    forgetVisits: (): void => visited.clear(),
    select,
    focusOn,
    climb,
    step,
    setExpanded,
    toggleBranch,
    collapseOthers,
    unfold,
    goTo,
    setDepth,
    changeDepth,
    hover: (row: number): void => {
      if (get().hovered !== row) store.setState({ hovered: row });
    },
    setView,
    toggleTable,
    expandSiblings,
  };
}
