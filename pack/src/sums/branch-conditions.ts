import { type BranchFigure, type BranchLevel, type BranchPart, branchLevels } from '../filter/filter.ts';
import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { knownShare } from '../levels/known-share.ts';
import { isStrayType } from '../levels/level.ts';
import { topicsOf } from '../levels/topics.ts';
import { boundsFor, type Numbers } from '../match/narrow.ts';
import { branchesOf, type PackBranches } from './branches.ts';
import { createKeptColumns } from './kept-columns.ts';
import { counts, type KeptTree, keepTree, wholeTree } from './kept-tree.ts';

/**
 * What the conditions on subtopics, clusters and pillars leave of the keywords that all other parts of a filter keep.
 *
 * Subtopics are judged by the figures of these keywords, then clusters and then pillars by those of what is left. The result is totalled
 * once more, so every figure shown is that of the keywords shown.
 *
 * Cost: for each level with a condition, the sums that it needs, one pass over the branches and one over the kept
 * keywords. Without any part on keywords, the figures of clusters are those of the pack.
 *
 * @param matches 1 for each keyword that the other parts keep; overwritten
 * @param isWhole whether these are all keywords of the pack
 * @param covered needed for conditions on what is covered
 */
export async function keepBranches(
  pack: PackReader,
  matches: Uint8Array,
  parts: readonly BranchPart[],
  isWhole: boolean,
  covered: CoveredRows,
  pause: Pause,
): Promise<KeptTree> {
  let kept: KeptTree | undefined = isWhole ? undefined : await keepTree(pack, matches, pause);
  for (const level of branchLevels) {
    const ofLevel = parts.filter((part) => part.level === level);
    if (ofLevel.length === 0) continue;
    const homes = await homesOf(pack, level, pause);
    const judged = await judge(pack, kept, homes, { parts: ofLevel, covered }, pause);
    const left = kept ? await keywordsOf(kept, pause) : matches;
    await leave(left, homes, judged, pause);
    kept = await keepTree(pack, left, pause);
  }
  return kept ?? keepTree(pack, matches, pause);
}

/**
 * The subtopics, clusters or pillars of all nodes. The children of a branch share theirs: `ofChildren` is its branch, -1 for
 * the children of the root, each of which is its own pillar, or -2 for what is in none.
 */
export type Homes = {
  readonly level: BranchLevel;
  readonly branches: PackBranches;
  readonly ofChildren: Int32Array;
};

const noBranch = -1;
const noHome = -2;

export async function homesOf(pack: PackReader, level: BranchLevel, pause: Pause): Promise<Homes> {
  const branches = await branchesOf(pack, pause);
  const { starts, rows, count } = branches;
  const ofChildren = new Int32Array(count);
  if (level !== 'pillar') {
    const topics = await topicsOf(pack, `${level}s`, pause);
    await eachPiece(count, pause, (from, end) => {
      for (let branch = from; branch < end; branch++) {
        const topic = topics.ofChildren[branch]!;
        ofChildren[branch] = topic === noRow ? noHome : starts[topic]!;
      }
    });
    return { level, branches, ofChildren };
  }
  const [parent, type] = [await pack.column('parent'), await pack.column('type')];
  const isStray = pack.metadata.types.map(isStrayType);
  await eachPiece(count, pause, (from, end) => {
    // Branches are in row order, so the branch above is done.
    for (let branch = from; branch < end; branch++) {
      const row = rows[branch]!;
      const above = branch === 0 ? noBranch : ofChildren[starts[parent[row]!]!]!;
      const own = isStray[type[row]!] ? noHome : branch;
      ofChildren[branch] = branch === 0 ? noBranch : above === noBranch ? own : above;
    }
  });
  return { level, branches, ofChildren };
}

/** Whether a home satisfies all conditions: by branch, and by child of the root, which may be a keyword itself. */
type Judged = { readonly branches: Uint8Array; readonly children: Uint8Array };

async function judge(
  pack: PackReader,
  kept: KeptTree | undefined,
  { level, branches }: Homes,
  { parts, covered }: { readonly parts: readonly BranchPart[]; readonly covered: CoveredRows },
  pause: Pause,
): Promise<Judged> {
  const passes = new Uint8Array(branches.count).fill(1);
  const children = new Uint8Array(branches.count === 0 ? 0 : branches.childCount[0]!).fill(1);
  const first = branches.firstChild[0] ?? 0;
  const figures = figuresUnder(pack, kept, covered, pause);
  for (const { of, from, to } of parts) {
    const values = await figures(of);
    const [low, high] = boundsOf(values, of, from, to);
    await eachPiece(passes.length, pause, (start, end) => {
      for (let branch = start; branch < end; branch++) {
        passes[branch]! &= Number(values[branch]! >= low) & Number(values[branch]! <= high);
      }
    });
    if (level !== 'pillar') continue;
    const own = await figuresOfLeaves(pack, of, covered);
    for (let child = 0; child < children.length; child++) {
      const value = own(first + child);
      children[child]! &= Number(value >= low) & Number(value <= high);
    }
  }
  for (let child = 0; child < children.length; child++) {
    const branch = branches.starts[first + child]!;
    if (branch !== branches.starts[first + child + 1]) children[child] = passes[branch]!;
  }
  return { branches: passes, children };
}

/** 1 for each keyword of a tree. Its fates are used up. */
async function keywordsOf({ fate }: KeptTree, pause: Pause): Promise<Uint8Array> {
  const isCounted = Uint8Array.from({ length: 256 }, (_, value) => Number(counts(value)));
  await eachPiece(fate.length, pause, (from, end) => {
    for (let row = from; row < end; row++) fate[row] = isCounted[fate[row]!]!;
  });
  return fate;
}

/** Writes 0 for the nodes whose home fails. The root is in none. */
async function leave(matches: Uint8Array, { branches, ofChildren }: Homes, judged: Judged, pause: Pause) {
  const { count, firstChild, childCount } = branches;
  matches[0] = 0;
  await eachPiece(count, pause, (from, end) => {
    for (let branch = from; branch < end; branch++) {
      const home = ofChildren[branch]!;
      const first = firstChild[branch]!;
      if (home === noBranch) {
        for (let child = 0; child < childCount[branch]!; child++) matches[first + child]! &= judged.children[child]!;
      } else if (home === noHome || judged.branches[home] === 0) matches.fill(0, first, first + childCount[branch]!);
    }
  });
}

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
