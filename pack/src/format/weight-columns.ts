import type { PackReader } from './pack-reader.ts';

/** Position and weight of any row, from columns that are read whole and cached with the pack. */
export type WeightColumns = {
  /** The branch of a row, -1 for a row without children. */
  branch(row: number): number;
  /** The sum of the known volumes of its keywords, 0 if none is known. */
  volume(row: number): number;
  keywords(row: number): number;
  leaves(row: number): number;
  /** The weight of a row among those below another one: see {@link shares}. */
  weigh(below: number): (row: number) => number;
  /** The number of children, by branch. */
  readonly childCount: Uint32Array;
  /** The row of a branch's nth child, the heaviest first. */
  child(branch: number, nth: number): number;
  /** The number of children before a child; 0 for a row that is not a child. */
  childrenBefore(branch: number, child: number): number;
  /** Whether the order differs from that of the rows. */
  readonly isReordered: boolean;
};

/**
 * The weights of a volume, a keyword and a leaf: the weight of a row is the sum of its shares in a node's volume,
 * keywords and leaves.
 */
function shares(
  { volume, keywords, leaves }: Pick<WeightColumns, 'volume' | 'keywords' | 'leaves'>,
  node: number,
): { readonly ofVolume: number; readonly ofKeyword: number; readonly ofLeaf: number } {
  return {
    ofVolume: 1 / (volume(node) || Number.POSITIVE_INFINITY),
    ofKeyword: 1 / (keywords(node) || Number.POSITIVE_INFINITY),
    ofLeaf: 1 / leaves(node),
  };
}

/** {@link WeightColumns.weigh} of some figures of rows. */
export const weigherOf =
  (of: Pick<WeightColumns, 'volume' | 'keywords' | 'leaves'>): WeightColumns['weigh'] =>
  (below) => {
    const { ofVolume, ofKeyword, ofLeaf } = shares(of, below);
    return (row) => of.volume(row) * ofVolume + of.keywords(row) * ofKeyword + of.leaves(row) * ofLeaf;
  };

/** Memory: 13 bytes per row (5 if no volume is known), 24 per branch. */
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
