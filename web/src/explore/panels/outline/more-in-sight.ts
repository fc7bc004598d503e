import { useEffect } from 'react';
import type { Explorer } from '../../model/explorer.ts';
import type { TableSort } from '../../model/row-order.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import type { OutlineRow } from './outline-rows.ts';

/** The sort order of a list of siblings, and how to request more of them. */
export type ListOrder = {
  /** Undefined for the order in which children load. */
  readonly sort: TableSort;
  readonly ranked: ReadonlyMap<number, number>;
  readonly want: (rows: readonly number[]) => void;
};

/** Requests more children of branches, in the order of the list. */
export function askForMore(explorer: Explorer, row: number, { sort, want }: Pick<ListOrder, 'sort' | 'want'>): void {
  if (sort) want([row]);
  else explorer.askForChildren(row);
}

/**
 * Requests what scrolls into view: the rows after the end of a loaded list and, if the list has its own order, those
 * that come first in it.
 */
export function useMoreInSight(
  seen: readonly OutlineRow[],
  open: ReadonlySet<number>,
  { sort, ranked, want }: ListOrder,
): void {
  const explorer = useExplorer();
  const { tree } = explorer;
  const treeVersion = useLook((state) => state.treeVersion);
  const isFaint = tree.shape !== tree;
  const isSorted = sort !== undefined;
  const unloaded = seen.find(({ kind }) => kind === 'more')?.row;
  const unranked =
    sort && !isFaint
      ? seen
          .flatMap((line) => (line.kind === 'more' ? [line.row] : [tree.parent[line.row]!, line.row]))
          .filter((row) => row >= 0 && open.has(row) && tree.tail(row).nodes > 0 && !ranked.has(row))
      : [];
  const wanted = [...new Set([...unranked, ...(unloaded === undefined ? [] : [unloaded])])].join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a response, the same rows may still be needed
  useEffect(() => {
    const rows = wanted === '' ? [] : wanted.split(' ').map(Number);
    if (isSorted && !isFaint) want(rows);
    else for (const row of rows) explorer.askForChildren(row);
  }, [explorer, wanted, isSorted, isFaint, ranked, treeVersion]);
}
