import type { ListedAccount } from '@kc/rules/shapes';
import { UserPlus, Users } from 'lucide-react';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { DataGrid } from '../../../ui/data-grid.tsx';
import { useMedia } from '../../../ui/environment.ts';
import type { GridColumn } from '../../../ui/grid-columns.ts';
import { lazyPart } from '../../../ui/lazy-boundary.tsx';
import { useLoadedSelection } from '../../../ui/loaded-rows.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { useAfter } from '../../../ui/timers.ts';
import { planOf, type Setting, statusReason } from './account-changes.ts';
import { type RequestedRow, rowIdPrefix, useRowFocus } from './list-rows.ts';
import type { UserList as ListName, SortColumn, UserSort } from './user-lists.ts';
import { columnsOf, type RowActions, type RowChoice, type UserColumn, UserRow } from './user-row.tsx';
import { BulkBar, type Density, rowPx } from './users-toolbar.tsx';

/** Lazy: only windows too narrow for the table need the cards and their bottom sheet. */
const UserCards = lazyPart(async () => (await import('./user-cards.tsx')).UserCards);

type Props = Omit<UserTableProps, 'accounts' | 'deciding'> & {
  readonly list: ListName;
  readonly searching: boolean;
  readonly accounts: UserTableProps['accounts'] | undefined;
  readonly isLoading: boolean;
  readonly onCreate: () => void;
};

/** The accounts as a table, or as cards if the window is too narrow. */
export function UserList({ list, searching, accounts, isLoading, onCreate, ...table }: Props) {
  const hasRoom = useMedia('(width >= 64rem)');
  const hadRows = useRef(false);
  const deciding = list === 'pending';
  useEffect(() => {
    hadRows.current = (accounts?.length ?? 0) > 0;
  });
  const coming = <ListSkeleton deciding={deciding} density={table.density} />;
  if (isLoading) return coming;
  if (!accounts) return null;
  if (accounts.length === 0) {
    return <EmptyList list={list} searching={searching} onCreate={onCreate} takesFocus={hadRows.current} />;
  }
  if (hasRoom) return <UserTable accounts={accounts} deciding={deciding} {...table} />;
  return (
    <Suspense fallback={coming}>
      <UserCards accounts={accounts} requested={table.requested} actions={table.actions} />
    </Suspense>
  );
}

const skeletonRows = Array.from({ length: 8 }, (_, row) => row);
const stillLoadingAfterMs = 2_000;

type SkeletonProps = { readonly deciding: boolean; readonly density: Density };

/** Placeholder rows with the size of the real ones. */
function ListSkeleton({ deciding, density }: SkeletonProps) {
  const columns = columnsOf(deciding, useMedia('(width >= 80rem)'));
  const long = useAfter(stillLoadingAfterMs);
  return (
    <div className="rounded-card border border-line bg-surface shadow-1" aria-busy="true">
      <div className="flex h-10 items-center rounded-t-card border-line border-b bg-sunken px-4">
        <p role="status" className="text-small text-muted">
          {long ? 'Still loading…' : 'Loading users...'}
        </p>
      </div>
      {skeletonRows.map((row) => (
        <div
          key={row}
          className={classNames(
            'flex items-center border-line border-b px-3 last:border-b-0 lg:px-0',
            density === 'compact' ? 'h-11' : 'h-14',
          )}
        >
          {columns.map(({ id, px }) => (
            <div
              key={id}
              className={classNames(
                'flex items-center gap-3 lg:px-3',
                id === 'email' ? 'min-w-0 flex-1' : 'shrink-0 max-lg:hidden',
              )}
              style={{ width: px || undefined }}
            >
              {id === 'email' && <Skeleton className="size-7 shrink-0 rounded-full" />}
              <Skeleton className={classNames('w-full', bars[id])} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

const bars: Readonly<Record<UserColumn['id'], string>> = {
  select: 'h-5 max-w-5',
  email: 'h-4 max-w-64',
  status: 'h-8',
  role: 'h-8',
  created: 'h-4',
  actions: 'h-8',
};

const sentences: Readonly<Record<ListName, string>> = {
  all: 'There are no users yet.',
  admins: 'There are no admins in this list.',
  regular: 'There are no regular users yet.',
  pending: 'Nobody is waiting for approval.',
};

type EmptyListProps = {
  readonly list: ListName;
  readonly searching: boolean;
  readonly onCreate: () => void;
  /** Whether there were rows a moment ago. The focus moves here from the last one. */
  readonly takesFocus: boolean;
};

function EmptyList({ list, searching, onCreate, takesFocus }: EmptyListProps) {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the last row has gone
  useEffect(() => {
    if (takesFocus && document.activeElement === document.body) place.current?.focus();
  }, []);
  return (
    <div
      ref={place}
      tabIndex={-1}
      className="flex flex-col items-center gap-4 rounded-card border border-line border-dashed bg-surface px-4 py-14 text-center"
    >
      <Users size={32} strokeWidth={1.5} className="text-muted" />
      <p className="text-body text-muted">{searching ? 'No user matches this search.' : sentences[list]}</p>
      <Button icon={<UserPlus size={18} />} onClick={onCreate}>
        Create New User
      </Button>
    </div>
  );
}

type UserTableProps = {
  readonly accounts: readonly ListedAccount[];
  /** Whether each row has its own Approve and Deny. */
  readonly deciding: boolean;
  readonly density: Density;
  readonly sort: UserSort | undefined;
  readonly onSort: (by: SortColumn) => void;
  readonly requested: RequestedRow | undefined;
  readonly actions: RowActions;
};

/**
 * The accounts as a grid with a single tab stop: arrow keys move between rows, letters act on the row. Long lists are
 * virtualized.
 */
function UserTable({ accounts, deciding, density, sort, onSort, requested, actions }: UserTableProps) {
  const ids = useMemo(() => accounts.map(({ id }) => id), [accounts]);
  const [choice, setChoice] = useState<OpenChoice>();
  const focus = useRowFocus(ids, requested);
  const selection = useLoadedSelection(ids, focus.current, focus.goTo);
  const { picked } = selection;
  const columns = useHeads({
    deciding,
    sort,
    onSort,
    picked: picked.length,
    of: ids.length,
    onAll: selection.allOrNone,
  });
  const onChoice = useCallback(
    (id: string, which: RowChoice, open: boolean) => setChoice((now) => choiceAfter(now, { id, which }, open)),
    [],
  );
  const clear = () => {
    selection.clear();
    if (focus.current !== undefined) focus.goTo(focus.current);
  };
  const setAll = (setting: Setting) => {
    const plan = planOf(
      setting,
      accounts.filter(({ id }) => selection.isPicked.has(id)),
    );
    actions.changeAll(plan);
    clear();
  };
  const openChoice = (which: RowChoice) => (rank: number) => setChoice({ id: ids[rank]!, which });

  return (
    <>
      <DataGrid
        id={rowIdPrefix}
        role="grid"
        label="User accounts"
        attributes={{ className: 'rounded-card border border-line bg-surface text-left shadow-1', ...focus.holders }}
        isPage
        columns={columns}
        count={ids.length}
        keyAt={(rank) => ids[rank]!}
        rowPx={rowPx[density]}
        cursor={ids.indexOf(focus.current ?? '')}
        isPicked={(rank) => selection.isPicked.has(ids[rank]!)}
        gestures={selection.gestures}
        keys={{
          Escape: selection.clear,
          s: openChoice('status'),
          r: openChoice('role'),
          u: (rank) => actions.upload(accounts[rank]!),
          a: (rank) => decide(actions, accounts[rank]!, 'approved'),
          d: (rank) => decide(actions, accounts[rank]!, 'denied'),
          z: () => actions.undo(),
          Delete: (rank) => actions.remove(accounts[rank]!),
        }}
        onOpen={(rank) => actions.open(accounts[rank]!)}
        row={(frame) => {
          const account = accounts[frame.rank];
          return (
            account && (
              <UserRow
                key={account.id}
                {...frame}
                account={account}
                deciding={deciding}
                isLast={frame.rank === ids.length - 1}
                choice={choice?.id === account.id ? choice.which : undefined}
                onChoice={onChoice}
                gestures={selection.gestures}
                actions={actions}
              />
            )
          );
        }}
      />
      {picked.length > 0 && <BulkBar count={picked.length} onSet={setAll} onClear={clear} />}
    </>
  );
}

type OpenChoice = { readonly id: string; readonly which: RowChoice };

/** A closing list clears only its own state: another one may have opened meanwhile. */
function choiceAfter(now: OpenChoice | undefined, changed: OpenChoice, open: boolean): OpenChoice | undefined {
  if (open) return changed;
  return now?.id === changed.id && now.which === changed.which ? undefined : now;
}

/** A and D decide only on pending accounts. */
function decide(actions: RowActions, account: ListedAccount, to: 'approved' | 'denied'): void {
  if (account.status === 'pending' && !statusReason(account)) actions.change({ account, what: 'status', to });
}

type Heads = Pick<UserTableProps, 'deciding' | 'sort' | 'onSort'> & {
  readonly picked: number;
  readonly of: number;
  readonly onAll: () => void;
};

/** The columns as those of a grid. */
function useHeads({ deciding, sort, onSort, picked, of, onAll }: Heads): readonly GridColumn[] {
  const isWide = useMedia('(width >= 80rem)');
  const [isAll, isSome] = [of > 0 && picked === of, picked > 0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever the address is, sorting does the same
  return useMemo(() => {
    const box = (
      <div className="pl-3">
        <Checkbox
          label="Select all users shown"
          showLabel={false}
          checked={isAll}
          mixed={isSome && !isAll}
          onChange={onAll}
        />
      </div>
    );
    return columnsOf(deciding, isWide).map(({ id, title, px }): GridColumn => {
      const track = px === 0 ? 'minmax(0,1fr)' : `${px}px`;
      const column = { id, title, isText: true, width: px, shownWidth: px, track };
      if (id === 'select') return { ...column, isControl: true, head: box };
      if (id === 'actions') return isWide ? column : { ...column, head: <span className="sr-only">{title}</span> };
      const direction = sort?.by === id ? (sort.descending ? 'descending' : 'ascending') : undefined;
      return { ...column, sort: { direction, onSort: () => onSort(id) } };
    });
  }, [deciding, isWide, sort, isAll, isSome, onAll]);
}
