import type { PackReader } from './pack-reader.ts';

/** Place and weight of any row, from columns that are read whole and kept with the pack. */
export type HeldWeights = {
  /** Its branch, -1 for a row without children. */
  branch(row: number): number;
  /** Sum of the known volumes of its keywords, 0 when none is known. */
  volume(row: number): number;
  keywords(row: number): number;
  leaves(row: number): number;
  /** By branch. */
  readonly childCount: Uint32Array;
  /** Row of a branch's child, the heaviest one first. */
  child(branch: number, nth: number): number;
  /** How many come before a child, 0 for what is none. */
  childrenBefore(branch: number, child: number): number;
  /** Whether the order is another one than the rows'. */
  readonly isReordered: boolean;
};

/** Memory: 13 bytes a row (5 where no volume is known), 24 a branch. */
export async function holdWeights(pack: PackReader): Promise<HeldWeights> {
  const [starts, isKeyword, ownVolume, firstChild, childCount, volume, keywords, leaves] = await Promise.all([
    pack.column('branch'),
    pack.column('is_keyword'),
    pack.column('own_volume'),
    pack.column('first_child'),
    pack.column('child_count'),
    pack.column('volume'),
    pack.column('keywords'),
    pack.column('leaves'),
  ]);
  const branch = (row: number) => (starts[row] === starts[row + 1] ? -1 : starts[row]!);
  return {
    branch,
    childCount,
    child: (at, nth) => firstChild[at]! + nth,
    childrenBefore(at, child) {
      const before = child - firstChild[at]!;
      return before >= 0 && before < childCount[at]! ? before : 0;
    },
    isReordered: false,
    volume(row) {
      const at = branch(row);
      if (at >= 0) return volume[at]! || 0;
      return isKeyword[row] === 1 && ownVolume ? ownVolume[row]! || 0 : 0;
    },
    keywords(row) {
      const at = branch(row);
      return at >= 0 ? keywords[at]! : isKeyword[row]!;
    },
    leaves(row) {
      const at = branch(row);
      return at >= 0 ? leaves[at]! : 1;
    },
  };
}
