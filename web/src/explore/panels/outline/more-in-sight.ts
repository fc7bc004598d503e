import { useEffect } from 'react';
import type { Explorer } from '../../model/explorer.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import type { OutlineRow } from './outline-rows.ts';

/** More children of a branch, in the order of the table. */
export function askForMore(explorer: Explorer, row: number): void {
  if (explorer.store.getState().tableSort) explorer.wantRanked([row]);
  else explorer.askForChildren(row);
}

/** What comes into sight is asked for: the lines behind a list's end, and in an order of one's own those that come first. */
export function useMoreInSight(seen: readonly OutlineRow[], open: ReadonlySet<number>): void {
  const explorer = useExplorer();
  const { tree } = explorer;
  const sort = useLook((state) => state.tableSort);
  const ranked = useLook((state) => state.ranked);
  const treeVersion = useLook((state) => state.treeVersion);
  const isFaint = tree.shape !== tree;
  const unheld = seen.find(({ kind }) => kind === 'more')?.row;
  const unranked =
    sort && !isFaint
      ? seen
          .flatMap((line) => (line.kind === 'more' ? [line.row] : [tree.parent[line.row]!, line.row]))
          .filter((row) => row >= 0 && open.has(row) && tree.tail(row).nodes > 0 && !ranked.has(row))
      : [];
  const wanted = [...new Set([...unranked, ...(unheld === undefined ? [] : [unheld])])].join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what came may leave the same to be wanted
  useEffect(() => {
    const rows = wanted === '' ? [] : wanted.split(' ').map(Number);
    if (sort && !isFaint) explorer.wantRanked(rows);
    else for (const row of rows) explorer.askForChildren(row);
  }, [explorer, wanted, sort, isFaint, ranked, treeVersion]);
}
