import { addPosition, mergedPosition, noPositions, type Positions } from '../../../pack/src/upload/merged-position.ts';
import type { EntryGroups } from './entry-groups.ts';

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
 * entries is that of `mergedPosition`.
 *
 * @param groups by keyword, its entries in file order
 */
export function postingsOf(groups: EntryGroups, addresses: EntryAddresses): Postings {
  const total = addresses.url.reduce((count, code) => count + Number(code >= 0), 0);
  const start = new Uint32Array(groups.start.length);
  const url = new Int32Array(total);
  const position = new Float64Array(total);
  const clicks = new Float64Array(total);
  let next = 0;
  for (let keyword = 0; keyword + 1 < groups.start.length; keyword++) {
    for (const [code, sums] of sumsOf(groups, keyword, addresses)) {
      url[next] = code;
      position[next] = mergedPosition(sums);
      clicks[next++] = sums.clicks;
    }
    start[keyword + 1] = next;
  }
  return {
    start,
    url: url.slice(0, next),
    position: position.slice(0, next),
    clicks: clicks.slice(0, next),
    names: addresses.names,
  };
}

/** What the entries of a keyword with one address add up to. `clicks` is NaN if none are known. */
type Sums = Positions & { clicks: number };

/** The addresses of a keyword in the order in which they first appear. */
function sumsOf(
  { start, entry: entries }: EntryGroups,
  keyword: number,
  { url, position, impressions, clicks }: EntryAddresses,
): Map<number, Sums> {
  const found = new Map<number, Sums>();
  for (let at = start[keyword]!; at < start[keyword + 1]!; at++) {
    const entry = entries[at]!;
    const code = url[entry]!;
    if (code < 0) continue;
    let sums = found.get(code);
    if (!sums) {
      sums = { ...noPositions(), clicks: Number.NaN };
      found.set(code, sums);
    }
    const rank = position?.[entry] ?? Number.NaN;
    if (rank >= 1) addPosition(sums, rank, impressions?.[entry]);
    const clicked = clicks?.[entry] ?? Number.NaN;
    if (!Number.isNaN(clicked)) sums.clicks = (sums.clicks || 0) + clicked;
  }
  return found;
}
