// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are positioned, which table elements do not allow
import { ArrowDown, ArrowUp, ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { type GridColumn, pinned } from './grid-columns.ts';
import { Menu, MenuItem } from './menu.tsx';

/** How the columns of a grid can be arranged; the first one stays where it is. */
export type Arranging = {
  /** In CSS pixels. */
  readonly minColumnWidth: number;
  readonly maxColumnWidth: number;
  readonly onResize: (id: string, px: number) => void;
  /** @param to the index that the column gets, from 1 */
  readonly onMove: (id: string, to: number) => void;
  /** In the menu of a column, above those that move it. */
  readonly menu: (column: GridColumn) => ReactNode;
};

/** How far an arrow key moves the edge of a column. */
const stepPx = 16;
/** Dead zone of a drag: a press that moves less is a click. */
const slackPx = 6;

type HeadProps = {
  readonly grid: {
    readonly columns: readonly GridColumn[];
    readonly template: string;
    readonly minWidth: string;
    readonly rowPx: number;
    readonly isPage: boolean;
  };
  readonly arranging: Arranging | undefined;
};

/** The heads of the columns. Each sorts; if columns can be arranged, it is dragged, and has a menu and an edge. */
export function GridHead({ grid, arranging }: HeadProps) {
  const { columns, template, minWidth, rowPx, isPage } = grid;
  /** Where a dragged column would be dropped: before the column of this index. */
  const [target, setTarget] = useState<number>();
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={1}
      className={classNames(
        'sticky grid w-full border-b border-line bg-sunken text-small',
        isPage ? 'top-(--header) z-10 h-10 rounded-t-card' : 'top-0 z-20',
      )}
      style={{ height: isPage ? undefined : rowPx, gridTemplateColumns: template, minWidth }}
    >
      {columns.map((column, index) => (
        <Head
          key={column.id}
          grid={grid}
          column={column}
          index={index}
          arranging={arranging}
          isTarget={target === index}
          onTarget={setTarget}
        />
      ))}
    </div>
  );
}

type OneHeadProps = HeadProps & {
  readonly column: GridColumn;
  readonly index: number;
  readonly isTarget: boolean;
  readonly onTarget: (index: number | undefined) => void;
};

function Head({ grid, column, index, arranging, isTarget, onTarget }: OneHeadProps) {
  const { columns } = grid;
  const { id, title, isText, sort, head } = column;
  const menu = useRef<HTMLButtonElement>(null);
  const drag = useColumnDrag(index >= 1 && columns.length > 2 ? arranging : undefined, column, index, onTarget);
  const { direction, place, of = 1 } = sort ?? {};
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp;
  const isFirstKey = direction !== undefined && (place ?? 1) === 1;
  const moveTo = (to: number) => to >= 1 && to < columns.length && index >= 1 && arranging?.onMove(id, to);
  const { className, left } = pinned(columns, index);
  return (
    <div
      role="columnheader"
      tabIndex={-1}
      aria-colindex={index + 1}
      aria-sort={isFirstKey ? direction : undefined}
      className={classNames(
        'group/head flex min-w-0 items-center bg-sunken first:rounded-tl-[inherit] last:rounded-tr-[inherit]',
        className === '' ? 'relative' : `${className} z-10`,
        isTarget && 'shadow-[inset_3px_0_0_var(--brand)]',
      )}
      style={{ left }}
      onKeyDown={(event: KeyboardEvent) => {
        const { key, shiftKey, altKey } = event;
        const isMenu = event.target === menu.current;
        if (altKey && key === 'ArrowDown' && arranging) menu.current?.click();
        else if (shiftKey && key === 'Enter' && sort && !isMenu) sort.onSort(true);
        else if (shiftKey && key === 'ArrowLeft' && arranging) moveTo(index - 1);
        else if (shiftKey && key === 'ArrowRight' && arranging) moveTo(index + 1);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
      {...drag}
    >
      {head ??
        (sort ? (
          <button
            type="button"
            title={title}
            onClick={({ shiftKey }) => sort.onSort(shiftKey)}
            className={classNames(
              'flex h-full min-w-0 flex-1 items-center gap-0.5 px-2.5 font-semibold text-muted hover:text-ink focus-visible:-outline-offset-2',
              !isText && 'justify-end',
            )}
          >
            <span dir="auto" className="truncate">
              {title}
              {place !== undefined && <span className="sr-only">{`, sort key ${place}, ${direction}`}</span>}
            </span>
            {direction && (
              <span aria-hidden="true" className="flex shrink-0 items-center text-ink">
                {of > 1 && <span className="text-micro">{place}</span>}
                <Arrow size={14} strokeWidth={2} />
              </span>
            )}
          </button>
        ) : (
          <span className="min-w-0 flex-1 truncate px-2.5 font-semibold text-muted">{title}</span>
        ))}
      {arranging && (
        <>
          <Menu
            align="end"
            trigger={
              <button
                ref={menu}
                type="button"
                aria-label={`Options of ${title}`}
                className="absolute right-1 flex size-6 items-center justify-center rounded-chip bg-sunken text-muted opacity-0 hover:bg-line hover:text-ink focus-visible:opacity-100 aria-expanded:opacity-100 group-hover/head:opacity-100 touch:hidden"
              >
                <ChevronDown size={14} strokeWidth={2} />
              </button>
            }
          >
            {arranging.menu(column)}
            <MenuItem disabled={index < 2} onSelect={() => moveTo(index - 1)}>
              Move left
            </MenuItem>
            <MenuItem disabled={index < 1 || index === columns.length - 1} onSelect={() => moveTo(index + 1)}>
              Move right
            </MenuItem>
          </Menu>
          <Edge column={column} arranging={arranging} />
        </>
      )}
    </div>
  );
}

/** Drags a column to another place. A press that hardly moves stays a click. */
function useColumnDrag(
  arranging: Arranging | undefined,
  { id }: GridColumn,
  index: number,
  onTarget: (index: number | undefined) => void,
) {
  const from = useRef<number>(undefined);
  const to = useRef<number>(undefined);
  if (!arranging) return {};
  const end = () => {
    from.current = undefined;
    to.current = undefined;
    onTarget(undefined);
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button === 0 && event.pointerType === 'mouse') from.current = event.clientX;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (from.current === undefined) return;
      if (to.current === undefined) {
        if (Math.abs(event.clientX - from.current) < slackPx) return;
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      to.current = indexAt(event.currentTarget.parentElement!, event.clientX);
      onTarget(to.current === index ? undefined : to.current);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const found = to.current;
      if (found !== undefined) {
        // The click that follows would sort.
        const head = event.currentTarget;
        const stop = (click: Event) => click.stopPropagation();
        head.addEventListener('click', stop, { capture: true, once: true });
        setTimeout(() => head.removeEventListener('click', stop, { capture: true }));
        if (found !== index) arranging.onMove(id, found);
      }
      end();
    },
    onPointerCancel: end,
  };
}

/** The index of the column at a place of the screen; nothing can be dropped before the first one. */
function indexAt(row: HTMLElement, x: number): number {
  const heads = [...row.children];
  const found = heads.findIndex((head) => x < head.getBoundingClientRect().right);
  return Math.max(1, found < 0 ? heads.length - 1 : found);
}

/** The right edge of a column. Dragging and the arrow keys move it. */
function Edge({ column, arranging }: { column: GridColumn; arranging: Arranging }) {
  const { id, title, shownWidth, width } = column;
  const { minColumnWidth, maxColumnWidth } = arranging;
  const onResize = (px: number) => arranging.onResize(id, px);
  const edge = useRef<HTMLDivElement>(null);
  const from = useRef<{ x: number; width: number }>(undefined);
  /** A column that was not resized may be wider than its own width. */
  const drawnWidth = () => edge.current!.parentElement!.offsetWidth;
  const steps: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => onResize(drawnWidth() - stepPx),
    ArrowRight: () => onResize(drawnWidth() + stepPx),
    Home: () => onResize(minColumnWidth),
    End: () => onResize(maxColumnWidth),
    Enter: () => onResize(width),
  };
  const end = () => {
    from.current = undefined;
  };
  return (
    <div
      ref={edge}
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${title}`}
      aria-valuenow={shownWidth}
      aria-valuemin={minColumnWidth}
      aria-valuemax={maxColumnWidth}
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
        // The head below it would be dragged.
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, width: drawnWidth() };
      }}
      onPointerMove={({ clientX }) => from.current && onResize(from.current.width + clientX - from.current.x)}
      onPointerUp={end}
      onPointerCancel={end}
      className="absolute inset-y-0 -right-1 z-10 w-2 cursor-col-resize touch-none before:absolute before:inset-y-2 before:left-[3px] before:w-px before:bg-line-strong hover:before:w-0.5 hover:before:bg-brand focus-visible:outline-2 focus-visible:outline-focus"
    />
  );
}
