import { paths } from '@kc/rules/paths';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { readAddress, type UsersAddress, writeAddress } from './users-address.ts';

/** What the address says that is shown, and how to show something else. Only what is typed makes no step to go back. */
export function useUsersAddress(): readonly [UsersAddress, (change: Partial<UsersAddress>) => void] {
  const { list, sort, q } = useSearch({ strict: false });
  const address = useMemo(() => readAddress({ list, sort, q }), [list, sort, q]);
  const navigate = useNavigate();
  const show = (change: Partial<UsersAddress>) =>
    void navigate({
      to: paths.admin,
      search: { tab: 'users', ...writeAddress({ ...address, ...change }) },
      replace: 'text' in change,
      resetScroll: false,
    });
  return [address, show];
}
