import { lazy, Suspense, useEffect, useRef } from 'react';
import { useMedia } from '../../../ui/use-media.ts';
import { EmptyList, ListSkeleton } from './list-states.tsx';
import type { UserList as ListName } from './user-lists.ts';
import { UserTable, type UserTableProps } from './user-table.tsx';

/** Only windows without room for the table load the cards and the dialog they open. */
const UserCards = lazy(async () => ({ default: (await import('./user-cards.tsx')).UserCards }));

type Props = Omit<UserTableProps, 'accounts' | 'deciding'> & {
  readonly list: ListName;
  readonly searching: boolean;
  readonly accounts: UserTableProps['accounts'] | undefined;
  readonly isLoading: boolean;
  readonly onCreate: () => void;
};

/** The accounts as a table; as cards where a table has no room. */
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
