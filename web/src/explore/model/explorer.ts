import { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { Moved } from '../tree-data/moved-rows.ts';
import { none } from '../tree-data/no-row.ts';
import type { ChildrenRequest } from '../tree-data/request-queue.ts';
import { createSliceLoader, whenBrowserIdles } from '../tree-data/slice-loader.ts';
import type { AddressBar } from './address-bar.ts';
import type { Away } from './compared-nodes.ts';
import { createDeferredState } from './deferred-state.ts';
import { createExplorerStore, type Room } from './explorer-state.ts';
import { createFieldLoader } from './load-fields.ts';
import { askedAtOnce, createNavigation } from './navigation.ts';
import { openLevels } from './open-levels.ts';
import { createRankings } from './rank-children.ts';
import { createRefilter } from './refilter.ts';
import { createSearch } from './search.ts';
import type { Bytes, ExplorerSource } from './source.ts';
import { type LocatedNode, syncAddress } from './sync-address.ts';
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
  /** Children a person asked for by name; they come before whatever the canvas would like. */
  const asked = new Map<number, ChildrenRequest>();
  let canvasWants: readonly ChildrenRequest[] = [];
  let revealing = 0;
  /** Which loading of the first picture is the last one that was begun. */
  let beginning = 0;
  /** The look-up of where somebody goes. */
  let going = new AbortController();

  function passOn(): void {
    for (const [row, wish] of asked) if (heldChildren(row) > wish.skip) asked.delete(row);
    // A new wish would abort the request that brings the place somebody goes to.
    if (revealing === 0 && tree.size > 0) loader.request([...asked.values(), ...canvasWants]);
  }
  const heldChildren = (row: number) => tree.childStart[row + 1]! - tree.childStart[row]!;

  /** Asks for children of a row that are not held yet: the first ones, or those after the held ones. */
  function askForChildren(row: number): void {
    if (tree.tail(row).nodes === 0) return;
    asked.set(row, { node: tree.node[row]!, skip: heldChildren(row), weight: Number.MAX_VALUE });
    passOn();
  }

  /** The branches that are open and of which no child is held: those that a filter replaced and a person had opened. */
  function askForOpened(): void {
    const unheld = Array.from(store.getState().expanded).filter((row) => heldChildren(row) === 0);
    for (const row of unheld.slice(0, askedAtOnce)) askForChildren(row);
  }

  /** Does what leads to a place, while nothing else is asked for. */
  async function onTheWay<T>(work: () => Promise<T>): Promise<T> {
    revealing++;
    try {
      return await work();
    } finally {
      revealing--;
      passOn();
    }
  }

  /** Holds a path of pack rows, root first. @returns the row of its last node, or none */
  const reveal = (path: readonly number[]): Promise<number> =>
    onTheWay(async () => {
      const held = await loader.loadPath(path);
      return held > 0 && held === path.length ? tree.rowOf(path.at(-1)!) : none;
    });

  const rowWatchers = new Set<(moved: Moved) => void>();
  const refilter = createRefilter({
    tree,
    store,
    loader,
    explain: deps.explain,
    onMoved: (moved) => {
      asked.clear();
      canvasWants = [];
      rankings.forgetRanked();
      navigation.forgetVisits();
      for (const tell of rowWatchers) tell(moved);
    },
  });

  /** Source: {@link createRefilter}. */
  async function setFilter(filter: string, settleMs?: number, faint?: boolean): Promise<boolean> {
    const isShown = await onTheWay(() => refilter.setFilter(filter, settleMs, faint));
    if (isShown) askForOpened();
    return isShown;
  }

  /** What else there is to be found: all of it, where the rest is held too. */
  const reach = () => (tree.shape === tree ? store.getState().filter : '');

  async function findAddress(address: string): Promise<LocatedNode> {
    const { path, gone } = await source.locate(address, reach());
    return { row: path.length > 0 ? await reveal(path) : none, gone };
  }

  async function findAway(address: string): Promise<Away | undefined> {
    const { path, gone } = await source.locate(address, '');
    const node = path.at(-1);
    if (node === undefined || gone !== undefined) return undefined;
    const { name } = await source.node(node, '', new AbortController().signal);
    return { name, address, path };
  }

  const fields = createFieldLoader({
    store,
    source,
    tree,
    setFields: loader.setFields,
    onError: (failure) => store.setState({ notice: deps.explain(failure) }),
  });
  const navigation = createNavigation({ tree, store, askForChildren, reveal });
  const rankings = createRankings({ tree, store, loader, onTheWay });
  const stopOpening = openLevels(tree, store);
  const search = createSearch({ tree, store, source, goTo: navigation.goTo, setFilter });
  const address = syncAddress({
    tree,
    store,
    bar,
    findAddress,
    findAway,
    setFilter,
    explain: deps.explain,
    linkId: deps.linkId,
    isDefault: deps.isDefault,
  });

  /** Goes to a node by its path of pack rows. The newest wish wins, wherever the ones before led. */
  function goTo(path: readonly number[]): Promise<boolean> {
    going.abort();
    address.giveUp();
    return navigation.goTo(path);
  }

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
    goTo,
    setFilter,

    /** Tells when the held rows are other ones, before the state says so. @returns stops telling */
    watchRows(tell: (moved: Moved) => void): () => void {
      rowWatchers.add(tell);
      return () => rowWatchers.delete(tell);
    },

    /** What the canvas would like to hold, biggest first; takes the place of what it wanted before. */
    want(wants: readonly ChildrenRequest[]): void {
      canvasWants = wants;
      passOn();
    },

    /** Goes to a node of which only the pack row is known. @returns as {@link goTo} */
    async goToNode(node: number): Promise<boolean> {
      going.abort();
      going = new AbortController();
      const { signal } = going;
      try {
        const { path } = await source.node(node, store.getState().filter, signal);
        return !signal.aborted && (await goTo(path.map((place) => place.node)));
      } catch (failure) {
        if (!signal.aborted) store.setState({ notice: deps.explain(failure) });
        return false;
      }
    },

    async start(): Promise<void> {
      const mine = ++beginning;
      store.setState({ failure: undefined, isCancelled: false, loading: undefined });
      if (tree.size === 0 && !(await loader.loadTop())) return;
      store.setState({ usualSize: usualSizeOf(tree) });
      await address.restore();
      if (mine !== beginning) return;
      store.setState({ ready: true });
      void search.ask();
    },

    /** Asks for nothing more until it is started again. */
    cancel(): void {
      beginning++;
      loader.abort();
      store.setState({ isCancelled: true });
    },

    stop(): void {
      going.abort();
      address.stop();
      fields.stop();
      search.stopSearching();
      stopOpening();
      loader.close();
    },
  };
}

export type Explorer = ReturnType<typeof createExplorer>;
