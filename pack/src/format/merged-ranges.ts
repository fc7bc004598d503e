import type { PackReader } from './pack-reader.ts';

/** A byte range of the uploaded file; the end is exclusive. */
type Range = { readonly start: number; readonly end: number };

/**
 * The row that has the merged entries of a keyword, by the start of its first entry. Both columns are sorted by that
 * start.
 */
type Index = { readonly starts: Uint32Array; readonly rows: Uint32Array };

const indexes = new WeakMap<PackReader, Promise<Index>>();

/**
 * The entries of the keywords of some rows, in file order: the first entry of each keyword and those merged into it. A
 * row without an entry has none.
 *
 * Cost: if entries were merged, one pass over the rows on the first call, and 8 bytes per keyword with several entries,
 * cached with the pack.
 *
 * @param pack without a filter
 * @param given the starts of the first entries of keywords whose merged entries were already returned; they are not
 *   returned again
 */
export async function entryRanges(
  pack: PackReader,
  rows: Uint32Array,
  given: Set<number> = new Set(),
): Promise<Range[][]> {
  const starts = await pack.gather('keyword_start', rows);
  const ends = await pack.gather('keyword_end', rows);
  const index = await indexOf(pack);
  const found: Range[][] = [];
  for (let at = 0; at < rows.length; at++) {
    const first = { start: starts?.[at] ?? 0, end: ends?.[at] ?? 0 };
    const owner = first.end > first.start ? ownerOf(index, first.start) : undefined;
    const later = owner === undefined || given.has(first.start) ? [] : await mergedAt(pack, owner);
    if (owner !== undefined) given.add(first.start);
    found.push(first.end > first.start ? [first, ...later] : []);
  }
  return found;
}

/** The entries that were merged into the entry of a row, if the row stores them itself. */
async function mergedAt(pack: PackReader, row: number): Promise<Range[]> {
  const [from, to] = (await pack.gather('merged', Uint32Array.of(row, row + 1)))!;
  const places = Uint32Array.from({ length: to! - from! }, (_, nth) => from! + nth);
  const bytes = (await pack.gather('merged_range', places))!;
  return Array.from({ length: bytes.length / 2 }, (_, nth) => ({ start: bytes[2 * nth]!, end: bytes[2 * nth + 1]! }));
}

function indexOf(pack: PackReader): Promise<Index> {
  const found = indexes.get(pack) ?? makeIndex(pack);
  indexes.set(pack, found);
  found.catch(() => indexes.delete(pack));
  return found;
}

async function makeIndex(pack: PackReader): Promise<Index> {
  if (pack.metadata.merged === 0) return { starts: new Uint32Array(0), rows: new Uint32Array(0) };
  const lists = (await pack.column('merged'))!;
  const owners = Uint32Array.from(ownersIn(lists));
  const starts = (await pack.gather('keyword_start', owners))!;
  // Sorting integers is many times faster than sorting with a comparison function.
  const keys = BigUint64Array.from(owners, (row, at) => (BigInt(starts[at]!) << 32n) | BigInt(row)).sort();
  return {
    starts: Uint32Array.from(keys, (key) => Number(key >> 32n)),
    rows: Uint32Array.from(keys, (key) => Number(key & 0xffffffffn)),
  };
}

function* ownersIn(lists: Uint32Array): Generator<number> {
  for (let row = 0; row + 1 < lists.length; row++) if (lists[row + 1]! > lists[row]!) yield row;
}

/** Undefined for a keyword with one entry. */
function ownerOf({ starts, rows }: Index, start: number): number | undefined {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return starts[low] === start ? rows[low] : undefined;
}
