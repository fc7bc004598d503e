import { UserPlus, Users } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { useMedia } from '../../../ui/environment.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import type { UserList as ListName } from './user-lists.ts';
import { columnsOf, type UserColumn } from './user-row.tsx';
import { UserTable, type UserTableProps } from './user-table.tsx';
import type { Density } from './users-toolbar.tsx';

/** Lazy: only windows too narrow for the table need the cards and their bottom sheet. */
const UserCards = lazy(async () => ({ default: (await import('./user-cards.tsx')).UserCards }));

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
      <UserCards accounts={accounts} wanted={table.wanted} actions={table.actions} />
    </Suspense>
  );
}

const skeletonRows = Array.from({ length: 8 }, (_, row) => row);
const stillLoadingAfterMs = 2_000;

type SkeletonProps = { readonly deciding: boolean; readonly density: Density };

/** Placeholder rows with the size of the real ones. */
function ListSkeleton({ deciding, density }: SkeletonProps) {
  const columns = columnsOf(deciding, useMedia('(width >= 80rem)'));
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), stillLoadingAfterMs);
    return () => clearTimeout(timer);
  }, []);
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
      <Users size={32} strokeWidth={1.5} className="text-muted" aria-hidden />
      <p className="text-body text-muted">{searching ? 'No user matches this search.' : sentences[list]}</p>
      <Button icon={<UserPlus size={18} strokeWidth={1.75} aria-hidden />} onClick={onCreate}>
        Create New User
      </Button>
    </div>
  );
}
