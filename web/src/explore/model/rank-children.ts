import type { SliceLoader } from '../tree-data/load-slices.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { ExplorerStore } from './explorer-state.ts';
import { listedChildren, type TableSort } from './table-order.ts';

type RankDeps = {
  readonly tree: LoadedTree;
  readonly store: ExplorerStore;
  readonly loader: Pick<SliceLoader, 'rank'>;
  /** Runs a request that nothing else is asked for beside. */
  readonly onTheWay: <T>(work: () => Promise<T>) => Promise<T>;
};

/** Children that are asked for at a time. */
const pageRows = 1000;
/** How often in a row a request may be cut off by another one before it is given up. */
const mostTries = 3;

/**
 * The table's order of branches of which not all children are held: which of them come first only the server can say. The
 * heaviest ones in another order would pass for the first.
 */
export function createRankings({ tree, store, loader, onTheWay }: RankDeps) {
  let wanted: readonly number[] = [];
  /** How often rows got other numbers. */
  let moves = 0;
  let isAsking = false;

  /** Holds the next page of a branch. @returns whether there is one more now */
  async function askFor(row: number): Promise<boolean> {
    const { tableSort: sort, ranked } = store.getState();
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
    if (!(await onTheWay(() => loader.rank(query)))) return false;
    if (store.getState().tableSort !== sort || moves !== movesBefore) return true;
    const count = Math.min((listed?.length ?? 0) + pageRows, tree.childCount[row]!);
    store.setState((state) => ({ ranked: new Map(state.ranked).set(row, count) }));
    return true;
  }

  async function work(): Promise<void> {
    isAsking = true;
    let tries = 0;
    for (let row = wanted[0]; row !== undefined && tries < mostTries; row = wanted[0]) {
      const before = wanted;
      tries = (await askFor(row)) ? 0 : tries + 1;
      if (wanted === before && tries === 0) wanted = wanted.slice(1);
    }
    wanted = [];
    isAsking = false;
  }

  return {
    /** Sorts siblings of the table by a column; undefined is the pack's order. */
    sortTable(sort: TableSort): void {
      store.setState({ tableSort: sort, ranked: new Map() });
    },
    /** The held rows are other ones. */
    forgetRanked(): void {
      moves++;
      wanted = [];
      store.setState({ ranked: new Map() });
    },
    /** More children of these branches in the table's order, the first ones first. Takes the place of what was wanted before. */
    wantRanked(rows: readonly number[]): void {
      wanted = rows;
      if (!isAsking && rows.length > 0) void work();
    },
  };
}
