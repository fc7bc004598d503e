import { BestOf } from '../format/best-of.ts';
import { checkNode, levelsOf } from '../format/locate.ts';
import type { PackReader } from '../format/pack-reader.ts';

/** The end of a page of keywords: after this row, among those with this volume (-1 for unknown). */
export type KeywordCursor = { readonly volume: number; readonly row: number };

export type KeywordPage = {
  /** Heaviest first, unknown volumes last; ties are in pack order. */
  readonly rows: Uint32Array;
  /** NaN if unknown. */
  readonly volume: Float64Array;
  /** The start of the next page; absent after the last one. */
  readonly next?: KeywordCursor;
};

/**
 * The keywords of a branch at any depth, one page at a time. A keyword that occurs twice is listed twice.
 *
 * Cost: one pass over the branch, which is contiguous per level in the pack, and two columns that slices load anyway;
 * memory for two pages.
 *
 * @param keeps which rows count
 * @throws RangeError if the node is not in the pack
 */
export async function listKeywords(
  pack: PackReader,
  node: number,
  limit: number,
  after?: KeywordCursor,
  keeps: (row: number) => boolean = () => true,
): Promise<KeywordPage> {
  checkNode(pack, node);
  const [isKeyword, ownVolume, levels] = await Promise.all([
    pack.column('is_keyword'),
    pack.column('own_volume'),
    levelsOf(pack, node),
  ]);
  const weigh = (row: number) => {
    const volume = ownVolume ? ownVolume[row]! : Number.NaN;
    return Number.isNaN(volume) ? -1 : volume;
  };
  const compare = (one: number, other: number) => weigh(other) - weigh(one) || one - other;
  // One more than requested shows whether anything follows.
  const best = new BestOf(limit + 1, compare);
  for (const { start, end } of levels) {
    for (let row = start; row < end; row++) {
      if (isKeyword[row] === 0) continue;
      const volume = weigh(row);
      if (after && (volume > after.volume || (volume === after.volume && row <= after.row))) continue;
      if (keeps(row)) best.offer(row);
    }
  }
  const found = best.inOrder();
  const rows = Uint32Array.from(found.slice(0, limit));
  const last = rows.at(-1);
  return {
    rows,
    volume: Float64Array.from(rows, (row) => (ownVolume ? ownVolume[row]! : Number.NaN)),
    ...(found.length > limit && last !== undefined && { next: { volume: weigh(last), row: last } }),
  };
}
