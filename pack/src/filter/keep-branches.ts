import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { isStrayType } from '../levels/level.ts';
import { topicsOf } from '../levels/topics.ts';
import { boundsOf, type CoveredRows, figuresOfLeaves, figuresUnder } from './branch-figures.ts';
import { type BranchLevel, type BranchPart, branchLevels } from './filter.ts';
import { counts, type KeptTree, keepTree } from './kept-tree.ts';
import { branchesOf, type PackBranches } from './pack-branches.ts';

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
