import { groupBy } from './group-by.ts';

/** The addresses of each keyword. Those of keyword `k` are at `start[k]` up to `start[k + 1]`. */
export type Postings = {
  readonly start: Uint32Array;
  /** Index into `names`. No address stands twice at one keyword. */
  readonly url: Int32Array;
  /** Position or rank in the search results, from 1; NaN if unknown. */
  readonly position: Float64Array;
  /** The sum over a keyword's entries with the address; NaN if unknown. */
  readonly clicks: Float64Array;
  readonly names: readonly string[];
};

type EntryAddresses = {
  /** By entry; −1 for none. */
  readonly url: Int32Array;
  readonly names: readonly string[];
  readonly position: Float64Array | undefined;
  readonly impressions: Float64Array | undefined;
  readonly clicks: Float64Array | undefined;
};

/**
 * The addresses of keywords from those of their entries. The position of an address that a keyword has in several
 * entries is their mean, weighted by impressions where they are known.
 *
 * @param groups by keyword, its entries in file order
 */
export function postingsOf(groups: readonly (readonly number[])[], addresses: EntryAddresses): Postings {
  const start = new Uint32Array(groups.length + 1);
  const url: number[] = [];
  const position: number[] = [];
  const clicks: number[] = [];
  for (const [keyword, group] of groups.entries()) {
    for (const [code, entries] of groupBy(group, (entry) => addresses.url[entry]!)) {
      if (code < 0) continue;
      url.push(code);
      position.push(meanPosition(entries, addresses));
      clicks.push(knownSum(entries, addresses.clicks));
    }
    start[keyword + 1] = url.length;
  }
  return {
    start,
    url: Int32Array.from(url),
    position: Float64Array.from(position),
    clicks: Float64Array.from(clicks),
    names: addresses.names,
  };
}

function meanPosition(entries: readonly number[], { position, impressions }: EntryAddresses): number {
  const known = position ? entries.filter((entry) => position[entry]! >= 1) : [];
  const weight = (entry: number) => impressions?.[entry] || 0;
  const weights = known.reduce((sum, entry) => sum + weight(entry), 0);
  if (weights === 0) return known.reduce((sum, entry) => sum + position![entry]!, 0) / known.length;
  return known.reduce((sum, entry) => sum + weight(entry) * position![entry]!, 0) / weights;
}

function knownSum(entries: readonly number[], column: Float64Array | undefined): number {
  const known = column ? entries.filter((entry) => !Number.isNaN(column[entry]!)) : [];
  return known.length === 0 ? Number.NaN : known.reduce((sum, entry) => sum + column![entry]!, 0);
}
