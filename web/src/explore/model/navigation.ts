import { typeWord } from '@kc/pack/filter-words/figure-name';
import { exact, figureText, keywordsOf } from '../format/figure-text.ts';
import { none } from '../tree-data/columns.ts';
import { figuresOf, type Metric } from '../tree-data/figures.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { currentRow, depthOf, type ExplorerState, type ExplorerStore, levelsOf, withRow } from './explorer-state.ts';
import type { Parts } from './parts.ts';
import { isWithin, keptAround, pathTo, siblingsOf } from './tree-walk.ts';
import { type Depth, depths, type View } from './url-state.ts';
import { weighChildren } from './weights.ts';

/** A step that a key takes from the selection. */
type Step = 'previous' | 'next' | 'first' | 'last' | 'parent' | 'child';

/** Whether a branch itself gets the focus, or its parent, so that it is shown among its siblings. */
export type FocusMode = 'inside' | 'beside';

/** The ways through the tree: the same for pointer, keyboard, outline, table and search. */
export function createNavigation(deps: BranchParts & Pick<Parts, 'loadPath'>) {
  const { tree, store, requestChildren, loadPath } = deps;
  const get = store.getState;
  const { lastVisited, ...selection } = createSelection(deps);
  const { select, focusOn } = selection;
  /** The chart that the table has replaced. */
  let chart: View = 'treemap';

  function targetOf(step: Step, from: number): number {
    const { rows, index } = siblingsInView(tree, from, get());
    const target = {
      previous: () => rows[index - 1],
      next: () => rows[index + 1],
      first: () => rows[0],
      last: () => rows.at(-1),
      parent: () => Math.max(0, tree.parent[from]!),
      child: () => lastVisited(from) ?? childrenInView(tree, from, get())[0],
    };
    return target[step]() ?? from;
  }

  function setView(view: View): void {
    store.setState({ view, hovered: none, outlineOnly: false });
  }

  return {
    ...selection,
    ...createOpenBranches(deps),
    setView,

    /** Selects the target of a key, starting at the focus. Siblings are in the order of the view. */
    step(direction: Step): void {
      const { focus } = get();
      const from = currentRow(get());
      const target = targetOf(direction, from);
      if (direction === 'child' && tree.children(from).length === 0) requestChildren(from);
      if (isWithin(tree, target, focus)) select(target);
      else focusOn(Math.max(0, tree.parent[target]!), target);
    },

    /**
     * Goes to a node by its path of pack rows, root first.
     * @returns whether it is shown; false if it could not be loaded, or the user went elsewhere meanwhile
     */
    async goTo(path: readonly number[], focusMode: FocusMode = 'inside'): Promise<boolean> {
      const { focus, selected } = get();
      const row = await loadPath(path);
      const isElsewhere = get().focus !== focus || get().selected !== selected;
      if (row === none || isElsewhere) return false;
      const isBranch = tree.childCount[row]! > 0;
      focusOn(isBranch && focusMode === 'inside' ? row : Math.max(0, tree.parent[row]!), row);
      store.setState({ navigationTarget: row });
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

type BranchParts = Pick<Parts, 'tree' | 'store' | 'requestChildren'>;

/** Selects rows and focuses branches. */
function createSelection({ tree, store, requestChildren }: BranchParts) {
  /** The child that was last selected or focused, by parent. */
  const visited = new Map<number, number>();
  const get = store.getState;

  function remember(row: number): void {
    const parent = tree.parent[row] ?? none;
    if (parent !== none) visited.set(parent, row);
  }

  /** @param changes further changes in the same update of the state */
  function select(row: number, changes: Partial<ExplorerState> = {}): void {
    if (row === none) {
      store.setState({ selected: none, ...changes });
      return;
    }
    remember(row);
    const expanded = expandedFor(tree, row, get().expanded);
    store.setState({ selected: row, expanded, spoken: spokenOf(tree, row, get()), ...changes });
  }

  /**
   * Focuses a branch. A leaf and a row that the filter leaves out cannot be focused: the nearest branch around it is,
   * and the row is selected there.
   */
  function focusOn(row: number, selected: number = row): void {
    const isLeaf = tree.childCount[row] === 0;
    const focus = keptAround(tree, isLeaf ? Math.max(0, tree.parent[row]!) : row);
    if (tree.tail(focus).nodes > 0) requestChildren(focus);
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
  const { index } = siblingsInView(tree, row, state);
  const text = describeRow(tree, row, index, view === 'opportunity' ? [x, y] : []);
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

/** How many branches may request their children at once. The others do so when they scroll into view. */
export const maxChildRequests = 50;

/**
 * Opens and closes branches, in the outline and the table (`expanded`) and in Tree (`opened`, `closed`, `unfolded`).
 */
function createOpenBranches({ tree, store, requestChildren }: BranchParts) {
  const get = store.getState;
  const isEmpty = (row: number): boolean => tree.children(row).length === 0;

  /** Sets the depth. Branches that the user opened or closed follow it again. */
  function setDepth(depth: Depth): void {
    const isDefault = depth === depthOf({ ...get(), depth: undefined });
    store.setState({ depth: isDefault ? undefined : depth, opened: new Set(), closed: new Set() });
  }

  return {
    setDepth,

    changeDepth(by: 1 | -1): void {
      const index = depths.indexOf(depthOf(get())) + by;
      setDepth(depths[Math.min(depths.length - 1, Math.max(0, index))]!);
    },

    /** Opens or closes a branch of the outline and the table. */
    setExpanded(row: number, open: boolean): void {
      if (open && isEmpty(row)) requestChildren(row);
      store.setState({ expanded: withRow(get().expanded, row, open) });
    },

    /** Opens or closes a branch of Tree, whatever the depth says. */
    toggleBranch(row: number, isOpen: boolean): void {
      const { opened, closed } = get();
      if (!isOpen && isEmpty(row)) requestChildren(row);
      store.setState({ opened: withRow(opened, row, !isOpen), closed: withRow(closed, row, isOpen) });
    },

    /** Opens all loaded siblings of the selection that are branches. */
    expandSiblings(): void {
      const { expanded, opened } = get();
      const { rows } = siblingsOf(tree, currentRow(get()));
      const branches = Array.from(rows).filter((row) => tree.childCount[row]! > 0);
      for (const row of branches.filter(isEmpty).slice(0, maxChildRequests)) requestChildren(row);
      store.setState({ expanded: new Set([...expanded, ...branches]), opened: new Set([...opened, ...branches]) });
    },

    /**
     * Closes all branches except those on the way to a row, in the outline, the table and Tree. Opens the row itself.
     */
    collapseOthers(row: number): void {
      const { focus } = get();
      const path = new Set(pathTo(tree, row));
      const closed = new Set<number>();
      for (const at of path) {
        for (const child of tree.children(at)) if (tree.childCount[child]! > 0 && !path.has(child)) closed.add(child);
      }
      // Branches below the row stay as they are.
      for (const child of tree.children(row)) closed.delete(child);
      if (isEmpty(row)) requestChildren(row);
      store.setState({ expanded: path, opened: new Set([...path].filter((at) => at !== focus)), closed });
    },

    /** Shows all children of a row instead of its remainder. */
    unfold(row: number): void {
      requestChildren(row);
      store.setState({ unfolded: withRow(get().unfolded, row, true), expanded: withRow(get().expanded, row, true) });
    },
  };
}

type Look = Pick<ExplorerState, 'view' | 'size' | 'x'>;

/**
 * The loaded children of a row in the order in which the current view lays them out: by the size metric, largest first,
 * with unknown and zero last; in Opportunity from left to right; in Tree and Table in the order of the tree.
 */
export function childrenInView(tree: LoadedTree, row: number, { view, size, x }: Look): Int32Array {
  const rows = tree.children(row);
  if (view === 'tree' || view === 'table') return rows;
  if (view === 'opportunity') {
    const value = figuresOf(tree, x)?.value;
    return value ? rows.toSorted((a, b) => compareKnown(value[a]!, value[b]!)) : rows;
  }
  const { rows: heavy, weightless } = weighChildren(tree, row, size);
  return Int32Array.of(...heavy, ...weightless);
}

/** Ascending, NaN last. */
const compareKnown = (a: number, b: number): number => Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || a - b || 0;

/** The loaded siblings of a row in that order, and the row's index among them. The root has no siblings. */
export function siblingsInView(
  tree: LoadedTree,
  row: number,
  look: Look,
): { readonly rows: Int32Array; readonly index: number } {
  const parent = tree.parent[row] ?? none;
  const rows = parent === none ? Int32Array.of(row) : childrenInView(tree, parent, look);
  return { rows, index: rows.indexOf(row) };
}

/**
 * How a screen reader announces a row: "trail running, cluster, level 3, 4 of 12, 789 keywords".
 *
 * @param index the index of the row among its siblings, in the order they are shown
 * @param placedBy the metrics by which a chart positions it, which are announced too
 */
export function describeRow(tree: LoadedTree, row: number, index: number, placedBy: readonly Metric[] = []): string {
  const parent = tree.parent[row] ?? none;
  const siblings = parent === none ? 1 : tree.childCount[parent]!;
  return [
    tree.name(row),
    typeWord(tree.types[tree.type[row]!] ?? ''),
    `level ${tree.depth[row]! + 1}`,
    `${index + 1} of ${exact(siblings)}`,
    keywordsOf(tree, row),
    ...(tree.isLeftOut(row) ? [] : placedBy).flatMap((metric) => figureText(tree, row, metric) ?? []),
  ].join(', ');
}

/** The maximum number of rows that the outline opens automatically. Every closed branch shows its count. */
export const maxAutoExpanded = 1000;

/**
 * Opens the outline and the table below the focus as deep as the depth setting says, level by level as children load,
 * up to {@link maxAutoExpanded} rows. Each branch is opened once: a branch that the user closed stays closed until the focus
 * moves.
 *
 * If branches do not open automatically, only the first level is opened.
 *
 * @returns stops it
 */
export function openLevels(tree: LoadedTree, store: ExplorerStore): () => void {
  /** Pack rows of branches that have been expanded. */
  const openedNodes = new Set<number>();

  function open(): void {
    const { focus, expanded, depth, defaultDepth, autoExpand } = store.getState();
    const levels = autoExpand ? levelsOf(depth === undefined || depth === 'auto' ? defaultDepth : depth) : 1;
    const opened: number[] = [];
    let rowCount = 0;
    let level: readonly number[] = [focus];
    for (let levelIndex = 0; levelIndex < levels && level.length > 0 && rowCount < maxAutoExpanded; levelIndex++) {
      const next: number[] = [];
      for (const row of level) {
        const isOpen = expanded.has(row);
        const children = tree.children(row);
        if (children.length === 0 || (openedNodes.has(tree.node[row]!) && !isOpen)) continue;
        rowCount += children.length;
        if (rowCount > maxAutoExpanded && levelIndex > 0) break;
        openedNodes.add(tree.node[row]!);
        if (!isOpen) opened.push(row);
        for (const child of children) next.push(child);
      }
      level = next;
    }
    if (opened.length > 0) store.setState({ expanded: new Set([...expanded, ...opened]) });
  }

  return store.subscribe((now, before) => {
    if (!now.ready) return;
    const isElsewhere = now.focus !== before.focus;
    // A filter change renumbers the rows.
    if (isElsewhere && now.filter === before.filter && isWithin(tree, now.focus, before.focus)) {
      for (const node of openedNodes) if (isWithin(tree, tree.rowOf(node), now.focus)) openedNodes.delete(node);
    }
    if (isElsewhere || triggerFields.some((field) => now[field] !== before[field])) open();
  });
}

const triggerFields = [
  'ready',
  'treeVersion',
  'defaultDepth',
  'autoExpand',
] as const satisfies readonly (keyof ExplorerState)[];
