import { limits } from '@kc/rules/limits';
import type { ListedAccount } from '@kc/rules/shapes';

/**
 * The accounts: after half a second, and up to twice more, a second apart, when the answer is empty or none.
 *
 * Source: spec §9 "User list loading".
 */
export async function loadUsers(
  list: () => Promise<ListedAccount[]>,
  pause: (ms: number) => Promise<void>,
): Promise<ListedAccount[]> {
  await pause(limits.userListDelayMs);
  for (let retriesLeft = limits.userListRetries; retriesLeft > 0; retriesLeft--) {
    const accounts = await list().catch(() => []);
    if (accounts.length > 0) return accounts;
    await pause(limits.userListRetryMs);
  }
  return list();
}
