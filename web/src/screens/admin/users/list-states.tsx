import { UserPlus, Users } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { UserList } from './user-lists.ts';

const rows = Array.from({ length: 8 }, (_, row) => row);
const stillLoadingAfterMs = 2_000;

/** Rows with the widths of the coming ones. */
export function ListSkeleton() {
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
      {rows.map((row) => (
        <div key={row} className="flex h-14 items-center gap-4 border-line border-b px-4 last:border-b-0">
          <Skeleton className="size-7 rounded-full" />
          <Skeleton className="h-4 max-w-72 flex-1" />
          <Skeleton className="ml-auto hidden h-8 w-32 lg:block" />
          <Skeleton className="hidden h-8 w-38 lg:block" />
          <Skeleton className="hidden h-4 w-40 lg:block" />
          <Skeleton className="h-8 w-28" />
        </div>
      ))}
    </div>
  );
}

const sentences: Readonly<Record<UserList, string>> = {
  all: 'There are no users yet.',
  admins: 'There are no admins in this list.',
  regular: 'There are no regular users yet.',
  pending: 'Nobody is waiting for approval.',
};

type Props = { readonly list: UserList; readonly searching: boolean; readonly onCreate: () => void };

export function EmptyList({ list, searching, onCreate }: Props) {
  return (
    <div className="flex flex-col items-center gap-4 rounded-card border border-line border-dashed bg-surface px-4 py-14 text-center">
      <Users size={32} strokeWidth={1.5} className="text-muted" aria-hidden />
      <p className="text-body text-muted">{searching ? 'No user matches this search.' : sentences[list]}</p>
      <Button icon={<UserPlus size={18} strokeWidth={1.75} aria-hidden />} onClick={onCreate}>
        Create New User
      </Button>
    </div>
  );
}
