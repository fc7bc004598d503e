// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are positioned, which table elements do not allow

import type { Field } from '@kc/rules/shapes';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { useLongList } from '../../../ui/long-list.ts';
import { listedChildren, nextSort, type TableColumn, type TableSort } from '../../model/row-order.ts';
import { pathTo } from '../../model/tree-walk.ts';
import { none } from '../../tree-data/columns.ts';
import { litRow, useExplorer, useLook } from '../explorer-context.ts';
import { singleKeysOn } from '../keyboard/single-keys.ts';
import { askForMore, useMoreInSight } from '../outline/more-in-sight.ts';
import { outlineRows } from '../outline/outline-rows.ts';
import {
  type Column,
  changeColumns,
  columnOf,
  columns,
  figureColumnsOf,
  grid,
  type MarkColumn,
  roomFor,
  rowPx,
  width,
} from './table-columns.ts';
import { TableLine, tableRowId } from './table-row.tsx';

const noFields: readonly Field[] = [];
const noMarks: readonly MarkColumn[] = [];

/** The focused branch as a treegrid, with the same selection, focus and keys as the charts. */
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
  const ranked = useLook((state) => state.ranked);
  const figures = figureColumnsOf(tree);
  const isCompared = useLook((state) => state.vs !== undefined);
  const marks = isCompared ? changeColumns : noMarks;
  const scroller = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree is one object that grows; its version says when
  const lines = useMemo(
    () =>
      tree.size === 0
        ? []
        : outlineRows(tree, focus, new Set([...expanded, focus]), listedChildren(tree, sort, ranked)),
    [tree, treeVersion, focus, expanded, sort, ranked],
  );
  const current = selected === none ? focus : selected;
  const currentAt = lines.findIndex((line) => line.kind === 'node' && line.row === current);
  const pointedAt = useLook(litRow);
  const { content } = tree;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row refers to another node in other content
  const lit = useMemo(() => new Set(pointedAt === none ? [] : pathTo(tree, pointedAt)), [tree, content, pointedAt]);
  // The header overlays the rows.
  const list = useLongList(scroller, { count: lines.length, linePx: rowPx, abovePx: rowPx, more: 10 });
  // The table may load long after the chart that had the focus is gone.
  useEffect(() => {
    const cameLater = explorer.store.getInitialState().view !== 'table';
    if (cameLater && document.activeElement === document.body) scroller.current?.focus();
  }, [explorer]);
  const { bringIntoSight } = list;
  const latestAt = useRef(currentAt);
  latestAt.current = currentAt;
  const isListed = currentAt >= 0;
  // If rows are inserted above or the order changes, keep the scroll position: following the row would interrupt
  // reading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll when the row changes, not when it moves
  useEffect(() => {
    if (isListed) bringIntoSight(latestAt.current);
  }, [current, isListed, bringIntoSight]);

  useMoreInSight(
    list.lines.map((index) => lines[index]!),
    new Set([...expanded, focus]),
    { sort, ranked, want: explorer.wantRanked },
  );

  function goTo(index: number): void {
    const line = lines[Math.min(lines.length - 1, Math.max(0, index))];
    if (line?.kind === 'node') explorer.select(line.row);
    else if (line) askForMore(explorer, line.row, { sort, want: explorer.wantRanked });
  }

  function press(event: KeyboardEvent): void {
    const row = lines[currentAt]?.row ?? focus;
    const isOpen = expanded.has(row) || row === focus;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 2);
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => goTo(currentAt + 1),
      ArrowUp: () => goTo(currentAt - 1),
      Home: () => goTo(0),
      End: () => goTo(lines.length - 1),
      PageDown: () => goTo(currentAt + page),
      PageUp: () => goTo(currentAt - page),
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
        className="group min-h-0 flex-1 overflow-auto outline-none"
        style={roomFor(figures, fields.length + marks.length)}
        aria-describedby={notesId}
      >
        <div
          role="row"
          tabIndex={-1}
          aria-rowindex={1}
          className={classNames(grid, 'sticky top-0 z-10 h-9 border-b border-line bg-sunken text-small')}
        >
          {[...columns, ...figures, ...fields.map(columnOf)].map(({ id, title, isText = false }: Column) => (
            <Head
              key={id}
              id={id}
              title={title}
              isText={isText}
              sort={sort}
              onSort={() => {
                explorer.sortTable(nextSort(sort, id, isText));
                bringIntoSight(0);
              }}
            />
          ))}
          {marks.map(({ id, title }) => (
            <div key={id} role="columnheader" tabIndex={-1} className="flex items-center px-3 font-semibold text-muted">
              <span className="truncate">{title}</span>
            </div>
          ))}
        </div>
        <div
          role="rowgroup"
          onPointerLeave={() => explorer.hover(none)}
          className={classNames('relative', width)}
          style={{ height: list.heightPx }}
        >
          {list.lines.map((index) => {
            const line = lines[index]!;
            return (
              <TableLine
                key={index}
                line={line}
                figures={figures}
                fields={fields}
                marks={marks}
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

/** Explains the sort order and the asterisks on figures. */
function Notes({ isSorted }: { isSorted: boolean }) {
  const { tree } = useExplorer();
  const isFaint = useLook((state) => state.isFaint && state.filter !== '');
  useLook((state) => state.treeVersion);
  const isByVolume = !isSorted && tree.size > 0 && tree.volumeKnown[0]! > 0;
  return (
    <p
      id={notesId}
      className="m-0 flex flex-wrap gap-x-4 border-t border-line bg-surface px-3 py-1 text-micro text-muted"
    >
      <span>* known for a part of the keywords</span>
      {isByVolume && <span>Highest volume first</span>}
      {isSorted && isFaint && !tree.isComplete && (
        <span>With the rest shown, only branches that are here whole are sorted</span>
      )}
    </p>
  );
}

const notesId = 'table-notes';
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
