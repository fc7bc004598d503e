import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { RowGestures } from '../../../ui/data-grid.tsx';
import { extendRange, type Picks, rangeStart, rowsBetween, type Selection } from '../../../ui/row-selection.ts';
import { comparedPicks, compareRange, toggleCompared } from '../../model/compare.ts';
import type { ComparedItem } from '../../model/compared-nodes.ts';
import type { Explorer } from '../../model/explorer.ts';
import { listedChildren, type TableSort } from '../../model/row-order.ts';
import { pathTo } from '../../model/tree-walk.ts';
import { none } from '../../tree-data/columns.ts';
import { litRow, useExplorer, useLook, useLooks } from '../explorer-context.ts';
import { type OutlineRow, outlineRows } from './outline-rows.ts';

/** The sort order of a list of siblings, and how to request more of them. */
type ListOrder = {
  /** Undefined for the order in which children load. */
  readonly sort: TableSort;
  readonly ranked: ReadonlyMap<number, number>;
  readonly want: (rows: readonly number[]) => void;
};

type TreeRowsOptions = ListOrder & {
  /** The row that comes first, at level 1. */
  readonly top: number;
  readonly open: ReadonlySet<number>;
  /** Whether the first row stays open. */
  readonly isTopOpen: boolean;
};

/**
 * The rows of a branch for a grid, synchronised with the chart: its cursor is what is selected, and its picked rows are
 * those that are compared. Loads what scrolls into view, so that a list of any length can be read by scrolling.
 */
export function useTreeRows({ top, open, isTopOpen, sort, ranked, want }: TreeRowsOptions) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const { treeVersion, selected, focus, compared } = useLooks('treeVersion', 'selected', 'focus', 'compared');
  const pointedAt = useLook(litRow);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree is one object that grows; its version says when
  const lines = useMemo(
    () => (tree.size === 0 ? [] : outlineRows(tree, top, open, listedChildren(tree, sort, ranked))),
    [tree, treeVersion, top, open, sort, ranked],
  );
  const current = selected === none ? focus : selected;
  const cursor = lines.findIndex((line) => line.kind === 'node' && line.row === current);
  const { content } = tree;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row refers to another node in other content
  const lit = useMemo(() => new Set(pointedAt === none ? [] : pathTo(tree, pointedAt)), [tree, content, pointedAt]);

  const [[first, end], setSight] = useState<readonly [number, number]>([0, 0]);
  const onSight = useCallback(
    (from: number, to: number) => setSight((before) => (before[0] === from && before[1] === to ? before : [from, to])),
    [],
  );
  useMoreInSight(lines.slice(first, end), open, { sort, ranked, want });

  function goTo(rank: number): void {
    const line = lines[rank];
    if (line?.kind === 'node') explorer.select(line.row);
    else if (line) askForMore(explorer, line.row, { sort, want });
  }
  const extend = useComparedRange(lines, current);
  const gestures: RowGestures = {
    move: goTo,
    add: (rank) => lines[rank]?.kind === 'node' && toggleCompared(explorer, lines[rank].row),
    extend,
  };

  const rowAt = (rank: number): number => lines[rank]?.row ?? top;
  const isBranch = (row: number): boolean => tree.childCount[row]! > 0;
  const setOpen = (row: number, isOpen: boolean): void => {
    if (isBranch(row) && !(isTopOpen && row === top)) explorer.setExpanded(row, isOpen);
  };
  /** Source: WAI-ARIA Authoring Practices, "Tree View Pattern". */
  const keys: Readonly<Record<string, (rank: number) => void>> = {
    ArrowRight: (rank) => {
      const row = rowAt(rank);
      if (open.has(row) && isBranch(row)) goTo(rank + 1);
      else setOpen(row, true);
    },
    ArrowLeft: (rank) => {
      const row = rowAt(rank);
      if (open.has(row) && !(isTopOpen && row === top)) explorer.setExpanded(row, false);
      else explorer.select(Math.max(top, tree.parent[row]!));
    },
    ' ': (rank) => setOpen(rowAt(rank), !open.has(rowAt(rank))),
    '*': () => explorer.expandSiblings(),
    Escape: () => explorer.climb(),
    Backspace: () => explorer.climb(),
  };
  return {
    lines,
    cursor,
    gestures,
    keys,
    onOpen: (rank: number) => explorer.focusOn(rowAt(rank)),
    onSight,
    /** A row that moves keeps its element. */
    keyAt: (rank: number): string | number => {
      const line = lines[rank]!;
      return line.kind === 'node' ? line.row : `after-${line.row}`;
    },
    /** The grid follows what is selected, and stays where it is when rows come or go above it. */
    moves: current,
    /** What a row shows of the state. */
    lookOf: (rank: number) => {
      const line = lines[rank]!;
      return {
        line,
        isOpen: open.has(line.row),
        isLit: lit.has(line.row),
        /** Its number in the comparison; 0 if it is not compared. */
        comparedAs: line.kind === 'node' ? compared.indexOf(line.row) + 1 : 0,
      };
    },
  };
}

/** Extends a range of compared rows to a row of the list. */
function useComparedRange(lines: readonly OutlineRow[], current: number): (rank: number) => void {
  const explorer = useExplorer();
  /** With the range; only good as long as nothing else has changed what is selected or compared. */
  const kept = useRef<{
    selection: Selection<ComparedItem, Picks<ComparedItem, ComparedItem>>;
    compared: readonly ComparedItem[];
  }>(undefined);
  return (rank) => {
    const line = lines[rank];
    if (line?.kind !== 'node') return;
    const { compared } = explorer.store.getState();
    const isKept = kept.current?.selection.cursor === current && kept.current.compared === compared;
    const selection = isKept ? kept.current!.selection : { cursor: current, picks: comparedPicks(compared) };
    const nodes: ComparedItem[] = lines.flatMap(({ kind, row }) => (kind === 'node' ? [row] : []));
    const range = rowsBetween(nodes, rangeStart(selection, line.row), line.row);
    const next = extendRange(
      selection,
      line.row,
      range.map((one) => [one, one] as const),
    );
    compareRange(explorer, [...next.picks.rows.keys()], line.row);
    kept.current = { selection: next, compared: explorer.store.getState().compared };
  };
}

/** Requests more children of branches, in the order of the list if the server knows it. */
export function askForMore(
  explorer: Pick<Explorer, 'tree' | 'requestChildren'>,
  row: number,
  { sort, want }: Pick<ListOrder, 'sort' | 'want'>,
): void {
  if (sort && !explorer.tree.hasLeftOut) want([row]);
  else explorer.requestChildren(row);
}

/**
 * Requests what scrolls into view: the rows after the end of a loaded list and, if the list has its own order, those
 * that come first in it.
 */
function useMoreInSight(
  seen: readonly OutlineRow[],
  open: ReadonlySet<number>,
  { sort, ranked, want }: ListOrder,
): void {
  const explorer = useExplorer();
  const { tree } = explorer;
  const treeVersion = useLook((state) => state.treeVersion);
  const isFaint = tree.hasLeftOut;
  const isSorted = sort !== undefined;
  const unloaded = seen.find(({ kind }) => kind === 'more')?.row;
  const unranked =
    sort && !isFaint
      ? seen
          .flatMap((line) => (line.kind === 'more' ? [line.row] : [tree.parent[line.row]!, line.row]))
          .filter((row) => row >= 0 && open.has(row) && tree.tail(row).nodes > 0 && !ranked.has(row))
      : [];
  const missingRows = [...new Set([...unranked, ...(unloaded === undefined ? [] : [unloaded])])].join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a response, the same rows may still be needed
  useEffect(() => {
    const rows = missingRows === '' ? [] : missingRows.split(' ').map(Number);
    if (isSorted && !isFaint) want(rows);
    else for (const row of rows) explorer.requestChildren(row);
  }, [explorer, missingRows, isSorted, isFaint, ranked, treeVersion]);
}
