import { type Role, roleNames, type Status, statusNames } from '@kc/rules/account';
import { say, sayRefusal } from '@kc/rules/messages';
import type { ListedAccount } from '@kc/rules/shapes';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { toRefusal } from '../../../api/refusal.ts';
import { usersQuery } from './users-query.ts';

export type Change = { readonly account: ListedAccount } & (
  | { readonly what: 'status'; readonly to: Status }
  | { readonly what: 'role'; readonly to: Role }
);

export type ChangeNotice = { readonly tone: 'success' | 'error'; readonly text: string; readonly undo?: Change };

/**
 * Sets a status or a role: the row shows it at once and rolls back when the server refuses.
 *
 * @param tell hears how it went; a success brings the change that undoes it
 */
export function useUserChanges(tell: (notice: ChangeNotice) => void) {
  const queries = useQueryClient();
  const put = (account: ListedAccount) =>
    queries.setQueryData(usersQuery.queryKey, (all) => all?.map((one) => (one.id === account.id ? account : one)));
  return useMutation({
    mutationFn: (change: Change) => sendChange(change),
    onMutate: (change) => void put(changed(change)),
    onSuccess: (account, change) => {
      put(account);
      tell({ tone: 'success', text: successText(change), undo: undoOf(change) });
    },
    onError: (error, change) => {
      put(change.account);
      const reason = sayRefusal(toRefusal(error));
      tell({
        tone: 'error',
        text: say(change.what === 'status' ? 'account/status-failed' : 'account/role-failed', { reason }),
      });
    },
  });
}

function sendChange(change: Change): Promise<ListedAccount> {
  const { id } = change.account;
  return change.what === 'status'
    ? client.accounts.setStatus({ id, status: change.to })
    : client.accounts.setRole({ id, role: change.to });
}

export function changed(change: Change): ListedAccount {
  return change.what === 'status' ? { ...change.account, status: change.to } : { ...change.account, role: change.to };
}

export function undoOf(change: Change): Change {
  const account = changed(change);
  return change.what === 'status'
    ? { account, what: 'status', to: change.account.status }
    : { account, what: 'role', to: change.account.role };
}

export function successText(change: Change): string {
  return change.what === 'status'
    ? say('account/status-changed', { status: statusNames[change.to] })
    : say('account/role-changed', { role: roleNames[change.to] });
}
