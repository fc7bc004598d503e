import { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { Moved } from '../tree-data/moved-rows.ts';
import { createSliceLoader, whenBrowserIdles } from '../tree-data/slice-loader.ts';
import { createChildRequests } from './child-requests.ts';
import type { ExplorerStore } from './explorer-state.ts';
import { createRefilter } from './refilter.ts';
import type { Bytes, ExplorerSource } from './source.ts';

type LoadingDeps = {
  readonly store: ExplorerStore;
  readonly source: ExplorerSource;
  /** Nodes of the whole tree, including the root. */
  readonly nodes: number;
  /** Describes a failed request to the user. */
  readonly explain: (failure: unknown) => string;
};

/** The loaded part of the tree, and the ways to load more of it or load it under another filter. */
export function createLoading({ store, source, nodes, explain }: LoadingDeps) {
  const tree = new LoadedTree();
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

  return {
    tree,
    loader,
    requests,

    /** Source: {@link createRefilter}. */
    async setFilter(filter: string, settleMs?: number, faint?: boolean): Promise<boolean> {
      const isShown = await requests.exclusively(() => refilter.setFilter(filter, settleMs, faint));
      if (isShown) requests.askForOpened();
      return isShown;
    },

    /** Calls back when rows have become other nodes, before the state changes. @returns unsubscribes */
    watchRows(callback: (moved: Moved) => void): () => void {
      rowWatchers.add(callback);
      return () => rowWatchers.delete(callback);
    },
  };
}

export type Loading = ReturnType<typeof createLoading>;
