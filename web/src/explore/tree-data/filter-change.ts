import type { LoadedSlices } from './loaded-slices.ts';
import { type LoadSlice, loadPath } from './path-loader.ts';
import type { RequestQueue } from './request-queue.ts';

type FilterChangeDeps = {
  /** What is loaded before the first change. */
  readonly initial: LoadedSlices;
  readonly queue: RequestQueue;
  readonly load: LoadSlice;
  /** Loads the top of the tree. @returns as {@link LoadSlice} */
  readonly loadTop: (into: LoadedSlices) => Promise<boolean>;
};

/** Paths of pack rows, root first. */
export type Paths = readonly (readonly number[])[];

/**
 * Replaces the loaded slices by those of another filter. The ones before stay in use until everything that was on
 * screen is loaded under the new filter, so that a view never shows half of it.
 */
export function createFilterChange({ initial, queue, load, loadTop }: FilterChangeDeps) {
  let current = initial;
  let next: LoadedSlices | undefined;
  let settled: Promise<unknown> | undefined;

  async function replaceBy(
    mine: LoadedSlices,
    paths: () => Paths,
    swap: (replace: () => void) => void,
  ): Promise<boolean> {
    try {
      if (!(await loadTop(mine))) return false;
      // Each attempt would abort the request of a newer change.
      for (const path of paths()) await loadPath(path, mine, load, () => next === mine);
      if (next !== mine || queue.isClosed) return false;
      swap(() => {
        mine.moveInto(current.tree);
        current = mine;
        queue.clear();
      });
      return true;
    } finally {
      if (next === mine) {
        next = undefined;
        queue.sendNext();
      }
    }
  }

  return {
    current: (): LoadedSlices => current,
    /** Whether these slices are to replace the current ones. */
    isNext: (slices: LoadedSlices): boolean => slices === next,
    isInProgress: (): boolean => next !== undefined,
    /** Resolves when the change in progress ends, or is replaced; undefined if there is none. */
    inProgress: (): Promise<unknown> | undefined => next && settled,

    /** Source: `setFilter` of the slice loader. A newer change replaces the one in progress. */
    start(slices: LoadedSlices, paths: () => Paths, swap: (replace: () => void) => void): Promise<boolean> {
      if (queue.isClosed) return Promise.resolve(false);
      queue.abort();
      next = slices;
      const done = replaceBy(slices, paths, swap);
      settled = done.catch(() => undefined);
      return done;
    },

    /** Gives up the change in progress: the current slices stay. */
    cancel(): void {
      if (next === undefined) return;
      next = undefined;
      queue.abort();
      queue.sendNext();
    },
  };
}
