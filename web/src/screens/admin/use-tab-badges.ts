import type { AdminTab } from '@kc/rules/paths';
import { isUnderWay, useUploads } from '../../api/uploads.ts';
import { pendingCount } from './users/user-lists.ts';
import { useAccounts } from './users/users-queries.ts';

/** What waits behind each tab: accounts to decide on, uploads that run. */
export function useTabBadges(): Readonly<Record<AdminTab, number>> {
  const { accounts: users = [] } = useAccounts();
  const running = useUploads((uploads) => uploads.transfer !== undefined && isUnderWay(uploads.transfer));
  return { users: pendingCount(users), upload: running ? 1 : 0, settings: 0, activity: 0 };
}
