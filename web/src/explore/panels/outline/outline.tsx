import { figureWord } from '@kc/pack/filter-words/figure-name';
import { typeWord } from '@kc/pack/filter-words/type-word';
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, memo, useCallback, useContext, useEffect, useMemo, useRef } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { rowLook } from '../../../ui/data-grid.tsx';
import { useLongList } from '../../../ui/long-list.ts';
import {
  compactKeywordsOf,
  exact,
  figureText,
  isCut,
  isKnown,
  keywordsOf,
  shortFigure,
} from '../../format/figure-text.ts';
import { addsTo } from '../../../ui/keys.ts';
import { compareRange, toggleCompared } from '../../model/compare.ts';
import { countsBy, listedChildren, outlineFigure, outlineSort } from '../../model/row-order.ts';
import { pathTo } from '../../model/tree-walk.ts';
import { none } from '../../tree-data/columns.ts';
import { figuresOf, type Metric } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { litRow, useExplorer, useLook } from '../explorer-context.ts';
import { ExplorerPartsContext } from '../explorer-parts.ts';
import { beginsSequence } from '../keyboard/single-keys.ts';
import { MarkedName } from '../marked-name.tsx';
import { ComparedBadge, useHue } from '../row-look.tsx';
import { askForMore, useMoreInSight } from './more-in-sight.ts';
import { barredLevels, indentOf, type OutlineRow, outlineRowId, outlineRows } from './outline-rows.ts';
import { RowWarnings } from './row-warnings.tsx';
import { Typing, typeAhead } from './type-ahead.ts';

const rowPx = 30;
/** Padding above the first row. */
const headPx = 4;
const typing = new Typing();
const pageOf = (list: HTMLElement | null) => Math.max(1, Math.floor((list?.clientHeight ?? 0) / rowPx) - 1);

/**
 * The tree as a list, synchronised with the canvas: activating a row selects it there; scrolling does not move the
 * chart.
 */
export function Outline() {
  const explorer = useExplorer();
  const { outline: added } = useContext(ExplorerPartsContext);
  const { tree } = explorer;
  const treeVersion = useLook((state) => state.treeVersion);
  const expanded = useLook((state) => state.expanded);
  const selected = useLook((state) => state.selected);
  const focus = useLook((state) => state.focus);
  const hovered = useLook(litRow);
  const compared = useLook((state) => state.compared);
  const scroller = useRef<HTMLDivElement>(null);
  const size = useLook((state) => state.size);
  const figure = outlineFigure(tree, size);
  const by = outlineSort(tree, size)?.by;
  const sort = useMemo(() => (by === undefined ? undefined : { by, descending: true }), [by]);
  const ranked = useLook((state) => countsBy(state.outlineRanked, figure));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree is one object that grows; its version says when
  const lines = useMemo(
    () => (tree.size === 0 ? [] : outlineRows(tree, 0, expanded, listedChildren(tree, sort, ranked))),
    [tree, treeVersion, expanded, sort, ranked],
  );
  const current = selected === none ? focus : selected;
  const currentAt = lines.findIndex((line) => line.kind === 'node' && line.row === current);
  const { content } = tree;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row refers to another node in other content
  const lit = useMemo(() => new Set(hovered === none ? [] : pathTo(tree, hovered)), [tree, content, hovered]);
  const list = useLongList(scroller, {
    count: lines.length,
    linePx: rowPx,
    abovePx: headPx,
    aroundPx: 2 * headPx,
    more: 6,
    // The active descendant must be in the document wherever the list is scrolled to.
    always: currentAt,
  });
  const order = { sort, ranked, want: explorer.wantOutlineRanked };
  // Load rows as they scroll into view, so that a list of any length can be read by scrolling.
  useMoreInSight(
    list.lines.map((index) => lines[index]!),
    expanded,
    order,
  );

  const { bringIntoSight } = list;
  useEffect(() => {
    if (currentAt >= 0) bringIntoSight(currentAt);
  }, [currentAt, bringIntoSight]);

  function goTo(index: number): void {
    const line = lines[Math.min(lines.length - 1, Math.max(0, index))];
    if (line?.kind === 'node') explorer.select(line.row);
    else if (line) askForMore(explorer, line.row, order);
  }

  /** The current rows for event handlers, so that they do not cause a re-render. */
  const latest = useRef({ lines, currentAt });
  latest.current = { lines, currentAt };
  const pick = useCallback(
    (row: number, event: MouseEvent) => {
      if (added?.pick(event, { row, lines: latest.current.lines })) return;
      if (addsTo(event)) toggleCompared(explorer, row);
      else if (event.shiftKey) compareRange(explorer, rowsBetween(latest.current, row), row);
      else explorer.select(row);
    },
    [explorer, added],
  );

  /** Moves by one row and compares both. */
  function extend(by: 1 | -1): void {
    const next = lines[currentAt + by];
    if (next?.kind !== 'node') return;
    const { compared } = explorer.store.getState();
    compareRange(explorer, [...new Set([...compared, current, next.row])], next.row);
  }

  function press(event: KeyboardEvent): void {
    const line = lines[currentAt];
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || line?.kind !== 'node') return;
    const act = outlineKeys[event.key];
    const isHandled = added?.press(event, { row: line.row, lines });
    if (isHandled) {
      // Nothing is left to do.
    } else if (event.shiftKey && event.key === 'ArrowDown') extend(1);
    else if (event.shiftKey && event.key === 'ArrowUp') extend(-1);
    else if (act)
      act({
        explorer,
        line,
        isOpen: expanded.has(line.row),
        at: currentAt,
        last: lines.length - 1,
        page: pageOf(scroller.current),
        goTo,
      });
    else if (event.key.length === 1 && /[\p{L}\p{N}]/u.test(event.key) && !beginsSequence(event.key)) {
      const found = typeAhead(typing.add(event.key, event.timeStamp), lines.length, (i) => nameOf(lines[i]), currentAt);
      if (found >= 0) goTo(found);
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
  /** The press on a row that can be dragged has focused the row. */
  const takeFocus = () => added && scroller.current?.focus({ preventScroll: true });
  const nameOf = (line: OutlineRow | undefined) => (line?.kind === 'node' ? tree.name(line.row) : '');

  return (
    <>
      <Caption figure={figure} />
      <div
        ref={scroller}
        role="tree"
        aria-label="Outline"
        aria-describedby={captionId}
        aria-multiselectable="true"
        tabIndex={0}
        aria-activedescendant={currentAt >= 0 ? outlineRowId(current) : undefined}
        onKeyDown={press}
        onMouseDown={(event) => {
          // Rows that can be dragged need the default action.
          if (event.target === event.currentTarget || added) return;
          // The tree keeps the focus and points at its rows. A focused row would be read out without the tree.
          event.preventDefault();
          event.currentTarget.focus({ preventScroll: true });
        }}
        onMouseUp={takeFocus}
        onDragEnd={takeFocus}
        onPointerLeave={() => explorer.hover(none)}
        className="group min-h-0 flex-1 overflow-auto py-1 outline-none"
      >
        <div role="presentation" className="relative" style={{ height: list.heightPx }}>
          {list.lines.map((index) => {
            const line = lines[index]!;
            return (
              <OutlineLine
                // Keys by node, so that a row that moves is not re-created.
                key={keyOf(line)}
                line={line}
                top={list.topOf(index)}
                isCurrent={index === currentAt}
                isOpen={expanded.has(line.row)}
                isLit={lit.has(line.row)}
                comparedAs={compared.indexOf(line.row) + 1}
                figure={figure}
                onPick={pick}
              />
            );
          })}
        </div>
      </div>
      {added && <added.Foot />}
    </>
  );
}

const captionId = 'outline-caption';

/** The sort metric, which is also the figure in the rows and behind the bars. */
function Caption({ figure }: { figure: Metric }) {
  const { tree } = useExplorer();
  const { outline: added } = useContext(ExplorerPartsContext);
  if (tree.size === 0) return null;
  const word = figureWord(figure);
  const hasBars = !added && hasShares(tree, figure);
  return (
    <p id={captionId} className="m-0 shrink-0 border-b border-line px-4 py-1 text-micro text-muted">
      {`Sorted by ${word}`}
      {hasBars && '. Bars: share of parent'}
      {added && `. ${added.caption}`}
    </p>
  );
}

/** Whether a branch's figure is the sum of its children's. A mean has no share. */
function hasShares(tree: LoadedTree, figure: Metric): boolean {
  const rollUp = figuresOf(tree, figure)?.rollUp;
  return rollUp !== 'mean' && rollUp !== 'own';
}

/** The nodes from the current row to another one, in this order. */
function rowsBetween({ lines, currentAt }: { lines: readonly OutlineRow[]; currentAt: number }, row: number): number[] {
  const to = lines.findIndex((line) => line.kind === 'node' && line.row === row);
  const from = currentAt < 0 ? to : currentAt;
  const between = lines.slice(Math.min(from, to), Math.max(from, to) + 1);
  const rows = between.flatMap((line) => (line.kind === 'node' ? [line.row] : []));
  return from > to ? rows.reverse() : rows;
}

const keyOf = ({ kind, row }: OutlineRow) => (kind === 'node' ? row : `after ${row}`);

type LineProps = {
  readonly line: OutlineRow;
  readonly top: number;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  readonly isLit: boolean;
  /** Its number in the comparison; 0 if it is not compared. */
  readonly comparedAs: number;
  readonly figure: Metric;
  readonly onPick: (row: number, event: MouseEvent) => void;
};

/** Memoised: the pointer crosses many rows and highlights few of them. */
const OutlineLine = memo(function OutlineLine({
  line,
  top,
  isCurrent,
  isOpen,
  isLit,
  comparedAs,
  figure,
  onPick,
}: LineProps) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const { row, level } = line;
  const hue = useHue()(row);
  const { outline: added, useOutlineRow } = useContext(ExplorerPartsContext);
  const more = useOutlineRow(row);
  const place = { top, height: rowPx, paddingLeft: 6 + indentOf(level) };
  if (line.kind === 'more') {
    return (
      <div
        role="treeitem"
        tabIndex={-1}
        aria-level={level}
        aria-selected={false}
        className="absolute inset-x-0 flex items-center"
        style={place}
      >
        <button
          type="button"
          tabIndex={-1}
          onClick={() => explorer.askForChildren(row)}
          className="ml-6 h-6 rounded-chip px-1.5 text-small text-brand-ink hover:underline"
        >
          {exact(line.nodes)} more…
        </button>
      </div>
    );
  }
  const isBranch = tree.childCount[row]! > 0;
  const isLeftOut = tree.isLeftOut(row);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it handles the keys (aria-activedescendant)
    <div
      id={outlineRowId(row)}
      role="treeitem"
      tabIndex={-1}
      aria-level={level}
      aria-posinset={line.position}
      aria-setsize={line.of}
      aria-selected={isCurrent || comparedAs > 0}
      aria-current={isCurrent || undefined}
      {...(isBranch ? { 'aria-expanded': isOpen } : {})}
      onClick={(event) => onPick(row, event)}
      onDoubleClick={() => explorer.focusOn(row)}
      onPointerEnter={() => explorer.hover(row)}
      {...more}
      className={classNames(
        more.className,
        'absolute inset-x-0 flex cursor-pointer items-center gap-1.5 pr-3 text-small',
        rowLook({ isCurrent, isSelected: comparedAs > 0 }),
        isCurrent &&
          'group-focus-visible:outline-2 group-focus-visible:-outline-offset-2 group-focus-visible:outline-focus',
        isLeftOut && 'text-muted',
        isLit && 'shadow-[inset_3px_0_0_var(--highlight)]',
      )}
      style={place}
    >
      {added && <added.Head row={row} />}
      <Chevron isBranch={isBranch} isOpen={isOpen} onToggle={() => explorer.setExpanded(row, !isOpen)} />
      <span
        aria-hidden="true"
        className="size-2 shrink-0 rounded-full forced-color-adjust-none"
        style={{ background: hue }}
      />
      <span dir="auto" className="min-w-0 flex-1 truncate text-left" title={tree.name(row)}>
        <MarkedName name={tree.name(row)} />
      </span>
      <span className="sr-only">
        , {typeWord(tree.types[tree.type[row]!] ?? '')}
        {figure !== 'keywords' && !isLeftOut && `, ${figureText(tree, row, figure) ?? ''}`}
        {(isBranch || isLeftOut) && `, ${keywordsOf(tree, row)}`}
      </span>
      {comparedAs > 0 && <ComparedBadge number={comparedAs} />}
      <RowWarnings row={row} isOpen={isOpen} />
      {isLeftOut && (
        <span aria-hidden="true" className="shrink-0 text-micro italic">
          left out
        </span>
      )}
      {added && <added.Tail row={row} />}
      {!isLeftOut && <LineFigure row={row} isOpen={isOpen} level={level} figure={figure} hue={hue} />}
    </div>
  );
});

type LineFigureProps = {
  readonly row: number;
  readonly isOpen: boolean;
  readonly level: number;
  readonly figure: Metric;
  readonly hue: string;
};

/** The sort metric and its share. For a collapsed branch under a filter, how many keywords are kept. */
function LineFigure({ row, isOpen, level, figure, hue }: LineFigureProps) {
  const { outline: added } = useContext(ExplorerPartsContext);
  const { tree } = useExplorer();
  const isBranch = tree.childCount[row]! > 0;
  const isBadge = isBranch && !isOpen && isCut(tree, row);
  const value = figuresOf(tree, figure)?.value;
  if (!value || (figure === 'keywords' && !isBranch)) return null;
  const parent = tree.parent[row] ?? none;
  // What a screen adds takes the room of the bar.
  const hasBar =
    !added && isBranch && level <= barredLevels && !(isBadge && figure !== 'keywords') && hasShares(tree, figure);
  return (
    <>
      {isBadge && (
        <span
          aria-hidden="true"
          className="shrink-0 rounded-full bg-brand-soft px-1.5 text-micro text-brand-ink tabular-nums"
        >
          {compactKeywordsOf(tree, row)}
        </span>
      )}
      {!(isBadge && figure === 'keywords') && (
        <span aria-hidden="true" className="shrink-0 text-micro text-muted tabular-nums">
          {isKnown(value[row]) ? shortFigure(figure, value[row]!) : '–'}
        </span>
      )}
      {hasBar && <ShareBar part={value[row]!} whole={value[parent === none ? row : parent]!} hue={hue} />}
    </>
  );
}

function Chevron({ isBranch, isOpen, onToggle }: { isBranch: boolean; isOpen: boolean; onToggle: () => void }) {
  if (!isBranch) return <span className="w-6 shrink-0" />;
  return (
    <span
      aria-hidden="true"
      className="flex size-6 shrink-0 items-center justify-center rounded-chip text-muted hover:bg-line"
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <ChevronRight
        size={14}
        className={classNames('motion transition-transform duration-150', isOpen && 'rotate-90')}
      />
    </span>
  );
}

function ShareBar({ part, whole, hue }: { part: number; whole: number; hue: string }) {
  return (
    <span
      aria-hidden="true"
      className="h-1 w-10 shrink-0 overflow-hidden rounded-full bg-line forced-color-adjust-none"
    >
      <span
        className="block h-full rounded-full"
        style={{
          width: `${part > 0 && whole > 0 ? Math.min(100, Math.max(2, (part / whole) * 100)) : 0}%`,
          background: hue,
        }}
      />
    </span>
  );
}

type Press = {
  readonly explorer: ReturnType<typeof useExplorer>;
  readonly line: OutlineRow;
  readonly isOpen: boolean;
  readonly at: number;
  readonly last: number;
  /** The number of rows per page. */
  readonly page: number;
  readonly goTo: (index: number) => void;
};

/** Source: WAI-ARIA Authoring Practices, "Tree View Pattern". */
const outlineKeys: Readonly<Record<string, (press: Press) => void>> = {
  ArrowDown: ({ at, goTo }) => goTo(at + 1),
  ArrowUp: ({ at, goTo }) => goTo(at - 1),
  Home: ({ goTo }) => goTo(0),
  PageDown: ({ at, page, last, goTo }) => goTo(Math.min(last, at + page)),
  PageUp: ({ at, page, goTo }) => goTo(at - page),
  '*': ({ explorer }) => explorer.expandSiblings(),
  End: ({ last, goTo }) => goTo(last),
  ArrowRight: ({ explorer, line, isOpen, at, goTo }) => {
    if (explorer.tree.childCount[line.row] === 0) return;
    if (isOpen) goTo(at + 1);
    else explorer.setExpanded(line.row, true);
  },
  ArrowLeft: ({ explorer, line, isOpen }) => {
    if (isOpen) explorer.setExpanded(line.row, false);
    else explorer.select(Math.max(0, explorer.tree.parent[line.row]!));
  },
  Enter: ({ explorer, line }) => explorer.focusOn(line.row),
  ' ': ({ explorer, line, isOpen }) => explorer.setExpanded(line.row, !isOpen),
  Escape: ({ explorer }) => explorer.climb(),
  Backspace: ({ explorer }) => explorer.climb(),
};
