import {
  type AreaLevel,
  type AreaPart,
  type BranchFigure,
  type BranchPart,
  branchLevels,
  type Filter,
  isShare,
  parentIn,
  type Range,
} from '../filter/filter.ts';
import { hasNodeMarks, isInArea, writeFilter } from '../filter/filter-text.ts';
import type { SearchInput } from '../find/find-names.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { rowsAt } from '../format/locate.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { matchRows } from '../match/match-rows.ts';
import { scoreFieldName } from '../score/score-name.ts';
import { branchesOf } from '../sums/branches.ts';
import { type FilteredPack, keepRows, type View } from '../sums/filtered-pack.ts';
import { createKeptColumns } from '../sums/kept-columns.ts';
import { counts, type KeptTree, keepTree, wholeTree } from '../sums/kept-tree.ts';
import type { Level } from '../vocabulary/choices.ts';
import { isWeighedByVolume } from './known-share.ts';
import { isStrayType, type TopicLevel } from './level.ts';
import { keywordMarks, levelRows } from './level-rows.ts';
import { valuesOf } from './row-values.ts';
import { topicsOf } from './topics.ts';

/**
 * 1 for each node that has a page according to the plan, or is in a branch that has one. The figure `covered` needs it, because a pack does
 * not contain the plan.
 */
export type CoveredRows = Uint8Array | undefined;

/**
 * What applying a filter needs besides the pack.
 *
 * `marked`: 1 for each node that satisfies the parts about the plan, changes and warnings; `covered`: see {@link CoveredRows}. Each is
 * required if the filter has such parts.
 */
export type FilterInput = SearchInput & { readonly marked?: Uint8Array | undefined; readonly covered?: CoveredRows };

/** The levels in the order in which conditions on areas and scores are applied. */
const areaLevels: readonly Level[] = ['keywords', 'subtopics', 'clusters', 'pillars'];

/**
 * The filtered view of a pack. The parts on keywords are applied first, then the conditions on subtopics, clusters and pillars, then areas and
 * scores level by level, then areas of the children of a branch. Conditions on a level see the totals over what the earlier ones left, and
 * totals are computed anew after each level, so every figure shown is that of the keywords shown. A figure that the file lacks is unknown
 * for every row.
 *
 * Cost: a pass over the nodes for each part on keywords; for each level with a condition the values of its figures, and a pass
 * over the keywords; one for the shape, and one for each requested column.
 *
 * @param input the finder that searches the names, and the pause between passes
 * @throws Error if the filter has parts about marks and `marked` is missing
 */
export async function filterPack(pack: PackReader, filter: Filter, input: FilterInput = {}): Promise<FilteredPack> {
  const { find, marked, covered, pause = noPause } = input;
  const text = writeFilter(filter);
  if (hasNodeMarks(filter) && !marked) throw new Error(`Nothing is marked for ${text}`);
  // Without any part on keywords, the totals of the first level are those of the pack, so nothing has to be computed before it.
  const isOfBranches =
    filter.branches.length > 0 && writeFilter({ ...filter, branches: [], areas: [], scores: [] }) === '';
  let kept: FilteredPack | undefined;
  if (!isOfBranches) {
    const matches = await matchRows(pack, filter, pause, find);
    await eachPiece(marked ? matches.length : 0, pause, (from, end) => {
      for (let row = from; row < end; row++) matches[row]! &= marked![row]!;
    });
    kept = await keepRows(pack, matches, text, pause);
  }
  for (const [level, parts] of judgedLevels(filter)) {
    const view: View = kept ?? pack;
    const rows = 'of' in parts[0]! ? await homes(view, level as Level, pause) : await rowsOf(view, level, pause);
    const passes = new Uint8Array(pack.metadata.nodes);
    for (const row of rows) passes[row] = 1;
    for (const part of parts) {
      const isIn = await testOf(view, part, rows, covered, pause);
      await eachPiece(rows.length, pause, (from, end) => {
        for (let at = from; at < end; at++) if (passes[rows[at]!] === 1 && !isIn(at)) passes[rows[at]!] = 0;
      });
    }
    kept = await keepRows(pack, await keywordsIn(view, level, passes, pause), text, pause);
  }
  return kept!;
}

type LevelPart = BranchPart | AreaPart | Filter['scores'][number];

/** The levels with conditions, in the order in which these are applied. */
function judgedLevels({ branches, areas, scores }: Filter): [AreaLevel, LevelPart[]][] {
  const ofBranches = branchLevels.map((level): [AreaLevel, LevelPart[]] => [
    `${level}s`,
    branches.filter((part) => part.level === level),
  ]);
  const others = [...new Set([...areaLevels, ...areas.map(({ level }) => level)])].map(
    (level): [AreaLevel, LevelPart[]] => [level, [...areas, ...scores].filter((part) => part.level === level)],
  );
  return [...ofBranches, ...others].filter(([, parts]) => parts.length > 0);
}

/** The rows of a level, or the children of a branch; empty if this upload does not have the branch. */
async function rowsOf(view: View, level: AreaLevel, pause: Pause): Promise<Uint32Array> {
  const parent = parentIn(level);
  if (parent === undefined) return levelRows(view, level as Level, 0, pause);
  const [row] = await rowsAt(view.whole, [parent], pause);
  return row === undefined ? new Uint32Array(0) : levelRows(view, 'children', row, pause);
}

/**
 * Every row that can be the pillar, cluster or subtopic of a kept keyword, ascending. Besides the rows of the level, pillars include strays, and
 * the other levels include the root, which is the cluster of its own keywords.
 */
async function homes(view: View, level: Level, pause: Pause): Promise<Uint32Array> {
  if (level !== 'pillars') {
    const rows = await levelRows(view, level, 0, pause);
    const withRoot = new Uint32Array(rows.length + 1);
    withRoot.set(rows, 1);
    return withRoot;
  }
  const { count, firstChild, childCount } = await branchesOf(view.whole, pause);
  return Uint32Array.from({ length: count > 0 ? childCount[0]! : 0 }, (_, nth) => firstChild[0]! + nth);
}

/** Prepares a condition. @returns whether a row satisfies it, by its index in `rows` */
async function testOf(
  view: View,
  part: LevelPart,
  rows: Uint32Array,
  covered: CoveredRows,
  pause: Pause,
): Promise<(at: number) => boolean> {
  if ('corners' in part) {
    const [x, y] = [await knownIn(view, part.x, rows, pause), await knownIn(view, part.y, rows, pause)];
    return (at) => !Number.isNaN(x[at]! + y[at]!) && isInArea(part, x[at]!, y[at]!);
  }
  const values =
    'of' in part
      ? await branchValues(view, part.of, rows, covered, pause)
      : await knownIn(view, `field:${scoreFieldName(part.score)}`, rows, pause);
  const [low, high] = 'of' in part ? branchBounds(part) : [part.from, part.to];
  const [from, to] = [low ?? Number.NEGATIVE_INFINITY, high ?? Number.POSITIVE_INFINITY];
  return (at) => values[at]! >= from && values[at]! <= to;
}

/** {@link valuesOf}; NaN for every row if the file lacks the figure. */
async function knownIn(view: View, by: string, rows: Uint32Array, pause: Pause): Promise<Float64Array> {
  try {
    return await valuesOf(view, by, rows, pause);
  } catch (error) {
    if (error instanceof RangeError) return new Float64Array(rows.length).fill(Number.NaN);
    throw error;
  }
}

/**
 * The bounds of a condition in the units of {@link branchValues}. A percentage divided by 100 is the same double as the share that it stands
 * for: 29 % equals 29 of 100. Means are stored in 32 bits, so their bounds are rounded to 32 bits, too; otherwise 0.3 would not equal 0.3.
 */
export function branchBounds({ of, from, to }: Range & { readonly of: BranchFigure }) {
  if (isShare(of)) return [from && from / 100, to && to / 100] as const;
  const isMean = of === 'difficulty' || of === 'cpc';
  return [from && isMean ? Math.fround(from) : from, to && isMean ? Math.fround(to) : to] as const;
}

/** A figure of some rows over what is kept, under the name that conditions use. Shares are from 0 to 1. */
export async function branchValues(
  view: View,
  of: BranchFigure,
  rows: Uint32Array,
  covered: CoveredRows,
  pause: Pause,
): Promise<Float64Array> {
  if (of !== 'covered') return valuesOf(view, of.replace('known.', 'known:'), rows, pause);
  if (!covered) throw new Error('What is covered is not given');
  const shares = await coveredShares('kept' in view ? view.kept : await wholeTree(view, pause), covered, pause);
  const { starts } = await branchesOf(view.whole, pause);
  return Float64Array.from(rows, (row) => (starts[row] === starts[row + 1] ? covered[row]! : shares[starts[row]!]!));
}

/**
 * By branch: the share of what is kept that has a page, from 0 to 1; NaN where nothing is kept. It is a share of the volume if that is known
 * for at least half of the keywords and not 0, otherwise of the keywords. A keyword counts once in a branch, and as covered if any of its
 * occurrences there is.
 *
 * Cost: one pass over the nodes and the repeats for the tree of the covered keywords, and two for the volumes.
 *
 * @param covered 1 for each node that has a page
 */
export async function coveredShares(kept: KeptTree, covered: Uint8Array, pause: Pause): Promise<Float64Array> {
  const { fate, pack } = kept;
  const matches = new Uint8Array(fate.length);
  await eachPiece(fate.length, pause, (from, end) => {
    for (let row = from; row < end; row++) matches[row] = covered[row]! & Number(counts(fate[row]!));
  });
  const coveredTree = await keepTree(pack, matches, pause);
  const columns = createKeptColumns(kept, pause);
  const [volumes, volumeKnown] = [await columns.volumes(), await columns.column('volume_known')];
  const coveredVolume = await createKeptColumns(coveredTree, pause).volumes();
  return volumes.map((volume, branch) => {
    const keywords = kept.keywords[branch]!;
    const isByVolume = isWeighedByVolume({ keywords, volumeKnown: volumeKnown[branch]!, volume });
    return isByVolume ? coveredVolume[branch]! / volume : coveredTree.keywords[branch]! / keywords;
  });
}

/** 1 for each kept keyword that is, or is in, a row that passes. All children of a branch are in the same row of a level. */
async function keywordsIn(view: View, level: AreaLevel, passes: Uint8Array, pause: Pause): Promise<Uint8Array> {
  if (level === 'keywords') return passes;
  if (parentIn(level) !== undefined) return keywordsBelow(view, passes, pause);
  const [{ count, firstChild, childCount }, { marks, isMarked }] = [
    await branchesOf(view.whole, pause),
    await keywordMarks(view),
  ];
  const ofChildren =
    level === 'pillars'
      ? await pillarsOf(view.whole, pause)
      : (await topicsOf(view.whole, level as TopicLevel, pause)).ofChildren;
  const matches = new Uint8Array(passes.length);
  await eachPiece(count, pause, (from, end) => {
    for (let branch = from; branch < end; branch++) {
      const home = ofChildren[branch]!;
      const areOwnPillars = level === 'pillars' && branch === 0;
      if (!areOwnPillars && (home === noRow || passes[home] === 0)) continue;
      const [first, last] = [firstChild[branch]!, firstChild[branch]! + childCount[branch]!];
      // Without a filter, the marks are ones and zeros already.
      if (!('kept' in view)) matches.set(marks.subarray(first, last), first);
      else for (let row = first; row < last; row++) matches[row] = isMarked[marks[row]!]!;
      for (let row = first; areOwnPillars && row < last; row++) matches[row]! &= passes[row]!;
    }
  });
  return matches;
}

/** 1 for each kept keyword that is, or is below, a row that passes. */
async function keywordsBelow(view: View, passes: Uint8Array, pause: Pause): Promise<Uint8Array> {
  const [parent, { marks, isMarked }] = [await view.whole.column('parent'), await keywordMarks(view)];
  const matches = new Uint8Array(passes.length);
  await eachPiece(passes.length, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      // Parents come first.
      passes[row]! |= passes[parent[row]!]!;
      matches[row] = passes[row]! & isMarked[marks[row]!]!;
    }
  });
  return matches;
}

/** By branch: the pillar that its children are in; {@link noRow} for the children of the root, and for strays. */
async function pillarsOf(whole: PackReader, pause: Pause): Promise<Uint32Array> {
  const [{ count, rows, starts }, parent, type] = [
    await branchesOf(whole, pause),
    await whole.column('parent'),
    await whole.column('type'),
  ];
  const isStray = whole.metadata.types.map(isStrayType);
  const ofChildren = new Uint32Array(count).fill(noRow);
  await eachPiece(count, pause, (from, end) => {
    // Branches are in row order, so the branch above is done.
    for (let branch = Math.max(1, from); branch < end; branch++) {
      const row = rows[branch]!;
      if (parent[row] !== 0) ofChildren[branch] = ofChildren[starts[parent[row]!]!]!;
      else if (!isStray[type[row]!]) ofChildren[branch] = row;
    }
  });
  return ofChildren;
}
