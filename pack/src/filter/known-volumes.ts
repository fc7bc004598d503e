import { eachPiece, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { hasMembers } from '../upload/member-sets.ts';
import type { Known } from './filter.ts';
import { sumKept } from './kept-sums.ts';
import type { KeptTree } from './kept-tree.ts';

/**
 * By branch: the sum of the known volumes of the kept, distinct keywords for which a figure is known. This weighs how
 * much of a mean is known.
 * Cost: one pass over the keywords.
 */
export async function sumKnownVolumes(kept: KeptTree, of: Known, pause: Pause): Promise<Float64Array> {
  const [values, volumes] = [await knownValues(kept.pack, of, pause), await kept.pack.column('own_volume')];
  if (!values || !volumes) return new Float64Array(kept.branches.count);
  const { sum } = await sumKept(kept, values, pause, { volumes, what: 'weights' });
  // Subtracting a repeat may leave less than nothing in the last digits.
  for (let branch = 0; branch < sum.length; branch++) if (sum[branch]! < 0) sum[branch] = 0;
  return sum;
}

/** By row, a number where the figure is known and NaN where it is not; undefined if it is unknown everywhere. */
async function knownValues(
  pack: PackReader,
  of: Known,
  pause: Pause,
): Promise<Float32Array | Float64Array | undefined> {
  if (of === 'intent') {
    const bits = await pack.column('own_intent');
    return bits && marked(bits.length, (row) => bits[row] !== 0, pause);
  }
  if (!of.startsWith('field:')) return pack.column(`own_${of as 'difficulty'}`);
  const field = pack.metadata.fields.find(({ name }) => `field:${name}` === of);
  if (!field) return undefined;
  const column = (await pack.column(of as `field:${string}`))!;
  if (field.kind === 'number') return column as Float64Array;
  const isKnown =
    field.kind === 'set' ? (row: number) => hasMembers(column as Uint32Array, row) : (row: number) => column[row] !== 0;
  return marked(pack.rows, isKnown, pause);
}

async function marked(rows: number, isKnown: (row: number) => boolean, pause: Pause): Promise<Float32Array> {
  const marks = new Float32Array(rows);
  await eachPiece(rows, pause, (from, end) => {
    for (let row = from; row < end; row++) marks[row] = isKnown(row) ? 1 : Number.NaN;
  });
  return marks;
}
