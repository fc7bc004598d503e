import { byStatusThenNewest } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { isGivenUp } from '../../../api/in-time.ts';

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
/** The sort order that the user chose by a column header. */
export type UserSort = { readonly by: SortColumn; readonly descending: boolean };

type Order = (a: ListedAccount, b: ListedAccount) => number;
const byEmail: Order = (a, b) => (a.email < b.email ? -1 : Number(a.email > b.email));
const byRole: Order = (a, b) => Number(a.role !== 'admin') - Number(b.role !== 'admin');
const byAge: Order = (a, b) => a.createdAt - b.createdAt;

/** Ascending order of each column; ties are broken by email. */
const orders: Readonly<Record<SortColumn, Order>> = {
  email: byEmail,
  status: byStatusThenNewest,
  role: (a, b) => byRole(a, b) || byEmail(a, b),
  created: (a, b) => byAge(a, b) || byEmail(a, b),
};

/** The accounts of a list in the given order. By default: pending, approved, denied, and newest first within each. */
export function accountsOf(
  list: UserList,
  accounts: readonly ListedAccount[],
  sort?: UserSort,
): readonly ListedAccount[] {
  const order = sort ? orders[sort.by] : byStatusThenNewest;
  return accounts.filter(belongs[list]).sort((a, b) => (sort?.descending ? order(b, a) : order(a, b)));
}

/** The order after a click on a column header: ascending, then descending, then the default. */
export function nextSort(sort: UserSort | undefined, by: SortColumn): UserSort | undefined {
  if (sort?.by !== by) return { by, descending: false };
  return sort.descending ? undefined : { by, descending: true };
}

/** Number of accounts that await approval, without the sample's own row. */
export function pendingCount(accounts: readonly ListedAccount[]): number {
  return accounts.filter((account) => account.status === 'pending' && !account.isSample).length;
}

export type SubTab = UserList | 'create';

/** The state of the Users tab that the URL stores. */
type UsersAddress = {
  readonly subTab: SubTab;
  /** `undefined` for the default order. */
  readonly sort: UserSort | undefined;
  readonly text: string;
};

/** The same as URL parameters; a minus before the column means descending. */
type UsersParameters = { list?: string; sort?: string; q?: string };

/** Parses the URL parameters. Invalid values are ignored. */
export function readAddress({ list, sort, q }: GivenParameters): UsersAddress {
  return { subTab: subTabs.find((one) => one === list) ?? 'all', sort: readSort(sort ?? ''), text: q ?? '' };
}

/** Formats the URL parameters; defaults are omitted. */
export function writeAddress({ subTab, sort, text }: UsersAddress): UsersParameters {
  return {
    ...(subTab === 'all' ? {} : { list: subTab }),
    ...(sort ? { sort: `${sort.descending ? '-' : ''}${sort.by}` } : {}),
    ...(text ? { q: text } : {}),
  };
}

type GivenParameters = { readonly [K in keyof UsersParameters]: string | undefined };
const subTabs: readonly SubTab[] = [...userLists, 'create'];

function readSort(text: string): UserSort | undefined {
  const descending = text.startsWith('-');
  const by: SortColumn | undefined = sortColumns.find((column) => column === text.slice(descending ? 1 : 0));
  return by && { by, descending };
}

/**
 * The state stored in the URL, and a setter. Typing in the search field replaces the history entry instead of adding
 * one.
 */
export function useUsersAddress(): readonly [UsersAddress, (change: Partial<UsersAddress>) => void] {
  const { list, sort, q } = useSearch({ strict: false });
  const address = useMemo(() => readAddress({ list, sort, q }), [list, sort, q]);
  const navigate = useNavigate();
  const show = (change: Partial<UsersAddress>) =>
    void navigate({
      to: paths.admin,
      search: { tab: 'users', ...writeAddress({ ...address, ...change }) },
      replace: 'text' in change,
    });
  return [address, show];
}

/**
 * Loads the accounts after half a second. If the response is empty or fails, retries up to twice, a second apart; not if the
 * server has not responded at all, because nobody waits for it three times.
 */
export async function loadUsers(
  list: () => Promise<ListedAccount[]>,
  pause: (ms: number) => Promise<void>,
): Promise<ListedAccount[]> {
  await pause(limits.userListDelayMs);
  for (let retriesLeft = limits.userListRetries; retriesLeft > 0; retriesLeft--) {
    const accounts = await list().catch((error: unknown) => {
      if (isGivenUp(error)) throw error;
      return [];
    });
    if (accounts.length > 0) return accounts;
    await pause(limits.userListRetryMs);
  }
  return list();
}
