import type { Slice, SliceQuery } from '@kc/pack/slice';
import { limits } from '@kc/rules/limits';
import type { HeldTree } from './held-tree.ts';
import { nextMissing } from './next-missing.ts';

/** Trees up to this many nodes are fetched whole behind the first picture, so that everything after is local. */
export const wholeTreeNodes = 200_000;

export type SliceLoaderParts = {
  readonly fetchSlice: (query: SliceQuery, signal: AbortSignal) => Promise<Slice>;
  readonly tree: HeldTree;
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

/**
 * Asks for the parts of the tree that somebody wants to see. One request is in flight at a time; a newer wish aborts an
 * older one that nobody wants any more; what nobody waits for is fetched in idle time.
 */
export function createSliceLoader(parts: SliceLoaderParts) {
  const { tree } = parts;
  let wanted: readonly Wanted[] = [];
  let inFlight: InFlight | undefined;
  let takeBackIdle: (() => void) | undefined;
  let closed = false;
  /** Paths that were begun to be held: two at once would abort each other's requests for ever. */
  let reveals = 0;
  /** Idle fetching stops at an error and goes on with the next wish. */
  let failed = false;
  /** Wishes that brought nothing new, so that asking again is futile. */
  const answered = new Set<string>();
  /** What slices are to bring along, and every query that was merged with what it brought. */
  let fields: readonly string[] = [];
  const merged = new Map<string, { readonly query: SliceQuery; readonly brought: ReadonlySet<string> }>();

  /** @returns whether the answer was merged; false when it was aborted or failed */
  async function ask(plain: SliceQuery, why: InFlight['why']): Promise<boolean> {
    stop();
    const query = fields.length === 0 ? plain : { ...plain, fields };
    const mine: InFlight = { key: keyOf(query), why, abort: new AbortController() };
    inFlight = mine;
    try {
      const slice = await parts.fetchSlice(query, mine.abort.signal);
      if (mine.abort.signal.aborted) return false;
      merge(slice, query, why);
      return true;
    } catch (error) {
      if (mine.abort.signal.aborted) return false;
      wanted = [];
      failed = true;
      parts.onError(error);
      return false;
    } finally {
      if (inFlight === mine) {
        inFlight = undefined;
        goOn();
      }
    }
  }

  function merge(slice: Slice, { fields: brought = [], ...query }: SliceQuery, why: InFlight['why']): void {
    const before = tree.size;
    tree.merge(slice);
    if (tree.size === before && why !== 'again') answered.add(keyOf(query));
    const name = `${keyOf(query)} ${query.budget}`;
    merged.set(name, { query, brought: new Set([...(merged.get(name)?.brought ?? []), ...brought]) });
    failed = false;
    parts.onMerged();
  }

  function stop(): void {
    takeBackIdle?.();
    inFlight?.abort.abort();
    inFlight = undefined;
  }

  function goOn(): void {
    if (closed || inFlight || tree.size === 0) return;
    const next = wanted.find((wish) => !answered.has(keyOf(wish)));
    wanted = wanted.filter((wish) => wish !== next);
    if (next) void ask({ node: next.node, skip: next.skip, budget: limits.firstSliceRows }, 'wanted');
    else if (!failed) {
      const again = queryToRepeat();
      if (again) void ask(again, 'again');
      else fetchRestInIdleTime();
    }
  }

  /** The oldest query, so the top of the tree first, whose rows lack a field that is still missing. */
  function queryToRepeat(): SliceQuery | undefined {
    const missing = fields.filter((name) => !tree.isWhole(name));
    for (const { query, brought } of merged.values()) if (missing.some((name) => !brought.has(name))) return query;
    return undefined;
  }

  function fetchRestInIdleTime(): void {
    if (parts.nodes > wholeTreeNodes || tree.size >= parts.nodes) return;
    takeBackIdle?.();
    takeBackIdle = parts.whenIdle(() => {
      const next = nextMissing(tree, (query) => answered.has(keyOf(query)));
      if (next && !closed && !inFlight) void ask({ ...next, budget: limits.maxSliceRows }, 'idle');
    });
  }

  return {
    /** The top of the tree. */
    first: (): Promise<boolean> => ask({ node: 0, skip: 0, budget: limits.firstSliceRows }, 'needed'),

    /** Takes the place of everything wanted before. Biggest weight first, whatever the order. */
    want(requests: readonly Wanted[]): void {
      const current = inFlight;
      const isUnderWay = requests.some((wish) => keyOf(wish) === current?.key);
      wanted = requests.filter((wish) => keyOf(wish) !== current?.key).sort((a, b) => b.weight - a.weight);
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
     * Holds every node of a path, the root first: where a link or a search hit leads. The newest path wins.
     * @returns whether the last one is held now; false when a newer path took its place
     */
    async reveal(path: readonly number[]): Promise<boolean> {
      const mine = ++reveals;
      for (let i = 1; i < path.length; i++) {
        const [parent, node] = [path[i - 1]!, path[i]!];
        const query = { node: parent, skip: 0, budget: limits.firstSliceRows };
        // What leads there from the first child on, and where that is not enough, from the child itself on.
        for (const way of [query, { ...query, child: node }]) {
          if (mine !== reveals) return false;
          if (tree.rowOf(node) !== -1) break;
          await ask(way, 'needed');
        }
      }
      return mine === reveals && path.length > 0 && tree.rowOf(path[path.length - 1]!) !== -1;
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

const keyOf = ({ node, skip, child }: Pick<SliceQuery, 'node' | 'skip' | 'child'>) =>
  child === undefined ? `${node} ${skip}` : `${node} from ${child}`;
