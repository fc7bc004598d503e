import { say } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { useNavigate } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Banner, BannerButton } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useCopyText } from '../../../ui/copy-text.ts';
import { LazyBoundary, lazyPart } from '../../../ui/lazy-boundary.tsx';
import { matching } from '../../../ui/person-select.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { TabHeader } from '../admin-tabs.tsx';
import { type Change, deleteReason } from './account-changes.ts';
import type { RequestedRow } from './list-rows.ts';
import { NoticePlace, useNotices } from './notices.tsx';
import { UserList } from './user-list.tsx';
import { accountsOf, nextSort, pendingCount, type SubTab, useUsersAddress } from './user-lists.ts';
import type { RowActions } from './user-row.tsx';
import { useAccounts, useUserChanges } from './users-queries.ts';
import { UsersToolbar, useDensity } from './users-toolbar.tsx';

/** Lazy: only needed once an administrator opens them. */
const CreateUser = lazyPart(async () => (await import('./create-user.tsx')).CreateUser);
const DuplicatesDialog = lazyPart(async () => (await import('./duplicates-dialog.tsx')).DuplicatesDialog);
const DeleteUserDialog = lazyPart(async () => (await import('./delete-user-dialog.tsx')).DeleteUserDialog);
const UserDrawer = lazyPart(async () => (await import('./user-drawer.tsx')).UserDrawer);

/** The lists of accounts, with everything an administrator can do to them. */
export function UsersTab() {
  const users = useAccounts();
  const [{ subTab, sort, text }, show] = useUsersAddress();
  const [density, setDensity] = useDensity();
  const notices = useNotices();
  /** Whether the duplicates dialog is open; `undefined` until it is first opened. */
  const [duplicates, setDuplicates] = useState<boolean>();
  const { actions, undo, saved, requested, opened, closeDrawer, drawerFailed, removed, closeRemoval } =
    useRowActions(notices);

  const list = subTab === 'create' ? 'all' : subTab;
  const accounts = useMemo(
    () => users.accounts && matching(text, accountsOf(list, users.accounts, sort)),
    [users.accounts, list, text, sort],
  );
  const pending = pendingCount(users.accounts ?? []);
  const create = () => show({ subTab: 'create' });
  const reset = () => {
    show({ subTab: 'all', sort: undefined, text: '' });
    notices.dismiss();
  };

  const refresh = () => void users.refresh();
  /** Buttons shown in every error banner of the tab. */
  const recovery = (
    <>
      <BannerButton onClick={reset}>Reset UI State</BannerButton>
      <BannerButton onClick={refresh}>Refresh Users</BannerButton>
    </>
  );
  /** The current account, or its last known state if it was deleted. */
  const drawn = opened && (users.accounts?.find(({ id }) => id === opened.account.id) ?? opened.account);

  return (
    <>
      <NoticePlace
        notice={notices.notice}
        saving={users.saving}
        saved={saved}
        onDismiss={notices.dismiss}
        onUndo={undo}
        recovery={recovery}
      />
      <TabHeader
        tab="users"
        action={
          <Button variant="primary" icon={<UserPlus size={18} />} onClick={create}>
            Add User
          </Button>
        }
      />
      {users.isError && (
        <div className="mb-4">
          <Banner tone="error" actions={recovery}>
            {say('account/list-failed')}
          </Banner>
        </div>
      )}
      <Tabs<SubTab>
        label="Lists of users"
        value={subTab}
        onChange={(next) => show({ subTab: next })}
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
          <Suspense>
            <CreateUser recovery={recovery} />
          </Suspense>
        ) : (
          <>
            <UsersToolbar
              text={text}
              onText={(next) => show({ text: next })}
              count={accounts?.length}
              refreshing={users.isFetching}
              onRefresh={refresh}
              onDuplicates={() => setDuplicates(true)}
              density={density}
              onDensity={setDensity}
            />
            <UserList
              key={list}
              list={list}
              searching={text.trim() !== ''}
              accounts={accounts}
              isLoading={users.isPending}
              density={density}
              sort={sort}
              onSort={(by) => show({ sort: nextSort(sort, by) })}
              onCreate={create}
              requested={requested}
              actions={actions}
            />
          </>
        )}
      </Tabs>
      <LazyBoundary onFailed={drawerFailed}>
        {opened && drawn && (
          <UserDrawer
            account={drawn}
            createdBy={users.accounts?.find(({ id }) => id === drawn.createdBy)?.email ?? drawn.createdBy}
            actions={actions}
            open={opened.open}
            onClose={closeDrawer}
          />
        )}
      </LazyBoundary>
      <LazyBoundary onFailed={() => setDuplicates(undefined)}>
        {duplicates !== undefined && <DuplicatesDialog open={duplicates} onClose={() => setDuplicates(false)} />}
      </LazyBoundary>
      <LazyBoundary onFailed={closeRemoval}>
        {removed && <DeleteUserDialog account={removed} onClose={closeRemoval} onOutcome={notices.notify} />}
      </LazyBoundary>
    </>
  );
}

/** The actions of rows, cards and the drawer, and which drawer or dialog they have opened. */
function useRowActions({ current, notify, dismiss }: ReturnType<typeof useNotices>) {
  const { mutate, saved } = useUserChanges(notify);
  const navigate = useNavigate();
  const copy = useCopyText();
  const [requested, setRequested] = useState<RequestedRow>();
  const [opened, setOpened] = useState<{ account: ListedAccount; open: boolean }>();
  const [removed, setRemoved] = useState<ListedAccount>();

  const undo = (changes: readonly Change[]) => {
    const last = changes.at(-1);
    if (!last) return;
    dismiss();
    mutate({ changes });
    setRequested({ id: last.account.id });
  };
  const [actions] = useState<RowActions>(() => ({
    change: (change) => mutate({ changes: [change] }),
    changeAll: (plan) => mutate({ changes: plan.changes, plan }),
    undo: () => undo(current.current?.undo?.slice(-1) ?? []),
    remove: (account) => {
      if (!account.isYou && !deleteReason(account)) setRemoved(account);
    },
    open: (account) => setOpened({ account, open: true }),
    upload: (account) => {
      if (!account.isSample) void navigate({ to: paths.adminUpload, params: { userId: account.id } });
    },
    copy: (text, what) =>
      copy(text, say(what === 'email' ? 'account/email-copied' : 'account/id-copied'), say('account/copy-refused')),
  }));
  return {
    actions,
    undo,
    saved,
    requested,
    opened,
    closeDrawer: () => setOpened((now) => now && { ...now, open: false }),
    drawerFailed: () => setOpened(undefined),
    removed,
    closeRemoval: () => setRemoved(undefined),
  };
}
