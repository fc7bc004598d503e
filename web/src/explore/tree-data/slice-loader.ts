import type { Slice, SliceQuery } from '@kc/pack/slice/slice';
import { limits } from '@kc/rules/limits';
import { none } from './columns.ts';
import { LoadedSlices, sliceKey } from './loaded-slices.ts';
import { LoadedTree } from './loaded-tree.ts';
import { type ChildrenRequest, type Priority, RequestQueue } from './request-queue.ts';

/** Trees with up to this many nodes are prefetched whole, so that everything after the first frame is local. */
const wholeTreeNodes = 200_000;

type SliceLoaderDeps = {
  readonly fetchSlice: (query: SliceQuery, signal: AbortSignal) => Promise<Slice>;
  readonly tree: LoadedTree;
  /** Canonical text of the filter to start with. Default: none. */
  readonly filter?: string;
  /** Whether to include what that filter leaves out. Default: no. */
  readonly isFaint?: boolean;
  /** Nodes of the whole tree, including the root. Decides whether to prefetch it. */
  readonly nodes: number;
  /** Called after every merge into the tree. */
  readonly onMerged: () => void;
  /** Called when a request failed that was not aborted. Requesting the same again retries. */
  readonly onError: (error: unknown) => void;
  /** Runs `work` when the browser is idle. @returns cancels it */
  readonly whenIdle: (work: () => void) => () => void;
};

/**
 * Loads the parts of a tree that views request into `deps.tree`, one request at a time, and prefetches the rest of a
 * small tree.
 */
export function createSliceLoader(deps: SliceLoaderDeps) {
  const { tree } = deps;
  /** Names of the fields of the file that slices include. */
  let fields: readonly string[] = [];

  const queue = new RequestQueue({
    isPaused: () => filterChange.isInProgress() || tree.size === 0,
    queryFor: (request) => filterChange.current().childrenQuery(request),
    addsNothing: (query) => filterChange.current().addsNothing(query),
    nextRefetch: () => filterChange.current().nextRefetch(fields),
    mayPrefetch: () => deps.nodes <= wholeTreeNodes && !tree.isComplete,
    nextPrefetch: () => filterChange.current().nextPrefetch(),
    load: (query, priority) => void load(query, filterChange.current(), priority),
    whenIdle: deps.whenIdle,
    onError: deps.onError,
  });

  function load(query: SliceQuery, into: LoadedSlices, priority: Priority = 'awaited'): Promise<boolean> {
    const included = fields;
    const { filtered, whole } = into.queriesFor(query, included);
    return queue.send({
      key: sliceKey(query),
      priority,
      throws: filterChange.isNext(into),
      fetch: (signal) =>
        Promise.all([deps.fetchSlice(filtered, signal), whole ? deps.fetchSlice(whole, signal) : undefined]),
      onResponse: (slices) => {
        into.merge(query, included, slices, priority === 'refetch');
        if (into === filterChange.current()) deps.onMerged();
      },
    });
  }

  const loadTop = (into: LoadedSlices): Promise<boolean> =>
    load({ node: 0, skip: 0, budget: limits.firstSliceRows }, into);

  const initial = new LoadedSlices(deps.filter ?? '', deps.isFaint ?? false, tree);
  const filterChange = createFilterChange({ initial, queue, load, loadTop });
  const { current } = filterChange;
  const paths = createPathLoader({ load, current, filterChange: filterChange.inProgress });

  return {
    /** Loads the top of the tree. @returns whether it is loaded now */
    loadTop: (): Promise<boolean> => loadTop(current()),

    /** Requests children. Replaces all earlier requests. */
    request: (requests: readonly ChildrenRequest[]): void => queue.request(requests),

    /** Loads the nodes of a path. Source: {@link createPathLoader}. */
    loadPath: paths.loadPath,

    /**
     * Loads the first children of a node in another order, or the next ones. Waits for a path or a filter change.
     * @returns whether they are loaded now; false if another request or filter replaced this one, or it failed
     */
    async loadRanked(query: SliceQuery): Promise<boolean> {
      const blocker = () => filterChange.inProgress() ?? paths.inProgress();
      for (let wait = blocker(); wait; wait = blocker()) await wait;
      const into = current();
      return !queue.isClosed && (await load(query, into)) && into === current();
    },

    /**
     * Loads the tree under another filter, and replaces the loaded one when the top and some paths are there. Until
     * then the loaded tree stays, and requests wait. A newer filter replaces the one that is being loaded.
     *
     * @param isFaint whether to include what the filter leaves out
     * @param keep the paths to load, as far as the filter keeps them; called when the top is loaded
     * @param swap called when everything is loaded; it calls `replace`, which changes the tree synchronously
     * @returns whether the tree is under this filter now; false if a newer filter replaced it
     * @throws the error of a failed request; the loaded tree then stays
     */
    setFilter: (
      filter: string,
      isFaint: boolean,
      keep: () => Paths,
      swap: (replace: () => void) => void,
    ): Promise<boolean> => filterChange.start(new LoadedSlices(filter, isFaint, new LoadedTree()), keep, swap),

    /** Gives up a filter that is being loaded. */
    cancelFilter: filterChange.cancel,

    /** Sets the fields that slices include from now on, and loads those that are missing in loaded rows. */
    setFields(names: readonly string[]): void {
      if (names.length === fields.length && names.every((name) => fields.includes(name))) return;
      fields = names;
      queue.restartBackground();
    },

    /** Aborts the request in flight. */
    abort: (): void => queue.abort(),

    /** Aborts the request in flight, and sends no more. */
    close: (): void => queue.close(),
  };
}

export type SliceLoader = ReturnType<typeof createSliceLoader>;

/**
 * Runs `work` when the browser is idle or, without `requestIdleCallback` (Safari), after a pause. @returns cancels it
 */
export function whenBrowserIdles(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, 100);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: 2000 });
  return () => cancelIdleCallback(handle);
}

type FilterChangeDeps = {
  /** What is loaded before the first change. */
  readonly initial: LoadedSlices;
  readonly queue: RequestQueue;
  readonly load: LoadSlice;
  /** Loads the top of the tree. @returns as {@link LoadSlice} */
  readonly loadTop: (into: LoadedSlices) => Promise<boolean>;
};

/** Paths of pack rows, root first. */
type Paths = readonly (readonly number[])[];

/**
 * Replaces the loaded slices by those of another filter. The ones before stay in use until everything that was on
 * screen is loaded under the new filter, so that a view never shows half of it.
 */
function createFilterChange({ initial, queue, load, loadTop }: FilterChangeDeps) {
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

/** Maps rows of the previous content of a tree to rows of the current one. */
export type Moved = {
  /** The pack row of a previous row. */
  readonly nodeOf: (row: number) => number;
  /** -1 if the node is no longer loaded; -1 for -1. */
  readonly exactly: (row: number) => number;
  /** The row of its nearest ancestor that is loaded now, starting with itself; -1 for -1. */
  readonly nearest: (row: number) => number;
};

/** Remembers which node each row is. Use the result after the tree has changed its content, and before it grows. */
export function rememberRows(tree: LoadedTree): Moved {
  // These arrays do not change: new content has columns of its own.
  const { node, parent, size } = tree;
  const isRow = (row: number) => row >= 0 && row < size;
  const exactly = (row: number) => (isRow(row) ? tree.rowOf(node[row]!) : -1);
  const nearest = (row: number): number => {
    let at = row;
    while (isRow(at) && exactly(at) === -1) at = parent[at]!;
    return exactly(at);
  };
  return { nodeOf: (row) => node[row]!, exactly, nearest };
}

/** Sends a query at once and merges the response. @returns whether it was merged; false if it was aborted or failed */
type LoadSlice = (query: SliceQuery, into: LoadedSlices) => Promise<boolean>;

type PathLoaderDeps = {
  readonly load: LoadSlice;
  readonly current: () => LoadedSlices;
  /** Resolves when the filter change in progress ends; undefined if there is none. */
  readonly filterChange: () => Promise<unknown> | undefined;
};

/** Loads the nodes on the path to a place. One path at a time: two would abort each other's requests forever. */
function createPathLoader({ load, current, filterChange }: PathLoaderDeps) {
  let latest = 0;
  let inProgress: Promise<unknown> | undefined;

  return {
    /** Resolves when the path that is being loaded has been loaded or given up; undefined if there is none. */
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
        // A filter change comes first: a request for what it replaces would abort its own.
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
    // The first children may include the node. If they do not, request the children from the node on.
    for (const attempt of [query, { ...query, child: node }]) {
      const isLoaded = tree.rowOf(node) !== none;
      if (isLoaded || !isWanted() || tree.tail(tree.rowOf(parent)).nodes === 0) break;
      await load(attempt, into);
    }
    if (tree.rowOf(node) === none) return i;
  }
  return path.length;
}
