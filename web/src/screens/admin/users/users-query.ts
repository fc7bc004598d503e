import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { loadUsers } from './load-users.ts';

/** Every account, as an admin sees them. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => loadUsers(() => client.accounts.list(undefined, { signal }), wait),
  retry: false,
});

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
