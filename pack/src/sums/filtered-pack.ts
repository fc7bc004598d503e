import type { Known } from '../filter/filter.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import { type BranchColumn, branchColumnsOf, type NumberColumn } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { pickRows } from '../format/pick-rows.ts';
import type { WeightColumns } from '../format/weight-columns.ts';
import { createKeptColumns } from './kept-columns.ts';
import { weighKept } from './kept-order.ts';
import { counts, fates, type KeptTree, keepTree } from './kept-tree.ts';

/**
 * A filtered view of a pack: the same rows with the same names and own values, and branch totals over what is kept.
 *
 * Branch columns are indexed by the branches of the pack. Excluded rows have no valid values; {@link
 * FilteredPack.keeps} tells which rows are kept. Trends are not among the columns: `trendOf` computes them for one
 * branch.
 */
export interface FilteredPack extends PackReader {
  readonly kept: KeptTree;
  /** The canonical text of the filter. */
  readonly filter: string;
  /** Whether the row is a keyword that matches, and not only a branch that contains a match. */
  counts(row: number): boolean;
  weights(): Promise<WeightColumns>;
  /** By branch: the volume of the keywords for which a figure is known; see `sumKnownVolumes`. */
  knownVolumes(of: Known): Promise<Float64Array>;
  /** The memory used in addition to the pack. Grows as more columns are requested. */
  bytes(): number;
}

/** A pack, filtered or not. */
export type View = PackReader | FilteredPack;

/**
 * A view of a pack that keeps the nodes that match and the branches around them, whatever selected these.
 *
 * Cost: one pass over the nodes for the shape, and one for each requested column.
 *
 * @param matches 1 for each node that matches itself. Overwritten.
 * @param text becomes {@link FilteredPack.filter}
 */
export async function keepRows(
  pack: PackReader,
  matches: Uint8Array,
  text: string,
  pause: Pause = noPause,
): Promise<FilteredPack> {
  const kept = await keepTree(pack, matches, pause);
  const { fate, leafKeywords, repeats } = kept;
  const columns = createKeptColumns(kept, pause);
  const ofBranches = new Set<NumberColumn | string>(
    branchColumnsOf({ fields: pack.metadata.fields }).map(({ name }) => name),
  );
  let ordered = 0;
  let weights: Promise<WeightColumns> | undefined;
  const weigh = async () =>
    weighKept(kept, await columns.volumes(), await pack.column('own_volume'), (bytes) => {
      ordered += bytes;
    });
  return {
    ...pack,
    whole: pack,
    kept,
    filter: text,
    keeps: (row) => fate[row] !== fates.gone,
    counts: (row) => counts(fate[row]!),
    weights: () => {
      weights ??= weigh();
      return weights;
    },
    knownVolumes: columns.knownVolumes,
    bytes: () =>
      fate.byteLength +
      4 * leafKeywords.rows.length +
      21 * kept.branches.count +
      8 * repeats.rows.length +
      columns.bytes() +
      ordered,
    async column(name) {
      return (ofBranches.has(name) ? await columns.column(name as BranchColumn) : await pack.column(name)) as never;
    },
    async gather(name, wanted) {
      if (name === 'is_keyword') {
        const isKeyword = new Uint8Array(wanted.length);
        for (let index = 0; index < wanted.length; index++) isKeyword[index] = counts(fate[wanted[index]!]!) ? 1 : 0;
        return isKeyword as never;
      }
      if (!ofBranches.has(name)) return (await pack.gather(name, wanted)) as never;
      const values = await columns.column(name as BranchColumn);
      const found = new (values.constructor as new (length: number) => typeof values)(wanted.length);
      pickRows(found, values, values.BYTES_PER_ELEMENT, wanted);
      return found as never;
    },
  };
}
