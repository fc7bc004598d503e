import { figureWord, typeWord } from '@kc/pack/filter-words/figure-name';
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, memo, useContext, useMemo } from 'react';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { DataGrid, GridRow, type RowFrame } from '../../../ui/data-grid.tsx';
import {
  compactKeywordsOf,
  exact,
  figureText,
  isCut,
  isKnown,
  keywordsOf,
  shortFigure,
} from '../../format/figure-text.ts';
import { countsBy, outlineFigure, outlineSort } from '../../model/row-order.ts';
import { none } from '../../tree-data/columns.ts';
import { figuresOf, type Metric } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { ExplorerPartsContext, useExplorer, useLook, useLooks } from '../explorer-context.ts';
import { beginsSequence } from '../keyboard/single-keys.ts';
import { MarkedName } from '../marked-name.tsx';
import { ComparedBadge, useHue } from '../row-look.tsx';
import { warningText } from '../warnings/warning-texts.ts';
import { barredLevels, indentOf, type OutlineRow } from './outline-rows.ts';
import { useTreeRows } from './tree-rows.ts';
import { Typing, typeAhead } from './type-ahead.ts';

const rowPx = 30;
const typing = new Typing();

/**
 * The tree as a list, synchronised with the canvas: activating a row selects it there; scrolling does not move the
 * chart.
 */
export function Outline() {
  const explorer = useExplorer();
  const { outline: added } = useContext(ExplorerPartsContext);
  const { tree } = explorer;
  const { expanded, size } = useLooks('expanded', 'size');
  useLook((state) => state.treeVersion);
  const figure = outlineFigure(tree, size);
  const by = outlineSort(tree, size)?.by;
  const sort = useMemo(() => (by === undefined ? undefined : { by, descending: true }), [by]);
  const ranked = useLook((state) => countsBy(state.outlineRanked, figure));
  const want = explorer.requestOutlineRanked;
  const rows = useTreeRows({ top: 0, open: expanded, isTopOpen: false, sort, ranked, want });
  const { lines, cursor, gestures } = rows;
  const nameOf = (line: OutlineRow | undefined) => (line?.kind === 'node' ? tree.name(line.row) : '');

  function press(event: KeyboardEvent): boolean {
    const line = lines[cursor];
    if (event.ctrlKey || event.metaKey || event.altKey || line?.kind !== 'node') return false;
    if (added?.press(event, { row: line.row, lines })) return true;
    if (event.key.length === 1 && /[\p{L}\p{N}]/u.test(event.key) && !beginsSequence(event.key)) {
      const found = typeAhead(typing.add(event.key, event.timeStamp), lines.length, (i) => nameOf(lines[i]), cursor);
      if (found >= 0) gestures.move(found);
    }
    return false;
  }

  return (
    <>
      <Caption figure={figure} />
      <DataGrid
        id="outline"
        role="tree"
        label="Outline"
        attributes={{
          className: 'min-h-0 flex-1 py-1',
          'aria-describedby': captionId,
          onPointerLeave: () => explorer.hover(none),
        }}
        count={lines.length}
        keyAt={rows.keyAt}
        rowPx={rowPx}
        paddingPx={4}
        cursor={cursor}
        moves={rows.moves}
        gestures={gestures}
        keys={rows.keys}
        onKey={press}
        onRowClick={(rank, event) => added?.pick(event, { row: lines[rank]!.row, lines }) ?? false}
        onOpen={rows.onOpen}
        onSight={rows.onSight}
        row={(frame) => <OutlineLine key={frame.rowKey} {...frame} {...rows.lookOf(frame.rank)} figure={figure} />}
      />
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

type LineProps = RowFrame & {
  readonly line: OutlineRow;
  readonly isOpen: boolean;
  readonly isLit: boolean;
  /** Its number in the comparison; 0 if it is not compared. */
  readonly comparedAs: number;
  readonly figure: Metric;
};

/** Memoised: the pointer crosses many rows and highlights few of them. */
const OutlineLine = memo(function OutlineLine({ line, isOpen, isLit, comparedAs, figure, ...frame }: LineProps) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const { row, level } = line;
  const hue = useHue()(row);
  const { outline: added, useOutlineRow } = useContext(ExplorerPartsContext);
  const more = useOutlineRow(row);
  const style = { paddingLeft: 6 + indentOf(level) };
  if (line.kind === 'more') {
    return (
      <GridRow frame={frame} branch={{ level }} className="flex" style={style}>
        <button
          type="button"
          tabIndex={-1}
          onClick={() => explorer.requestChildren(row)}
          className="ml-6 h-6 rounded-chip px-1.5 text-small text-brand-ink hover:underline"
        >
          {exact(line.nodes)} more…
        </button>
      </GridRow>
    );
  }
  const isBranch = tree.childCount[row]! > 0;
  const isLeftOut = tree.isLeftOut(row);
  const { position, of } = line;
  return (
    <GridRow
      {...more}
      frame={frame}
      branch={{ level, position, of, isOpen: isBranch ? isOpen : undefined }}
      isSelected={comparedAs > 0}
      onPointerEnter={() => explorer.hover(row)}
      className={classNames(
        more.className,
        'flex gap-1.5 pr-3 text-small',
        isLeftOut && 'text-muted',
        isLit && 'shadow-[inset_3px_0_0_var(--highlight)]',
      )}
      style={style}
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
    </GridRow>
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
        strokeWidth={2}
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

/** How many warnings a row has, while the map marks them: its own, and those inside a closed branch. */
function RowWarnings({ row, isOpen }: { readonly row: number; readonly isOpen: boolean }) {
  const { tree } = useExplorer();
  const mark = useLook((state) => state.warningMarks?.get(tree.node[row]!));
  const count = mark && (isOpen ? mark.own : mark.within);
  if (!mark || count === 0) return null;
  return (
    <span title={warningText(mark)} className="shrink-0 text-micro text-warn tabular-nums">
      <span aria-hidden="true">⚠ {exact(count)}</span>
      <span className="sr-only">, {warningText(mark)}</span>
    </span>
  );
}

/** The outline in place of a chart that cannot be drawn. */
export function OutlineOnly() {
  const { store } = useExplorer();
  return (
    <section aria-label="Outline without a picture" className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <div className="flex min-h-10 shrink-0 items-center justify-between gap-3 border-b border-line px-4 py-1">
        <h2 className="m-0 text-small font-semibold text-muted">Outline only</h2>
        <Button size="dense" onClick={() => store.setState({ outlineOnly: false })}>
          Show the picture
        </Button>
      </div>
      <Outline />
    </section>
  );
}
