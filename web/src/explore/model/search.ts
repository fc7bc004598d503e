import { noFilter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import type { TextQuery } from '@kc/pack/find/text-query';
import type { SearchAnswer, SearchHit } from '@kc/rules/shapes';
import { exact } from '../format/figure-text.ts';
import { none } from '../tree-data/columns.ts';
import { withText } from './change-filter.ts';
import type { ExplorerState } from './explorer-state.ts';
import type { Parts } from './parts.ts';
import type { SearchResults } from './search-results.ts';

const maxHits = 50;
const typingMs = 150;

type SearchParts = Pick<Parts, 'tree' | 'store' | 'source' | 'setFilter'> & {
  readonly goTo: (path: readonly number[]) => Promise<boolean>;
};

/**
 * Searches for the query of the state, and again when the query, the filter or the focus changes. `searchResults` is the
 * result; the previous one stays until it arrives. Only the newest search is awaited.
 */
export function createSearch({ tree, store, source, goTo, setFilter }: SearchParts) {
  let abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Further hits of the current text and filter, `maxHits` at a time. */
  let pages = new Map<number, Promise<readonly SearchHit[]>>();
  let steps = 0;

  async function runSearch(): Promise<void> {
    cancelSearch();
    const { filter, focus, ...state } = store.getState();
    const query = queryOf(state);
    const { text, mode } = query;
    if (text === '') {
      store.setState({ searchResults: undefined, searchFailure: undefined });
      return;
    }
    const { signal } = abort;
    const under = tree.node[focus] ?? 0;
    try {
      const answer = await source.search({ ...query, limit: maxHits, skip: 0, under }, filter, signal);
      if (signal.aborted) return;
      const { searchResults } = store.getState();
      const at = searchResults?.text === text && searchResults.mode === mode ? searchResults.index : none;
      store.setState({ searchResults: toSearchResults(query, answer, at), searchFailure: undefined });
    } catch (failure) {
      if (!signal.aborted) store.setState({ searchFailure: failure });
    }
  }

  function cancelSearch(): void {
    clearTimeout(timer);
    abort.abort();
    abort = new AbortController();
  }

  const stopWatching = store.subscribe((now, before) => {
    const { query } = now;
    const isOther = isOtherQuery(queryOf(now), queryOf(before)) || now.filter !== before.filter;
    if (isOther) {
      pages = new Map();
      steps++;
      cancelSearch();
      timer = setTimeout(runSearch, query.trim() === '' ? 0 : typingMs);
    } else if (now.focus !== before.focus && query.trim() !== '') void runSearch();
  });

  async function hitAt(rank: number): Promise<SearchHit | undefined> {
    const { searchResults, filter, ...state } = store.getState();
    const page = Math.floor(rank / maxHits);
    if (page === 0) return searchResults?.hits[rank];
    const queryPages = pages;
    const request =
      queryPages.get(page) ??
      source
        .search({ ...queryOf(state), limit: maxHits, skip: page * maxHits }, filter, new AbortController().signal)
        .then(({ hits }) => hits);
    queryPages.set(page, request);
    request.catch(() => queryPages.delete(page));
    return (await request)[rank % maxHits];
  }

  /** Goes to a hit by its rank among all hits. */
  async function goToHit(rank: number): Promise<void> {
    const step = ++steps;
    const results = store.getState().searchResults;
    if (!results) return;
    store.setState({ searchResults: { ...results, index: rank }, previewed: none });
    try {
      const hit = await hitAt(rank);
      if (!hit || step !== steps) return;
      const isThere = await goTo([...hit.path.map(({ node }) => node), hit.node]);
      if (!isThere || step !== steps) return;
      store.setState(({ spoken }) => ({ spoken: `${exact(rank + 1)} of ${exact(results.total)}. ${spoken}` }));
    } catch (failure) {
      if (step === steps) store.setState({ searchFailure: failure });
    }
  }

  return {
    runSearch,
    goToHit,

    /** Goes to the next hit or the previous one; the first follows the last. */
    async stepHits(by: 1 | -1): Promise<void> {
      const { searchResults } = store.getState();
      if (!searchResults || searchResults.total === 0) return;
      const from = searchResults.index === none && by < 0 ? 0 : searchResults.index;
      await goToHit((from + by + searchResults.total) % searchResults.total);
    },

    clearSearch: (): void => store.setState({ query: '', previewed: none }),

    /** Filters by the query, in addition to the current filter. The query ends once it is the filter, and not if that is refused. */
    async keepHits(): Promise<void> {
      const { filter, filtering, ...state } = store.getState();
      const before = readFilter(filtering ?? filter) ?? noFilter;
      const isKept = await setFilter(writeFilter(withText(before, queryOf(state))));
      if (isKept && !isOtherQuery(queryOf(store.getState()), queryOf(state))) store.setState({ query: '' });
    },

    stopSearching(): void {
      cancelSearch();
      stopWatching();
    },
  };
}

/** The query of a state without insignificant blanks. */
export function queryOf({ query, match }: Pick<ExplorerState, 'query' | 'match'>): TextQuery {
  const isBlank = query.trim() === '';
  return { mode: match, text: isBlank ? '' : match === 'regex' ? query : query.trim() };
}

const isOtherQuery = (one: TextQuery, other: TextQuery) => one.text !== other.text || one.mode !== other.mode;

function toSearchResults(
  { text, mode }: TextQuery,
  { total, notInHierarchy, hits, pillars = [], places }: SearchAnswer,
  index: number,
): SearchResults {
  const { nodes = [], counts = [], hits: own = [], upTo: lastRow = none } = places ?? {};
  return {
    text,
    mode,
    total,
    notInHierarchy,
    hits,
    hitsByPillar: new Map(pillars.map((pillar) => [pillar.node, pillar.hits])),
    glow: { counts: new Map(nodes.map((node, at) => [node, counts[at]!])), hits: new Set(own), lastRow },
    index,
  };
}
