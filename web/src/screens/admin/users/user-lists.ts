import { byStatusThenNewest } from '@kc/rules/account';
import type { ListedAccount } from '@kc/rules/shapes';

export type UserList = 'all' | 'admins' | 'regular' | 'pending';

const belongs: Readonly<Record<UserList, (account: ListedAccount) => boolean>> = {
  all: () => true,
  admins: (account) => account.role === 'admin',
  regular: (account) => account.role === 'user',
  pending: (account) => account.status === 'pending',
};

/** The accounts of a list in its order: pending, approved, denied; the newest first within each. */
export function accountsOf(list: UserList, accounts: readonly ListedAccount[]): readonly ListedAccount[] {
  return accounts.filter(belongs[list]).sort(byStatusThenNewest);
}

/** How many people wait for a decision. The sample's own row is nobody. */
export function pendingCount(accounts: readonly ListedAccount[]): number {
  return accounts.filter((account) => account.status === 'pending' && !account.isSample).length;
}

/** The accounts whose email or name has the text in it. */
export function matching(text: string, accounts: readonly ListedAccount[]): readonly ListedAccount[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return accounts;
  return accounts.filter(({ email, displayName }) => `${email}\n${displayName}`.toLowerCase().includes(wanted));
}
