import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { none } from '../tree-data/no-row.ts';
import type { LocatedNode } from './address-places.ts';
import type { Away } from './compared-nodes.ts';
import type { ExplorerStore } from './explorer-state.ts';
import type { GoTo } from './navigation.ts';
import type { ExplorerSource } from './source.ts';

type AddressLookupDeps = {
  readonly tree: LoadedTree;
  readonly store: ExplorerStore;
  readonly source: ExplorerSource;
  /** Loads a path of pack rows, root first. @returns the row of its last node, or none */
  readonly loadPath: (path: readonly number[]) => Promise<number>;
};

/** Looks up the nodes of addresses on the server. */
export function createAddressLookup({ tree, store, source, loadPath }: AddressLookupDeps) {
  /** The filter that a node must pass to be found. A tree that includes faint rows has them all. */
  const filterOfTree = () => (tree.shape === tree ? store.getState().filter : '');

  return {
    /** Loads the node of an address. */
    async findAddress(address: string): Promise<LocatedNode> {
      const { path, gone } = await source.locate(address, filterOfTree());
      return { row: path.length > 0 ? await loadPath(path) : none, gone };
    },

    /** Describes the node of an address, whatever the filter, without loading it. */
    async findAway(address: string): Promise<Away | undefined> {
      const { path, gone } = await source.locate(address, '');
      const node = path.at(-1);
      if (node === undefined || gone !== undefined) return undefined;
      const { name } = await source.node(node, '', new AbortController().signal);
      return { name, address, path };
    },
  };
}

type GoToDeps = {
  readonly store: ExplorerStore;
  readonly source: ExplorerSource;
  readonly explain: (failure: unknown) => string;
  readonly goToPath: (path: readonly number[], how?: GoTo) => Promise<boolean>;
};

/** Goes to nodes. The newest call wins, wherever the ones before led. */
export function createGoTo({ store, source, explain, goToPath }: GoToDeps) {
  let lookup = new AbortController();

  /** Goes to a node by its path of pack rows, root first. @returns whether it is shown */
  function path(rows: readonly number[], how?: GoTo): Promise<boolean> {
    lookup.abort();
    return goToPath(rows, how);
  }

  return {
    path,

    /** Goes to a node by its pack row. @returns whether it is shown; if the lookup failed, a notice says why */
    async node(row: number, how?: GoTo): Promise<boolean> {
      lookup.abort();
      lookup = new AbortController();
      const { signal } = lookup;
      try {
        const found = await source.node(row, store.getState().filter, signal);
        return (
          !signal.aborted &&
          (await path(
            found.path.map((place) => place.node),
            how,
          ))
        );
      } catch (failure) {
        if (!signal.aborted) store.setState({ notice: explain(failure) });
        return false;
      }
    },

    cancel: (): void => lookup.abort(),
  };
}
