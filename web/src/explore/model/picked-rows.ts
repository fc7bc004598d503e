import { limits } from '@kc/rules/limits';
import { mostPicked, type Picked, rowOfPage } from './picked.ts';
import type { ExplorerSource } from './source.ts';

type Lists = Pick<ExplorerSource, 'rows'>;

/**
 * The picked rows with their IDs, also where a whole list is picked.
 *
 * @param most how many are read; the rest is left out
 * @throws what a page of the list throws
 */
export async function rowsOfPicked(
  { rows: fetchRows }: Lists,
  { all, filter, rows }: Picked,
  most: number,
): Promise<ReadonlyMap<number, string>> {
  if (!all) return rows;
  const query = { ...all, filter, sort: '', fields: [], withTrends: false };
  const found = new Map<number, string>();
  const count = limits.maxRowsOfLevel;
  for (let from = 0, total = 1; from < total && found.size < most; from += count) {
    const page = await fetchRows(query, { from, count }, new AbortController().signal);
    total = page.total;
    for (let at = 0; at < page.slice.rows && found.size < most; at++) {
      const [node, address] = rowOfPage(page, at);
      if (!rows.has(node)) found.set(node, address);
    }
  }
  return found;
}

/** The same selection row by row, if it has no more rows than can be picked one by one. */
export async function pickedOneByOne(source: Lists, picked: Picked): Promise<Picked> {
  const rows = await rowsOfPicked(source, picked, mostPicked + 1);
  return rows.size > mostPicked ? picked : { filter: picked.under, under: picked.under, all: undefined, rows };
}

/**
 * Two selections as one, row by row.
 *
 * @param filter of the screen
 * @returns undefined if they are more rows than can be picked one by one
 */
export async function combinePicked(
  source: Lists,
  before: Picked,
  other: Picked,
  how: 'add' | 'subtract',
  filter: string,
): Promise<Picked | undefined> {
  const most = mostPicked + 1;
  const rows = new Map(await rowsOfPicked(source, before, most));
  const others = await rowsOfPicked(source, other, most);
  // A selection that was not read to its end is too large, too.
  if (rows.size > mostPicked || others.size > mostPicked) return undefined;
  for (const [node, address] of others) {
    if (how === 'add') rows.set(node, address);
    else rows.delete(node);
  }
  return rows.size > mostPicked ? undefined : { filter, under: filter, all: undefined, rows };
}
