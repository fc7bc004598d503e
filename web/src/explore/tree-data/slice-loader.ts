import type { Slice, SliceQuery } from '@kc/pack/slice/slice';
import { limits } from '@kc/rules/limits';
import { HeldChildren } from './held-children.ts';
import { LoadedTree } from './loaded-tree.ts';
import { nextMissing } from './next-missing.ts';

/** Trees up to this many nodes are fetched whole behind the first picture, so that everything after is local. */
export const wholeTreeNodes = 200_000;

export type SliceLoaderDeps = {
  readonly fetchSlice: (query: SliceQuery, signal: AbortSignal) => Promise<Slice>;
  readonly tree: LoadedTree;
  /** What the tree is of to begin with: the canonical text of a filter. */
  readonly filter?: string;
  /** Whether with what that leaves out between it. */
  readonly isFaint?: boolean;
  /** Nodes of the whole tree, the root counted: whether to fetch it whole. */
  readonly nodes: number;
  /** Called after every merge: draw again. */
  readonly onMerged: () => void;
  /** A request that was not aborted failed. The same is asked for again when it is wanted again. */
  readonly onError: (error: unknown) => void;
  /** Runs `work` when nothing else is to be done; the returned function takes it back. */
  readonly whenIdle: (work: () => void) => () => void;
};

export type Wanted = { readonly node: number; readonly skip: number; readonly weight: number };

/**
 * A request under way. One that is needed is finished; a wanted one ends when nobody wants it, one that asks again for what
 * is held, or an idle one, for any wish.
 */
type InFlight = {
  readonly key: string;
  readonly why: 'needed' | 'wanted' | 'again' | 'idle';
  readonly abort: AbortController;
};

type PathsAsked = () => readonly (readonly number[])[];

/** What is held for one filter, and what was asked for to get it. */
type Holding = {
  /** Canonical text; empty for no filter. */
  readonly filter: string;
  /** Whether what the filter leaves out is held too. */
  readonly isFaint: boolean;
  readonly tree: LoadedTree;
  readonly children: HeldChildren;
  /** Wishes that brought nothing new, so that asking again is futile. */
  readonly answered: Set<string>;
  /** Every query that was merged, with the fields it brought. */
  readonly merged: Map<string, { readonly query: SliceQuery; readonly brought: ReadonlySet<string> }>;
};

const holding = (filter: string, isFaint: boolean, tree: LoadedTree): Holding => ({
  filter,
  isFaint: isFaint && filter !== '',
  tree,
  children: new HeldChildren(),
  answered: new Set(),
  merged: new Map(),
});

/**
 * Asks for the parts of the tree that somebody wants to see. One request is in flight at a time; a newer wish aborts an
 * older one that nobody wants any more; what nobody waits for is fetched in idle time.
 */
export function createSliceLoader(deps: SliceLoaderDeps) {
  const { tree } = deps;
  let held = holding(deps.filter ?? '', deps.isFaint ?? false, tree);
  /** What is going to be held in its place, while it is on its way. */
  let coming: Holding | undefined;
  let whenCome: Promise<unknown> | undefined;
  let whenRevealed: Promise<unknown> | undefined;
  let wanted: readonly Wanted[] = [];
  let inFlight: InFlight | undefined;
  let takeBackIdle: (() => void) | undefined;
  let closed = false;
  /** Paths that were begun to be held: two at once would abort each other's requests for ever. */
  let reveals = 0;
  /** Idle fetching stops at an error and goes on with the next wish. */
  let failed = false;
  /** What slices are to bring along. */
  let fields: readonly string[] = [];

  /**
   * @returns whether the answer was merged; false when it was aborted or failed
   * @throws what the request failed with, for what is coming
   */
  async function ask(plain: SliceQuery, why: InFlight['why'], into = held): Promise<boolean> {
    stop();
    const { filter, isFaint } = into;
    const brought = fields;
    const ofWhole = { ...plain, ...(brought.length === 0 ? {} : { fields: brought }) };
    const query = { ...ofWhole, ...(filter === '' ? {} : { filter }), ...(isFaint ? { rest: true } : {}) };
    const mine: InFlight = { key: keyOf(query), why, abort: new AbortController() };
    inFlight = mine;
    try {
      // What the filter leaves out is of the size that it has without: the same rows, asked for twice.
      const [slice, whole] = await Promise.all([
        deps.fetchSlice(query, mine.abort.signal),
        isFaint ? deps.fetchSlice(ofWhole, mine.abort.signal) : undefined,
      ]);
      if (mine.abort.signal.aborted) return false;
      const before = into.tree.size;
      into.tree.merge(slice, whole);
      into.children.add(query, slice);
      merged(plain, brought, why, into, before);
      return true;
    } catch (error) {
      if (mine.abort.signal.aborted) return false;
      if (into === coming) throw error;
      wanted = [];
      failed = true;
      deps.onError(error);
      return false;
    } finally {
      if (inFlight === mine) {
        inFlight = undefined;
        goOn();
      }
    }
  }

  function merged(
    query: SliceQuery,
    brought: readonly string[],
    why: InFlight['why'],
    into: Holding,
    before: number,
  ): void {
    if (into.tree.size === before && why !== 'again') into.answered.add(keyOf(query));
    const name = `${keyOf(query)} ${query.budget}`;
    into.merged.set(name, { query, brought: new Set([...(into.merged.get(name)?.brought ?? []), ...brought]) });
    failed = false;
    if (into === held) deps.onMerged();
  }

  function stop(): void {
    takeBackIdle?.();
    inFlight?.abort.abort();
    inFlight = undefined;
  }

  function goOn(): void {
    if (closed || inFlight || coming || tree.size === 0) return;
    const { answered } = held;
    const next = wanted.find((wish) => !answered.has(keyOf(closingGaps(wish))));
    wanted = wanted.filter((wish) => wish !== next);
    if (next) void ask({ node: next.node, skip: closingGaps(next).skip, budget: limits.firstSliceRows }, 'wanted');
    else if (!failed) {
      const again = queryToRepeat();
      if (again) void ask(again, 'again');
      else fetchRestInIdleTime();
    }
  }

  /** More children are wanted from the first gap on, not from as many as are held. */
  function closingGaps<Q extends Pick<Wanted, 'node' | 'skip'>>(query: Q): Q {
    return query.skip === 0 ? query : { ...query, skip: held.children.of(query.node) };
  }

  /** The oldest query, so the top of the tree first, whose rows lack a field that is still missing. */
  function queryToRepeat(): SliceQuery | undefined {
    const missing = fields.filter((name) => !tree.isWhole(name));
    for (const { query, brought } of held.merged.values()) if (missing.some((name) => !brought.has(name))) return query;
    return undefined;
  }

  function fetchRestInIdleTime(): void {
    if (deps.nodes > wholeTreeNodes || tree.isComplete) return;
    const { answered } = held;
    takeBackIdle?.();
    takeBackIdle = deps.whenIdle(() => {
      // What a filter leaves out has leaves only in the whole tree. Shown faintly, it is missing like anything else.
      const next = nextMissing(tree.shape, (query) => answered.has(keyOf(closingGaps(query))));
      if (next && !closed && !inFlight && !coming)
        void ask({ ...closingGaps(next), budget: limits.maxSliceRows }, 'idle');
    });
  }

  const first = (into: Holding): Promise<boolean> =>
    ask({ node: 0, skip: 0, budget: limits.firstSliceRows }, 'needed', into);

  /**
   * Holds the nodes of a path, the root first, as far as the filter keeps them and while somebody wants it.
   * @returns how many of them are held now, from the first one on
   */
  async function holdPath(path: readonly number[], into: Holding, isWanted = () => true): Promise<number> {
    for (let i = 1; i < path.length; i++) {
      const [parent, node] = [path[i - 1]!, path[i]!];
      const query = { node: parent, skip: 0, budget: limits.firstSliceRows };
      // What leads there from the first child on, and where that is not enough, from the child itself on.
      for (const way of [query, { ...query, child: node }]) {
        const isThere = into.tree.rowOf(node) !== -1;
        if (isThere || !isWanted() || into.tree.tail(into.tree.rowOf(parent)).nodes === 0) break;
        await ask(way, 'needed', into);
      }
      if (into.tree.rowOf(node) === -1) return i;
    }
    return path.length;
  }

  async function replaceBy(mine: Holding, paths: PathsAsked, swap: (replace: () => void) => void): Promise<boolean> {
    try {
      if (!(await first(mine))) return false;
      for (const path of paths()) await holdPath(path, mine);
      if (coming !== mine || closed) return false;
      swap(() => {
        tree.become(mine.tree);
        held = { ...mine, tree };
        wanted = [];
        failed = false;
      });
      return true;
    } finally {
      if (coming === mine) {
        coming = undefined;
        goOn();
      }
    }
  }

  /** What a request that can wait waits for, so as not to abort it. */
  const underWay = (): Promise<unknown> | undefined => (coming ? whenCome : whenRevealed);

  return {
    /** The top of the tree. */
    first: () => first(held),

    /**
     * Asks for what another filter keeps, and holds that instead once its top and these paths are there, as far as they are
     * kept. What is held stays until then, and nothing else is asked for; a newer filter takes the place of one that is on
     * its way.
     *
     * @param isFaint whether with what it leaves out between that
     * @param paths of pack rows, root first; asked for when the top is there
     * @param swap called when everything is there, to call `replace`, which makes the tree the new one at once
     * @returns whether it is held now; false when a newer one took its place
     * @throws what a request failed with; then what was held stays
     */
    refilter(
      filter: string,
      isFaint: boolean,
      paths: PathsAsked,
      swap: (replace: () => void) => void,
    ): Promise<boolean> {
      if (closed) return Promise.resolve(false);
      stop();
      const mine = holding(filter, isFaint, new LoadedTree());
      coming = mine;
      const done = replaceBy(mine, paths, swap);
      whenCome = done.catch(() => undefined);
      return done;
    },

    /** What is held stays, whatever filter is on its way. */
    keepFilter(): void {
      if (coming === undefined) return;
      coming = undefined;
      stop();
      goOn();
    },

    /** Takes the place of everything wanted before. Biggest weight first, whatever the order. */
    want(requests: readonly Wanted[]): void {
      const current = inFlight;
      const isCurrent = (wish: Wanted) => keyOf(closingGaps(wish)) === current?.key;
      const isUnderWay = requests.some(isCurrent);
      wanted = requests.filter((wish) => !isCurrent(wish)).sort((a, b) => b.weight - a.weight);
      const isForNobody = current?.why === 'idle' || current?.why === 'again';
      const isStale = current?.why === 'wanted' || (isForNobody && wanted.length > 0);
      if (isStale && !isUnderWay) stop();
      goOn();
    },

    /** From now on slices bring these fields of the file; what is held is asked for again where it lacks them. */
    bring(names: readonly string[]): void {
      if (names.length === fields.length && names.every((name) => fields.includes(name))) return;
      fields = names;
      failed = false;
      if (inFlight?.why === 'again' || inFlight?.why === 'idle') stop();
      goOn();
    },

    /**
     * Holds the nodes of a path, the root first, as far as the filter keeps them: where a link or a search hit leads. The
     * newest path wins.
     * @returns how many of them are held now, from the first one on; 0 when a newer path took its place
     */
    async reveal(path: readonly number[]): Promise<number> {
      const mine = ++reveals;
      for (;;) {
        while (coming) await whenCome;
        if (mine !== reveals) return 0;
        const into = held;
        // A filter that is set on the way comes first: another request for what it replaces would abort its own.
        const done = holdPath(path, into, () => mine === reveals && into === held && !coming);
        whenRevealed = done;
        try {
          const count = await done;
          if (mine !== reveals) return 0;
          if (into === held && !coming) return count;
        } finally {
          if (whenRevealed === done) whenRevealed = undefined;
        }
      }
    },

    /**
     * Holds the first children of a node in another order, or the next ones.
     * @returns whether they are held now; false when something else was asked for meanwhile, or it failed
     */
    async rank(query: SliceQuery): Promise<boolean> {
      for (let first = underWay(); first; first = underWay()) await first;
      const into = held;
      return !closed && (await ask(query, 'needed', into)) && into === held;
    },

    /** Aborts what is under way. */
    cancel: stop,

    /** Aborts what is under way and asks for nothing more. */
    close(): void {
      closed = true;
      stop();
    },
  };
}

export type SliceLoader = ReturnType<typeof createSliceLoader>;

/** The browser's idle time; where there is none (Safari), a pause. */
export function whenBrowserIdles(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, 100);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: 2000 });
  return () => cancelIdleCallback(handle);
}

const keyOf = ({ node, skip, child, ranked }: Pick<SliceQuery, 'node' | 'skip' | 'child' | 'ranked'>) => {
  if (ranked) return `${node} ${JSON.stringify(ranked)}`;
  return child === undefined ? `${node} ${skip}` : `${node} from ${child}`;
};
