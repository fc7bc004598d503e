import { say, sayError, sayRefusal } from '@kc/rules/messages';
import type { ListedAccount } from '@kc/rules/shapes';
import {
  queryOptions,
  type UseQueryResult,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client } from '../../../api/client.ts';
import {
  type Change,
  type ChangeResult,
  failureText,
  type Outcome,
  type Plan,
  planText,
  runChanges,
  successText,
  undoOf,
  withChanges,
} from './account-changes.ts';
import type { NewNotice } from './notices.tsx';
import { loadUsers } from './user-lists.ts';

/** Every account, as administrators see them. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => loadUsers(() => client.accounts.list(undefined, { signal }), wait),
  retry: false,
});

/** Whether the list has failed: also while it is requested again, so that the message does not flash. */
export const hasFailed = (users: UseQueryResult<readonly ListedAccount[]>): boolean =>
  users.isError || (users.data === undefined && users.errorUpdateCount > 0);

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Every account. A single change is shown optimistically and reverted if it fails. Bulk changes are shown once they are
 * saved, so that nobody closes the page too early.
 *
 * @returns also `saving`: how many changes are waiting for the server and not shown yet; `isError` as {@link hasFailed}
 */
export function useAccounts() {
  const queries = useQueryClient();
  const users = useQuery(usersQuery);
  const { data: loaded, isPending, isFetching, refetch } = users;
  const pendingRequests = useMutationState<ChangeRequest>({
    filters: { mutationKey: changesKey, status: 'pending' },
    select: (mutation) => mutation.state.variables as ChangeRequest,
  });
  const accounts = useMemo(
    () =>
      loaded &&
      withChanges(
        loaded,
        pendingRequests.filter(isOptimistic).flatMap(({ changes }) => changes),
      ),
    [loaded, pendingRequests],
  );
  const hidden = pendingRequests.filter((request) => !isOptimistic(request));
  const saving = hidden.reduce((sum, { changes }) => sum + changes.length, 0);
  const refresh = async () => {
    // Do not wait for a request that gets no response.
    await queries.cancelQueries({ queryKey: usersQuery.queryKey });
    await refetch();
  };
  return { accounts, saving, isPending, isError: hasFailed(users), isFetching, refresh };
}

/** Changes to send together; with the plan they come from if they were made from a selection. */
type ChangeRequest = { readonly changes: readonly Change[]; readonly plan?: Plan };

const changesKey = ['users', 'changes'] as const;

/** Whether the list shows the changes before the server has responded. */
const isOptimistic = ({ changes }: ChangeRequest): boolean => changes.length === 1;

/**
 * Mutates statuses and roles. Requests run one after the other, in the order they were made.
 *
 * @param notify called with the outcome; a success carries the changes that undo it
 * @returns also `saved`: how many changes of the running request are saved
 */
export function useUserChanges(notify: (notice: NewNotice) => void) {
  const queries = useQueryClient();
  const [saved, setSaved] = useState(0);
  const replaceAccounts = (accounts: readonly ListedAccount[]): void => {
    setSaved((count) => count + accounts.length);
    // A list response in flight predates this change and would show the old values.
    void queries.cancelQueries({ queryKey: usersQuery.queryKey });
    const byId = new Map(accounts.map((one) => [one.id, one]));
    queries.setQueryData(usersQuery.queryKey, (all) => all?.map((one) => byId.get(one.id) ?? one));
  };
  const { mutate } = useMutation({
    mutationKey: changesKey,
    scope: { id: changesKey.join() },
    mutationFn: ({ changes }: ChangeRequest) => {
      setSaved(0);
      return runChanges(changes, send, replaceAccounts);
    },
    onSuccess: (outcome, request) => notify(noticeOf(request, outcome)),
    onError: (error, { changes }) => {
      const text = failureText(changes[0]!, sayError(error));
      notify({ tone: 'error', text });
      void queries.invalidateQueries({ queryKey: usersQuery.queryKey });
    },
  });
  return { mutate, saved };
}

async function send(batch: readonly Change[]): Promise<readonly ChangeResult[]> {
  const [change] = batch;
  if (batch.length === 1 && change) return [{ account: await sendOne(change) }];
  const { results } = await client.accounts.changeMany({ changes: batch.map(toRequest) });
  return results as readonly ChangeResult[];
}

function sendOne(change: Change): Promise<ListedAccount> {
  const { id } = change.account;
  return change.what === 'status'
    ? client.accounts.setStatus({ id, status: change.to })
    : client.accounts.setRole({ id, role: change.to });
}

const toRequest = (change: Change) =>
  change.what === 'status' ? { id: change.account.id, status: change.to } : { id: change.account.id, role: change.to };

function noticeOf({ changes, plan }: ChangeRequest, { done, failed }: Outcome): NewNotice {
  const failures = failed.map(({ change, refusal }) => ({
    email: change.account.email,
    text: failureText(change, sayRefusal(refusal)),
  }));
  const undo = done.map(undoOf);
  const tone = failed.length > 0 ? 'error' : 'success';
  if (plan) return { tone, text: planText(plan, done.length, failed.length), failures, undo };
  const only = changes.length === 1 ? changes[0] : undefined;
  if (!only)
    return { tone, text: say('account/bulk-undone', { done: done.length, of: changes.length }), failures, undo };
  return failures[0]
    ? { tone, text: failures[0].text }
    : { tone, text: successText(only), who: only.account.email, undo };
}
