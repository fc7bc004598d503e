import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useToast } from '../../../ui/toast.tsx';
import type { Change } from './changes.ts';
import { deleteReason } from './fixed-reasons.ts';
import { copied, type RowActions } from './row-actions.ts';
import type { useNotices } from './use-notices.ts';
import type { WantedRow } from './use-row-focus.ts';
import { useUserChanges } from './use-user-changes.ts';

/** What rows, cards and the drawer do, and what they have opened: the drawer of an account, the question to delete one. */
export function useRowActions({ current, tell, dismiss }: ReturnType<typeof useNotices>) {
  const { mutate, saved } = useUserChanges(tell);
  const navigate = useNavigate();
  const toast = useToast();
  const [wanted, setWanted] = useState<WantedRow>();
  const [opened, setOpened] = useState<{ account: ListedAccount; open: boolean }>();
  const [removed, setRemoved] = useState<ListedAccount>();

  const undo = (changes: readonly Change[]) => {
    const last = changes.at(-1);
    if (!last) return;
    dismiss();
    mutate({ changes });
    setWanted({ id: last.account.id });
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
    copy: (text, what) => void copied(text, what).then((said) => toast(said)),
  }));
  return {
    actions,
    undo,
    saved,
    wanted,
    opened,
    closeDrawer: () => setOpened((now) => now && { ...now, open: false }),
    removed,
    closeRemoval: () => setRemoved(undefined),
  };
}
