import { askForMarks, readNames } from './mark-parameters.ts';

/** A flat list, as the server ranks it. Nodes are pack rows. */
export type AskedList = {
  readonly level: string;
  readonly within: number;
  readonly filter: string;
  readonly sort: string;
  readonly fields: readonly string[];
  readonly withTrends: boolean;
  /** For a sort by warnings: the stamp makes the address another one when a judgement does. */
  readonly warned?: { readonly stamp: number; readonly withUnknown: boolean } | undefined;
};

/**
 * The URL of a flat list as a file, with the same rows in the same order.
 *
 * @param columns the columns of a workbook; a CSV file, without them, has all
 */
export function listUrl(at: string, query: AskedList, columns?: readonly string[]): string {
  const asked = parametersOf(query);
  askForMarks(asked, readNames(query.fields).stamps);
  asked.set('node', String(query.within));
  asked.delete('within');
  for (const column of columns ?? []) asked.append('column', column);
  return `${at}/export.${columns ? 'xlsx' : 'csv'}?${asked}`;
}

export function parametersOf({ level, within, sort, filter, warned }: AskedList): URLSearchParams {
  const asked = new URLSearchParams({ level, within: String(within), sort });
  if (warned) asked.set('warnings', String(warned.stamp));
  if (warned?.withUnknown) asked.set('unknown', '1');
  if (filter !== '') asked.set('filter', filter);
  return asked;
}

/** Where the server has a visualization; for the visitors of a link, the link. */
export const addressOf = (id: string, isLink = false): string =>
  `/api/${isLink ? 'shared' : 'visualizations'}/${encodeURIComponent(id)}`;
