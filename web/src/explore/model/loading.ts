import { maxFilterLength } from '@kc/pack/filter/filter-text';
import { say } from '@kc/rules/messages';
import { exact } from '../format/figure-text.ts';
import { none } from '../tree-data/columns.ts';
import { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { ChildrenRequest } from '../tree-data/request-queue.ts';
import { createSliceLoader, type Moved, rememberRows, whenBrowserIdles } from '../tree-data/slice-loader.ts';
import { hasFigures, packPathTo, rememberCompared, restoreCompared } from './compared-nodes.ts';
import type { ExplorerState } from './explorer-state.ts';
import { maxChildRequests } from './navigation.ts';
import type { Parts } from './parts.ts';
import { mentionsMarks, seenFields, withSeen } from './seen-filter.ts';
import type { Bytes } from './source.ts';
import { keptAround } from './tree-walk.ts';

type LoadingParts = Pick<Parts, 'store' | 'source' | 'explain'> & {
  /** Nodes of the whole tree, including the root. */
  readonly nodes: number;
  /** A draft is in no plan. */
  readonly isDraft: boolean;
};

/** The loaded part of the tree, and the ways to load more of it or load it under another filter. */
export function createLoading({ store, source, nodes, isDraft, explain }: LoadingParts) {
  const tree = new LoadedTree();
  const filterWithSeen = (filter: string) => withSeen(filter, store.getState(), isDraft);
  // Changes come with the places of the address: the other upload may be gone, and the top of the tree is there anyway.
  store.setState((state) => ({ filter: withSeen(state.filter, { ...state, vs: undefined }, isDraft) }));
  const onFirstBytes = (loadProgress: Bytes) => store.setState({ loadProgress });
  const loader = createSliceLoader({
    fetchSlice: (query, signal) => source.slice(query, signal, tree.size === 0 ? onFirstBytes : undefined),
    tree,
    filter: store.getState().filter,
    isFaint: store.getState().isFaint,
    nodes,
    whenIdle: whenBrowserIdles,
    onMerged: () => {
      const restored = refilter.restoreSets();
      store.setState({ treeVersion: tree.version, failure: undefined, ...restored });
      if (restored.expanded) requests.requestExpanded();
    },
    onError: (failure) => store.setState({ failure }),
  });
  const requests = createChildRequests({ tree, store, loader });
  const rowWatchers = new Set<(moved: Moved) => void>();
  const refilter = createRefilter({
    tree,
    store,
    loader,
    explain,
    onMoved: (moved) => {
      requests.forget();
      for (const callback of rowWatchers) callback(moved);
    },
  });

  /** See {@link createRefilter}. */
  async function setFilter(
    filter: string,
    settleMs?: number,
    isFaint?: boolean,
    notify?: (notice: string) => void,
  ): Promise<boolean> {
    const isShown = await requests.runExclusively(() =>
      refilter.setFilter(filterWithSeen(filter), settleMs, isFaint, notify),
    );
    if (isShown) requests.requestExpanded();
    return isShown;
  }

  // What is shown follows the plan, the judgements and the other upload.
  const stopWatching = store.subscribe((now, before) => {
    const pending = now.filtering ?? now.filter;
    if (!mentionsMarks(pending) || seenFields.every((field) => now[field] === before[field])) return;
    if (filterWithSeen(pending) !== pending) void setFilter(pending);
  });

  return {
    tree,
    loader,
    requests,
    setFilter,
    stop: stopWatching,

    /** Calls back when rows have become other nodes, before the state changes. @returns unsubscribes */
    watchRows(callback: (moved: Moved) => void): () => void {
      rowWatchers.add(callback);
      return () => rowWatchers.delete(callback);
    },
  };
}

/** Collects the requests for children: those of the user, which go first, and those of the canvas. */
function createChildRequests({ tree, store, loader }: Pick<Parts, 'tree' | 'store' | 'loader'>) {
  /** The user's requests, by row. */
  const userRequests = new Map<number, ChildrenRequest>();
  let canvasRequests: readonly ChildrenRequest[] = [];
  /** How many loads are running that a request would abort. */
  let exclusiveLoads = 0;

  function send(): void {
    for (const [row, { skip }] of userRequests) if (tree.loadedChildren(row) > skip) userRequests.delete(row);
    if (exclusiveLoads === 0 && tree.size > 0) loader.request([...userRequests.values(), ...canvasRequests]);
  }

  /** Requests children of a row that are not loaded: the first ones, or those after the loaded ones. */
  function requestChildren(row: number): void {
    if (tree.tail(row).nodes === 0) return;
    userRequests.set(row, { node: tree.node[row]!, skip: tree.loadedChildren(row), weight: Number.MAX_VALUE });
    send();
  }

  /** Runs a load during which no other request is sent. */
  async function runExclusively<T>(load: () => Promise<T>): Promise<T> {
    exclusiveLoads++;
    try {
      return await load();
    } finally {
      exclusiveLoads--;
      send();
    }
  }

  return {
    requestChildren,
    runExclusively,

    /**
     * Requests the children of expanded branches that have none: the user expanded them before a filter replaced them.
     */
    requestExpanded(): void {
      const empty = Array.from(store.getState().expanded).filter((row) => tree.loadedChildren(row) === 0);
      for (const row of empty.slice(0, maxChildRequests)) requestChildren(row);
    },

    /** Loads a path of pack rows, root first. @returns the row of its last node, or none */
    loadPath: (path: readonly number[]): Promise<number> =>
      runExclusively(async () => {
        const loaded = await loader.loadPath(path);
        return loaded > 0 && loaded === path.length ? tree.rowOf(path.at(-1)!) : none;
      }),

    /** Replaces the requests of the canvas. */
    requestForCanvas(requests: readonly ChildrenRequest[]): void {
      canvasRequests = requests;
      send();
    },

    /** Drops all requests: rows are other nodes now. */
    forget(): void {
      userRequests.clear();
      canvasRequests = [];
    },
  };
}

type RefilterParts = Pick<Parts, 'tree' | 'store' | 'loader' | 'explain'> & {
  /** Called when the loaded rows have changed, before the state says so. */
  readonly onMoved: (moved: Moved) => void;
};

/** Sets of rows that the user made. They are restored by node. */
const setFields = ['expanded', 'opened', 'closed', 'unfolded'] as const satisfies readonly (keyof ExplorerState)[];
type SetField = (typeof setFields)[number];

/**
 * Changes the filter of the loaded tree. The current content stays until all of it can be replaced at once. Places are
 * kept by node, or by the nearest ancestor that the filter keeps.
 */
function createRefilter({ tree, store, loader, onMoved, explain }: RefilterParts) {
  /** Nodes in the sets of the user that are not loaded: filtered out, or still loading. */
  const unloadedNodes: Readonly<Record<SetField, Set<number>>> = {
    expanded: new Set(),
    opened: new Set(),
    closed: new Set(),
    unfolded: new Set(),
  };

  /** Whether the loaded tree includes excluded nodes, if there is a filter. */
  let isFaint = store.getState().isFaint;
  let latestCall = 0;

  function swap(filter: string, replace: () => void): void {
    const before = store.getState();
    const moved = rememberRows(tree);
    const comparedNodes = rememberCompared(tree, before.compared);
    for (const field of setFields) for (const row of before[field]) unloadedNodes[field].add(moved.nodeOf(row));
    replace();
    onMoved(moved);
    const compared = restoreCompared(tree, comparedNodes);
    const next = { ...before, expanded: noRows, opened: noRows, closed: noRows, unfolded: noRows };
    store.setState({
      ...restoreSets(next),
      ...placesIn(tree, before, moved),
      compared,
      filter,
      filtering: undefined,
      treeVersion: tree.version,
      spoken: spokenOf(tree, filter, compared.filter((one) => !hasFigures(tree, one)).length),
    });
  }

  /** The sets of a state, with those of their nodes that are loaded now. */
  function restoreSets(state: Pick<ExplorerState, SetField>): Partial<ExplorerState> {
    const change: Partial<Record<SetField, ReadonlySet<number>>> = {};
    for (const field of setFields) {
      const rows = [...unloadedNodes[field]].map((node) => tree.rowOf(node)).filter((row) => row !== none);
      if (rows.length === 0) continue;
      for (const row of rows) unloadedNodes[field].delete(tree.node[row]!);
      change[field] = new Set([...state[field], ...rows]);
    }
    return change;
  }

  return {
    /**
     * Shows what a filter keeps, given by its canonical text. A newer filter replaces one that is still loading.
     * @param settleMs debounce: how long it has to be the newest before it is requested, while the user types or drags
     * @param wantsFaint whether excluded nodes are shown faintly
     * @param notify says why it is not shown, once the previous filter is restored; by default shows a notice
     * @returns whether it is shown now
     */
    async setFilter(
      filter: string,
      settleMs = 0,
      wantsFaint = store.getState().isFaint,
      notify = (notice: string): void => store.setState({ notice }),
    ): Promise<boolean> {
      const shown = store.getState();
      const isWanted = filter === (shown.filtering ?? shown.filter) && wantsFaint === shown.isFaint;
      if (isWanted) return shown.filtering === undefined;
      if (filter.length > maxFilterLength) {
        notify(say('explore/filter-long'));
        return false;
      }
      const call = ++latestCall;
      loader.cancelFilter();
      if (filter === shown.filter && (filter === '' || wantsFaint === isFaint)) {
        store.setState({ filtering: undefined, isFaint: wantsFaint });
        return true;
      }
      store.setState({ filtering: filter, isFaint: wantsFaint });
      if (settleMs > 0) await new Promise((resolve) => setTimeout(resolve, settleMs));
      if (call !== latestCall) return false;
      const paths = () => {
        const { focus, selected, compared } = store.getState();
        return [focus, selected, ...compared].map((one) =>
          typeof one === 'number' ? packPathTo(tree, one) : one.path,
        );
      };
      try {
        return await loader.setFilter(filter, wantsFaint, paths, (replace) => {
          isFaint = wantsFaint;
          swap(filter, replace);
        });
      } catch (failure) {
        if (call !== latestCall) return false;
        store.setState({ filtering: undefined, isFaint });
        notify(explain(failure));
        return false;
      }
    },

    /** Restores nodes of the sets of the user that a merge loaded. */
    restoreSets: (): Partial<ExplorerState> => restoreSets(store.getState()),
  };
}

const noRows: ReadonlySet<number> = new Set();

/** Where the same places are in the replaced tree. */
function placesIn(tree: LoadedTree, before: ExplorerState, moved: Moved): Partial<ExplorerState> {
  const near = Math.max(0, keptAround(tree, moved.nearest(before.focus)));
  return {
    // A leaf has no children to show, so its parent gets the focus.
    focus: tree.childCount[near] === 0 ? Math.max(0, tree.parent[near]!) : near,
    selected: moved.nearest(before.selected),
    hovered: none,
    previewed: none,
    navigationTarget: moved.exactly(before.navigationTarget),
  };
}

/** The announcement for screen readers: "1,204 of 18,618 keywords kept", and how many compared items are not. */
function spokenOf(tree: LoadedTree, filter: string, excludedCount: number): string {
  const [kept, total] = [tree.keywords[0]!, tree.ofKeywords[0]!];
  if (filter === '') return say('explore/filter-none', { of: exact(total) });
  const announcement =
    kept === 0 ? say('explore/filter-empty') : say('explore/filter-kept', { kept: exact(kept), of: exact(total) });
  return excludedCount === 0
    ? announcement
    : `${announcement}. ${say('explore/compare-away', { count: excludedCount })}`;
}
