import { byStatusThenNewest } from '@kc/rules/account';
import type { ListedAccount } from '@kc/rules/shapes';

export const userLists = ['all', 'admins', 'regular', 'pending'] as const;
export type UserList = (typeof userLists)[number];

const belongs: Readonly<Record<UserList, (account: ListedAccount) => boolean>> = {
  all: () => true,
  admins: (account) => account.role === 'admin',
  regular: (account) => account.role === 'user',
  pending: (account) => account.status === 'pending',
};

export const sortColumns = ['email', 'status', 'role', 'created'] as const;
export type SortColumn = (typeof sortColumns)[number];
/** The order a person asked for by a column's header. */
export type UserSort = { readonly by: SortColumn; readonly descending: boolean };

type Order = (a: ListedAccount, b: ListedAccount) => number;
const byEmail: Order = (a, b) => (a.email < b.email ? -1 : Number(a.email > b.email));
const byRole: Order = (a, b) => Number(a.role !== 'admin') - Number(b.role !== 'admin');
const byAge: Order = (a, b) => a.createdAt - b.createdAt;

/** Each column from its first to its last; where it says the same of two, emails decide. */
const orders: Readonly<Record<SortColumn, Order>> = {
  email: byEmail,
  status: byStatusThenNewest,
  role: (a, b) => byRole(a, b) || byEmail(a, b),
  created: (a, b) => byAge(a, b) || byEmail(a, b),
};

/**
 * The accounts of a list, in the order asked for; without one: pending, approved, denied, the newest first within each.
 *
 * Source: spec §4 "User status", experience §4.2.
 */
export function accountsOf(
  list: UserList,
  accounts: readonly ListedAccount[],
  sort?: UserSort,
): readonly ListedAccount[] {
  const order = sort ? orders[sort.by] : byStatusThenNewest;
  return accounts.filter(belongs[list]).sort((a, b) => (sort?.descending ? order(b, a) : order(a, b)));
}

/** What a press on a column's header asks for: its order, then the other way round, then the usual one. */
export function nextSort(sort: UserSort | undefined, by: SortColumn): UserSort | undefined {
  if (sort?.by !== by) return { by, descending: false };
  return sort.descending ? undefined : { by, descending: true };
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
