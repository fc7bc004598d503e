import type { PackReader } from '../format/pack-reader.ts';

/** Some rows, and of each the rows on the way to it: `levels` numbers a row, the root left out, `noWay` behind its own. */
export type WalkedRows = { readonly rows: Uint32Array; readonly ways: Uint32Array };

/** Behind the end of a way that is shorter than its room: no row is on its way to another but those below the root. */
export const noWay = 0;

/** Steps of a walk at a time: between them the thread answers others. */
const blockRows = 512;

/**
 * A branch, every node before what is below it, siblings in the order of the pack, in blocks.
 *
 * Cost: the columns of places, which every open pack holds for its slices; of the walk itself one number a level.
 *
 * @param levels numbers of each way: those of the upper levels
 * @param keeps which rows are walked; nothing below a row that is not
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
    wayTo(pack, node),
  ]);
  const start = above.length - 1;
  const way = new Uint32Array(levels);
  for (let depth = 1; depth <= Math.min(start, levels); depth++) way[depth - 1] = above[depth]!;
  /** Of each level below the node, the child that comes next and where its siblings end. */
  const next: number[] = [node];
  const end: number[] = [node + 1];
  while (next.length > 0) {
    const rows = new Uint32Array(blockRows);
    const ways = new Uint32Array(blockRows * levels);
    let count = 0;
    while (next.length > 0 && count < blockRows) {
      const level = next.length - 1;
      const row = next[level]!;
      if (row === end[level]) {
        next.pop();
        end.pop();
        const depth = start + level;
        if (depth > 0 && depth <= levels) way[depth - 1] = noWay;
        continue;
      }
      next[level] = row + 1;
      if (!keeps(row)) continue;
      const depth = start + level;
      if (depth > 0 && depth <= levels) way[depth - 1] = row;
      rows[count] = row;
      ways.set(way, count++ * levels);
      if (branch[row] === branch[row + 1]) continue;
      const first = firstChild[branch[row]!]!;
      next.push(first);
      end.push(first + childCount[branch[row]!]!);
    }
    yield { rows: rows.subarray(0, count), ways: ways.subarray(0, count * levels) };
  }
}

/** Rows as somebody lists them, in blocks, as {@link walkBranch} gives them. @throws RangeError when one is no node */
export async function* walkRows(
  pack: PackReader,
  listed: readonly number[],
  levels: number,
): AsyncGenerator<WalkedRows> {
  for (let from = 0; from < listed.length; from += blockRows) {
    const rows = Uint32Array.from(listed.slice(from, from + blockRows));
    const ways = new Uint32Array(rows.length * levels);
    for (const [index, row] of rows.entries()) {
      const way = await wayTo(pack, row);
      ways.set(way.subarray(1, 1 + levels), index * levels);
    }
    yield { rows, ways };
  }
}

/** The keywords that no node names, in blocks: nothing is on the way to them. */
export async function* walkUnplaced({ metadata, rows: end }: PackReader, levels: number): AsyncGenerator<WalkedRows> {
  for (let from = metadata.nodes; from < end; from += blockRows) {
    const rows = Uint32Array.from({ length: Math.min(blockRows, end - from) }, (_, at) => from + at);
    yield { rows, ways: new Uint32Array(rows.length * levels) };
  }
}

/** As `pathTo`, without a read for each. */
async function wayTo(pack: PackReader, row: number): Promise<Uint32Array> {
  if (!Number.isInteger(row) || row < 0 || row >= pack.metadata.nodes) throw new RangeError(`Node ${row}`);
  const parent = await pack.column('parent');
  let depth = 0;
  for (let at = row; at > 0; at = parent[at]!) depth++;
  const way = new Uint32Array(depth + 1);
  for (let at = row; depth >= 0; at = parent[at]!) way[depth--] = at;
  return way;
}
