import { eachPiece, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { knownShare } from '../levels/known-share.ts';
import type { BranchFigure } from './filter.ts';
import { createKeptColumns } from './kept-columns.ts';
import { counts, type KeptTree, keepTree, wholeTree } from './kept-tree.ts';
import { boundsFor, type Numbers } from './narrow.ts';

/** The values of a figure by branch, with NaN for unknown, in the number type in which the explorer shows them. */
export type BranchFigures = (of: BranchFigure) => Promise<Numbers>;

/**
 * 1 for each node that has a page, or is in a branch with one, according to the plan. A figure `covered` needs it: nothing
 * in a pack says so.
 */
export type CoveredRows = Uint8Array | undefined;

/**
 * The figures of branches over the kept keywords. Shares are from 0 to 1.
 *
 * @param kept the tree that a filter keeps; undefined for the whole pack, whose totals are columns
 */
export function figuresUnder(
  pack: PackReader,
  kept: KeptTree | undefined,
  covered: CoveredRows,
  pause: Pause,
): BranchFigures {
  const columns = kept && createKeptColumns(kept, pause);
  return async (of) => {
    if (of === 'covered') return coveredShares(kept ?? (await wholeTree(pack, pause)), given(covered), pause);
    if (isKnownShare(of)) return knownShares(kept ?? (await wholeTree(pack, pause)), measured(of), pause);
    return columns ? ((await columns.column(of)) as Numbers) : pack.column(of);
  };
}

type KnownShare = 'known.difficulty' | 'known.cpc';
const isKnownShare = (of: BranchFigure): of is KnownShare => of.startsWith('known.');
/** Whether a figure is stated in percent. */
export const isShare = (of: BranchFigure): boolean => of === 'covered' || isKnownShare(of);
const measured = (share: KnownShare) => (share === 'known.cpc' ? 'cpc' : 'difficulty');

function given(covered: CoveredRows): Uint8Array {
  if (!covered) throw new Error('What is covered is not given');
  return covered;
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
export async function figuresOfLeaves(
  pack: PackReader,
  of: BranchFigure,
  covered: CoveredRows,
): Promise<(row: number) => number> {
  if (of === 'keywords') return () => 1;
  if (of === 'covered') {
    const isCovered = given(covered);
    return (row) => isCovered[row]!;
  }
  const own = await pack.column(`own_${isKnownShare(of) ? measured(of) : of}`);
  if (isKnownShare(of)) return (row) => (own && !Number.isNaN(own[row]!) ? 1 : 0);
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

/**
 * By branch: which part of what is kept has a page, from 0 to 1; NaN where nothing is kept. Of the volume where it is known
 * for at least half of the keywords and there is any, otherwise of the keywords. A keyword counts once in a branch, and as
 * covered if one of its places there is.
 *
 * Cost: the tree of the covered keywords and its volumes.
 *
 * @param covered 1 for each node that has a page
 */
export async function coveredShares(kept: KeptTree, covered: Uint8Array, pause: Pause): Promise<Float64Array> {
  const { fate, pack } = kept;
  const matches = new Uint8Array(fate.length);
  await eachPiece(fate.length, pause, (from, end) => {
    for (let row = from; row < end; row++) matches[row] = covered[row]! & Number(counts(fate[row]!));
  });
  const done = await keepTree(pack, matches, pause);
  const columns = createKeptColumns(kept, pause);
  const [volume, volumeKnown] = [await columns.volumes(), await columns.column('volume_known')];
  const doneVolume = await createKeptColumns(done, pause).volumes();
  return volume.map((all, branch) => {
    const keywords = kept.keywords[branch]!;
    const isByVolume = 2 * volumeKnown[branch]! >= keywords && all > 0;
    return isByVolume ? doneVolume[branch]! / all : done.keywords[branch]! / keywords;
  });
}
