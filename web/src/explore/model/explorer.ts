import { defaultSizeOf, isSizedByVolume } from './choices.ts';
import { createUploadComparison } from './compare-uploads.ts';
import { createDeferredState, createExplorerStore, type Room } from './explorer-state.ts';
import { createAddressLookup, createGoTo } from './find-nodes.ts';
import { mapLevelsOf } from './levels.ts';
import { createFieldLoader } from './load-fields.ts';
import { createLoading } from './loading.ts';
import { createNavigation, openLevels } from './navigation.ts';
import type { Parts } from './parts.ts';
import { findPicked } from './picked.ts';
import { createRankings } from './rank-children.ts';
import { createSearch } from './search.ts';
import { syncAddress } from './sync-address.ts';
import { readUrlState } from './url-state.ts';

/**
 * A visitor of a link, who changes nothing but the plan if the link allows it: the parts that the link includes, and the caption
 * of every picture.
 */
type Guest = {
  readonly hasPlan: boolean;
  readonly mayEditPlan: boolean;
  readonly hasWarnings: boolean;
  readonly mayDownload: boolean;
  readonly caption: string;
};

type ExplorerParts = Pick<Parts, 'source' | 'addressBar' | 'linkId' | 'isDefault' | 'explain'> & {
  /** ID of the visualization, the name of its uploaded file, and the nodes of its whole tree, including the root. */
  readonly visualization: { readonly id: string; readonly fileName: string; readonly nodes: number };
  /** Whether it is a draft, which has no saved views and is not shared. Pictures of it say so. */
  readonly isDraft?: boolean;
  /** Undefined for a user of their own. */
  readonly guest?: Guest;
  /** Fields that every slice includes if the file has them, whatever the chart shows. */
  readonly alwaysFields?: readonly string[];
  readonly room: Room;
};

/**
 * One open visualization: its state, the loaded part of its tree, and what a user can do with it.
 *
 * Sends no request before `start` and after `stop`.
 */
export function createExplorer(deps: ExplorerParts) {
  const { source, addressBar, explain } = deps;
  const { id, fileName, nodes } = deps.visualization;
  const isDraft = deps.isDraft ?? false;
  const store = createExplorerStore(readUrlState(addressBar.read()), deps.room);
  const loading = createLoading({ store, source, nodes, isDraft: isDraft || deps.guest !== undefined, explain });
  const { tree, loader, setFilter } = loading;
  const { requestChildren, loadPath, runExclusively } = loading.requests;

  const fields = createFieldLoader({
    store,
    source,
    tree,
    isDraft: isDraft || deps.guest !== undefined,
    alwaysFields: deps.alwaysFields ?? [],
    setFields: loader.setFields,
    onError: (failure) => store.setState({ notice: explain(failure) }),
  });
  const navigation = createNavigation({ tree, store, requestChildren, loadPath });
  const rankings = createRankings({ tree, store, loader, runExclusively });
  loading.watchRows(() => {
    rankings.forgetRanked();
    navigation.forgetVisits();
  });
  const stopOpening = openLevels(tree, store);
  const { linkId, isDefault } = deps;
  const lookup = createAddressLookup({ tree, store, source, loadPath });
  const isComparable = source.uploads !== undefined;
  const findPickedHere = (addresses: readonly string[]) => findPicked(source, addresses, store.getState().filter);
  const address = syncAddress({
    linkId,
    isDefault,
    tree,
    store,
    addressBar,
    ...lookup,
    findPicked: findPickedHere,
    setFilter,
    isComparable,
    explain,
  });
  const uploads = createUploadComparison({ store, addressBar, linkId }, isComparable, address.link);
  const goTo = createGoTo({ store, source, explain }, (path, focusMode) => {
    address.stopRestoring();
    return navigation.goTo(path, focusMode);
  });
  const stops = new Set<() => void>();
  let latestStart = 0;
  const search = createSearch({ tree, store, source, goTo: goTo.toPath, setFilter });

  return {
    id,
    /** The name of the uploaded file. Downloads are named after it. */
    fileName,
    /** The name of the visualization in links. */
    linkId,
    /** Whether it is a draft. */
    isDraft,
    guest: deps.guest,
    /** Whether the user has saved views, a plan to write and links of their own here. */
    isKept: !deps.isDraft && !deps.guest,
    hasPlan: !deps.isDraft && (deps.guest?.hasPlan ?? true),
    hasWarnings: deps.guest?.hasWarnings ?? true,
    mayDownload: deps.guest?.mayDownload ?? true,
    /** Nodes of the whole tree, loaded or not. */
    nodes,
    tree,
    store,
    look: createDeferredState(store),
    source,
    address,
    explain,
    requestChildren,
    ...navigation,
    ...search,
    ...rankings,
    ...uploads,
    /** Loads a path of pack rows, root first. @returns the row of its last node, or none */
    loadPath,
    findExcluded: lookup.findExcluded,
    /** Calls back when the explorer stops, for parts that are loaded later. */
    onStop: (stop: () => void): void => void stops.add(stop),
    goTo: goTo.toPath,
    goToNode: goTo.toNode,
    setFilter,
    /** Refetches the fields of the file after a user has changed them. */
    reloadFields: fields.reload,
    watchRows: loading.watchRows,
    /** Requests what the canvas has room for. Replaces its earlier requests. */
    request: loading.requests.requestForCanvas,

    /** Loads the top of the tree and the places of the address. If it was cancelled or failed before, tries again. */
    async start(): Promise<void> {
      const start = ++latestStart;
      store.setState({ failure: undefined, isCancelled: false, loadProgress: undefined });
      if (tree.size === 0 && !(await loader.loadTop())) return;
      // Only then does the size depend on the other fields of the file.
      const knownFields = isSizedByVolume(tree) ? [] : await fields.load();
      if (start !== latestStart) return;
      store.setState({ defaultSize: defaultSizeOf(tree, knownFields), levels: mapLevelsOf(tree) });
      await address.restore();
      if (start !== latestStart) return;
      store.setState({ ready: true });
      void search.runSearch();
    },

    /** Aborts the loading. Sends no request until it is started again. */
    cancel(): void {
      latestStart++;
      loader.abort();
      store.setState({ isCancelled: true });
    },

    stop(): void {
      goTo.cancel();
      address.stop();
      for (const stop of stops) stop();
      fields.stop();
      loading.stop();
      search.stopSearching();
      stopOpening();
      loader.close();
    },
  };
}

export type Explorer = ReturnType<typeof createExplorer>;
