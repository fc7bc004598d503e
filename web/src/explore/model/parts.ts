import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { SliceLoader } from '../tree-data/slice-loader.ts';
import type { ExplorerStore } from './explorer-state.ts';
import type { ExplorerSource } from './source.ts';

/** The dependencies of the parts of an explorer. Each part picks those that it needs. */
export type Parts = {
  readonly tree: LoadedTree;
  readonly store: ExplorerStore;
  readonly source: ExplorerSource;
  readonly loader: SliceLoader;
  readonly addressBar: AddressBar;
  /** How addresses name the visualization. Addresses of another one are left alone. */
  readonly linkId: string;
  /** Whether an address without a name also means this visualization. May change. */
  readonly isDefault: () => boolean;
  /** Requests the children of a row. */
  readonly requestChildren: (row: number) => void;
  /** Loads a path of pack rows, root first. @returns the row of its last node, or none */
  readonly loadPath: (path: readonly number[]) => Promise<number>;
  /** Shows what a filter keeps. @returns whether that is shown; if not, a notice says why */
  readonly setFilter: (filter: string, settleMs?: number, isFaint?: boolean) => Promise<boolean>;
  /** Describes a failed request to the user. */
  readonly explain: (failure: unknown) => string;
};

/** The query string of the page URL, as the explorer reads and writes it. */
export interface AddressBar {
  /** From the question mark on; empty if there is none. */
  read(): string;
  /** `push` adds a history entry that Back undoes, `replace` does not. */
  write(search: string, mode: 'push' | 'replace'): void;
  /** Called for every change that {@link AddressBar.write} did not make: Back, Forward, a followed link. */
  listen(onChange: () => void): () => void;
}
