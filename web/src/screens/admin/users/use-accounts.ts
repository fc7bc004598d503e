import { useMutationState, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { withChanges } from './changes.ts';
import { type ChangeWish, changesKey } from './use-user-changes.ts';
import { usersQuery } from './users-query.ts';

/** Every account as it will be once the changes under way are made; a change that fails is gone from it. */
export function useAccounts() {
  const { data: known, isPending, isError, isFetching, refetch } = useQuery(usersQuery);
  const wishes = useMutationState<ChangeWish>({
    filters: { mutationKey: changesKey, status: 'pending' },
    select: (mutation) => mutation.state.variables as ChangeWish,
  });
  const accounts = useMemo(
    () =>
      known &&
      withChanges(
        known,
        wishes.flatMap(({ changes }) => changes),
      ),
    [known, wishes],
  );
  return { accounts, isPending, isError, isFetching, refetch };
}
