import type { SliceLoader } from '../tree-data/slice-loader.ts';
import type { Parts } from './parts.ts';
import { countsBy, listedChildren, outlineFigure, outlineSort, type TableSort } from './row-order.ts';

type RankParts = Pick<Parts, 'tree' | 'store'> & {
  readonly loader: Pick<SliceLoader, 'loadRanked'>;
  /** Runs a request with no other request beside it. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>;
};

/** A list of siblings with its own order. */
type RankedList = {
  readonly sort: () => TableSort;
  /** For branches that are not fully loaded, how many children are loaded from the start of that order. */
  readonly ranked: () => ReadonlyMap<number, number>;
  readonly setRanked: (ranked: ReadonlyMap<number, number>) => void;
};

/** The number of children per request. */
const pageRows = 1000;
/** How many times in a row a request may be cut off by another one before it is given up. */
const maxTries = 3;

/**
 * The orders of the table and the outline for branches that are not fully loaded. Only the server knows which children
 * come first: the heaviest ones, sorted differently, are not the first ones.
 */
export function createRankings(deps: RankParts) {
  const { tree, store } = deps;
  const { getState, setState } = store;
  const exclusively = oneAfterAnother(deps.exclusively);
  const table = rankList(
    { ...deps, exclusively },
    {
      sort: () => getState().tableSort,
      ranked: () => getState().ranked,
      setRanked: (ranked) => setState({ ranked }),
    },
  );
  const figure = () => outlineFigure(tree, getState().size);
  const outline = rankList(
    { ...deps, exclusively },
    {
      sort: () => outlineSort(tree, getState().size),
      ranked: () => countsBy(getState().outlineRanked, figure()),
      setRanked: (counts) => setState({ outlineRanked: { by: figure(), counts } }),
    },
  );
  return {
    /** Sorts the siblings in the table by a column; undefined is the order of the pack. */
    sortTable(sort: TableSort): void {
      setState({ tableSort: sort, ranked: new Map() });
    },
    /** The loaded rows have changed. */
    forgetRanked(): void {
      table.forget();
      outline.forget();
    },
    /** Loads more children of these branches in the table's order, first ones first. Replaces the previous wants. */
    wantRanked: table.want,
    /** The same in the outline order. */
    wantOutlineRanked: outline.want,
  };
}

/** A request of one list does not cut off a request of the other. */
function oneAfterAnother(run: RankParts['exclusively']): RankParts['exclusively'] {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(() => run(work));
    last = mine.catch(() => undefined);
    return mine;
  };
}

function rankList({ tree, loader, exclusively }: Omit<RankParts, 'store'>, list: RankedList) {
  let requestedRows: readonly number[] = [];
  /** How often the rows were renumbered. */
  let moves = 0;
  let isAsking = false;

  /** Loads the next page of a branch. @returns whether one was added */
  async function askFor(row: number): Promise<boolean> {
    const [sort, ranked] = [list.sort(), list.ranked()];
    const movesBefore = moves;
    if (!sort || tree.tail(row).nodes === 0) return true;
    const listed = ranked.has(row) ? listedChildren(tree, sort, ranked)(row) : undefined;
    const after = listed?.at(-1);
    const query = {
      node: tree.node[row]!,
      skip: 0,
      budget: 1 + pageRows,
      ranked: { ...sort, ...(after !== undefined && { after: tree.node[after]! }) },
    };
    if (!(await exclusively(() => loader.loadRanked(query)))) return false;
    if (!isSame(list.sort(), sort) || moves !== movesBefore) return true;
    const count = Math.min((listed?.length ?? 0) + pageRows, tree.childCount[row]!);
    list.setRanked(new Map(list.ranked()).set(row, count));
    return true;
  }

  async function work(): Promise<void> {
    isAsking = true;
    let tries = 0;
    for (let row = requestedRows[0]; row !== undefined && tries < maxTries; row = requestedRows[0]) {
      const before = requestedRows;
      tries = (await askFor(row)) ? 0 : tries + 1;
      if (requestedRows === before && tries === 0) requestedRows = requestedRows.slice(1);
    }
    requestedRows = [];
    isAsking = false;
  }

  return {
    forget(): void {
      moves++;
      requestedRows = [];
      list.setRanked(new Map());
    },
    want(rows: readonly number[]): void {
      requestedRows = rows;
      if (!isAsking && rows.length > 0) void work();
    },
  };
}

const isSame = (one: TableSort, other: TableSort): boolean =>
  one?.by === other?.by && one?.descending === other?.descending;
