import { useMutationState, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { withChanges } from './changes.ts';
import { type ChangeRequest, changesKey, isOptimistic } from './use-user-changes.ts';
import { usersQuery } from './users-query.ts';

/**
 * Every account. A single change shows at once and disappears again if it fails; many changes show once they are saved,
 * so that nobody closes the page on changes that only look done.
 *
 * @returns also `saving`: how many changes wait for the server's answer and do not show yet
 */
export function useAccounts() {
  const { data: known, isPending, isError, isFetching, refetch } = useQuery(usersQuery);
  const wishes = useMutationState<ChangeRequest>({
    filters: { mutationKey: changesKey, status: 'pending' },
    select: (mutation) => mutation.state.variables as ChangeRequest,
  });
  const accounts = useMemo(
    () =>
      known &&
      withChanges(
        known,
        wishes.filter(isOptimistic).flatMap(({ changes }) => changes),
      ),
    [known, wishes],
  );
  const hidden = wishes.filter((request) => !isOptimistic(request));
  const saving = hidden.reduce((sum, { changes }) => sum + changes.length, 0);
  return { accounts, saving, isPending, isError, isFetching, refetch };
}
