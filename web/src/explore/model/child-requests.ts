import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { none } from '../tree-data/no-row.ts';
import type { ChildrenRequest } from '../tree-data/request-queue.ts';
import type { SliceLoader } from '../tree-data/slice-loader.ts';
import type { ExplorerStore } from './explorer-state.ts';
import { askedAtOnce } from './open-branches.ts';

type ChildRequestsDeps = {
  readonly tree: LoadedTree;
  readonly store: ExplorerStore;
  readonly loader: Pick<SliceLoader, 'request' | 'loadPath'>;
};

/** Collects the requests for children: those of the user, which go first, and those of the canvas. */
export function createChildRequests({ tree, store, loader }: ChildRequestsDeps) {
  /** The user's requests, by row. */
  const asked = new Map<number, ChildrenRequest>();
  let canvasRequests: readonly ChildrenRequest[] = [];
  /** How many loads are running that a request would abort. */
  let exclusiveLoads = 0;

  function send(): void {
    for (const [row, { skip }] of asked) if (tree.loadedChildren(row) > skip) asked.delete(row);
    if (exclusiveLoads === 0 && tree.size > 0) loader.request([...asked.values(), ...canvasRequests]);
  }

  /** Requests children of a row that are not loaded: the first ones, or those after the loaded ones. */
  function askForChildren(row: number): void {
    if (tree.tail(row).nodes === 0) return;
    asked.set(row, { node: tree.node[row]!, skip: tree.loadedChildren(row), weight: Number.MAX_VALUE });
    send();
  }

  /** Runs a load during which no other request is sent. */
  async function exclusively<T>(load: () => Promise<T>): Promise<T> {
    exclusiveLoads++;
    try {
      return await load();
    } finally {
      exclusiveLoads--;
      send();
    }
  }

  return {
    askForChildren,
    exclusively,

    /**
     * Requests the children of expanded branches that have none: the user expanded them before a filter replaced them.
     */
    askForOpened(): void {
      const empty = Array.from(store.getState().expanded).filter((row) => tree.loadedChildren(row) === 0);
      for (const row of empty.slice(0, askedAtOnce)) askForChildren(row);
    },

    /** Loads a path of pack rows, root first. @returns the row of its last node, or none */
    loadPath: (path: readonly number[]): Promise<number> =>
      exclusively(async () => {
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
      asked.clear();
      canvasRequests = [];
    },
  };
}
