import { byStatusThenNewest } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

const userLists = ['all', 'admins', 'regular', 'pending'] as const;
export type UserList = (typeof userLists)[number];

const belongs: Readonly<Record<UserList, (account: ListedAccount) => boolean>> = {
  all: () => true,
  admins: (account) => account.role === 'admin',
  regular: (account) => account.role === 'user',
  pending: (account) => account.status === 'pending',
};

const sortColumns = ['email', 'status', 'role', 'created'] as const;
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

export type SubTab = UserList | 'create';

/** What the Users tab shows, as far as the address says. */
type UsersAddress = {
  readonly subTab: SubTab;
  /** `undefined`: the usual order. */
  readonly sort: UserSort | undefined;
  readonly text: string;
};

/** The same as parameters; a minus before the column turns its order round. */
type UsersParameters = { list?: string; sort?: string; q?: string };

/** What an address shows. A value that means nothing is as if it were not there. */
export function readAddress({ list, sort, q }: Read): UsersAddress {
  return { subTab: subTabs.find((one) => one === list) ?? 'all', sort: readSort(sort ?? ''), text: q ?? '' };
}

/** The parameters of what is shown; what is usual needs none. */
export function writeAddress({ subTab, sort, text }: UsersAddress): UsersParameters {
  return {
    ...(subTab === 'all' ? {} : { list: subTab }),
    ...(sort ? { sort: `${sort.descending ? '-' : ''}${sort.by}` } : {}),
    ...(text ? { q: text } : {}),
  };
}

type Read = { readonly [K in keyof UsersParameters]: string | undefined };
const subTabs: readonly SubTab[] = [...userLists, 'create'];

function readSort(text: string): UserSort | undefined {
  const descending = text.startsWith('-');
  const by: SortColumn | undefined = sortColumns.find((column) => column === text.slice(descending ? 1 : 0));
  return by && { by, descending };
}

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
