import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import type { PackReader } from '../format/pack-reader.ts';

/** The locations of the branches in a pack: its columns, and the row of each branch. */
export type PackBranches = {
  readonly count: number;
  /** By row: its branch, or where it would be; see the column `branch`. */
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

/** The start of each branch's children, followed by the end of the last ones: runs are contiguous. */
export function runsOf({ count, firstChild, childCount }: PackBranches): Uint32Array {
  const runs = new Uint32Array(count + 1);
  runs.set(firstChild);
  if (count > 0) runs[count] = firstChild[count - 1]! + childCount[count - 1]!;
  return runs;
}
