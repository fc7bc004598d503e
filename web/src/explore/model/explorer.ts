import { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { Moved } from '../tree-data/moved-rows.ts';
import { createSliceLoader, whenBrowserIdles } from '../tree-data/slice-loader.ts';
import type { AddressBar } from './address-bar.ts';
import { createChildRequests } from './child-requests.ts';
import { createDeferredState } from './deferred-state.ts';
import { createExplorerStore, type Room } from './explorer-state.ts';
import { createAddressLookup, createGoTo } from './find-nodes.ts';
import { createFieldLoader } from './load-fields.ts';
import { createNavigation } from './navigation.ts';
import { openLevels } from './open-levels.ts';
import { createRankings } from './rank-children.ts';
import { createRefilter } from './refilter.ts';
import { createSearch } from './search.ts';
import type { Bytes, ExplorerSource } from './source.ts';
import { syncAddress } from './sync-address.ts';
import { readUrlState } from './url-state.ts';
import { usualSizeOf } from './usual-size.ts';

export type ExplorerDeps = {
  /** Id of the visualization, the name of its uploaded file, and the nodes of its whole tree, the root counted. */
  readonly visualization: { readonly id: string; readonly fileName: string; readonly nodes: number };
  /** How links name the visualization. */
  readonly linkId: string;
  /** Whether the page shows it when the address names none; asked anew each time. */
  readonly isDefault: () => boolean;
  readonly source: ExplorerSource;
  readonly bar: AddressBar;
  readonly room: Room;
  /** What a failed call says to a person. */
  readonly explain: (failure: unknown) => string;
};

/**
 * One visualization being explored: the held part of its tree, what is looked at, and the ways to look elsewhere.
 *
 * Nothing is asked for before `start`; after `stop` nothing is any more.
 */
export function createExplorer(deps: ExplorerDeps) {
  const { source, bar } = deps;
  const tree = new LoadedTree();
  const store = createExplorerStore(readUrlState(bar.read()), deps.room);
  const loader = createSliceLoader({
    fetchSlice: (query, signal) => source.slice(query, signal, tree.size === 0 ? onFirstBytes : undefined),
    tree,
    filter: store.getState().filter,
    isFaint: store.getState().isFaint,
    nodes: deps.visualization.nodes,
    whenIdle: whenBrowserIdles,
    onMerged: () => {
      const back = refilter.comeBack();
      store.setState({ treeVersion: tree.version, failure: undefined, ...back });
      if (back.expanded) askForOpened();
    },
    onError: (failure) => store.setState({ failure }),
  });
  const onFirstBytes = (loading: Bytes) => store.setState({ loading });
  const requests = createChildRequests({ tree, store, loader });
  const { askForChildren, askForOpened, loadPath, exclusively } = requests;
  /** The newest call of `start`. */
  let latestStart = 0;

  const rowWatchers = new Set<(moved: Moved) => void>();
  const refilter = createRefilter({
    tree,
    store,
    loader,
    explain: deps.explain,
    onMoved: (moved) => {
      requests.forget();
      rankings.forgetRanked();
      navigation.forgetVisits();
      for (const tell of rowWatchers) tell(moved);
    },
  });

  /** Source: {@link createRefilter}. */
  async function setFilter(filter: string, settleMs?: number, faint?: boolean): Promise<boolean> {
    const isShown = await exclusively(() => refilter.setFilter(filter, settleMs, faint));
    if (isShown) askForOpened();
    return isShown;
  }

  const fields = createFieldLoader({
    store,
    source,
    tree,
    setFields: loader.setFields,
    onError: (failure) => store.setState({ notice: deps.explain(failure) }),
  });
  const navigation = createNavigation({ tree, store, askForChildren, loadPath });
  const rankings = createRankings({ tree, store, loader, onTheWay: exclusively });
  const stopOpening = openLevels(tree, store);
  const search = createSearch({ tree, store, source, goTo: navigation.goTo, setFilter });
  const address = syncAddress({
    tree,
    store,
    bar,
    ...createAddressLookup({ tree, store, source, loadPath }),
    setFilter,
    explain: deps.explain,
    linkId: deps.linkId,
    isDefault: deps.isDefault,
  });

  const goTo = createGoTo({
    store,
    source,
    explain: deps.explain,
    goToPath: (path) => {
      address.giveUp();
      return navigation.goTo(path);
    },
  });

  return {
    id: deps.visualization.id,
    /** The name of the uploaded file. Downloads are named after it. */
    fileName: deps.visualization.fileName,
    /** How links name the visualization. */
    linkId: deps.linkId,
    /** Nodes of the whole tree, held or not. */
    nodes: deps.visualization.nodes,
    tree,
    store,
    look: createDeferredState(store),
    source,
    address,
    explain: deps.explain,
    askForChildren,
    ...navigation,
    ...search,
    ...rankings,
    goTo: goTo.path,
    goToNode: goTo.node,
    setFilter,
    /** Requests what the canvas has room for. Replaces its earlier requests. */
    request: requests.requestForCanvas,

    /** Tells when the held rows are other ones, before the state says so. @returns stops telling */
    watchRows(tell: (moved: Moved) => void): () => void {
      rowWatchers.add(tell);
      return () => rowWatchers.delete(tell);
    },

    async start(): Promise<void> {
      const mine = ++latestStart;
      store.setState({ failure: undefined, isCancelled: false, loading: undefined });
      if (tree.size === 0 && !(await loader.loadTop())) return;
      store.setState({ usualSize: usualSizeOf(tree) });
      await address.restore();
      if (mine !== latestStart) return;
      store.setState({ ready: true });
      void search.ask();
    },

    /** Asks for nothing more until it is started again. */
    cancel(): void {
      latestStart++;
      loader.abort();
      store.setState({ isCancelled: true });
    },

    stop(): void {
      goTo.cancel();
      address.stop();
      fields.stop();
      search.stopSearching();
      stopOpening();
      loader.close();
    },
  };
}

export type Explorer = ReturnType<typeof createExplorer>;
