import type { Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { knownShare } from '../levels/known-share.ts';
import type { BranchFigure } from './filter.ts';
import { createKeptColumns } from './kept-columns.ts';
import { type KeptTree, keepTree } from './kept-tree.ts';
import { boundsFor, type Numbers } from './narrow.ts';

/** The values of a figure by branch, with NaN for unknown, in the number type in which the explorer shows them. */
export type BranchFigures = (of: BranchFigure) => Promise<Numbers>;

/**
 * The figures of branches over the kept keywords. Known shares are from 0 to 1.
 *
 * @param kept the tree that a filter keeps; undefined for the whole pack, whose totals are columns
 */
export function figuresUnder(pack: PackReader, kept: KeptTree | undefined, pause: Pause): BranchFigures {
  const columns = kept && createKeptColumns(kept, pause);
  return async (of) => {
    if (isShare(of)) return knownShares(kept ?? (await wholeTree(pack, pause)), measured(of), pause);
    return columns ? ((await columns.column(of)) as Numbers) : pack.column(of);
  };
}

export const isShare = (of: BranchFigure): of is 'known.difficulty' | 'known.cpc' => of.startsWith('known.');
const measured = (share: 'known.difficulty' | 'known.cpc') => (share === 'known.cpc' ? 'cpc' : 'difficulty');

/** All keywords of a pack, as a filter without conditions keeps them. */
async function wholeTree(pack: PackReader, pause: Pause): Promise<KeptTree> {
  return keepTree(pack, (await pack.column('is_keyword')).slice(0, pack.metadata.nodes), pause);
}

async function knownShares(kept: KeptTree, of: 'difficulty' | 'cpc', pause: Pause): Promise<Float64Array> {
  const columns = createKeptColumns(kept, pause);
  const [volume, volumeKnown, known, knownVolume] = [
    await columns.volumes(),
    await columns.column('volume_known'),
    await columns.column(`${of}_known`),
    await columns.knownVolumes(of),
  ];
  return volume.map((sum, branch) =>
    knownShare({
      keywords: kept.keywords[branch]!,
      volumeKnown: volumeKnown[branch]!,
      volume: sum,
      known: known[branch]!,
      knownVolume: knownVolume[branch]!,
    }),
  );
}

/** The same figures of a keyword without children, by row. */
export async function figuresOfLeaves(pack: PackReader, of: BranchFigure): Promise<(row: number) => number> {
  if (of === 'keywords') return () => 1;
  const own = await pack.column(`own_${isShare(of) ? measured(of) : of}`);
  if (isShare(of)) return (row) => (own && !Number.isNaN(own[row]!) ? 1 : 0);
  return (row) => own?.[row] ?? Number.NaN;
}

/** A share is stated in percent and compared from 0 to 1. Dividing the bound is exact: 29 of 100 are 29 %. */
export function boundsOf(
  values: Numbers,
  of: BranchFigure,
  from: number | undefined,
  to: number | undefined,
): readonly [low: number, high: number] {
  const percent = isShare(of) ? 100 : 1;
  return boundsFor(values, from && from / percent, to && to / percent);
}
