import type { ListPlace } from '@kc/pack/levels/level';
import type { LevelRows } from '@kc/pack/levels/rows-wire';
import { createStore } from 'zustand/vanilla';
import type { ListQuery } from './list-query.ts';
import { rowOfPage } from './picked.ts';
import type { ExplorerSource } from './source.ts';

/** A flat list, as far as it is loaded. */
export class LevelListState {
  /** The query shown, or requested while `isStale`. */
  readonly query: ListQuery | undefined;
  /** Pages by the rank of their first row. */
  readonly pages: ReadonlyMap<number, LevelRows> = new Map();
  /** Rows of the list, and distinct keywords in them; undefined until the first page has come. */
  readonly total: number | undefined;
  readonly keywords: number = 0;
  /** Whether the pages are those of the list before, until the new one has come. */
  readonly isStale: boolean = false;
  readonly failure: unknown;
  /** The row that keys act on, by its rank, and how often it was moved to. */
  readonly cursor: number = 0;
  readonly moveCount: number = 0;
  /** How the row at the cursor relates to the node that it was to show. */
  readonly place: ListPlace['is'] | undefined;
}

export const pageRows = 200;
/** The maximum number of cached pages: five thousand rows. */
const maxPages = 25;

/** The name of a list: lists with the same name have the same rows. */
const keyOfList = (query: ListQuery): string => JSON.stringify(query);
/** The same, but for the order. */
const contentOf = ({ level, within, filter }: ListQuery): string => JSON.stringify([level, within, filter]);

/**
 * The pages of the flat list that the table shows. Pages are requested by rank, so any of them costs the same, and the
 * server ranks: a part of a list is never sorted here.
 */
export function createLevelList(fetchRows: ExplorerSource['rows']) {
  const store = createStore<LevelListState>(() => ({ ...new LevelListState() }));
  const { getState, setState } = store;
  let abort = new AbortController();
  /** First ranks of the requested pages, in the order of their use. */
  let requestedPages: readonly number[] = [];
  let isRequesting = false;
  /** The node that the list begins at; undefined for its first row. */
  let startNode: number | undefined;
  /** The rows that have been read: the same objects each time, so that rows need not be rendered again. */
  const rowsByPage = new WeakMap<LevelRows, { readonly page: LevelRows; readonly at: number }[]>();

  const isLoaded = (from: number) => !getState().isStale && getState().pages.has(from);

  async function requestPages(): Promise<void> {
    if (isRequesting) return;
    isRequesting = true;
    const { signal } = abort;
    try {
      for (
        let from = requestedPages.find((one) => !isLoaded(one));
        from !== undefined;
        from = requestedPages.find((one) => !isLoaded(one))
      ) {
        const { query } = getState();
        if (!query || getState().failure !== undefined) break;
        const page = await fetchRows(query, { from, count: pageRows }, signal);
        // It may have arrived just before another list was requested.
        if (signal.aborted) break;
        add(page);
      }
    } catch (failure) {
      if (!signal.aborted) setState({ failure });
    } finally {
      if (!signal.aborted) isRequesting = false;
    }
  }

  function add(page: LevelRows): void {
    const { pages, isStale } = getState();
    const nextPages = new Map(isStale ? [] : pages);
    nextPages.set(page.from, page);
    const near = requestedPages[0] ?? page.from;
    const far = [...nextPages.keys()]
      .sort((one, other) => Math.abs(one - near) - Math.abs(other - near))
      .slice(maxPages);
    for (const from of far) nextPages.delete(from);
    setState({ pages: nextPages, total: page.total, keywords: page.keywords, isStale: false, failure: undefined });
  }

  /** Begins a list with the page that shows a node. */
  async function startAt(query: ListQuery, node: number | undefined): Promise<void> {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    isRequesting = false;
    startNode = node;
    const before = getState();
    setState({ query, isStale: before.total !== undefined, failure: undefined });
    try {
      const around = node === undefined ? { from: 0 } : { around: node };
      const page = await fetchRows(query, { ...around, count: pageRows }, signal);
      if (signal.aborted) return;
      requestedPages = [page.from];
      setState({ isStale: true });
      add(page);
      const { place } = page;
      setState({ cursor: place?.rank ?? 0, place: place?.is, moveCount: getState().moveCount + 1 });
    } catch (failure) {
      if (!signal.aborted) setState({ failure });
    }
  }

  return {
    store,

    /**
     * Shows a list; in another order, from its beginning. A failed one is retried by `retry` alone, so that a
     * server in trouble does not get another request for each change on the page.
     *
     * @param node the node that the cursor goes to
     */
    show(query: ListQuery, node: number): void {
      const { query: shown } = getState();
      if (shown && keyOfList(shown) === keyOfList(query)) return;
      const isSame = shown !== undefined && contentOf(shown) === contentOf(query);
      const isResorted = isSame && shown.sort !== query.sort;
      void startAt(query, isResorted ? undefined : node);
    },

    /** Moves the cursor to the place of a node. */
    goToNode(node: number): void {
      const { query } = getState();
      if (query) void startAt(query, node);
    },

    /** Retries a failed request. */
    retry(node: number): void {
      const { query, total, isStale } = getState();
      setState({ failure: undefined });
      if (query && total === undefined) void startAt(query, node);
      else if (query && isStale) void startAt(query, startNode);
      else void requestPages();
    },

    /** Requests the pages of ranks from `first` to before `end`, and the one after them. */
    request(first: number, end: number): void {
      const { total, isStale } = getState();
      if (isStale || total === undefined) return;
      const pages: number[] = [];
      for (let from = first - (first % pageRows); from < Math.min(total, end + pageRows); from += pageRows)
        pages.push(from);
      requestedPages = pages;
      void requestPages();
    },

    moveTo(rank: number): void {
      const { total = 0, moveCount } = getState();
      const cursor = Math.min(total - 1, Math.max(0, rank));
      setState({ cursor, moveCount: moveCount + 1, place: undefined });
    },

    /** The page of a rank and the row in it; undefined while it is not loaded. */
    rowAt(rank: number): { readonly page: LevelRows; readonly at: number } | undefined {
      const page = getState().pages.get(rank - (rank % pageRows));
      const at = rank % pageRows;
      if (!page || at >= page.slice.rows) return undefined;
      const rows = rowsByPage.get(page) ?? [];
      rowsByPage.set(page, rows);
      rows[at] ??= { page, at };
      return rows[at];
    },

    /** The rows from one rank to another with their IDs, both included; those that are not loaded are requested. */
    async rowsBetween(from: number, to: number): Promise<(readonly [number, string])[]> {
      const { query } = getState();
      if (!query) return [];
      const rows: (readonly [number, string])[] = [];
      for (let first = from - (from % pageRows); first <= to; first += pageRows) {
        const page =
          (getState().isStale ? undefined : getState().pages.get(first)) ??
          (await fetchRows(query, { from: first, count: pageRows }, abort.signal));
        for (let at = 0; at < page.slice.rows; at++) {
          if (first + at >= from && first + at <= to) rows.push(rowOfPage(page, at));
        }
      }
      return rows;
    },

    /** Forgets the list and aborts its requests. */
    hide(): void {
      abort.abort();
      isRequesting = false;
      requestedPages = [];
      setState({ ...new LevelListState() });
    },
  };
}
