// biome-ignore-all lint/a11y/useSemanticElements: lines of a virtual list are placed by hand, which table elements refuse
import type { Field } from '@kc/rules/shapes';
import { ArrowDown, ArrowUp, ChevronRight } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, memo, useEffect, useMemo, useRef } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { figureText, namedValue, writeFigure } from '../../figure-text.ts';
import { exactKeywordsOf, isCut } from '../../kept.ts';
import { exact, isKnown, knownFor, mean, money, typeWord, unknown } from '../../numbers.ts';
import { none } from '../../state/explorer-state.ts';
import { childOrder, nextSort, type TableColumn, type TableSort } from '../../state/table-order.ts';
import { pathTo } from '../../state/tree-walk.ts';
import { fieldKey, figureName } from '../../store/figures.ts';
import { notBrought } from '../../store/held-fields.ts';
import { addsTo, compare } from '../compare.ts';
import { ComparedBadge } from '../compared-badge.tsx';
import { litRow, useExplorer, useLook } from '../explorer-context.ts';
import { useHue } from '../hue.ts';
import { MarkedName } from '../marked-name.tsx';
import { singleKeysOn } from '../single-keys.ts';
import { useLongList } from '../use-long-list.ts';
import { indentOf, type OutlineRow, outlineRows } from './outline-rows.ts';

const rowPx = 36;
type Column = { readonly id: TableColumn; readonly title: string; readonly isText?: boolean };
const columns: readonly Column[] = [
  { id: 'name', title: 'Name', isText: true },
  { id: 'type', title: 'Type', isText: true },
  { id: 'keywords', title: 'Keywords' },
  { id: 'volume', title: 'Volume' },
  { id: 'difficulty', title: 'Difficulty' },
  { id: 'cpc', title: 'CPC' },
];
const width = 'min-w-[calc(100vw+11rem+var(--more-width,0px))] md:min-w-[calc(44rem+var(--more-width,0px))]';
/** On a small screen there is no type, and the volume ends where the screen does; then what else the file has. */
const grid = classNames(
  'grid grid-cols-[calc(100vw-12rem)_5.5rem_6.5rem_6rem_5rem_var(--more,)]',
  'md:grid-cols-[minmax(12rem,1fr)_6.5rem_6.5rem_7rem_6.5rem_5.5rem_var(--more,)]',
  width,
);
const fieldRem = 8.5;

/** Room for the columns of the file's own fields, for all lines in it. */
const withMore = (fields: number): CSSProperties =>
  (fields > 0
    ? { '--more': `repeat(${fields}, ${fieldRem}rem)`, '--more-width': `${fields * fieldRem}rem` }
    : {}) as CSSProperties;
const noFields: readonly Field[] = [];

function columnOf({ name, kind }: Field): Column {
  const id = fieldKey(name);
  return { id, title: figureName(id), isText: kind !== 'number' };
}

/** The branch in focus as a tree-grid: the same selection, focus and keys as the pictures. */
export function Table() {
  const explorer = useExplorer();
  const { tree } = explorer;
  const treeVersion = useLook((state) => state.treeVersion);
  const focus = useLook((state) => state.focus);
  const expanded = useLook((state) => state.expanded);
  const selected = useLook((state) => state.selected);
  const compared = useLook((state) => state.compared);
  const fields = useLook((state) => state.fields) ?? noFields;
  const sort = useLook((state) => state.tableSort);
  const scroller = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree is one object that grows; its version says when
  const lines = useMemo(
    () => (tree.size === 0 ? [] : outlineRows(tree, focus, new Set([...expanded, focus]), childOrder(tree, sort))),
    [tree, treeVersion, focus, expanded, sort],
  );
  const current = selected === none ? focus : selected;
  const currentAt = lines.findIndex((line) => line.kind === 'node' && line.row === current);
  const pointedAt = useLook(litRow);
  const lit = useMemo(() => new Set(pointedAt === none ? [] : pathTo(tree, pointedAt)), [tree, pointedAt]);
  // The heads stand over the lines.
  const list = useLongList(scroller, { count: lines.length, linePx: rowPx, abovePx: rowPx, more: 10 });
  // It may come long after the picture that had the keyboard went.
  useEffect(() => {
    const cameLater = explorer.store.getInitialState().view !== 'table';
    if (cameLater && document.activeElement === document.body) scroller.current?.focus();
  }, [explorer]);
  const { bringIntoSight } = list;
  useEffect(() => {
    if (currentAt >= 0) bringIntoSight(currentAt);
  }, [currentAt, bringIntoSight]);

  function goTo(index: number): void {
    const line = lines[Math.min(lines.length - 1, Math.max(0, index))];
    if (line?.kind === 'node') explorer.select(line.row);
    else if (line) explorer.askForChildren(line.row);
  }

  function press(event: KeyboardEvent): void {
    const row = lines[currentAt]?.row ?? focus;
    const isOpen = expanded.has(row) || row === focus;
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => goTo(currentAt + 1),
      ArrowUp: () => goTo(currentAt - 1),
      Home: () => goTo(0),
      End: () => goTo(lines.length - 1),
      ArrowRight: () => (isOpen ? goTo(currentAt + 1) : tree.childCount[row]! > 0 && explorer.setExpanded(row, true)),
      ArrowLeft: () =>
        isOpen && row !== focus
          ? explorer.setExpanded(row, false)
          : explorer.select(Math.max(focus, tree.parent[row]!)),
      Enter: () => explorer.focusOn(row),
      Escape: explorer.climb,
      ...(singleKeysOn() && { t: explorer.toggleTable }),
      '*': explorer.expandSiblings,
      Backspace: explorer.climb,
    };
    const act = acts[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className="absolute inset-0 flex flex-col bg-surface">
      <div
        ref={scroller}
        role="treegrid"
        aria-label={`Table of ${tree.size === 0 ? 'keywords' : tree.name(focus)}`}
        aria-multiselectable="true"
        aria-rowcount={lines.length + 1}
        aria-activedescendant={list.lines.includes(currentAt) ? tableRowId(current) : undefined}
        tabIndex={0}
        onKeyDown={press}
        onPointerLeave={() => explorer.hover(none)}
        className="group min-h-0 flex-1 overflow-auto outline-none"
        style={withMore(fields.length)}
        aria-describedby={notesId}
      >
        <div
          role="row"
          tabIndex={-1}
          aria-rowindex={1}
          className={classNames(grid, 'sticky top-0 z-10 h-9 border-b border-line bg-sunken text-small')}
        >
          {[...columns, ...fields.map(columnOf)].map(({ id, title, isText = false }) => (
            <Head
              key={id}
              id={id}
              title={title}
              isText={isText}
              sort={sort}
              onSort={() => explorer.store.setState({ tableSort: nextSort(sort, id, isText) })}
            />
          ))}
        </div>
        <div role="rowgroup" className={classNames('relative', width)} style={{ height: list.heightPx }}>
          {list.lines.map((index) => {
            const line = lines[index]!;
            return (
              <TableLine
                key={index}
                line={line}
                fields={fields}
                index={index}
                top={list.topOf(index)}
                isCurrent={index === currentAt}
                comparedAs={compared.indexOf(line.row) + 1}
                isOpen={expanded.has(line.row) || line.row === focus}
                isLit={lit.has(line.row)}
              />
            );
          })}
        </div>
      </div>
      <Notes isSorted={sort !== undefined} />
    </div>
  );
}

/** What the order and the stars of the figures mean. */
function Notes({ isSorted }: { isSorted: boolean }) {
  const { tree } = useExplorer();
  const isByVolume = !isSorted && tree.size > 0 && tree.volumeKnown[0]! > 0;
  return (
    <p
      id={notesId}
      className="m-0 flex flex-wrap gap-x-4 border-t border-line bg-surface px-3 py-1 text-micro text-muted"
    >
      <span>* known for a part of the keywords</span>
      {isByVolume && <span>Highest volume first</span>}
    </p>
  );
}

const notesId = 'table-notes';
const tableRowId = (row: number) => `table-${row}`;

type HeadProps = {
  readonly id: TableColumn;
  readonly title: string;
  readonly isText: boolean;
  readonly sort: TableSort;
  readonly onSort: () => void;
};

function Head({ id, title, isText, sort, onSort }: HeadProps) {
  const mine = sort?.by === id ? sort : undefined;
  const Arrow = mine?.descending ? ArrowDown : ArrowUp;
  return (
    <div
      role="columnheader"
      tabIndex={-1}
      className={classNames(id === 'type' && 'max-md:hidden')}
      aria-sort={mine ? (mine.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        onClick={onSort}
        className={classNames(
          'flex size-full items-center gap-1 px-3 font-semibold text-muted hover:text-ink focus-visible:-outline-offset-2',
          !isText && 'justify-end',
        )}
      >
        <span dir="auto" className="truncate">
          {title}
        </span>
        {mine && <Arrow size={14} aria-hidden="true" />}
      </button>
    </div>
  );
}

type LineProps = {
  readonly line: OutlineRow;
  readonly fields: readonly Field[];
  readonly index: number;
  readonly top: number;
  readonly isCurrent: boolean;
  /** Its number among what is compared; 0 when it is not. */
  readonly comparedAs: number;
  readonly isOpen: boolean;
  readonly isLit: boolean;
};

/** Drawn again when it is another one, as the outline's are. */
const TableLine = memo(function TableLine({
  line,
  fields,
  index,
  top,
  isCurrent,
  comparedAs,
  isOpen,
  isLit,
}: LineProps) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const { row, level } = line;
  const hue = useHue()(row);
  const place = { top, height: rowPx };
  if (line.kind === 'more') {
    return (
      <div
        role="row"
        tabIndex={-1}
        aria-level={level}
        aria-rowindex={index + 2}
        className="absolute inset-x-0 flex items-center"
        style={place}
      >
        <div role="gridcell" tabIndex={-1} style={{ paddingLeft: 36 + (level - 1) * 16 }}>
          <button
            type="button"
            onClick={() => explorer.askForChildren(row)}
            className="h-7 px-2 text-small text-brand-ink hover:underline"
          >
            {exact(line.nodes)} more…
          </button>
        </div>
      </div>
    );
  }
  const isBranch = tree.childCount[row]! > 0;
  const keywords = tree.keywords[row]!;
  const parent = Math.max(0, tree.parent[row]!);
  // What a filter leaves out has no figures: neither 0 nor unknown ones.
  const isLeftOut = tree.isLeftOut(row);
  const unlessOut = (text: string) => (isLeftOut ? '–' : text);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it has the keys (aria-activedescendant)
    <div
      id={tableRowId(row)}
      role="row"
      tabIndex={-1}
      aria-level={level}
      aria-posinset={line.position}
      aria-setsize={line.of}
      aria-rowindex={index + 2}
      aria-selected={isCurrent || comparedAs > 0}
      {...(isBranch ? { 'aria-expanded': isOpen } : {})}
      onClick={(event) => (addsTo(event) ? void compare(explorer, row) : explorer.select(row))}
      onDoubleClick={() => explorer.focusOn(row)}
      onPointerEnter={() => explorer.hover(row)}
      className={classNames(
        grid,
        'absolute inset-x-0 cursor-pointer items-center border-b border-line text-small',
        isCurrent
          ? 'bg-brand-soft text-brand-ink group-focus-visible:outline-2 group-focus-visible:-outline-offset-2 group-focus-visible:outline-focus'
          : 'text-ink hover:bg-sunken',
        isLeftOut && 'text-muted',
        isLit && 'shadow-[inset_3px_0_0_var(--highlight)]',
      )}
      style={place}
    >
      <div
        role="gridcell"
        tabIndex={-1}
        className="flex min-w-0 items-center gap-1.5 px-2"
        style={{ paddingLeft: 8 + indentOf(level) }}
      >
        {isBranch ? (
          <button
            type="button"
            tabIndex={-1}
            aria-label={`${isOpen ? 'Close' : 'Open'} ${tree.name(row)}`}
            onClick={(event) => {
              event.stopPropagation();
              explorer.setExpanded(row, !isOpen);
            }}
            className="flex size-6 shrink-0 items-center justify-center rounded-chip text-muted hover:bg-line"
          >
            <ChevronRight
              size={14}
              className={classNames('motion transition-transform duration-150', isOpen && 'rotate-90')}
            />
          </button>
        ) : (
          <span className="w-6 shrink-0" />
        )}
        <span aria-hidden="true" className="size-2 shrink-0 rounded-full" style={{ background: hue }} />
        <span dir="auto" className="truncate">
          <MarkedName name={tree.name(row)} />
        </span>
        {comparedAs > 0 && <ComparedBadge number={comparedAs} />}
        {isLeftOut && <span className="shrink-0 text-micro italic">left out</span>}
      </div>
      <div role="gridcell" tabIndex={-1} className="truncate px-3 text-muted max-md:hidden">
        {typeWord(tree.types[tree.type[row]!] ?? '')}
      </div>
      <Figure
        value={keywords}
        text={isLeftOut || (isBranch && !isOpen && isCut(tree, row)) ? exactKeywordsOf(tree, row) : exact(keywords)}
        whole={tree.keywords[parent]!}
      />
      <Figure
        value={tree.volume[row]!}
        text={unlessOut(exact(tree.volume[row]))}
        whole={tree.volume[parent]!}
        known={knownPart(tree.volumeKnown[row]!, keywords)}
      />
      <Figure
        value={tree.difficulty[row]!}
        text={unlessOut(mean(tree.difficulty[row]))}
        whole={100}
        known={knownPart(tree.difficultyKnown[row]!, keywords)}
      />
      <Figure
        value={tree.cpc[row]!}
        text={unlessOut(money(tree.cpc[row]))}
        whole={Number.NaN}
        known={knownPart(tree.cpcKnown[row]!, keywords)}
      />
      {fields.map((field) => (
        <FieldCell key={field.name} row={row} field={field} />
      ))}
    </div>
  );
});

/** What a row says of a field of the file; a blank while that is on its way. */
function FieldCell({ row, field: { name } }: { row: number; field: Field }) {
  const { tree } = useExplorer();
  const field = tree.field(name);
  if (!field || field.known[row] === notBrought) return <div role="gridcell" tabIndex={-1} />;
  if (tree.isLeftOut(row)) return <Figure value={Number.NaN} text="–" whole={Number.NaN} />;
  const known = knownPart(field.known[row]!, tree.keywords[row]!);
  if (field.kind === 'number') {
    const value = field.value[row]!;
    const whole = field.rollUp === 'sum' ? field.value[Math.max(0, tree.parent[row]!)]! : Number.NaN;
    return <Figure value={value} text={writeFigure(fieldKey(name), value)} whole={whole} known={known} />;
  }
  const text = field.known[row] === 0 ? unknown : namedValue(field, row);
  return (
    <div
      role="gridcell"
      tabIndex={-1}
      className={classNames('truncate px-3', text === unknown && 'text-muted italic')}
      title={figureText(tree, row, fieldKey(name))}
    >
      <bdi>{text}</bdi>
    </div>
  );
}

/** Undefined where everything is known, or nothing: the value itself says that. */
function knownPart(known: number, of: number): string | undefined {
  return known > 0 && known < of ? knownFor(known, of) : undefined;
}

type FigureProps = {
  readonly value: number;
  readonly text: string;
  readonly whole: number;
  readonly known?: string | undefined;
};

/** A number with a bar under it: its share of the parent's, or of what there can be. */
function Figure({ value, text, whole, known }: FigureProps) {
  const width = isKnown(value) && isKnown(whole) && whole > 0 ? Math.min(100, (value / whole) * 100) : 0;
  return (
    <div
      role="gridcell"
      tabIndex={-1}
      className="relative h-full px-3 text-right leading-[34px] tabular-nums"
      title={known}
    >
      <span className={text === unknown ? 'text-muted italic' : ''}>{text}</span>
      {known && <span className="text-muted"> *</span>}
      {known && <span className="sr-only">{known}</span>}
      {width > 0 && (
        <span
          aria-hidden="true"
          className="absolute right-3 bottom-1 h-0.5 rounded-full bg-brand/60"
          style={{ width: `calc((100% - 1.5rem) * ${width / 100})` }}
        />
      )}
    </div>
  );
}
