import type { ListedAccount } from '@kc/rules/shapes';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { planOf, type Setting, statusReason } from './account-changes.ts';
import { placeAfter, useRowFocus, useWindowRows, type WantedRow } from './list-rows.ts';
import type { RowActions } from './row-actions.ts';
import { allOrNone, extended, noSelection, type Selection, selectedOf, toggled } from './selection.ts';
import type { SortColumn, UserSort } from './user-lists.ts';
import { cellPadding, columnsOf, type RowChoice, type UserColumn, UserRow } from './user-row.tsx';
import { BulkBar, type Density, rowPx } from './users-toolbar.tsx';

export type UserTableProps = {
  readonly accounts: readonly ListedAccount[];
  /** Whether each row has its own Approve and Deny. */
  readonly deciding: boolean;
  readonly density: Density;
  readonly sort: UserSort | undefined;
  readonly onSort: (by: SortColumn) => void;
  readonly wanted: WantedRow | undefined;
  readonly actions: RowActions;
};

/**
 * The accounts as a grid with a single tab stop: arrow keys move between rows, letters act on the row. Long lists are
 * virtualized.
 */
export function UserTable({ accounts, deciding, density, sort, onSort, wanted, actions }: UserTableProps) {
  const ids = useMemo(() => accounts.map(({ id }) => id), [accounts]);
  const [selection, setSelection] = useState(noSelection);
  const [choice, setChoice] = useState<OpenChoice>();
  const focus = useRowFocus(ids, wanted);
  const body = useRef<HTMLTableSectionElement>(null);
  const height = rowPx[density];
  const rows = useWindowRows(body, ids.length, height, ids.indexOf(focus.current ?? ''));
  const columns = columnsOf(deciding);
  const chosen = useMemo(() => selectedOf(selection, ids), [selection, ids]);
  const isChosen = useMemo(() => new Set(chosen), [chosen]);

  const onSelect = useCallback(
    (id: string, stretch: boolean) => setSelection((now) => (stretch ? extended(now, id, id) : toggled(now, id, ids))),
    [ids],
  );
  const onChoice = useCallback(
    (id: string, which: RowChoice, open: boolean) => setChoice((now) => choiceAfter(now, { id, which }, open)),
    [],
  );
  const onKeyDown = rowKeys({
    accounts,
    ids,
    rowPx: height,
    selection,
    select: setSelection,
    goTo: focus.goTo,
    openChoice: (id, which) => setChoice({ id, which }),
    actions,
  });
  const clear = () => {
    setSelection(noSelection);
    if (focus.current !== undefined) focus.goTo(focus.current);
  };
  const setAll = (setting: Setting) => {
    const plan = planOf(
      setting,
      accounts.filter(({ id }) => isChosen.has(id)),
    );
    actions.changeAll(plan);
    clear();
  };

  return (
    <>
      <div className="rounded-card border border-line bg-surface shadow-1">
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its rows take the focus and are selected
          role="grid"
          aria-label="User accounts"
          aria-multiselectable
          aria-rowcount={ids.length + 1}
          onKeyDown={onKeyDown}
          {...focus.holders}
          className="w-full table-fixed border-separate border-spacing-0 text-left text-small"
        >
          <TableHead
            columns={columns}
            sort={sort}
            onSort={onSort}
            all={ids.length > 0 && chosen.length === ids.length}
            some={chosen.length > 0}
            onAll={() => setSelection(allOrNone(selection, ids))}
          />
          <tbody ref={body}>
            {rows.getVirtualItems().flatMap((item, index, items) => {
              const account = accounts[item.index];
              if (!account) return [];
              const gap = item.index - (items[index - 1]?.index ?? -1) - 1;
              return [
                gap > 0 && <Gap key={`before-${account.id}`} height={gap * height} />,
                <UserRow
                  key={account.id}
                  account={account}
                  place={item.index + 2}
                  density={density}
                  deciding={deciding}
                  isCurrent={account.id === focus.current}
                  isSelected={isChosen.has(account.id)}
                  choice={choice?.id === account.id ? choice.which : undefined}
                  onChoice={onChoice}
                  onSelect={onSelect}
                  actions={actions}
                />,
              ];
            })}
            <Gap height={(ids.length - 1 - (rows.getVirtualItems().at(-1)?.index ?? -1)) * height} />
          </tbody>
        </table>
      </div>
      {chosen.length > 0 && <BulkBar count={chosen.length} onSet={setAll} onClear={clear} />}
    </>
  );
}

type OpenChoice = { readonly id: string; readonly which: RowChoice };

/** A closing list clears only its own state: another one may have opened meanwhile. */
function choiceAfter(now: OpenChoice | undefined, changed: OpenChoice, open: boolean): OpenChoice | undefined {
  if (open) return changed;
  return now?.id === changed.id && now.which === changed.which ? undefined : now;
}

/** A spacer the height of the rows that are not rendered. */
function Gap({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of nothing takes no focus
    <tr aria-hidden="true">
      <td colSpan={6} style={{ height }} className="p-0" />
    </tr>
  );
}

type HeadProps = {
  readonly columns: readonly UserColumn[];
  readonly sort: UserSort | undefined;
  readonly onSort: (by: SortColumn) => void;
  /** Whether all rows are selected, and whether any is. */
  readonly all: boolean;
  readonly some: boolean;
  readonly onAll: () => void;
};

/** The sticky table header. Clicking a column name sorts by it. */
function TableHead({ columns, sort, onSort, all, some, onAll }: HeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ id, title, width }) => {
          const mine = sort?.by === id ? sort : undefined;
          return (
            <th
              key={id}
              scope="col"
              {...(mine ? { 'aria-sort': mine.descending ? ('descending' as const) : ('ascending' as const) } : {})}
              className={classNames(
                'sticky top-(--header) z-10 h-10 border-line border-b bg-sunken font-medium text-muted first:rounded-tl-card last:rounded-tr-card',
                cellPadding,
                width,
              )}
            >
              {id === 'select' && (
                <Checkbox
                  label="Select all users shown"
                  showLabel={false}
                  checked={all}
                  mixed={some && !all}
                  onChange={onAll}
                />
              )}
              {id === 'actions' && <span className="max-xl:sr-only">{title}</span>}
              {id !== 'select' && id !== 'actions' && (
                <SortButton title={title} sort={mine} onSort={() => onSort(id)} />
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

type SortProps = { readonly title: string; readonly sort: UserSort | undefined; readonly onSort: () => void };

function SortButton({ title, sort, onSort }: SortProps) {
  const Arrow = sort?.descending ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      onClick={onSort}
      title={`Sort by ${title}`}
      className={classNames(
        'group/sort -ml-2 flex h-8 items-center gap-1 rounded-chip px-2 font-medium hover:text-ink',
        sort && 'text-ink',
      )}
    >
      {title}
      <Arrow
        size={14}
        aria-hidden
        className={classNames(!sort && 'opacity-0 group-hover/sort:opacity-60 group-focus-visible/sort:opacity-60')}
      />
    </button>
  );
}

type RowKeyDeps = {
  readonly accounts: readonly ListedAccount[];
  readonly ids: readonly string[];
  readonly rowPx: number;
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
  readonly goTo: (id: string) => void;
  readonly openChoice: (id: string, which: RowChoice) => void;
  readonly actions: RowActions;
};

/** Height of what surrounds the rows in the viewport: page header, table header and bulk bar. */
const aroundPx = 200;

/**
 * Keyboard commands of the focused row. The left and right arrows move through its controls, which handle their own
 * keys.
 */
function rowKeys(parts: RowKeyDeps): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const target = event.target as HTMLElement;
    const row = target.closest<HTMLElement>('[data-user]');
    const place = parts.ids.indexOf(row?.dataset.user ?? '');
    const account = parts.accounts[place];
    if (!row || !account || event.altKey) return;
    const act = walk(row, target, event.key) ?? (target === row ? onRow(parts, event, account, place) : undefined);
    if (!act) return;
    event.preventDefault();
    act();
  };
}

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

function onRow(
  parts: RowKeyDeps,
  event: KeyboardEvent<HTMLElement>,
  account: ListedAccount,
  place: number,
): (() => void) | undefined {
  const { ids, selection, select, actions } = parts;
  const { id } = account;
  if (event.ctrlKey || event.metaKey) {
    return event.key === 'a' ? () => select(allOrNone(selection, ids)) : undefined;
  }
  const page = Math.max(1, Math.floor((window.innerHeight - aroundPx) / parts.rowPx));
  const next = placeAfter(event.key, place, ids.length, page);
  if (next !== undefined) {
    return () => {
      if (event.shiftKey) select(extended(selection, ids[next]!, id));
      parts.goTo(ids[next]!);
    };
  }
  const acts: Readonly<Record<string, () => void>> = {
    ' ': () => select(toggled(selection, id, ids)),
    Escape: () => select(noSelection),
    Enter: () => actions.open(account),
    s: () => parts.openChoice(id, 'status'),
    r: () => parts.openChoice(id, 'role'),
    u: () => actions.upload(account),
    a: () => decide(actions, account, 'approved'),
    d: () => decide(actions, account, 'denied'),
    z: () => actions.undo(),
    Delete: () => actions.remove(account),
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return Object.hasOwn(acts, key) ? acts[key] : undefined;
}

/** A and D decide only on pending accounts. */
function decide(actions: RowActions, account: ListedAccount, to: 'approved' | 'denied'): void {
  if (account.status === 'pending' && !statusReason(account)) actions.change({ account, what: 'status', to });
}
