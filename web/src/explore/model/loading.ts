import { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { Moved } from '../tree-data/moved-rows.ts';
import { createSliceLoader, whenBrowserIdles } from '../tree-data/slice-loader.ts';
import { createChildRequests } from './child-requests.ts';
import type { ExplorerStore } from './explorer-state.ts';
import { createRefilter } from './refilter.ts';
import { mentionsMarks, seenFields, withSeen } from './seen-filter.ts';
import type { Bytes, ExplorerSource } from './source.ts';

type LoadingDeps = {
  readonly store: ExplorerStore;
  readonly source: ExplorerSource;
  /** Nodes of the whole tree, including the root. */
  readonly nodes: number;
  /** A draft is in no plan. */
  readonly isDraft: boolean;
  /** Describes a failed request to the user. */
  readonly explain: (failure: unknown) => string;
};

/** The loaded part of the tree, and the ways to load more of it or load it under another filter. */
export function createLoading({ store, source, nodes, isDraft, explain }: LoadingDeps) {
  const tree = new LoadedTree();
  const seen = (filter: string) => withSeen(filter, store.getState(), isDraft);
  // Changes come with the places of the address: the other upload may be gone, and the top of the tree is there anyway.
  store.setState((state) => ({ filter: withSeen(state.filter, { ...state, vs: undefined }, isDraft) }));
  const onFirstBytes = (loading: Bytes) => store.setState({ loading });
  const loader = createSliceLoader({
    fetchSlice: (query, signal) => source.slice(query, signal, tree.size === 0 ? onFirstBytes : undefined),
    tree,
    filter: store.getState().filter,
    isFaint: store.getState().isFaint,
    nodes,
    whenIdle: whenBrowserIdles,
    onMerged: () => {
      const back = refilter.comeBack();
      store.setState({ treeVersion: tree.version, failure: undefined, ...back });
      if (back.expanded) requests.askForOpened();
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

  /** Source: {@link createRefilter}. */
  async function setFilter(filter: string, settleMs?: number, faint?: boolean): Promise<boolean> {
    const isShown = await requests.exclusively(() => refilter.setFilter(seen(filter), settleMs, faint));
    if (isShown) requests.askForOpened();
    return isShown;
  }

  // What is shown follows the plan, the judgements and the other upload.
  const stopWatching = store.subscribe((now, before) => {
    const wanted = now.filtering ?? now.filter;
    if (!mentionsMarks(wanted) || seenFields.every((field) => now[field] === before[field])) return;
    if (seen(wanted) !== wanted) void setFilter(wanted);
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

export type Loading = ReturnType<typeof createLoading>;
