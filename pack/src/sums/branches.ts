import { eachPiece, findInPieces, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { createAncestors } from '../tree/ancestors.ts';

/** How rows and branches of a pack relate: columns of the pack, and the row of each branch. */
export type PackBranches = {
  readonly count: number;
  /** By row: its branch; for a row without children, the next branch. So row `r` has children if `starts[r] < starts[r + 1]`. */
  readonly starts: Uint32Array;
  readonly firstChild: Uint32Array;
  readonly childCount: Uint32Array;
  readonly rows: Uint32Array;
  /** The child branches of branch `b`: from `inner[b]` to before `inner[b + 1]`. */
  readonly inner: Uint32Array;
};

/** Computed once and cached with the pack. */
export const branchesOf = oncePerPack(findBranches);

async function findBranches(pack: PackReader, pause: Pause): Promise<PackBranches> {
  const [starts, firstChild, childCount] = await Promise.all([
    pack.column('branch'),
    pack.column('first_child'),
    pack.column('child_count'),
  ]);
  const count = firstChild.length;
  const rows = new Uint32Array(count);
  await eachPiece(pack.metadata.nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) if (starts[row] !== starts[row + 1]) rows[starts[row]!] = row;
  });
  const inner = new Uint32Array(count + 1);
  await eachPiece(count, pause, (from, end) => {
    for (let branch = from; branch < end; branch++) inner[branch] = starts[firstChild[branch]!]!;
  });
  inner[count] = count;
  return { count, starts, firstChild, childCount, rows, inner };
}

/** The first child of each branch, followed by the end of the last one's children: the children of all branches are contiguous. */
export function runsOf({ count, firstChild, childCount }: PackBranches): Uint32Array {
  const runs = new Uint32Array(count + 1);
  runs.set(firstChild);
  if (count > 0) runs[count] = firstChild[count - 1]! + childCount[count - 1]!;
  return runs;
}

/**
 * The nodes whose keyword also occurs earlier in the file, in ascending row order, each with the previous occurrence.
 */
type RepeatColumns = {
  readonly rows: Uint32Array;
  /** The row of the previous occurrence. */
  readonly previous: Uint32Array;
  /** The index of the previous occurrence in `rows`, -1 if it is a first one. */
  readonly at: Int32Array;
  /** The innermost branch that contains both. */
  readonly branch: Uint32Array;
};

/** Computed once and cached with the pack: 16 bytes per repeat, and 4 per node during the computation. */
export const loadRepeatColumns = oncePerPack(findRepeats);

async function findRepeats(pack: PackReader, pause: Pause): Promise<RepeatColumns> {
  const { nodes } = pack.metadata;
  const before = await pack.column('previous');
  const none = new Uint32Array(0);
  if (!before) return { rows: none, previous: none, at: new Int32Array(0), branch: none };
  const rows = await findInPieces(nodes, pause, (from, end, found, many) => {
    let next = many;
    for (let row = from; row < end; row++) if (before[row] !== noRow) found[next++] = row;
    return next;
  });
  const count = rows.length;
  const place = new Int32Array(nodes).fill(-1);
  await eachPiece(count, pause, (from, end) => {
    for (let index = from; index < end; index++) place[rows[index]!] = index;
  });
  const [parent, branches] = [await pack.column('parent'), await branchesOf(pack, pause)];
  const { starts } = branches;
  const around = new Uint32Array(branches.count);
  await eachPiece(around.length, pause, (from, end) => {
    for (let at = from; at < end; at++) around[at] = starts[parent[branches.rows[at]!]!]!;
  });
  const ancestors = createAncestors(around);
  await eachPiece(around.length, pause, ancestors.prepare);
  /** The branch that a row is, or that contains it. */
  const branchAt = (row: number) => starts[starts[row] === starts[row + 1] ? parent[row]! : row]!;
  const previous = new Uint32Array(count);
  const at = new Int32Array(count);
  const branch = new Uint32Array(count);
  await eachPiece(count, pause, (from, end) => {
    for (let index = from; index < end; index++) {
      const row = rows[index]!;
      previous[index] = before[row]!;
      at[index] = place[before[row]!]!;
      branch[index] = ancestors.common(branchAt(before[row]!), branchAt(row));
    }
  });
  return { rows, previous, at, branch };
}

/**
 * Repeats for which `counts` accepts both occurrences, each with the branch at and above which it must not count again.
 */
export type KeptRepeats = { readonly rows: Uint32Array; readonly branch: Uint32Array };

/**
 * Finds the repeats that remain when only some occurrences count. Occurrences between two that count are skipped: in
 * file order, the innermost branch of the outer two is the outermost of the branches between neighbours.
 *
 * Cost: one pass over the repeats.
 */
export async function keepRepeats(
  all: RepeatColumns,
  counts: (row: number) => boolean,
  pause: Pause,
): Promise<KeptRepeats> {
  const rows = new Uint32Array(all.rows.length);
  const branch = new Uint32Array(all.rows.length);
  let next = 0;
  await eachPiece(all.rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) {
      if (!counts(all.rows[index]!)) continue;
      let outermost = all.branch[index]!;
      let at = index;
      while (!counts(all.previous[at]!) && all.at[at]! >= 0) {
        at = all.at[at]!;
        // Both contain the skipped one, and an outer branch has the smaller number.
        outermost = Math.min(outermost, all.branch[at]!);
      }
      if (!counts(all.previous[at]!)) continue;
      rows[next] = all.rows[index]!;
      branch[next++] = outermost;
    }
  });
  return { rows: rows.slice(0, next), branch: branch.slice(0, next) };
}
