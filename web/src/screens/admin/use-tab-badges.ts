import type { AdminTab } from '@kc/rules/paths';
import { useQuery } from '@tanstack/react-query';
import { isUnderWay, useUploads } from '../../api/uploads.ts';
import { pendingCount } from './users/user-lists.ts';
import { usersQuery } from './users/users-query.ts';

/** What waits behind each tab: accounts to decide on, uploads that run. */
export function useTabBadges(): Readonly<Record<AdminTab, number>> {
  const { data: users = [] } = useQuery(usersQuery);
  const running = useUploads((uploads) => uploads.transfer !== undefined && isUnderWay(uploads.transfer));
  return { users: pendingCount(users), upload: running ? 1 : 0, settings: 0, activity: 0 };
}
