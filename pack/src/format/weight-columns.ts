import type { PackReader } from './pack-reader.ts';

/** Place and weight of any row, from columns that are read whole and kept with the pack. */
export type WeightColumns = {
  /** Its branch, -1 for a row without children. */
  branch(row: number): number;
  /** Sum of the known volumes of its keywords, 0 when none is known. */
  volume(row: number): number;
  keywords(row: number): number;
  leaves(row: number): number;
  /** What a row weighs among those below another: see {@link shares}. */
  weigh(below: number): (row: number) => number;
  /** By branch. */
  readonly childCount: Uint32Array;
  /** Row of a branch's child, the heaviest one first. */
  child(branch: number, nth: number): number;
  /** How many come before a child, 0 for what is none. */
  childrenBefore(branch: number, child: number): number;
  /** Whether the order is another one than the rows'. */
  readonly isReordered: boolean;
};

/** What a volume, a keyword and a leaf weigh: a row's weight is its share of a node's volume, keywords and leaves, added up. */
export function shares(
  { volume, keywords, leaves }: Pick<WeightColumns, 'volume' | 'keywords' | 'leaves'>,
  node: number,
): { readonly ofVolume: number; readonly ofKeyword: number; readonly ofLeaf: number } {
  return {
    ofVolume: 1 / (volume(node) || Number.POSITIVE_INFINITY),
    ofKeyword: 1 / (keywords(node) || Number.POSITIVE_INFINITY),
    ofLeaf: 1 / leaves(node),
  };
}

/** Memory: 13 bytes a row (5 where no volume is known), 24 a branch. */
export async function loadWeightColumns(pack: PackReader): Promise<WeightColumns> {
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
  const of = {
    volume(row: number) {
      const at = branch(row);
      if (at >= 0) return volume[at]! || 0;
      return isKeyword[row] === 1 && ownVolume ? ownVolume[row]! || 0 : 0;
    },
    keywords(row: number) {
      const at = branch(row);
      return at >= 0 ? keywords[at]! : isKeyword[row]!;
    },
    leaves(row: number) {
      const at = branch(row);
      return at >= 0 ? leaves[at]! : 1;
    },
  };
  return {
    ...of,
    branch,
    childCount,
    child: (at, nth) => firstChild[at]! + nth,
    childrenBefore(at, child) {
      const before = child - firstChild[at]!;
      return before >= 0 && before < childCount[at]! ? before : 0;
    },
    isReordered: false,
    weigh(below) {
      const { ofVolume, ofKeyword, ofLeaf } = shares(of, below);
      return (row) => {
        const at = branch(row);
        if (at >= 0) return (volume[at]! || 0) * ofVolume + keywords[at]! * ofKeyword + leaves[at]! * ofLeaf;
        if (isKeyword[row] !== 1) return ofLeaf;
        return (ownVolume ? ownVolume[row]! || 0 : 0) * ofVolume + ofKeyword + ofLeaf;
      };
    },
  };
}
