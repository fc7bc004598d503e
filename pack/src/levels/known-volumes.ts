import type { Known } from '../filter/filter.ts';
import type { FilteredPack } from '../filter/filtered-pack.ts';
import { wholeTree } from '../filter/kept-tree.ts';
import { sumKnownVolumes } from '../filter/known-volumes.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { noRow } from '../format/pack-format.ts';
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
    sumKnownVolumes(await wholeTree(pack, pause), of, pause),
  { nameOf: ({ of }) => of, sizeOf: ({ byteLength }) => byteLength },
);

/** {@link knownVolumes} of some rows, also of rows without children. */
export async function knownVolumesAt(
  pack: PackReader | FilteredPack,
  of: Known,
  rows: Uint32Array,
  pause: Pause,
): Promise<Float64Array> {
  const whole = 'kept' in pack ? pack.whole : pack;
  const volumes = new Float64Array(rows.length);
  const branch = await whole.branchesOf(rows);
  const isSingle = (at: number) => branch[at] === noRow;
  if (!branch.every((one) => one === noRow)) {
    const ofBranches = await knownVolumes(pack, of, pause);
    for (let at = 0; at < rows.length; at++) if (!isSingle(at)) volumes[at] = ofBranches[branch[at]!]!;
  }
  const [own, values, isKeyword] = [
    await whole.gather('own_volume', rows),
    await whole.gather(`own_${of as 'difficulty'}`, rows),
    await pack.gather('is_keyword', rows),
  ];
  if (!own || !values) return volumes;
  const isKnown = of === 'intent' ? (at: number) => values[at] !== 0 : (at: number) => !Number.isNaN(values[at]);
  for (let at = 0; at < rows.length; at++) {
    if (isSingle(at) && isKeyword[at] === 1 && isKnown(at)) volumes[at] = own[at]! || 0;
  }
  return volumes;
}
