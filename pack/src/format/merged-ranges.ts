import { eachPiece, findInPieces, type Pause } from './in-pieces.ts';
import { oncePerPack } from './once-per-pack.ts';
import { firstFrom, orderOfNumbers } from './order-of-numbers.ts';
import type { PackReader } from './pack-reader.ts';

/** A byte range of the uploaded file; the end is exclusive. */
type Range = { readonly start: number; readonly end: number };

/** Finds the row that stores the merged entries of a keyword by the start of its first entry. Ascending by that start. */
type Index = { readonly starts: Uint32Array; readonly rows: Uint32Array };

/**
 * The entries of the keywords of some rows, in file order: the first entry of each keyword and those merged into it. A
 * row without an entry has none.
 *
 * Cost: if entries were merged, one pass over the rows on the first call, in pieces, and 8 bytes per keyword with
 * several entries, cached with the pack.
 *
 * @param pack without a filter
 * @param returned the starts of the first entries of keywords whose merged entries were already returned; they are not
 *   returned again
 */
export async function entryRanges(
  pack: PackReader,
  rows: Uint32Array,
  pause: Pause,
  returned: Set<number> = new Set(),
): Promise<Range[][]> {
  const starts = await pack.gather('keyword_start', rows);
  const ends = await pack.gather('keyword_end', rows);
  const index = await indexOf(pack, pause);
  const found: Range[][] = [];
  for (let at = 0; at < rows.length; at++) {
    const first = { start: starts?.[at] ?? 0, end: ends?.[at] ?? 0 };
    const owner = first.end > first.start ? ownerOf(index, first.start) : undefined;
    const later = owner === undefined || returned.has(first.start) ? [] : await mergedAt(pack, owner);
    if (owner !== undefined) returned.add(first.start);
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

const indexOf = oncePerPack(async (pack: PackReader, pause: Pause): Promise<Index> => {
  if (pack.metadata.merged === 0) return { starts: new Uint32Array(0), rows: new Uint32Array(0) };
  const lists = (await pack.column('merged'))!;
  const owners = await ownersIn(lists, pause);
  const starts = (await pack.gather('keyword_start', owners))!;
  const order = await orderOfNumbers(starts, pause);
  const index = { starts: new Uint32Array(order.length), rows: new Uint32Array(order.length) };
  await eachPiece(order.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      index.starts[at] = starts[order[at]!]!;
      index.rows[at] = owners[order[at]!]!;
    }
  });
  return index;
});

/** The rows whose list is not empty. */
const ownersIn = (lists: Uint32Array, pause: Pause): Promise<Uint32Array> =>
  findInPieces(lists.length - 1, pause, (from, end, found, many) => {
    let next = many;
    for (let row = from; row < end; row++) if (lists[row + 1]! > lists[row]!) found[next++] = row;
    return next;
  });

/** The row that stores the merged entries of the keyword whose first entry begins at `start`; undefined if none were merged. */
function ownerOf({ starts, rows }: Index, start: number): number | undefined {
  const at = firstFrom(starts, start);
  return starts[at] === start ? rows[at] : undefined;
}
