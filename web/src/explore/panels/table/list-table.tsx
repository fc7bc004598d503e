// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are positioned, which table elements do not allow
import { columnTitle, isTitled } from '@kc/pack/filter-words/column-titles';
import { figureWord, labelWord } from '@kc/pack/filter-words/figure-name';
import { readSort } from '@kc/pack/levels/row-sort';
import { say } from '@kc/rules/explorer-messages';
import { limits } from '@kc/rules/limits';
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { DataGrid } from '../../../ui/data-grid.tsx';
import { useMedia } from '../../../ui/environment.ts';
import { type GridColumn, tracksOf } from '../../../ui/grid-columns.ts';
import type { Arranging } from '../../../ui/grid-head.tsx';
import { MenuItem, MenuSeparator } from '../../../ui/menu.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { addRow, extendRange, rangeStart, type Selection, toggleRow } from '../../../ui/row-selection.ts';
import { counted, exact } from '../../format/figure-text.ts';
import { levelOf } from '../../model/levels.ts';
import {
  maxColumnWidth,
  minColumnWidth,
  moveColumn,
  resizeColumn,
  type ShownColumn,
  toggleColumn,
} from '../../model/list-columns.ts';
import { isRankedLevel, type ListQuery, nextRowSort, sortBy, startsHigh } from '../../model/list-query.ts';
import {
  coversList,
  isPicked,
  maxPicked,
  nothingPicked,
  type Picked,
  pickAll,
  pickedIn,
  rowOfPage,
} from '../../model/picked.ts';
import { rowName } from '../../model/place-names.ts';
import { sortOf } from '../../model/table-list.ts';
import { none } from '../../tree-data/columns.ts';
import type { MenuPlace } from '../canvas/node-menu.tsx';
import { NodeMenu } from '../canvas/node-menu.tsx';
import { useExplorer, useForOneContent, useLook } from '../explorer-context.ts';
import { singleKeysOn } from '../keyboard/single-keys.ts';
import { useOpenNode } from '../use-open-node.ts';
import { type LevelWords, levelWords } from '../view-names.ts';
import type { RowOfPage } from './list-cells.tsx';
import { ListRow } from './list-row.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useColumns, useList, useTableList } from './use-list.ts';

/** One level of the tree as a flat list that the server ranks, of any length. */
export function ListTable() {
  const explorer = useExplorer();
  const { tree, store } = explorer;
  const { list, moveCursor } = useTableList();
  const scroller = useRef<HTMLDivElement>(null);
  const { columns } = useColumns();
  const query = useList((state) => state.query);
  const total = useList((state) => state.total);
  const isStale = useList((state) => state.isStale);
  const failure = useList((state) => state.failure);
  const cursor = useList((state) => state.cursor);
  const moves = useList((state) => state.moveCount);
  useList((state) => state.pages);
  const picked = useLook((state) => state.picked);
  const isIdle = useLook((state) => state.selected === none);
  // For a finger, and for the two lines of a name beside few columns.
  const isTall = useMedia(`(pointer: coarse), not all and (min-width: ${limits.mobileBelowPx}px)`);
  const rowPx = isTall ? 44 : 36;
  const [menu, setMenu] = useForOneContent<MenuPlace>();
  const level = useLook(levelOf);
  const gestures = useListGestures();
  const heads = useHeads(columns, scroller);
  useEffect(() => {
    if (document.activeElement === document.body) scroller.current?.focus();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has other pages at the same ranks
  const onSight = useCallback((first: number, end: number) => list.request(first, end), [list, isStale, query]);

  const openNode = useOpenNode();
  function open(rank: number): void {
    const row = list.rowAt(rank);
    if (row) void openNode.open(nodeAt(row));
  }
  function openMenu(rank: number, at: { readonly x: number; readonly y: number }): void {
    const row = list.rowAt(rank);
    if (!row) return;
    moveCursor(rank);
    void openNode.menuRow(nodeAt(row), (node) => setMenu({ row: node, at }));
  }

  const words = levelWords[isRankedLevel(level) ? level : 'clusters'];
  const where = tree.size === 0 ? 'everything' : tree.name(store.getState().focus);
  const isComing = total === undefined && failure === undefined;
  const showsPillar =
    (query?.level === 'clusters' || query?.level === 'subtopics') && !columns.some(({ id }) => id === 'pillar');
  return (
    <div className="absolute inset-0 flex flex-col bg-surface">
      <div className="relative min-h-0 flex-1">
        <DataGrid
          id="list-row"
          role="grid"
          label={`${words.title} of ${where}`}
          attributes={{ className: 'absolute inset-0', 'aria-busy': isStale || total === undefined }}
          scroller={scroller}
          columns={heads.columns}
          arranging={heads.arranging}
          count={total ?? 0}
          keyAt={(rank) => rank}
          rowPx={rowPx}
          cursor={cursor}
          isIdle={isIdle}
          // A move scrolls to the cursor; pages that arrive do not.
          moves={total === undefined || isStale ? null : moves}
          isPicked={(rank) => {
            const row = list.rowAt(rank);
            return row !== undefined && query !== undefined && isPicked(picked, query, nodeAt(row));
          }}
          gestures={gestures}
          keys={{
            Escape: () => {
              if (picked !== nothingPicked) store.setState({ picked: nothingPicked });
              else explorer.climb();
            },
            Backspace: explorer.climb,
            ...(singleKeysOn() && { t: explorer.toggleTable }),
          }}
          onOpen={open}
          onMenu={openMenu}
          onSight={onSight}
          rowsClass={classNames('transition-opacity', isStale && 'opacity-50')}
          placeholder={isComing ? <SkeletonRows rowPx={rowPx} columns={heads.columns} words={words} /> : undefined}
          row={(frame) => (
            <ListRow
              key={frame.rank}
              {...frame}
              row={list.rowAt(frame.rank)}
              ofVolume={tree.volume[store.getState().focus]!}
              showsPillar={showsPillar}
              onPick={gestures.toggle}
            />
          )}
        />
        {failure !== undefined && <ListNote kind="failed" words={words} />}
        {failure === undefined && total === 0 && !isStale && <ListNote kind="empty" words={words} />}
      </div>
      {(picked.all || picked.rows.size > 0) && <SelectionBar />}
      <ListFoot words={words} />
      {menu && <NodeMenu place={menu} surface={scroller} stage={undefined} onClose={() => setMenu(undefined)} />}
    </div>
  );
}

const nodeAt = ({ page, at }: RowOfPage): number => page.slice.node[at]!;

/** The selection of the list. Its rows are picked in the state of the explorer, and stay picked in other lists. */
function useListGestures() {
  const explorer = useExplorer();
  const { store } = explorer;
  const { list, moveCursor } = useTableList();
  /** With the range; only good as long as nothing else has moved the cursor or changed what is picked. */
  const kept = useRef<Selection<number, Picked>>(undefined);
  return useMemo(() => {
    const entryAt = (rank: number) => {
      const row = list.rowAt(rank);
      return row && rowOfPage(row.page, row.at);
    };
    const selection = (query: ListQuery): Selection<number, Picked> => {
      const { cursor } = list.store.getState();
      const { picked } = store.getState();
      if (kept.current?.cursor === cursor && kept.current.picks === picked) return kept.current;
      return { cursor, picks: coversList(picked, query) ? picked : nothingPicked };
    };
    const keep = (query: ListQuery, next: Selection<number, Picked>) => {
      const picks = pickedIn(query, next.picks);
      kept.current = { ...next, picks };
      store.setState({ picked: picks });
    };
    return {
      move: moveCursor,
      toggle: (rank: number) => {
        const { query } = list.store.getState();
        const row = entryAt(rank);
        if (row && query) keep(query, toggleRow(selection(query), rank, row));
      },
      add: (rank: number) => {
        const { query, cursor } = list.store.getState();
        const row = entryAt(rank);
        if (!row || !query) return;
        const next = addRow(selection(query), rank, row, entryAt(cursor));
        moveCursor(rank);
        keep(query, next);
      },
      extend: async (rank: number) => {
        const { query, total } = list.store.getState();
        if (!query || total === undefined) return;
        const before = selection(query);
        const from = rangeStart(before, rank);
        moveCursor(rank);
        // The next key may come before the rows.
        const begun = { ...before, cursor: rank, range: { from, before: before.range?.before ?? before.picks } };
        kept.current = begun;
        const isTooLong = () => store.setState({ notice: say('explore/range-too-long', { most: exact(maxPicked) }) });
        if (Math.abs(rank - from) >= maxPicked) return isTooLong();
        try {
          const rows = await list.rowsBetween(Math.min(from, rank), Math.max(from, rank));
          if (kept.current !== begun || list.store.getState().query !== query) return;
          const next = extendRange(begun, rank, rows);
          if (!next.picks.all && next.picks.rows.size > maxPicked) isTooLong();
          else keep(query, next);
        } catch (problem) {
          store.setState({ notice: explorer.explain(problem) });
        }
      },
      all: () => {
        const { query } = list.store.getState();
        if (query) store.setState({ picked: pickAll(query) });
      },
    };
  }, [explorer, store, list, moveCursor]);
}

/** The columns as those of a grid, with their order and what arranges them. */
function useHeads(columns: readonly ShownColumn[], scroller: RefObject<HTMLElement | null>) {
  const { store } = useExplorer();
  const sort = useLook(sortOf);
  return useMemo(() => {
    const keys = readSort(sort) ?? [];
    const setSort = (text: string) => {
      scroller.current?.scrollTo({ top: 0 });
      store.setState({ rowSort: text });
    };
    const setCols = (cols: string) => store.setState({ cols });
    const placeOf = ({ sortBy }: ShownColumn) => keys.findIndex(({ by }) => by === sortBy);
    const heads = columns.map((column): GridColumn => {
      const { order, sortBy: by } = column;
      if (by === undefined) return column;
      const place = placeOf(column);
      const key = keys[place];
      return {
        ...column,
        sort: {
          direction: key && (key.descending ? 'descending' : 'ascending'),
          place: key && place + 1,
          of: keys.length,
          onSort: (isAdded) => setSort(nextRowSort(sort, by, order, isAdded)),
        },
      };
    });
    const arranging: Arranging = {
      minColumnWidth,
      maxColumnWidth,
      onResize: (id, px) => setCols(resizeColumn(columns, id, px)),
      onMove: (id, to) => setCols(moveColumn(columns, id, to)),
      menu: ({ id }) => {
        const column = columns.find((one) => one.id === id)!;
        const { order, sortBy: by } = column;
        return (
          <>
            {by !== undefined && (
              <>
                <MenuItem onSelect={() => setSort(sortBy(sort, by, false, false))}>Sort ascending</MenuItem>
                <MenuItem onSelect={() => setSort(sortBy(sort, by, true, false))}>Sort descending</MenuItem>
                {placeOf(column) < 0 && (
                  <MenuItem onSelect={() => setSort(sortBy(sort, by, startsHigh(order), true))}>
                    Then by {order}
                  </MenuItem>
                )}
                <MenuSeparator />
              </>
            )}
            {id !== 'name' && <MenuItem onSelect={() => setCols(toggleColumn(columns, column))}>Hide</MenuItem>}
          </>
        );
      },
    };
    return { columns: heads, arranging };
  }, [columns, sort, store, scroller]);
}

const cursorTexts = {
  same: 'explore/cursor-on',
  around: 'explore/cursor-around',
  inside: 'explore/cursor-inside',
  first: 'explore/cursor-on',
} as const;

/** What the marks mean, how the list is sorted, and how long it is. Says aloud when that changes. */
function ListFoot({ words }: { words: LevelWords }) {
  const { store } = useExplorer();
  const { list } = useTableList();
  const sort = useLook(sortOf);
  const total = useList((state) => state.total);
  const keywords = useList((state) => state.keywords);
  const isStale = useList((state) => state.isStale);
  const titles = (readSort(sort) ?? []).map(({ by }) => (isTitled(by) ? labelWord(columnTitle(by)) : figureWord(by)));
  const sortedBy = `Sorted by ${titles.join(', then ')}`;
  const count = total === undefined ? '' : `${words.count(total)} · ${counted(keywords, 'keyword')}`;
  const spoken = useRef('');
  useEffect(() => {
    const { cursor, place } = list.store.getState();
    if (isStale || count === '' || spoken.current === `${count}${sortedBy}`) return;
    spoken.current = `${count}${sortedBy}`;
    const row = list.rowAt(cursor);
    const isSelected = store.getState().selected !== none;
    const on = row && place && isSelected ? say(cursorTexts[place], { name: rowName(row.page.slice, row.at) }) : '';
    store.setState({ spoken: `${count}. ${sortedBy}. ${on}`.trim() });
  }, [count, sortedBy, isStale, list, store]);
  return (
    <p className="m-0 flex flex-wrap items-center gap-x-4 border-t border-line bg-surface px-3 py-1 text-micro text-muted">
      <span>◌ known for less than 20 %</span>
      <span>* known for a part of the keywords</span>
      <span>{sortedBy}</span>
      <span className="ml-auto tabular-nums">{count}</span>
    </p>
  );
}

const rows = 12;
/** A list that comes at once has no skeleton, and one that comes soon has no words. */
const [skeletonMs, wordsMs] = [150, 500];

/** The rows before the first page has come. */
function SkeletonRows(props: { rowPx: number; columns: readonly GridColumn[]; words: LevelWords }) {
  const { template, minWidth } = tracksOf(props.columns);
  const [shown, setShown] = useState<'nothing' | 'rows' | 'words'>('nothing');
  useEffect(() => {
    const timers = [setTimeout(() => setShown('rows'), skeletonMs), setTimeout(() => setShown('words'), wordsMs)];
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, []);
  if (shown === 'nothing') return null;
  return (
    <div role="rowgroup">
      {Array.from({ length: rows }, (_, row) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders
          key={row}
          role="row"
          tabIndex={-1}
          className="grid w-full items-center border-b border-line"
          style={{ height: props.rowPx, gridTemplateColumns: template, minWidth }}
        >
          {props.columns.map(({ id }) => (
            <div key={id} role="gridcell" tabIndex={-1} className="px-2.5">
              <Skeleton className="h-3 w-3/4" />
            </div>
          ))}
        </div>
      ))}
      {shown === 'words' && (
        <div role="row" tabIndex={-1}>
          <div role="gridcell" tabIndex={-1} className="p-3 text-small text-muted">
            <span role="status">{say('explore/ranking', { what: props.words.title.toLowerCase() })}</span>
          </div>
        </div>
      )}
    </div>
  );
}

/** In place of the rows: why there are none. */
function ListNote({ kind, words }: { kind: 'failed' | 'empty'; words: LevelWords }) {
  const explorer = useExplorer();
  const { tree, store } = explorer;
  const { list } = useTableList();
  const failure = useList((state) => state.failure);
  const focus = useLook((state) => state.focus);
  const isFiltered = useLook((state) => state.filter !== '');
  const name = tree.name(focus);
  if (kind === 'failed') {
    return (
      <Box isAlert>
        <p className="m-0 font-semibold">{say('explore/ranking-failed')}</p>
        <p className="mt-1 mb-3 text-muted">{explorer.explain(failure)}</p>
        <Button variant="primary" onClick={() => list.retry(tree.node[focus]!)}>
          Try again
        </Button>
      </Box>
    );
  }
  if (words.level === 'pillars' && focus !== 0) {
    return (
      <Box>
        <p className="mt-0 mb-3">{say('explore/pillars-below')}</p>
        <Button onClick={() => explorer.focusOn(0)}>Go up to compare pillars</Button>
      </Box>
    );
  }
  // The screen says so itself when a filter keeps nothing.
  if (isFiltered && tree.keywords[0] === 0) return null;
  return (
    <Box>
      <p className="mt-0 mb-3">{say('explore/level-empty', { what: words.title.toLowerCase(), name })}</p>
      {words.level !== 'keywords' && (
        <Button onClick={() => store.setState({ level: 'keywords' })}>Show keywords</Button>
      )}
    </Box>
  );
}

function Box({ isAlert = false, children }: { isAlert?: boolean; children: ReactNode }) {
  return (
    <div
      role={isAlert ? 'alert' : 'status'}
      className="absolute inset-x-4 top-16 z-20 mx-auto max-w-md rounded-card border border-line bg-surface p-5 text-center text-body shadow-1"
    >
      {children}
    </div>
  );
}
