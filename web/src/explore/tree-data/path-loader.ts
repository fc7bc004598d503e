import type { SliceQuery } from '@kc/pack/slice/slice';
import { limits } from '@kc/rules/limits';
import { none } from './columns.ts';
import type { LoadedSlices } from './loaded-slices.ts';

/** Sends a query at once and merges the response. @returns whether it was merged; false if it was aborted or failed */
export type LoadSlice = (query: SliceQuery, into: LoadedSlices) => Promise<boolean>;

type PathLoaderDeps = {
  readonly load: LoadSlice;
  readonly current: () => LoadedSlices;
  /** Resolves when the filter change in progress ends; undefined if there is none. */
  readonly filterChange: () => Promise<unknown> | undefined;
};

/** Loads the nodes on the way to a place. One path at a time: two would abort each other's requests forever. */
export function createPathLoader({ load, current, filterChange }: PathLoaderDeps) {
  let latest = 0;
  let inProgress: Promise<unknown> | undefined;

  return {
    /** Resolves when the path that is being loaded is there, or is given up; undefined if there is none. */
    inProgress: (): Promise<unknown> | undefined => inProgress,

    /**
     * Loads the nodes of a path of pack rows, root first, as far as the filter keeps them. The newest path wins.
     * @returns how many of them are loaded now, from the root on; 0 if a newer path replaced this one
     */
    async loadPath(path: readonly number[]): Promise<number> {
      const mine = ++latest;
      for (;;) {
        for (let change = filterChange(); change; change = filterChange()) await change;
        if (mine !== latest) return 0;
        const into = current();
        // A filter change goes first: a request for what it replaces would abort its own.
        const isCurrent = () => into === current() && filterChange() === undefined;
        const done = loadPath(path, into, load, () => mine === latest && isCurrent());
        inProgress = done;
        try {
          const count = await done;
          if (mine !== latest) return 0;
          if (isCurrent()) return count;
        } finally {
          if (inProgress === done) inProgress = undefined;
        }
      }
    },
  };
}

/**
 * Loads the nodes of a path of pack rows, root first, as far as the filter keeps them and while they are wanted.
 * @returns how many of them are loaded now, from the root on
 */
export async function loadPath(
  path: readonly number[],
  into: LoadedSlices,
  load: LoadSlice,
  isWanted = () => true,
): Promise<number> {
  const { tree } = into;
  for (let i = 1; i < path.length; i++) {
    const [parent, node] = [path[i - 1]!, path[i]!];
    const query = { node: parent, skip: 0, budget: limits.firstSliceRows };
    // The first children may include the node. If they do not, ask for the children from the node on.
    for (const attempt of [query, { ...query, child: node }]) {
      const isLoaded = tree.rowOf(node) !== none;
      if (isLoaded || !isWanted() || tree.tail(tree.rowOf(parent)).nodes === 0) break;
      await load(attempt, into);
    }
    if (tree.rowOf(node) === none) return i;
  }
  return path.length;
}
