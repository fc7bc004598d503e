import { type SortColumn, sortColumns, type UserList, type UserSort, userLists } from './user-lists.ts';

export type SubTab = UserList | 'create';

/** What the Users tab shows, as far as the address says. */
export type UsersAddress = {
  readonly subTab: SubTab;
  /** `undefined`: the usual order. */
  readonly sort: UserSort | undefined;
  readonly text: string;
};

/** The same as parameters; a minus before the column turns its order round. */
export type UsersParameters = { list?: string; sort?: string; q?: string };

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
