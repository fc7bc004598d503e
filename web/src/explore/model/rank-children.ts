import type { SliceLoader } from '../tree-data/slice-loader.ts';
import type { Parts } from './parts.ts';
import { countsBy, listedChildren, outlineFigure, outlineSort, type TableSort } from './row-order.ts';

type RankParts = Pick<Parts, 'tree' | 'store'> & {
  readonly loader: Pick<SliceLoader, 'loadRanked'>;
  /** Runs a request with no other request beside it. */
  readonly runExclusively: <T>(work: () => Promise<T>) => Promise<T>;
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
  const runExclusively = oneAfterAnother(deps.runExclusively);
  const table = createRankedList(
    { ...deps, runExclusively },
    {
      sort: () => getState().tableSort,
      ranked: () => getState().ranked,
      setRanked: (ranked) => setState({ ranked }),
    },
  );
  const figure = () => outlineFigure(tree, getState().size);
  const outline = createRankedList(
    { ...deps, runExclusively },
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
    /** Loads more children of these branches in the table's order, first ones first. Replaces the previous requests. */
    requestRanked: table.request,
    /** The same in the outline order. */
    requestOutlineRanked: outline.request,
  };
}

/** A request of one list does not cut off a request of the other. */
function oneAfterAnother(run: RankParts['runExclusively']): RankParts['runExclusively'] {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(() => run(work));
    last = result.catch(() => undefined);
    return result;
  };
}

function createRankedList({ tree, loader, runExclusively }: Omit<RankParts, 'store'>, list: RankedList) {
  let requestedRows: readonly number[] = [];
  /** How often the rows were renumbered. */
  let renumberings = 0;
  let isRequesting = false;

  /** Loads the next page of a branch. @returns whether one was added */
  async function requestPage(row: number): Promise<boolean> {
    const [sort, ranked] = [list.sort(), list.ranked()];
    const renumberingsBefore = renumberings;
    if (!sort || tree.tail(row).nodes === 0) return true;
    const listed = ranked.has(row) ? listedChildren(tree, sort, ranked)(row) : undefined;
    const after = listed?.at(-1);
    const query = {
      node: tree.node[row]!,
      skip: 0,
      budget: 1 + pageRows,
      ranked: { ...sort, ...(after !== undefined && { after: tree.node[after]! }) },
    };
    if (!(await runExclusively(() => loader.loadRanked(query)))) return false;
    if (!isSame(list.sort(), sort) || renumberings !== renumberingsBefore) return true;
    const count = Math.min((listed?.length ?? 0) + pageRows, tree.childCount[row]!);
    list.setRanked(new Map(list.ranked()).set(row, count));
    return true;
  }

  async function work(): Promise<void> {
    isRequesting = true;
    let tries = 0;
    for (let row = requestedRows[0]; row !== undefined && tries < maxTries; row = requestedRows[0]) {
      const before = requestedRows;
      tries = (await requestPage(row)) ? 0 : tries + 1;
      if (requestedRows === before && tries === 0) requestedRows = requestedRows.slice(1);
    }
    requestedRows = [];
    isRequesting = false;
  }

  return {
    forget(): void {
      renumberings++;
      requestedRows = [];
      list.setRanked(new Map());
    },
    request(rows: readonly number[]): void {
      requestedRows = rows;
      if (!isRequesting && rows.length > 0) void work();
    },
  };
}

const isSame = (one: TableSort, other: TableSort): boolean =>
  one?.by === other?.by && one?.descending === other?.descending;
