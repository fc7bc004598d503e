import { noRow, PackDamaged, rootSliceRows } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { shares } from '../format/weight-columns.ts';
import { selectRows } from '../slice/select-rows.ts';
import { decodeSlice, encodeSlice } from '../slice/slice-wire.ts';
import { gatherSlice } from '../slice/take-slice.ts';

/**
 * Checks that the precomputed slice of the root is the one that would be computed. Reads only the rows of the slice: if
 * other rows would be selected, the slices differ.
 */
export async function checkRootSlice(pack: PackReader): Promise<void> {
  const { rootSlice } = pack;
  const { node } = decodeSlice(rootSlice);
  const weights = await weightsOf(pack, node);
  const budget = Math.min(rootSliceRows, pack.metadata.nodes);
  const found = encodeSlice(await gatherSlice(pack, selectRows(weights, { node: 0, budget, skip: 0 })));
  if (found.length !== rootSlice.length || found.some((byte, index) => byte !== rootSlice[index])) throw another();
}

const another = () => new PackDamaged('the slice of the root is another one');

/** The result of `loadWeightColumns` for some rows only; branches are numbered among them. */
async function weightsOf(pack: PackReader, rows: Uint32Array): Promise<Parameters<typeof selectRows>[0]> {
  const { nodes } = pack.metadata;
  if (rows.some((row, at) => row >= nodes || (at > 0 && row <= rows[at - 1]!))) throw another();
  const branchOf = await pack.branchesOf(rows);
  const branches = branchOf.filter((branch) => branch !== noRow);
  const [isKeyword, ownVolume, firstChild, childCount, volume, keywords, leaves] = await Promise.all([
    pack.gather('is_keyword', rows),
    pack.gather('own_volume', rows),
    pack.gather('first_child', branches),
    pack.gather('child_count', branches),
    pack.gather('volume', branches),
    pack.gather('keywords', branches),
    pack.gather('leaves', branches),
  ]);
  const placeOf = new Map<number, { readonly at: number; readonly branch: number }>();
  let next = 0;
  for (const [at, row] of rows.entries()) placeOf.set(row, { at, branch: branchOf[at] === noRow ? -1 : next++ });
  const place = (row: number) => {
    const found = placeOf.get(row);
    if (!found) throw another();
    return found;
  };
  const of = {
    volume(row: number) {
      const { at, branch } = place(row);
      if (branch >= 0) return volume[branch]! || 0;
      return isKeyword[at] === 1 ? ownVolume?.[at] || 0 : 0;
    },
    keywords(row: number) {
      const { at, branch } = place(row);
      return branch >= 0 ? keywords[branch]! : isKeyword[at]!;
    },
    leaves(row: number) {
      const { branch } = place(row);
      return branch >= 0 ? leaves[branch]! : 1;
    },
  };
  return {
    branch: (row) => place(row).branch,
    child: (branch, nth) => firstChild[branch]! + nth,
    childCount,
    isReordered: false,
    weigh(below) {
      const { ofVolume, ofKeyword, ofLeaf } = shares(of, below);
      return (row) => of.volume(row) * ofVolume + of.keywords(row) * ofKeyword + of.leaves(row) * ofLeaf;
    },
  };
}
