// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are positioned, which table elements do not allow
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: each role of a grid supports the attributes of its elements
// biome-ignore-all lint/a11y/noStaticElementInteractions: as above
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid handles the keys (aria-activedescendant)
import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { classNames } from './class-names.ts';
import { type GridColumn, pinned, tracksOf } from './grid-columns.ts';
import { type Arranging, GridHead } from './grid-head.tsx';
import { addsTo } from './keys.ts';
import { useLongList } from './long-list.ts';
import { rankAfter } from './row-selection.ts';

/** What the gestures on rows do, by rank. A grid that selects nothing has only `move`. */
export type RowGestures = {
  readonly move: (rank: number) => void;
  /** Picks a row, or puts it back. */
  readonly toggle?: (rank: number) => void;
  /** The same by a click with ⌘ or Ctrl. */
  readonly add?: (rank: number) => void;
  readonly extend?: (rank: number) => void;
  readonly all?: () => void;
};

type Props = {
  /** Prefix of the IDs of rows and cells. */
  readonly id: string;
  readonly role: 'grid' | 'treegrid' | 'tree';
  /** The accessible name, and other attributes of the element that scrolls. */
  readonly label: string;
  readonly attributes?: ComponentProps<'div'>;
  /** The element that scrolls and has the focus, for parents that need it. */
  readonly scroller?: RefObject<HTMLDivElement | null>;
  /** None for a tree, which has one column without a head. */
  readonly columns?: readonly GridColumn[];
  readonly arranging?: Arranging;
  readonly count: number;
  /** Names a row in the document; a row that moves keeps its name. */
  readonly keyAt: (rank: number) => string | number;
  readonly rowPx: number;
  /** Padding above the first row of a grid without a head. */
  readonly paddingPx?: number;
  /** The rank that keys act on; -1 for none. */
  readonly cursor: number;
  /** The grid scrolls to the cursor when this changes; by default, when the cursor does. Null for not now. */
  readonly moves?: string | number | null;
  readonly isPicked?: (rank: number) => boolean;
  readonly gestures: RowGestures;
  /** By key. They come before the keys of the grid; false means that the key is left to others. */
  readonly keys?: Readonly<Record<string, (rank: number, event: KeyboardEvent) => unknown>>;
  /** Handles a key before everything else. @returns whether it did */
  readonly onKey?: (event: KeyboardEvent) => boolean;
  /** Handles a click on a row before everything else. @returns whether it did */
  readonly onRowClick?: (rank: number, event: MouseEvent) => boolean;
  readonly onOpen?: (rank: number) => void;
  readonly onMenu?: (rank: number, at: { readonly x: number; readonly y: number }) => void;
  /** Called with the ranks in sight and around it, the end excluded; again when the function changes. */
  readonly onSight?: (first: number, end: number) => void;
  /** Draws a row with `GridRow`. */
  readonly row: (frame: RowFrame) => ReactNode;
  /** Instead of the rows. */
  readonly placeholder?: ReactNode;
  readonly rowsClass?: string;
  /** Nothing is selected: the row under the cursor looks like any other. */
  readonly isIdle?: boolean;
  /** The page scrolls, and the cursor takes the focus from row to row: for rows full of controls. */
  readonly isPage?: boolean;
};

/** What all rows of a grid have in common. The same object until the columns change. */
type GridFrame = {
  readonly id: string;
  readonly role: Props['role'];
  readonly columns: readonly GridColumn[];
  readonly template: string;
  readonly minWidth: string;
  readonly rowPx: number;
  readonly isPage: boolean;
  readonly click: (rank: number, event: MouseEvent) => void;
  readonly open: ((rank: number) => void) | undefined;
  readonly menu: ((rank: number, event: MouseEvent) => void) | undefined;
  readonly edit: (rank: number, column: number) => void;
  readonly endEdit: () => void;
};

export type RowFrame = {
  readonly grid: GridFrame;
  readonly rank: number;
  readonly rowKey: string | number;
  readonly top: number;
  readonly isCursor: boolean;
  /** Whether it is shown and announced as the row that the cursor is on. */
  readonly isCurrent: boolean;
  /** The index of the column that keys act on; -1 for the row. */
  readonly cell: number;
  readonly isEditing: boolean;
  readonly isPicked: boolean;
};

/** The ID of the element of a row. */
export const gridRowId = (id: string, key: string | number): string => `${id}-${key}`;
const gridCellId = (rowId: string, column: number): string => `${rowId}-cell-${column}`;

const noColumns: readonly GridColumn[] = [];
const noneIsPicked = () => false;
/** Overscan, and for lists of which a page shows the whole: the browser finds text in them. */
const [aroundRows, wholePage] = [10, 100];

/**
 * Rows by rank, of any number, with a cursor and a selection. Only those in sight are in the document.
 *
 * The grid has the focus and points at its cursor (`aria-activedescendant`), unless its rows take it (`isPage`).
 * Sources: WAI-ARIA Authoring Practices, "Grid", "Treegrid" and "Tree View" patterns.
 */
export function DataGrid(props: Props) {
  const { id, role, columns = noColumns, count, rowPx, cursor, isPage = false, isPicked = noneIsPicked } = props;
  const ownScroller = useRef<HTMLDivElement>(null);
  const scroller = props.scroller ?? ownScroller;
  const [cell, setCell] = useState(-1);
  const [isEditing, setEditing] = useState(false);
  const hasHead = columns.length > 0;
  const { paddingPx = 0 } = props;
  const abovePx = isPage ? pageHeadPx : hasHead ? rowPx : paddingPx;
  const list = useLongList(scroller, {
    count,
    linePx: rowPx,
    abovePx,
    aroundPx: hasHead ? abovePx : 2 * paddingPx,
    more: isPage && count <= wholePage ? wholePage : aroundRows,
    // What the focus is on, or is pointed at, must be in the document wherever the list is scrolled to.
    always: cursor,
    isPage,
  });
  const { bringIntoSight } = list;
  const moved = useRef<unknown>(undefined);
  const { moves = cursor } = props;
  // Rows that come or go above the cursor do not scroll: following it would interrupt reading.
  useEffect(() => {
    if (isPage || moves === null || moved.current === moves) return;
    const isListed = cursor >= 0 && cursor < count;
    moved.current = isListed ? moves : undefined;
    if (isListed) bringIntoSight(cursor);
  }, [moves, cursor, count, isPage, bringIntoSight]);
  const [first, end] = list.visible;
  const { onSight } = props;
  useEffect(() => onSight?.(first, end), [onSight, first, end]);

  /** The current properties for event handlers, so that they do not cause a re-render. */
  const latest = useRef(props);
  latest.current = props;
  const click = useCallback((rank: number, event: MouseEvent) => {
    const { gestures, onRowClick } = latest.current;
    if (onRowClick?.(rank, event)) return;
    if (event.shiftKey && gestures.extend) gestures.extend(rank);
    else if (addsTo(event) && gestures.add) gestures.add(rank);
    else gestures.move(rank);
  }, []);
  const edit = useCallback((rank: number, column: number) => {
    if (!latest.current.columns?.[column]?.isEditable) return;
    latest.current.gestures.move(rank);
    setCell(column);
    setEditing(true);
  }, []);
  const hasOpen = props.onOpen !== undefined;
  const hasMenu = props.onMenu !== undefined;
  const { template, minWidth } = useMemo(() => tracksOf(columns), [columns]);
  const grid = useMemo<GridFrame>(
    () => ({
      ...{ id, role, columns, template, minWidth, rowPx, isPage, click, edit },
      open: hasOpen ? (rank) => latest.current.onOpen?.(rank) : undefined,
      menu: hasMenu
        ? (rank, event) => {
            event.preventDefault();
            const frame = scroller.current!.getBoundingClientRect();
            latest.current.onMenu?.(rank, { x: event.clientX - frame.left, y: event.clientY - frame.top });
          }
        : undefined,
      endEdit: () => {
        setEditing(false);
        scroller.current?.focus();
      },
    }),
    [id, role, columns, template, minWidth, rowPx, isPage, click, edit, hasOpen, hasMenu, scroller],
  );

  function press(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const row = isPage ? target.closest<HTMLElement>('[role=row]') : scroller.current;
    // Heads, menus and editors have keys of their own.
    if ((!isPage && event.defaultPrevented) || !row) return;
    const rank = isPage ? Number(row.getAttribute('aria-rowindex')) - 2 : cursor;
    if (isPage && (rank < 0 || event.altKey)) return;
    const act =
      (isPage ? walk(row, target, event.key) : undefined) ?? (target === row ? actOf(event, rank) : undefined);
    const isHandled = (target === row && props.onKey?.(event)) || (act && act() !== false);
    if (!isHandled) return;
    event.preventDefault();
    // A list that a control has opened is closed by the same key.
    if (!isPage) event.stopPropagation();
  }

  function actOf(event: KeyboardEvent, rank: number): (() => unknown) | undefined {
    const { gestures, keys, onOpen, onMenu } = props;
    const { key, shiftKey } = event;
    if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) {
      return onMenu && (() => onMenu(rank, belowRow(rank)));
    }
    if (event.altKey) return undefined;
    if (event.metaKey || event.ctrlKey) return key === 'a' ? gestures.all : undefined;
    const viewPx = isPage ? window.innerHeight - aroundPagePx : (scroller.current?.clientHeight ?? 0) - abovePx;
    const page = Math.max(1, Math.floor(viewPx / rowPx) - (isPage ? 0 : 1));
    const to = rankAfter(key, rank, count, page);
    if (to !== undefined) return () => (shiftKey && gestures.extend ? gestures.extend(to) : gestures.move(to));
    // Letters mean the same while Caps Lock is on.
    const named = key.length === 1 && !shiftKey ? key.toLowerCase() : key;
    const own = keys && Object.hasOwn(keys, named) ? keys[named] : undefined;
    // A cursor in a cell returns to the row first.
    if (own && !(key === 'Escape' && cell >= 0)) return () => own(rank, event);
    const editable = cell < 0 ? columns.findIndex((one) => one.isEditable) : cell;
    const acts: Readonly<Record<string, (() => unknown) | undefined>> = {
      ArrowRight: hasHead && !isPage ? () => setCell(cellAfter(columns, cell, 1)) : undefined,
      ArrowLeft: hasHead && !isPage ? () => setCell(cellAfter(columns, cell, -1)) : undefined,
      Escape: cell >= 0 ? () => setCell(-1) : undefined,
      ' ': gestures.toggle && (() => gestures.toggle?.(rank)),
      F2: columns[editable]?.isEditable ? () => edit(rank, editable) : undefined,
      Enter: columns[cell]?.isEditable ? () => edit(rank, cell) : onOpen && (() => onOpen(rank)),
    };
    return Object.hasOwn(acts, key) ? acts[key] : undefined;
  }

  /** Where a menu that a key opens is placed. */
  function belowRow(rank: number): { x: number; y: number } {
    const frame = scroller.current!.getBoundingClientRect();
    const row = document.getElementById(gridRowId(id, props.keyAt(rank)))?.getBoundingClientRect();
    return { x: 40, y: (row?.bottom ?? frame.top) - frame.top };
  }

  const takeFocus = () => scroller.current?.focus({ preventScroll: true });
  const isDrawn = cursor >= 0 && cursor < count && list.lines.includes(cursor);
  const currentId = isDrawn ? gridRowId(id, props.keyAt(cursor)) : undefined;
  const pointedAt = currentId === undefined || cell < 0 ? currentId : gridCellId(currentId, cell);
  const { className, ...attributes } = props.attributes ?? {};
  return (
    <div
      {...attributes}
      ref={scroller}
      role={role}
      aria-label={props.label}
      aria-multiselectable="true"
      {...(hasHead && { 'aria-rowcount': count + 1, 'aria-colcount': columns.length })}
      {...(!isPage && {
        tabIndex: 0,
        'aria-activedescendant': pointedAt,
        // A press on a row, or on what is in it, would leave the keyboard there. Menus are elsewhere in the document.
        onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
          const isInside = target.tabIndex < 0 && currentTarget.contains(target);
          // A row that can be dragged must have the focus until it is let go.
          if (isInside && !target.draggable) takeFocus();
        },
        onMouseUp: ({ currentTarget }: MouseEvent) => isDraggedIn(currentTarget) && takeFocus(),
        onDragEnd: takeFocus,
      })}
      onKeyDown={press}
      className={classNames('group/grid @container outline-none', !isPage && 'overflow-auto', className)}
    >
      {hasHead && <GridHead grid={grid} arranging={props.arranging} />}
      {props.placeholder ?? (
        <div
          role={hasHead ? 'rowgroup' : 'presentation'}
          className={classNames('relative', props.rowsClass)}
          style={{ height: list.heightPx, minWidth }}
        >
          {list.lines.map((rank) =>
            props.row({
              grid,
              rank,
              rowKey: props.keyAt(rank),
              top: list.topOf(rank),
              isCursor: rank === cursor,
              isCurrent: rank === cursor && !isPage && props.isIdle !== true,
              cell: rank === cursor ? cell : -1,
              isEditing: rank === cursor && isEditing,
              isPicked: isPicked(rank),
            }),
          )}
        </div>
      )}
    </div>
  );
}

/** On a page: the height of the heads, and of what surrounds the rows in the viewport with a bar below them. */
const [pageHeadPx, aroundPagePx] = [40, 200];

/** Whether a row that can be dragged has the focus. */
const isDraggedIn = (grid: Element): boolean =>
  document.activeElement?.matches('[draggable=true]') === true && grid.contains(document.activeElement);

/** Moves the focus from the row through its controls and back. */
function walk(row: HTMLElement, from: HTMLElement, key: string): (() => void) | undefined {
  if (key === 'Escape' && from !== row) return () => row.focus();
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return undefined;
  const controls = [...row.querySelectorAll<HTMLElement>('button, a[href], input')].filter(
    (one) => one.tabIndex >= 0 && one.offsetParent !== null && !one.matches(':disabled, [aria-hidden=true]'),
  );
  const stops = [row, ...controls];
  const next = stops[stops.indexOf(from) + (key === 'ArrowRight' ? 1 : -1)];
  return next && (() => next.focus());
}

/** The next column that the cell cursor stops at; -1 before the first one, which is the row. */
function cellAfter(columns: readonly GridColumn[], cell: number, by: 1 | -1): number {
  let next = cell + by;
  while (columns[next]?.isControl) next += by;
  return next >= columns.length ? cell : Math.max(-1, next);
}

type RowLook = {
  /** Whether keys act on it. */
  readonly isCurrent: boolean;
  /** Whether it is one of the selected or compared rows. */
  readonly isSelected: boolean;
};

/**
 * How a row of a list looks. Selected rows are tinted, and have a tick or a number; the current row has a bar at its start
 * and bold text, so both can be distinguished without colour. The row must be positioned.
 */
const rowLook = ({ isCurrent, isSelected }: RowLook): string =>
  classNames(
    isSelected
      ? 'bg-brand-soft text-brand-ink'
      : isCurrent
        ? 'bg-sunken text-ink'
        : 'bg-surface text-ink hover:bg-sunken',
    // A border, which forced colours keep.
    isCurrent &&
      'font-semibold before:pointer-events-none before:absolute before:inset-y-0 before:left-0 before:z-[2] before:border-brand before:border-l-4',
  );

type RowProps = Omit<ComponentProps<'div'>, 'ref' | 'children'> & {
  readonly frame: RowFrame;
  /** Of a row in a tree; without `isOpen` it has no children, and without a position it is not a node. */
  readonly branch?: {
    readonly level: number;
    readonly position?: number;
    readonly of?: number;
    readonly isOpen?: boolean | undefined;
  };
  /** Whether it is shown and announced as selected, if that differs from the selection of its grid. */
  readonly isSelected?: boolean;
  /** The content of a cell; of a cell that is edited, its editor. */
  readonly cell?: (column: GridColumn, isEditing: boolean) => ReactNode;
  /** Instead of cells. */
  readonly children?: ReactNode;
  /** Attributes that some cells have. */
  readonly cellProps?: (column: GridColumn) => ComponentProps<'div'>;
};

/** A row of a grid. Write it inside of a memoised component: the pointer crosses many rows and changes few of them. */
export function GridRow({ frame, branch, cell, cellProps, children, className, style, ...attributes }: RowProps) {
  const { grid, rank, rowKey, top, isCursor, isCurrent, isPicked, isEditing } = frame;
  const { role, columns, isPage } = grid;
  const { isSelected = isPicked, ...others } = attributes;
  const id = gridRowId(grid.id, rowKey);
  const isTree = role === 'tree';
  const { level, position, of, isOpen } = branch ?? {};
  const isNode = !branch || position !== undefined;
  return (
    <div
      id={id}
      role={isTree ? 'treeitem' : 'row'}
      tabIndex={-1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={of}
      aria-rowindex={isTree ? undefined : rank + 2}
      aria-selected={isNode || isTree ? isSelected || (isCurrent && isNode) : undefined}
      aria-current={isCurrent || undefined}
      aria-expanded={isOpen}
      {...(isNode &&
        !isPage && {
          onClick: (event: MouseEvent) => grid.click(rank, event),
          onDoubleClick: grid.open && (() => grid.open?.(rank)),
          onContextMenu: grid.menu && ((event: MouseEvent) => grid.menu?.(rank, event)),
        })}
      {...others}
      className={classNames(
        className,
        'group/row absolute inset-x-0 items-center',
        cell && 'grid border-b border-line text-small',
        !isPage && isNode && 'cursor-pointer',
        isNode && rowLook({ isCurrent, isSelected }),
        // Above pinned cells, which cover what scrolls below them.
        isCursor &&
          !isPage &&
          frame.cell < 0 &&
          'after:pointer-events-none after:absolute after:inset-0 after:z-[2] group-focus-visible/grid:after:outline-2 group-focus-visible/grid:after:-outline-offset-2 group-focus-visible/grid:after:outline-focus',
        isEditing && 'z-10',
      )}
      style={{ top, height: grid.rowPx, ...(cell && { gridTemplateColumns: grid.template }), ...style }}
    >
      {children}
      {cell &&
        columns.map((column, index) => {
          const isCell = isCursor && frame.cell === index;
          const { className: pinnedClass, left } = pinned(columns, index);
          return (
            <div
              key={column.id}
              id={gridCellId(id, index)}
              role="gridcell"
              tabIndex={-1}
              aria-colindex={index + 1}
              aria-readonly={columns.some((one) => one.isEditable) ? !column.isEditable : undefined}
              // What is in it is pressed, and not the row.
              onClick={column.isControl ? (event) => event.stopPropagation() : undefined}
              onDoubleClick={column.isEditable ? () => grid.edit(rank, index) : undefined}
              {...cellProps?.(column)}
              className={classNames(
                'relative flex h-full min-w-0 items-center tabular-nums',
                !column.isControl && 'px-2.5',
                !column.isText && 'justify-end',
                pinnedClass !== '' && `${pinnedClass} z-[1] bg-inherit`,
                isCell && !isEditing && 'outline-2 -outline-offset-2 outline-focus',
                cellProps?.(column).className,
              )}
              style={{ left }}
            >
              {cell(column, isCell && isEditing)}
            </div>
          );
        })}
    </div>
  );
}
