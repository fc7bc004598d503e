import { say } from '@kc/rules/messages';
import { none } from '../tree-data/columns.ts';
import type { ComparedItem, ExcludedNode } from './compared-nodes.ts';
import type { FocusMode } from './navigation.ts';
import type { Parts } from './parts.ts';

/** Looks up the nodes of addresses on the server. */
export function createAddressLookup({
  tree,
  store,
  source,
  loadPath,
}: Pick<Parts, 'tree' | 'store' | 'source' | 'loadPath'>) {
  /** The filter that a node must pass to be found. A tree that includes faint rows has them all. */
  const filterOfTree = () => (tree.shape === tree ? store.getState().filter : '');

  return {
    /** Loads the node of an address. */
    async findAddress(address: string): Promise<LocatedNode> {
      const { path, gone } = await source.locate(address, filterOfTree());
      return { row: path.length > 0 ? await loadPath(path) : none, gone };
    },

    /** Describes the node of an address, whatever the filter, without loading it. */
    async findExcluded(address: string): Promise<ExcludedNode | undefined> {
      const { path, gone } = await source.locate(address, '');
      const node = path.at(-1);
      if (node === undefined || gone !== undefined) return undefined;
      const { name } = await source.node({ node });
      return { name, address, path };
    },
  };
}

/** Goes to nodes. The newest call wins, wherever the ones before led. */
export function createGoTo(
  { store, source, explain }: Pick<Parts, 'store' | 'source' | 'explain'>,
  goToPath: (path: readonly number[], focusMode?: FocusMode) => Promise<boolean>,
) {
  let lookup = new AbortController();

  /** Goes to a node by its path of pack rows, root first. @returns whether it is shown */
  function toPath(rows: readonly number[], focusMode?: FocusMode): Promise<boolean> {
    lookup.abort();
    return goToPath(rows, focusMode);
  }

  return {
    toPath,

    /** Goes to a node by its pack row. @returns whether it is shown; if the lookup failed, a notice says why */
    async toNode(row: number, focusMode?: FocusMode): Promise<boolean> {
      lookup.abort();
      lookup = new AbortController();
      const { signal } = lookup;
      try {
        const found = await source.node({ node: row, filter: store.getState().filter }, { signal });
        return (
          !signal.aborted &&
          (await toPath(
            found.path.map((place) => place.node),
            focusMode,
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

export type AddressPlacesParts = Pick<Parts, 'tree' | 'explain'> & {
  /** @throws an error that `explain` describes, if the request failed */
  readonly findAddress: (address: string) => Promise<LocatedNode>;
  /** The node of an address without a filter; undefined if there is none. @throws as `findAddress` does */
  readonly findExcluded: (address: string) => Promise<ExcludedNode | undefined>;
};

/**
 * The row of an address. If its node is gone, the row of its nearest ancestor and the name of what is `gone`; `none` if
 * the address is unknown.
 */
export type LocatedNode = { readonly row: number; readonly gone: string | undefined };

/** A row, what to tell the user about it, and whether that is certain: it is not if the request failed. */
type Place = { readonly row: number; readonly notice?: string | undefined; readonly isKnown: boolean };

/** The places of an address, as rows. */
export type FoundPlaces = {
  readonly focus: Place;
  readonly selected: Place;
  readonly compared: readonly ComparedItem[];
  /** Whether all of them are certain. */
  readonly isKnown: boolean;
};

type AddressPlaces = {
  readonly focus: string | undefined;
  readonly selected: string | undefined;
  readonly compared: readonly string[];
};

/** Finds the places that an address names, one after the other. */
export function createAddressPlaces({ tree, findAddress, findExcluded, explain }: AddressPlacesParts) {
  async function placeAt(address: string | undefined): Promise<Place> {
    if (address === undefined) return { row: none, isKnown: true };
    try {
      const { row, gone } = await findAddress(address);
      return { row, notice: noticeOf(address, row, gone), isKnown: true };
    } catch (failure) {
      return { row: none, notice: explain(failure), isKnown: false };
    }
  }

  function noticeOf(address: string, row: number, gone: string | undefined): string | undefined {
    if (row === none) return say('explore/place-missing');
    const shown = tree.name(row);
    if (gone !== undefined) return say('explore/place-gone', { name: gone, shown });
    return tree.addressOf(row) === address ? undefined : say('explore/place-filtered', { shown });
  }

  /** The compared item of an address. Nodes that the filter excludes stay compared. */
  async function comparedAt(
    address: string,
  ): Promise<{ readonly item: ComparedItem | undefined; readonly isKnown: boolean }> {
    const { row, notice, isKnown } = await placeAt(address);
    if (row === none || notice === undefined) return { item: row === none ? undefined : row, isKnown };
    try {
      return { item: await findExcluded(address), isKnown };
    } catch {
      return { item: undefined, isKnown: false };
    }
  }

  /** @returns undefined as soon as the call is superseded */
  return async (places: AddressPlaces, isCurrent: () => boolean): Promise<FoundPlaces | undefined> => {
    const focus = await placeAt(places.focus);
    if (!isCurrent()) return undefined;
    const selected = await placeAt(places.selected);
    if (!isCurrent()) return undefined;
    const compared = new Set<ComparedItem>();
    let isKnown = focus.isKnown && selected.isKnown;
    for (const address of places.compared) {
      const found = await comparedAt(address);
      if (!isCurrent()) return undefined;
      if (found.item !== undefined) compared.add(found.item);
      isKnown &&= found.isKnown;
    }
    return { focus, selected, compared: [...compared], isKnown };
  };
}
