import { type Grouping, groupingByUrl, groupingOf, type UrlGrouping } from '../merge/grouping.ts';
import type { ReadLists } from './read-lists.ts';

/**
 * `columns`: by the grouping columns of the list, if it has some. `none`: never. Or the names of columns, from the top
 * level down; or by the URLs of keywords.
 */
export type ChosenGrouping = 'columns' | 'none' | readonly string[] | { readonly url: UrlGrouping };

/** A column was chosen as a level that the lists do not have. */
export class NoSuchColumnError extends Error {
  override readonly name = 'NoSuchColumnError';

  readonly column: string;

  constructor(column: string) {
    super(`There is no column "${column}" that can be a group`);
    this.column = column;
  }
}

/**
 * The grouping that lists have, as far as it was chosen; undefined if they have none.
 *
 * @throws NoSuchColumnError
 */
export function groupingBy({ keywords }: ReadLists, chosen: ChosenGrouping): Grouping | undefined {
  const { texts, urls } = keywords;
  if (chosen === 'none') return undefined;
  if (chosen === 'columns') return groupingOf({ texts });
  if (isByUrl(chosen)) {
    if (!urls) throw new NoSuchColumnError('URL');
    return groupingByUrl(urls, chosen.url);
  }
  const missing = chosen.find((wanted) => !texts.some((column) => column.name === wanted));
  if (missing !== undefined) throw new NoSuchColumnError(missing);
  return groupingOf({ texts }, chosen);
}

const isByUrl = (chosen: ChosenGrouping): chosen is { readonly url: UrlGrouping } =>
  typeof chosen === 'object' && 'url' in chosen;

/** Search results decide if at least this share of the keywords has at least so many. */
const enough = { share: 0.5, urls: 3 } as const;

/** Whether most keywords have result URLs. @param urls by keyword */
export const haveEnoughResults = (urls: readonly (readonly string[])[]): boolean =>
  urls.filter(({ length }) => length >= enough.urls).length >= enough.share * urls.length;
