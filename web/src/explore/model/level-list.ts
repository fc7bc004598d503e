import type { ListPlace } from '@kc/pack/levels/level';
import type { LevelRows } from '@kc/pack/levels/rows-wire';
import { createStore } from 'zustand/vanilla';
import type { ListQuery } from './list-query.ts';
import { rowOfPage } from './picked.ts';
import type { ExplorerSource } from './source.ts';

/** A flat list, as far as it is loaded. */
export class LevelListState {
  /** What is shown, or requested while `isStale`. */
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
  readonly moves: number = 0;
  /** How the row at the cursor relates to the node that it was to show. */
  readonly place: ListPlace['is'] | undefined;
}

export const pageRows = 200;
/** Pages that are held: five thousand rows. */
const maxPages = 25;

/** The name of a list: lists with the same name have the same rows. */
const nameOfList = (query: ListQuery): string => JSON.stringify(query);
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
  /** First ranks of the pages that are needed, in the order of their use. */
  let neededPages: readonly number[] = [];
  let isAsking = false;
  /** The node that the list begins at; undefined for its first row. */
  let beginning: number | undefined;
  /** The rows that have been looked at: the same objects each time, so that what draws them need not do it again. */
  const looked = new WeakMap<LevelRows, { readonly page: LevelRows; readonly at: number }[]>();

  const isHere = (from: number) => !getState().isStale && getState().pages.has(from);

  async function loadNeeded(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    const { signal } = abort;
    try {
      for (
        let from = neededPages.find((one) => !isHere(one));
        from !== undefined;
        from = neededPages.find((one) => !isHere(one))
      ) {
        const { query } = getState();
        if (!query || getState().failure !== undefined) break;
        const page = await fetchRows(query, { from, count: pageRows }, signal);
        // It may have arrived just before another list was asked for.
        if (signal.aborted) break;
        add(page);
      }
    } catch (failure) {
      if (!signal.aborted) setState({ failure });
    } finally {
      if (!signal.aborted) isAsking = false;
    }
  }

  function add(page: LevelRows): void {
    const { pages, isStale } = getState();
    const held = new Map(isStale ? [] : pages);
    held.set(page.from, page);
    const near = neededPages[0] ?? page.from;
    const far = [...held.keys()].sort((one, other) => Math.abs(one - near) - Math.abs(other - near)).slice(maxPages);
    for (const from of far) held.delete(from);
    setState({ pages: held, total: page.total, keywords: page.keywords, isStale: false, failure: undefined });
  }

  /** Begins a list with the page that shows a node. */
  async function begin(query: ListQuery, node: number | undefined): Promise<void> {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    isAsking = false;
    beginning = node;
    const before = getState();
    setState({ query, isStale: before.total !== undefined, failure: undefined });
    try {
      const around = node === undefined ? { from: 0 } : { around: node };
      const page = await fetchRows(query, { ...around, count: pageRows }, signal);
      if (signal.aborted) return;
      neededPages = [page.from];
      setState({ isStale: true });
      add(page);
      const { place } = page;
      setState({ cursor: place?.rank ?? 0, place: place?.is, moves: getState().moves + 1 });
    } catch (failure) {
      if (!signal.aborted) setState({ failure });
    }
  }

  return {
    store,

    /**
     * Shows a list; in another order, from its beginning. One that failed is tried again by `retry` alone, so that a
     * server in trouble is not asked once more for each change on the page.
     *
     * @param node the node that the cursor goes to
     */
    show(query: ListQuery, node: number): void {
      const { query: shown } = getState();
      if (shown && nameOfList(shown) === nameOfList(query)) return;
      const isSame = shown !== undefined && contentOf(shown) === contentOf(query);
      const isResorted = isSame && shown.sort !== query.sort;
      void begin(query, isResorted ? undefined : node);
    },

    /** Moves the cursor to the place of a node. */
    goToNode(node: number): void {
      const { query } = getState();
      if (query) void begin(query, node);
    },

    /** Tries again what failed. */
    retry(node: number): void {
      const { query, total, isStale } = getState();
      setState({ failure: undefined });
      if (query && total === undefined) void begin(query, node);
      else if (query && isStale) void begin(query, beginning);
      else void loadNeeded();
    },

    /** Requests the pages of ranks from `first` to before `end`, and the one after them. */
    want(first: number, end: number): void {
      const { total, isStale } = getState();
      if (isStale || total === undefined) return;
      const pages: number[] = [];
      for (let from = first - (first % pageRows); from < Math.min(total, end + pageRows); from += pageRows)
        pages.push(from);
      neededPages = pages;
      void loadNeeded();
    },

    moveTo(rank: number): void {
      const { total = 0, moves } = getState();
      const cursor = Math.min(total - 1, Math.max(0, rank));
      setState({ cursor, moves: moves + 1, place: undefined });
    },

    /** The page of a rank and the row in it; undefined while it is not loaded. */
    rowAt(rank: number): { readonly page: LevelRows; readonly at: number } | undefined {
      const page = getState().pages.get(rank - (rank % pageRows));
      const at = rank % pageRows;
      if (!page || at >= page.slice.rows) return undefined;
      const rows = looked.get(page) ?? [];
      looked.set(page, rows);
      rows[at] ??= { page, at };
      return rows[at];
    },

    /** The rows from one rank to another with their IDs, both included; those that are not held are requested. */
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
      isAsking = false;
      neededPages = [];
      setState({ ...new LevelListState() });
    },
  };
}
