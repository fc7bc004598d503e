import { ChevronDown, ChevronRight, Ellipsis } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { useMedia } from '../../../ui/environment.ts';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { compact, compactKeywordsOf, counted } from '../../format/figure-text.ts';
import { pathTo, siblingsOf } from '../../model/tree-walk.ts';
import { none } from '../../tree-data/columns.ts';
import { litRow, useExplorer, useLook } from '../explorer-context.ts';

/** The most siblings that the menu lists, around the current one. For more, search is better than reading. */
const maxSiblings = 50;

/**
 * The path from the root to the focus, continued faintly with the path to the hovered node.
 *
 * @param isShort whether there is room for the focus only: the path to it is a menu
 */
export function Breadcrumb({ isShort = false }: { readonly isShort?: boolean }) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const focus = useLook((state) => state.focus);
  const hovered = useLook(litRow);
  useLook((state) => state.treeVersion);
  const isWide = useMedia('(width >= 1280px)');
  const isMedium = useMedia('(width >= 1024px)');
  if (tree.size === 0) return <div className="flex-1" />;
  const path = pathTo(tree, focus);
  const ahead =
    hovered === none || isShort
      ? []
      : pathTo(tree, hovered)
          .filter((row) => !path.includes(row))
          .slice(0, 2);
  const { first, middle, last } = collapsed(path, isShort ? 1 : isWide ? 4 : isMedium ? 2 : 1);
  return (
    <nav aria-label="Path" className="min-w-0 flex-1 overflow-hidden">
      <ol className="m-0 flex list-none items-center gap-0.5 p-0 text-small">
        {first.map((row) => (
          <Crumb key={row} row={row} isFirst isCurrent={row === focus} />
        ))}
        {middle.length > 0 && (
          <li className="flex items-center">
            {first.length > 0 && <Separator />}
            <Menu
              trigger={
                <button
                  type="button"
                  aria-label={`${counted(middle.length, 'level')} ${first.length > 0 ? 'between' : 'above'}`}
                  className={crumbClass}
                >
                  <Ellipsis size={16} strokeWidth={2} />
                </button>
              }
            >
              {middle.map((row) => (
                <MenuItem key={row} onSelect={() => explorer.focusOn(row)}>
                  <bdi>{tree.name(row)}</bdi>
                </MenuItem>
              ))}
            </Menu>
          </li>
        )}
        {last.map((row) => (
          <Crumb key={row} row={row} isFirst={false} isCurrent={row === focus} />
        ))}
        {ahead.map((row) => (
          <li key={row} aria-hidden="true" className="hidden min-w-0 items-center text-muted italic lg:flex">
            <Separator />
            <span dir="auto" className="max-w-40 truncate px-1">
              {tree.name(row)}
            </span>
          </li>
        ))}
      </ol>
    </nav>
  );
}

const crumbClass = 'flex h-8 min-w-6 items-center rounded-chip px-1.5 hover:bg-sunken touch:h-11';

function Crumb({ row, isFirst, isCurrent }: { row: number; isFirst: boolean; isCurrent: boolean }) {
  const explorer = useExplorer();
  const { tree } = explorer;
  return (
    <li className={classNames('flex items-center', isCurrent ? 'min-w-0' : 'min-w-0 shrink-[2]')}>
      {!isFirst && <Separator />}
      <button
        type="button"
        aria-current={isCurrent ? 'location' : undefined}
        onClick={() => explorer.focusOn(row)}
        className={classNames(crumbClass, 'min-w-0', isCurrent ? 'font-semibold text-ink' : 'text-muted')}
      >
        <span dir="auto" className="max-w-44 truncate">
          {tree.name(row)}
        </span>
        {isCurrent && <span className="ml-1.5 shrink-0 font-normal text-muted">{compactKeywordsOf(tree, row)}</span>}
      </button>
      {!isFirst && <Siblings row={row} />}
    </li>
  );
}

/** Lateral navigation: the other children of the same parent. */
function Siblings({ row }: { row: number }) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const { rows: all } = siblingsOf(tree, row);
  const rows = all.filter((sibling) => !tree.isLeftOut(sibling));
  const at = rows.indexOf(row);
  if (rows.length < 2) return null;
  const first = Math.max(0, Math.min(at - maxSiblings / 2, rows.length - maxSiblings));
  return (
    <Menu
      className="max-w-80"
      trigger={
        <button
          type="button"
          aria-label={`Siblings of ${tree.name(row)}`}
          className={classNames(crumbClass, 'shrink-0 text-muted')}
        >
          <ChevronDown size={14} strokeWidth={2} />
        </button>
      }
    >
      {Array.from(rows.subarray(first, first + maxSiblings), (sibling) => (
        <MenuItem key={sibling} onSelect={() => explorer.focusOn(sibling)}>
          {sibling === row ? <Here>{tree.name(sibling)}</Here> : <bdi>{tree.name(sibling)}</bdi>}
          <span className="text-muted"> {compact(tree.keywords[sibling])}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}

/** The current node in the list of siblings, scrolled into view when the menu opens. */
function Here({ children }: { children: string }) {
  const name = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // Wait until the menu has its position and height.
    const frame = requestAnimationFrame(() => name.current?.scrollIntoView({ block: 'nearest' }));
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <span ref={name} className="font-semibold">
      <bdi>{children}</bdi>
      <span className="sr-only">, where you are</span>
    </span>
  );
}

function Separator() {
  return <ChevronRight size={14} strokeWidth={2} className="shrink-0 text-muted" />;
}

/** Collapses a path that is too long: keeps its first node and its last two, or with little space its last node. */
function collapsed(path: readonly number[], room: number) {
  if (path.length <= room) return { first: path.slice(0, 1), middle: [], last: path.slice(1) };
  if (room < 4) return { first: [], middle: path.slice(0, -1), last: path.slice(-1) };
  return { first: path.slice(0, 1), middle: path.slice(1, -2), last: path.slice(-2) };
}
