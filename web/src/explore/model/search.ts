import { noFilter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import type { SearchAnswer, SearchHit } from '@kc/rules/shapes';
import { exact } from '../format/numbers.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { none } from '../tree-data/no-row.ts';
import type { ExplorerStore } from './explorer-state.ts';
import type { SearchResults } from './search-results.ts';
import type { ExplorerSource } from './source.ts';

export const mostHits = 50;
const typingMs = 150;

type SearchInput = {
  readonly tree: LoadedTree;
  readonly store: ExplorerStore;
  readonly source: ExplorerSource;
  readonly goTo: (path: readonly number[]) => Promise<boolean>;
  readonly setFilter: (filter: string) => Promise<boolean>;
};

/**
 * Looks for the query of the state, and again when it, the filter or the focus changes: `found` is the answer, and what was
 * found before until that is there. Only the newest question is waited for.
 */
export function createSearch({ tree, store, source, goTo, setFilter }: SearchInput) {
  let asking = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Hits beyond the best ones, `mostHits` at a time, of the text and filter that are looked for. */
  let pages = new Map<number, Promise<readonly SearchHit[]>>();
  let steps = 0;

  async function ask(): Promise<void> {
    stopAsking();
    const { query, filter, focus } = store.getState();
    const text = query.trim();
    if (text === '') {
      store.setState({ found: undefined, searchFailure: undefined });
      return;
    }
    const { signal } = asking;
    const under = tree.node[focus] ?? 0;
    try {
      const answer = await source.search({ text, limit: mostHits, skip: 0, under }, filter, signal);
      if (signal.aborted) return;
      const { found } = store.getState();
      const at = found?.text === text ? found.at : none;
      store.setState({ found: foundOf(text, answer, at), searchFailure: undefined });
    } catch (failure) {
      if (!signal.aborted) store.setState({ searchFailure: failure });
    }
  }

  function stopAsking(): void {
    clearTimeout(timer);
    asking.abort();
    asking = new AbortController();
  }

  const stopWatching = store.subscribe((now, before) => {
    const isOther = now.query.trim() !== before.query.trim() || now.filter !== before.filter;
    if (isOther) {
      pages = new Map();
      steps++;
      stopAsking();
      timer = setTimeout(ask, now.query.trim() === '' ? 0 : typingMs);
    } else if (now.focus !== before.focus && now.query.trim() !== '') void ask();
  });

  async function hitAt(place: number): Promise<SearchHit | undefined> {
    const { found, filter, query } = store.getState();
    const page = Math.floor(place / mostHits);
    if (page === 0) return found?.hits[place];
    const asked =
      pages.get(page) ??
      source
        .search({ text: query.trim(), limit: mostHits, skip: page * mostHits }, filter, new AbortController().signal)
        .then(({ hits }) => hits);
    pages.set(page, asked);
    asked.catch(() => pages.delete(page));
    return (await asked)[place % mostHits];
  }

  /** Goes to a hit by its place among all. */
  async function goToHit(place: number): Promise<void> {
    const step = ++steps;
    const said = store.getState().found;
    if (!said) return;
    store.setState({ found: { ...said, at: place }, previewed: none });
    try {
      const hit = await hitAt(place);
      if (!hit || step !== steps) return;
      const isThere = await goTo([...hit.path.map(({ node }) => node), hit.node]);
      if (!isThere || step !== steps) return;
      store.setState(({ spoken }) => ({ spoken: `${exact(place + 1)} of ${exact(said.total)}. ${spoken}` }));
    } catch (failure) {
      if (step === steps) store.setState({ searchFailure: failure });
    }
  }

  return {
    ask,
    goToHit,

    /** To the next hit, or the one before; after the last comes the first. */
    async stepHits(by: 1 | -1): Promise<void> {
      const { found } = store.getState();
      if (!found || found.total === 0) return;
      const from = found.at === none && by < 0 ? 0 : found.at;
      await goToHit((from + by + found.total) % found.total);
    },

    clearSearch: (): void => store.setState({ query: '', previewed: none }),

    /** Filters to what contains the query, beside what is asked for already. */
    keepHits(): void {
      const { filter, filtering, query } = store.getState();
      const before = readFilter(filtering ?? filter) ?? noFilter;
      void setFilter(writeFilter({ ...before, contains: [...before.contains, query.trim()] }));
      store.setState({ query: '' });
    },

    stopSearching(): void {
      stopAsking();
      stopWatching();
    },
  };
}

function foundOf(
  text: string,
  { total, notInHierarchy, hits, pillars = [], places }: SearchAnswer,
  at: number,
): SearchResults {
  const { nodes = [], counts = [], hits: own = [], upTo = none } = places ?? {};
  return {
    text,
    total,
    notInHierarchy,
    hits,
    ofPillar: new Map(pillars.map((pillar) => [pillar.node, pillar.hits])),
    glow: { counts: new Map(nodes.map((node, index) => [node, counts[index]!])), hits: new Set(own), upTo },
    at,
  };
}
