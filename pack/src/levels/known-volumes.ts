import type { Known } from '../filter/filter.ts';
import type { FilteredPack } from '../filter/filtered-pack.ts';
import { type KeptTree, keepTree } from '../filter/kept-tree.ts';
import { sumKnownVolumes } from '../filter/known-volumes.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import type { PackReader } from '../format/pack-reader.ts';

/**
 * By branch: the sum of the known volumes of those distinct keywords for which a figure is known, see `known-share`.
 *
 * Not a column of a pack: computed on first use, and cached by the open pack (or by the filtered one) and the figure, 8
 * bytes per branch.
 * Cost: for a figure, one pass over the keywords; for the first figure of a pack, one more over its nodes.
 */
export async function knownVolumes(
  pack: PackReader | FilteredPack,
  of: Known,
  pause: Pause = noPause,
): Promise<Float64Array> {
  if ('kept' in pack) return pack.knownVolumes(of);
  return ofPack(pack, { of, pause });
}

const ofPack = oncePerPack(
  async (pack: PackReader, { of, pause }: { readonly of: Known; readonly pause: Pause }) =>
    sumKnownVolumes(await treeOfAll(pack, pause), of, pause),
  { nameOf: ({ of }) => of, mostKept: Number.POSITIVE_INFINITY },
);

/** A table asks for several figures at once. They share one tree, which nobody keeps. */
const trees = new WeakMap<PackReader, WeakRef<Promise<KeptTree>>>();

async function treeOfAll(pack: PackReader, pause: Pause): Promise<KeptTree> {
  for (let other = trees.get(pack)?.deref(); other; other = trees.get(pack)?.deref()) {
    try {
      return await other;
    } catch {
      // Its request failed, which may concern that request alone.
      await pause();
    }
  }
  const keep = async () => keepTree(pack, (await pack.column('is_keyword')).slice(0, pack.metadata.nodes), pause);
  const mine = keep();
  trees.set(pack, new WeakRef(mine));
  try {
    return await mine;
  } catch (error) {
    trees.delete(pack);
    throw error;
  }
}
