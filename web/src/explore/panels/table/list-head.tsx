// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are positioned, which table elements do not allow
import { readSort } from '@kc/pack/levels/row-sort';
import { ArrowDown, ArrowUp, ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx';
import {
  leastWidth,
  mostWidth,
  moveColumn,
  resizeColumn,
  type ShownColumn,
  toggleColumn,
} from '../../model/list-columns.ts';
import { nextRowSort, sortBy, startsHigh } from '../../model/list-query.ts';
import { sortOf } from '../../model/table-list.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

/** How far an arrow key moves the edge of a column. */
const stepPx = 16;

type HeadProps = {
  readonly columns: readonly ShownColumn[];
  /** Called before the list is shown in another order. */
  readonly onSort: () => void;
};

/** The heads of the columns: each sorts, has a menu, and an edge to resize it by. */
export function ListHead({ columns, onSort }: HeadProps) {
  return columns.map((column, index) => (
    <Head key={column.id} column={column} columns={columns} index={index} onSort={onSort} />
  ));
}

function Head({ column, columns, index, onSort }: HeadProps & { column: ShownColumn; index: number }) {
  const { store } = useExplorer();
  const sort = useLook(sortOf);
  const keys = readSort(sort) ?? [];
  const { id, title, isText, order, sortBy: by } = column;
  const place = by === undefined ? -1 : keys.findIndex((key) => key.by === by);
  const mine = keys[place];
  const menu = useRef<HTMLButtonElement>(null);
  const setSort = (text: string) => {
    onSort();
    store.setState({ rowSort: text });
  };
  const setCols = (cols: string) => store.setState({ cols });
  const Arrow = mine?.descending ? ArrowDown : ArrowUp;
  const said = mine && `, sort key ${place + 1}, ${mine.descending ? 'descending' : 'ascending'}`;
  return (
    <div
      role="columnheader"
      tabIndex={-1}
      aria-colindex={index + 1}
      aria-sort={place === 0 ? (mine!.descending ? 'descending' : 'ascending') : by === undefined ? undefined : 'none'}
      className={classNames(
        'group/head relative flex min-w-0 items-center bg-sunken',
        index === 0 && 'sticky left-0 z-10 border-r border-line',
      )}
      onKeyDown={(event: KeyboardEvent) => {
        const isAdded = event.key === 'Enter' && event.shiftKey && event.target instanceof HTMLElement;
        if (event.altKey && event.key === 'ArrowDown') menu.current?.click();
        else if (isAdded && by !== undefined && event.target !== menu.current)
          setSort(nextRowSort(sort, by, order, true));
        else return;
        event.preventDefault();
      }}
    >
      {by === undefined ? (
        <span className="min-w-0 flex-1 truncate px-2.5 font-semibold text-muted">{title}</span>
      ) : (
        <button
          type="button"
          title={title}
          onClick={({ shiftKey }) => setSort(nextRowSort(sort, by, order, shiftKey))}
          className={classNames(
            'flex h-full min-w-0 flex-1 items-center gap-0.5 px-2.5 font-semibold text-muted hover:text-ink focus-visible:-outline-offset-2',
            !isText && 'justify-end',
          )}
        >
          <span dir="auto" className="truncate">
            {title}
            {said && <span className="sr-only">{said}</span>}
          </span>
          {mine && (
            <span aria-hidden="true" className="flex shrink-0 items-center text-ink">
              {keys.length > 1 && <span className="text-micro">{place + 1}</span>}
              <Arrow size={14} />
            </span>
          )}
        </button>
      )}
      <Menu
        align="end"
        trigger={
          <button
            ref={menu}
            type="button"
            aria-label={`Options of ${title}`}
            className="absolute right-1 flex size-6 items-center justify-center rounded-chip bg-sunken text-muted opacity-0 hover:bg-line hover:text-ink focus-visible:opacity-100 aria-expanded:opacity-100 group-hover/head:opacity-100 touch:hidden"
          >
            <ChevronDown size={14} aria-hidden="true" />
          </button>
        }
      >
        {by !== undefined && (
          <>
            <MenuItem onSelect={() => setSort(sortBy(sort, by, false, false))}>Sort ascending</MenuItem>
            <MenuItem onSelect={() => setSort(sortBy(sort, by, true, false))}>Sort descending</MenuItem>
            {place < 0 && (
              <MenuItem onSelect={() => setSort(sortBy(sort, by, startsHigh(order), true))}>Then by {order}</MenuItem>
            )}
            <MenuSeparator />
          </>
        )}
        {id !== 'name' && <MenuItem onSelect={() => setCols(toggleColumn(columns, column))}>Hide</MenuItem>}
        <MenuItem disabled={index < 2} onSelect={() => setCols(moveColumn(columns, id, -1))}>
          Move left
        </MenuItem>
        <MenuItem
          disabled={index < 1 || index === columns.length - 1}
          onSelect={() => setCols(moveColumn(columns, id, 1))}
        >
          Move right
        </MenuItem>
      </Menu>
      <Edge column={column} onResize={(px) => setCols(resizeColumn(columns, id, px))} />
    </div>
  );
}

/** The right edge of a column. Dragging and the arrow keys move it. */
function Edge({ column, onResize }: { column: ShownColumn; onResize: (px: number) => void }) {
  const { title, shownWidth, width } = column;
  const edge = useRef<HTMLDivElement>(null);
  const from = useRef<{ x: number; width: number }>(undefined);
  /** A column that nobody has resized may be wider than it asks for. */
  const drawnWidth = () => edge.current!.parentElement!.offsetWidth;
  const steps: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => onResize(drawnWidth() - stepPx),
    ArrowRight: () => onResize(drawnWidth() + stepPx),
    Home: () => onResize(leastWidth),
    End: () => onResize(mostWidth),
    Enter: () => onResize(width),
  };
  return (
    <div
      ref={edge}
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${title}`}
      aria-valuenow={shownWidth}
      aria-valuemin={leastWidth}
      aria-valuemax={mostWidth}
      tabIndex={0}
      onKeyDown={(event) => {
        const step = steps[event.key];
        if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        step();
      }}
      onDoubleClick={() => onResize(width)}
      onPointerDown={(event: PointerEvent<HTMLDivElement>) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, width: drawnWidth() };
      }}
      onPointerMove={({ clientX }) => from.current && onResize(from.current.width + clientX - from.current.x)}
      onPointerUp={() => {
        from.current = undefined;
      }}
      onPointerCancel={() => {
        from.current = undefined;
      }}
      className="absolute inset-y-0 -right-1 z-10 w-2 cursor-col-resize touch-none before:absolute before:inset-y-2 before:left-[3px] before:w-px before:bg-line-strong hover:before:w-0.5 hover:before:bg-brand focus-visible:outline-2 focus-visible:outline-focus"
    />
  );
}
