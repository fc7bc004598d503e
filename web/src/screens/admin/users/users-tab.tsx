import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import type { ListedAccount } from '@kc/rules/shapes';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Banner, BannerButton } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { countText } from '../../../ui/quantity.ts';
import { Tabs } from '../../../ui/tabs.tsx';
import { TabHeader } from '../tab-header.tsx';
import { CreateUser } from './create-user.tsx';
import { DeleteUserDialog } from './delete-user-dialog.tsx';
import { EmptyList, ListSkeleton } from './list-states.tsx';
import type { DeletionNotice } from './use-delete-user.ts';
import { type ChangeNotice, useUserChanges } from './use-user-changes.ts';
import { accountsOf, matching, pendingCount, type UserList } from './user-lists.ts';
import { UserRows } from './user-rows.tsx';
import { usersQuery } from './users-query.ts';

type SubTab = UserList | 'create';
type Notice = (ChangeNotice | DeletionNotice) & { readonly id: number };

export function UsersTab() {
  const users = useQuery(usersQuery);
  const [subTab, setSubTab] = useState<SubTab>('all');
  const [search, setSearch] = useState('');
  const [notice, setNotice] = useState<Notice>();
  const tell = (next: ChangeNotice | DeletionNotice) => setNotice((last) => ({ ...next, id: (last?.id ?? 0) + 1 }));
  const changes = useUserChanges(tell);
  const [deleting, setDeleting] = useState<ListedAccount>();

  const pending = pendingCount(users.data ?? []);
  const reset = () => {
    setSubTab('all');
    setSearch('');
    setNotice(undefined);
  };
  const dismiss = () => setNotice(undefined);

  return (
    <>
      <TabHeader
        tab="users"
        action={
          <Button
            variant="primary"
            icon={<UserPlus size={18} strokeWidth={1.75} aria-hidden />}
            onClick={() => setSubTab('create')}
          >
            Add User
          </Button>
        }
      />
      <div className="flex flex-col gap-3 empty:hidden [&:not(:empty)]:mb-4">
        {users.isError && (
          <Banner
            tone="error"
            actions={
              <>
                <BannerButton onClick={reset}>Reset UI State</BannerButton>
                <BannerButton onClick={() => void users.refetch()}>Refresh Users</BannerButton>
              </>
            }
          >
            {say('account/list-failed')}
          </Banner>
        )}
        {notice && <ChangeBanner key={notice.id} notice={notice} onDismiss={dismiss} onUndo={changes.mutate} />}
      </div>
      <Tabs<SubTab>
        label="Lists of users"
        value={subTab}
        onChange={setSubTab}
        items={[
          { value: 'all', label: 'All Users' },
          { value: 'admins', label: 'Admins' },
          { value: 'regular', label: 'Regular Users' },
          {
            value: 'pending',
            label: 'Pending Users',
            ...(pending > 0 ? { badge: <Badge tone="warn">{pending}</Badge> } : {}),
          },
          { value: 'create', label: 'Create User' },
        ]}
      >
        {subTab === 'create' ? (
          <CreateUser />
        ) : (
          <>
            <Toolbar
              search={search}
              onSearch={setSearch}
              refreshing={users.isFetching}
              onRefresh={() => void users.refetch()}
              {...(users.data ? { count: matching(search, accountsOf(subTab, users.data)).length } : {})}
            />
            <List
              list={subTab}
              search={search}
              users={users}
              onChange={changes.mutate}
              onDelete={setDeleting}
              onCreate={() => setSubTab('create')}
            />
          </>
        )}
      </Tabs>
      {deleting && <DeleteUserDialog account={deleting} onClose={() => setDeleting(undefined)} onOutcome={tell} />}
    </>
  );
}

type ListProps = {
  readonly list: UserList;
  readonly search: string;
  readonly users: { readonly data: Parameters<typeof accountsOf>[1] | undefined; readonly isPending: boolean };
  readonly onChange: Parameters<typeof UserRows>[0]['onChange'];
  readonly onDelete: Parameters<typeof UserRows>[0]['onDelete'];
  readonly onCreate: () => void;
};

function List({ list, search, users, onChange, onDelete, onCreate }: ListProps) {
  if (users.isPending) return <ListSkeleton />;
  const accounts = matching(search, accountsOf(list, users.data ?? []));
  if (accounts.length === 0) return <EmptyList list={list} searching={search.trim() !== ''} onCreate={onCreate} />;
  return <UserRows accounts={accounts} deciding={list === 'pending'} onChange={onChange} onDelete={onDelete} />;
}

type ToolbarProps = {
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly count?: number;
  readonly refreshing: boolean;
  readonly onRefresh: () => void;
};

function Toolbar({ search, onSearch, count, refreshing, onRefresh }: ToolbarProps) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3">
      <input
        type="search"
        aria-label="Search users"
        placeholder="Search by email or name"
        value={search}
        onChange={(event) => onSearch(event.target.value)}
        className="h-10 min-w-0 flex-1 basis-56 rounded-control border border-line-strong bg-surface px-3 text-body placeholder:text-muted sm:max-w-80 touch:h-11 touch:text-touch"
      />
      <Button
        icon={
          <RefreshCw
            size={18}
            strokeWidth={1.75}
            aria-hidden
            className={classNames(refreshing && 'motion animate-[orbit_1s_linear_infinite]')}
          />
        }
        onClick={onRefresh}
      >
        Refresh Users
      </Button>
      <p role="status" className="text-small text-muted sm:ml-auto">
        {count !== undefined && `${countText(count)} ${count === 1 ? 'user' : 'users'}`}
      </p>
    </div>
  );
}

type ChangeBannerProps = {
  readonly notice: Notice;
  readonly onDismiss: () => void;
  readonly onUndo: (change: NonNullable<ChangeNotice['undo']>) => void;
};

function ChangeBanner({ notice, onDismiss, onUndo }: ChangeBannerProps) {
  const undo = 'undo' in notice ? notice.undo : undefined;
  return (
    <Banner
      tone={notice.tone}
      lifeMs={limits.bannerMs}
      onDismiss={onDismiss}
      actions={undo && <BannerButton onClick={() => onUndo(undo)}>Undo</BannerButton>}
    >
      {notice.text}
    </Banner>
  );
}
