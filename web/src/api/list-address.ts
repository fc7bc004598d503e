/** A flat list, as the server ranks it. Nodes are pack rows. */
export type AskedList = {
  readonly level: string;
  readonly within: number;
  readonly filter: string;
  readonly sort: string;
  readonly fields: readonly string[];
  readonly withTrends: boolean;
};

/** The URL of a flat list as a CSV file, with the same rows in the same order. */
export function listUrl(at: string, query: AskedList): string {
  const asked = parametersOf(query);
  asked.set('node', String(query.within));
  asked.delete('within');
  return `${at}/export.csv?${asked}`;
}

export function parametersOf({ level, within, sort, filter }: AskedList): URLSearchParams {
  const asked = new URLSearchParams({ level, within: String(within), sort });
  if (filter !== '') asked.set('filter', filter);
  return asked;
}

/** Where the server has a visualization; for the visitors of a link, the link. */
export const addressOf = (id: string, isLink = false): string =>
  `/api/${isLink ? 'shared' : 'visualizations'}/${encodeURIComponent(id)}`;
