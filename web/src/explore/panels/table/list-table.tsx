// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are positioned, which table elements do not allow
import { readSort } from '@kc/pack/levels/row-sort';
import type { LevelRows } from '@kc/pack/levels/rows-wire';
import { say } from '@kc/rules/explorer-messages';
import { limits } from '@kc/rules/limits';
import {
  type CSSProperties,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { columnTracks } from '../../../ui/column-tracks.ts';
import { useMedia } from '../../../ui/environment.ts';
import { useLongList } from '../../../ui/long-list.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { counted, exact } from '../../format/figure-text.ts';
import { levelOf } from '../../model/levels.ts';
import type { ShownColumn } from '../../model/list-columns.ts';
import { isRankedLevel } from '../../model/list-query.ts';
import { isPicked, mostPicked, nothingPicked, pickAll, pickRows, rowOfPage, togglePicked } from '../../model/picked.ts';
import { sortOf } from '../../model/table-list.ts';
import { none } from '../../tree-data/columns.ts';
import type { MenuPlace } from '../canvas/node-menu.tsx';
import { useExplorer, useLook } from '../explorer-context.ts';
import { singleKeysOn } from '../keyboard/single-keys.ts';
import { LazyBoundary } from '../lazy-boundary.tsx';
import { type LevelWords, levelWords } from '../view-names.ts';
import { nameOf } from './list-cells.tsx';
import { ListHead } from './list-head.tsx';
import { ListRow, listCellId, listRowId } from './list-row.tsx';
import { useColumns, useList, useTableList } from './use-list.ts';

const NodeMenu = lazy(async () => ({ default: (await import('../canvas/node-menu.tsx')).NodeMenu }));
const SelectionBar = lazy(async () => ({ default: (await import('./selection-bar.tsx')).SelectionBar }));

/** One level of the tree as a flat list that the server ranks, of any length. */
export function ListTable() {
  const explorer = useExplorer();
  const { tree, store } = explorer;
  const { list, moveCursor, loadNode } = useTableList();
  const scroller = useRef<HTMLDivElement>(null);
  const { columns } = useColumns();
  const query = useList((state) => state.query);
  const total = useList((state) => state.total);
  const isStale = useList((state) => state.isStale);
  const failure = useList((state) => state.failure);
  const cursor = useList((state) => state.cursor);
  const moves = useList((state) => state.moves);
  useList((state) => state.pages);
  const picked = useLook((state) => state.picked);
  // For a finger, and for the two lines of a name beside few columns.
  const isTall = useMedia(`(pointer: coarse), not all and (min-width: ${limits.mobileBelowPx}px)`);
  const rowPx = isTall ? 44 : 36;
  const [cell, setCell] = useState(-1);
  const [menu, setMenu] = useState<MenuPlace | undefined>();
  const lines = useLongList(scroller, { count: total ?? 0, linePx: rowPx, abovePx: rowPx, more: 10, always: cursor });
  const { bringIntoSight } = lines;
  const level = useLook(levelOf);

  // A move scrolls to the cursor; pages that arrive do not.
  const lastMoves = useRef(-1);
  useEffect(() => {
    if (lastMoves.current === moves || total === undefined || isStale) return;
    lastMoves.current = moves;
    bringIntoSight(cursor);
  }, [moves, cursor, total, isStale, bringIntoSight]);
  const [first, end] = [lines.lines[0] ?? 0, (lines.lines.at(-1) ?? -1) + 1];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has other pages at the same ranks
  useEffect(() => list.want(first, end), [list, first, end, isStale, query]);
  useEffect(() => {
    if (document.activeElement === document.body) scroller.current?.focus();
  }, []);

  const rowAt = useCallback((rank: number) => list.rowAt(rank), [list]);
  const goTo = useCallback(
    (rank: number) => {
      store.setState({ picked: nothingPicked });
      moveCursor(rank);
    },
    [moveCursor, store],
  );
  const toggle = useCallback(
    (rank: number) => {
      const row = rowAt(rank);
      const shown = list.store.getState().query;
      if (!row || !shown) return;
      const before = store.getState().picked;
      const current = rowAt(list.store.getState().cursor);
      // The first addition also takes the row that the cursor is on, like elsewhere.
      const begun =
        before === nothingPicked && current && list.store.getState().cursor !== rank
          ? togglePicked(before, shown, rowOfPage(current.page, current.at))
          : before;
      store.setState({ picked: togglePicked(begun, shown, rowOfPage(row.page, row.at)) });
    },
    [list, store, rowAt],
  );
  /** Without the row that the cursor is on: a box stands for its own row. */
  const pickOnly = useCallback(
    (rank: number) => {
      const row = rowAt(rank);
      const shown = list.store.getState().query;
      if (!row || !shown) return;
      store.setState(({ picked: before }) => ({ picked: togglePicked(before, shown, rowOfPage(row.page, row.at)) }));
    },
    [list, store, rowAt],
  );
  /** Where a range begins: the last row that was reached without ⇧. */
  const anchor = useRef<number | undefined>(undefined);
  const extendTo = useCallback(
    async (rank: number) => {
      const state = list.store.getState();
      const shown = state.query;
      if (!shown || state.total === undefined) return;
      const to = Math.min(state.total - 1, Math.max(0, rank));
      const from = anchor.current ?? state.cursor;
      anchor.current = from;
      moveCursor(to);
      if (Math.abs(to - from) >= mostPicked) {
        store.setState({ notice: say('explore/range-too-long', { most: exact(mostPicked) }) });
        return;
      }
      try {
        const rows = await list.rowsBetween(Math.min(from, to), Math.max(from, to));
        if (list.store.getState().query === shown) store.setState({ picked: pickRows(shown, rows) });
      } catch (problem) {
        store.setState({ notice: explorer.explain(problem) });
      }
    },
    [explorer, list, store, moveCursor],
  );
  const click = useCallback(
    (rank: number, event: MouseEvent) => {
      if (event.shiftKey) void extendTo(rank);
      else if (event.metaKey || event.ctrlKey) {
        toggle(rank);
        anchor.current = rank;
        moveCursor(rank);
      } else {
        anchor.current = undefined;
        goTo(rank);
      }
    },
    [moveCursor, extendTo, goTo, toggle],
  );
  const open = useCallback(
    async (rank: number) => {
      const row = rowAt(rank);
      if (!row) return;
      const isBranch = row.page.slice.childCount[row.at]! > 0;
      const node = await loadNode(row.page.slice.node[row.at]!);
      if (node === none) return;
      if (isBranch) explorer.focusOn(node);
      else {
        explorer.select(node);
        store.setState({ detailOpen: true });
      }
    },
    [explorer, store, rowAt, loadNode],
  );
  const openMenu = useCallback(
    async (rank: number, at: { readonly x: number; readonly y: number }) => {
      const row = rowAt(rank);
      if (!row) return;
      moveCursor(rank);
      const node = await loadNode(row.page.slice.node[row.at]!);
      if (node !== none) setMenu({ row: node, at });
    },
    [rowAt, moveCursor, loadNode],
  );
  const contextMenu = useCallback(
    (rank: number, event: MouseEvent) => {
      event.preventDefault();
      const frame = scroller.current!.getBoundingClientRect();
      void openMenu(rank, { x: event.clientX - frame.left, y: event.clientY - frame.top });
    },
    [openMenu],
  );

  function press(event: KeyboardEvent): void {
    // Heads and menus have keys of their own.
    if (event.target !== scroller.current) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 2);
    const last = (total ?? 0) - 1;
    const moveTo = (rank: number) => {
      if (event.shiftKey) void extendTo(rank);
      else {
        anchor.current = undefined;
        moveCursor(rank);
      }
    };
    const hasMenuKey = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);
    const isAll = event.key === 'a' && (event.metaKey || event.ctrlKey);
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => moveTo(cursor + 1),
      ArrowUp: () => moveTo(cursor - 1),
      PageDown: () => moveTo(cursor + page),
      PageUp: () => moveTo(cursor - page),
      Home: () => moveTo(0),
      End: () => moveTo(last),
      ArrowRight: () => setCell(Math.min(columns.length - 1, cell + 1)),
      ArrowLeft: () => setCell(Math.max(-1, cell - 1)),
      ' ': () => toggle(cursor),
      Enter: () => void open(cursor),
      Escape: () => {
        if (cell >= 0) setCell(-1);
        else if (picked !== nothingPicked) store.setState({ picked: nothingPicked });
        else explorer.climb();
      },
      Backspace: explorer.climb,
      ...(singleKeysOn() && { t: explorer.toggleTable }),
    };
    if (isAll && query) store.setState({ picked: pickAll(query) });
    else if (hasMenuKey) {
      const frame = scroller.current!.getBoundingClientRect();
      const row = document.getElementById(listRowId(cursor))?.getBoundingClientRect();
      void openMenu(cursor, { x: 40, y: (row?.bottom ?? frame.top) - frame.top });
    } else {
      const act = acts[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey || total === undefined) return;
      act();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  const { template, minWidth } = gridOf(columns);
  const words = levelWords[isRankedLevel(level) ? level : 'clusters'];
  const where = tree.size === 0 ? 'everything' : tree.name(explorer.store.getState().focus);
  const isDrawn = lines.lines.includes(cursor) && total !== undefined && total > 0;
  const active = cell < 0 ? listRowId(cursor) : listCellId(cursor, cell);
  return (
    <div className="absolute inset-0 flex flex-col bg-surface">
      <div className="relative min-h-0 flex-1">
        <div
          ref={scroller}
          role="grid"
          aria-label={`${words.title} of ${where}`}
          aria-multiselectable="true"
          aria-rowcount={(total ?? 0) + 1}
          aria-colcount={columns.length}
          aria-activedescendant={isDrawn ? active : undefined}
          aria-busy={isStale || total === undefined}
          tabIndex={0}
          onKeyDown={press}
          className="group @container absolute inset-0 overflow-auto outline-none"
        >
          <div
            role="row"
            tabIndex={-1}
            aria-rowindex={1}
            className="sticky top-0 z-20 grid w-full border-b border-line bg-sunken text-small"
            style={{ height: rowPx, gridTemplateColumns: template, minWidth }}
          >
            <ListHead columns={columns} onSort={() => scroller.current?.scrollTo({ top: 0 })} />
          </div>
          {total === undefined && failure === undefined ? (
            <SkeletonRows
              place={{ height: rowPx, gridTemplateColumns: template, minWidth }}
              columns={columns.length}
              words={words}
            />
          ) : (
            <div
              role="rowgroup"
              className={classNames('relative transition-opacity', isStale && 'opacity-50')}
              style={{ height: lines.heightPx, minWidth }}
            >
              {lines.lines.map((rank) => {
                const row = list.rowAt(rank);
                return (
                  <ListRow
                    key={rank}
                    row={row}
                    rank={rank}
                    columns={columns}
                    place={{ top: lines.topOf(rank), height: rowPx, gridTemplateColumns: template }}
                    ofVolume={tree.volume[store.getState().focus]!}
                    showsPillar={
                      (query?.level === 'clusters' || query?.level === 'subtopics') &&
                      !columns.some(({ id }) => id === 'pillar')
                    }
                    isCursor={rank === cursor}
                    cell={rank === cursor ? cell : -1}
                    isPicked={row !== undefined && query !== undefined && isPicked(picked, query, nodeAt(row))}
                    onClick={click}
                    onPick={pickOnly}
                    onOpen={open}
                    onMenu={contextMenu}
                  />
                );
              })}
            </div>
          )}
        </div>
        {failure !== undefined && <ListNote kind="failed" words={words} />}
        {failure === undefined && total === 0 && !isStale && <ListNote kind="empty" words={words} />}
      </div>
      <LazyBoundary>{(picked.all || picked.rows.size > 1) && <SelectionBar />}</LazyBoundary>
      <ListFoot words={words} />
      <LazyBoundary>
        {menu && <NodeMenu place={menu} surface={scroller} stage={undefined} onClose={() => setMenu(undefined)} />}
      </LazyBoundary>
    </div>
  );
}

/** The columns as those of a grid, and the least width of a row. On a narrow screen the name takes half of it at most. */
function gridOf(columns: readonly ShownColumn[]): { readonly template: string; readonly minWidth: string } {
  const least = columns.map(({ id, shownWidth }) => (id === 'name' ? `min(${shownWidth}px, 50vw)` : `${shownWidth}px`));
  return { template: columnTracks(columns).join(' '), minWidth: `calc(${least.join(' + ')})` };
}

const nodeAt = ({ page, at }: { readonly page: LevelRows; readonly at: number }): number => page.slice.node[at]!;

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
  const { columns } = useColumns();
  const sort = useLook(sortOf);
  const total = useList((state) => state.total);
  const keywords = useList((state) => state.keywords);
  const isStale = useList((state) => state.isStale);
  const titles = (readSort(sort) ?? []).map(({ by }) => {
    const title = columns.find((column) => column.sortBy === by)?.title ?? by.replace('field:', '');
    return title.toLowerCase();
  });
  const sortedBy = `Sorted by ${titles.join(', then ')}`;
  const count = total === undefined ? '' : `${words.count(total)} · ${counted(keywords, 'keyword')}`;
  const spoken = useRef('');
  useEffect(() => {
    const { cursor, place } = list.store.getState();
    if (isStale || count === '' || spoken.current === `${count}${sortedBy}`) return;
    spoken.current = `${count}${sortedBy}`;
    const row = list.rowAt(cursor);
    const isSelected = store.getState().selected !== none;
    const on = row && place && isSelected ? say(cursorTexts[place], { name: nameOf(row.page, row.at) }) : '';
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
function SkeletonRows(props: { place: CSSProperties; columns: number; words: LevelWords }) {
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
          style={props.place}
        >
          {Array.from({ length: props.columns }, (_, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders
            <div key={column} role="gridcell" tabIndex={-1} className="px-2.5">
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
