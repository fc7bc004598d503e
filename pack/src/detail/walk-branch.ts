import { batchesOf, pathTo } from '../format/locate.ts';
import type { PackReader } from '../format/pack-reader.ts';

/** Some rows, each with the path to it: `levels` numbers per row, without the root, padded with `pathPadding`. */
export type WalkedRows = { readonly rows: Uint32Array; readonly paths: Uint32Array };

/** Pads paths that are shorter than `levels`. It is the row of the root, which paths do not contain. */
export const pathPadding = 0;

/** The number of rows per block of a walk. Other requests run between blocks. */
const blockRows = 512;

/**
 * Walks a branch in blocks, every node before its descendants, siblings in pack order.
 *
 * Cost: the position columns, which every open pack has loaded for its slices; for the walk itself, one number per
 * level.
 *
 * @param levels the number of elements of each path: the upper levels
 * @param keeps which rows are walked; descendants of an excluded row are excluded
 */
export async function* walkBranch(
  pack: PackReader,
  node: number,
  levels: number,
  keeps: (row: number) => boolean = () => true,
): AsyncGenerator<WalkedRows> {
  const [branch, firstChild, childCount, above] = await Promise.all([
    pack.column('branch'),
    pack.column('first_child'),
    pack.column('child_count'),
    pathTo(pack, node),
  ]);
  const start = above.length - 1;
  const path = new Uint32Array(levels);
  for (let depth = 1; depth <= Math.min(start, levels); depth++) path[depth - 1] = above[depth]!;
  /** For each level below the node, the next child and the end of its siblings. */
  const next: number[] = [node];
  const end: number[] = [node + 1];
  while (next.length > 0) {
    const rows = new Uint32Array(blockRows);
    const paths = new Uint32Array(blockRows * levels);
    let count = 0;
    while (next.length > 0 && count < blockRows) {
      const level = next.length - 1;
      const row = next[level]!;
      if (row === end[level]) {
        next.pop();
        end.pop();
        const depth = start + level;
        if (depth > 0 && depth <= levels) path[depth - 1] = pathPadding;
        continue;
      }
      next[level] = row + 1;
      if (!keeps(row)) continue;
      const depth = start + level;
      if (depth > 0 && depth <= levels) path[depth - 1] = row;
      rows[count] = row;
      paths.set(path, count++ * levels);
      if (branch[row] === branch[row + 1]) continue;
      const first = firstChild[branch[row]!]!;
      next.push(first);
      end.push(first + childCount[branch[row]!]!);
    }
    yield { rows: rows.subarray(0, count), paths: paths.subarray(0, count * levels) };
  }
}

/** Walks rows in the given order, in blocks like {@link walkBranch}. @throws RangeError if a row is not a node */
export async function* walkRows(
  pack: PackReader,
  listed: readonly number[] | Uint32Array,
  levels: number,
): AsyncGenerator<WalkedRows> {
  for (let from = 0; from < listed.length; from += blockRows) {
    const rows = Uint32Array.from(listed.slice(from, from + blockRows));
    const paths = new Uint32Array(rows.length * levels);
    for (const [index, row] of rows.entries()) {
      const path = await pathTo(pack, row);
      paths.set(path.subarray(1, 1 + levels), index * levels);
    }
    yield { rows, paths };
  }
}

/** Walks the keywords that no node names, in blocks. Their paths are empty. */
export async function* walkUnplaced({ metadata, rows: end }: PackReader, levels: number): AsyncGenerator<WalkedRows> {
  for (const rows of batchesOf({ start: metadata.nodes, end }, blockRows))
    yield { rows, paths: new Uint32Array(rows.length * levels) };
}
