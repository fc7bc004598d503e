import { eachPiece, noPause, type Pause, pauseBetween } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { valuesOf } from '../levels/row-values.ts';
import { clustersOf } from '../levels/topics.ts';
import { branchesOf } from '../sums/branches.ts';
import type { View } from '../sums/filtered-pack.ts';
import { rollUpsOfMany } from '../sums/roll-ups.ts';
import {
  type ChangeLevel,
  type ChangeName,
  type ChangeThresholds,
  changeNames,
  defaultThresholds,
} from '../vocabulary/changes.ts';
import { type ChangedNodes, type ChangeLists, changeBits, listChanges, rowsWithin } from './change-lists.ts';
import { type Compared, matchKinds } from './match-packs.ts';

/**
 * What changed between two uploads, by node.
 *
 * The level `keywords` has the keywords, `clusters` the clusters, and other branches that were moved or renamed
 * themselves. Only what the filter keeps is counted and listed.
 */
export interface Changes extends ChangeLists {
  readonly compared: Compared;
  /** Whether nothing differs at all, however little. */
  readonly isSame: boolean;
  /** The same lists for one branch of `after`, with what is gone from it. */
  within(branch: number): Promise<ChangeLists>;
  /** 1 for each row of `after` with one of these changes. It is moved or renamed with what contains it, too. */
  mark(wanted: readonly ChangeName[], pause?: Pause): Promise<Uint8Array>;
  /** What each branch of `after` has lost; found when first requested. */
  gone(): Promise<ReadonlyMap<number, Readonly<Gone>>>;
  /** The kinds of changes of a row of `after`. */
  namesAt(row: number): readonly ChangeName[];
}

/** Rows whose figures are compared at a time. */
const comparedRows = 2 ** 15;

/** What is compared of a node. */
export type ComparedFigure = 'keywords' | 'volume' | 'difficulty' | 'position';

/**
 * A figure of some rows of one side, as `valuesOf` has it. Only a branch without keywords has a volume of 0, not an unknown
 * one: what it lost is known.
 */
export async function figureOf(pack: View, of: ComparedFigure, rows: Uint32Array, pause: Pause): Promise<Float64Array> {
  const values = await valuesOf(pack, of, rows, pause);
  if (of !== 'volume') return values;
  const keywords = await valuesOf(pack.whole, 'keywords', rows, pause);
  return values.map((volume, at) => (keywords[at] === 0 ? volume || 0 : volume));
}

/** The same of what some rows of the later upload were before; NaN for new ones. */
export async function figureBefore(
  { match, before }: Compared,
  of: ComparedFigure,
  rows: Uint32Array,
  pause: Pause,
): Promise<Float64Array> {
  const values = await figureOf(before, of, rowsBefore(match, rows), pause);
  for (let at = 0; at < rows.length; at++) if (match.before[rows[at]!] === noRow) values[at] = Number.NaN;
  return values;
}

/** What some rows were before; any row for new ones. */
function rowsBefore(match: Compared['match'], rows: Uint32Array): Uint32Array {
  const found = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const row = match.before[rows[at]!]!;
    found[at] = row === noRow ? 0 : row;
  }
  return found;
}

/**
 * Cost: a pass over the nodes of both packs; for the first page of a list, one over the nodes.
 * Memory: 2 bytes per node of `after`, 1 per branch, 16 per node of each list that was asked for, one entry per branch that
 * has lost something, and one byte per node of both packs for each branch with lists of its own.
 */
export async function findChanges(
  compared: Compared,
  thresholds: ChangeThresholds = defaultThresholds,
  pause: Pause = noPause,
): Promise<Changes> {
  const { match, after, before } = compared;
  const sides = { after: await loadSide(after, pause), before: await loadSide(before, pause) };
  const mask = new Uint16Array(after.metadata.nodes);
  let isSame = true;
  const isAt = (level: ChangeLevel, row: number) =>
    level === 'keywords' ? sides.after.isKeyword(row) : isClusterLevel(row, match.kind[row]!, sides.after);
  const isGone = (row: number) => match.after[row] === noRow && sides.before.keeps(row);
  const isGoneAt = (level: ChangeLevel, row: number) =>
    level === 'keywords' ? sides.before.isKeyword(row) : sides.before.isCluster(row);

  const { nodes } = after.metadata;
  for (let from = 0; from < nodes; from += comparedRows) {
    if (from > 0) await pause();
    const rows = new Uint32Array(Math.min(comparedRows, nodes - from));
    for (let at = 0; at < rows.length; at++) rows[at] = from + at;
    const [now, then] = [await comparedColumns(after, rows), await comparedColumns(before, rowsBefore(match, rows))];
    const compare = figureComparison(now, then, thresholds);
    for (let at = 0, row = from; at < rows.length; at++, row++) {
      if (!sides.after.keeps(row)) continue;
      const kind = match.kind[row]!;
      if (kind !== matchKinds.same) isSame = false;
      mask[row] = ofKind[kind]!;
      if (kind !== matchKinds.new) {
        mask[row]! |= compare.bits(at);
        // One difference is enough.
        if (isSame && sides.after.isKeyword(row)) isSame = compare.areEqual(at);
      }
    }
  }
  const nodesBefore = before.metadata.nodes;
  await eachPiece(nodesBefore, pause, (from, end) => {
    for (let row = from; isSame && row < end; row++) isSame = !isGone(row);
  });

  const changed: ChangedNodes = {
    mask,
    nodesBefore,
    isAt,
    isGone,
    isGoneAt,
    async sizesOf(rows, pause) {
      const volume = await figureOf(after, 'volume', rows, pause);
      const then = await figureBefore(compared, 'volume', rows, pause);
      return volume.map((now, at) => (match.kind[rows[at]!] === matchKinds.new ? now : Math.abs(now - then[at]!)));
    },
    sizesOfGone: (rows, pause) => figureOf(before, 'volume', rows, pause),
  };
  const all = await listChanges(changed, pause);
  let ofBranches: readonly { readonly branch: number; readonly lists: Promise<ChangeLists> }[] = [];
  let gone: Promise<ReadonlyMap<number, Readonly<Gone>>> | undefined;
  return {
    compared,
    isSame,
    ...all,
    within(branch) {
      const listWithin = async () => listChanges(changed, pause, await rowsWithin(compared, branch, pause));
      const found = ofBranches.find((one) => one.branch === branch) ?? { branch, lists: listWithin() };
      ofBranches = [found, ...ofBranches.filter((one) => one !== found)].slice(0, maxBranches);
      found.lists.catch(() => {
        ofBranches = ofBranches.filter((one) => one !== found);
      });
      return found.lists;
    },
    async mark(wanted, pause = noPause) {
      const parent = await after.column('parent');
      const asked = wanted.reduce((all, name) => all | changeBits[name], 0);
      const inherited = asked & (changeBits.moved | changeBits.renamed);
      const marked = new Uint8Array(nodes);
      /** By row: whether what contains it, or itself, was moved or renamed as wanted. Parents come first. */
      const ofBranch = inherited === 0 ? undefined : new Uint8Array(nodes);
      await eachPiece(nodes, pause, (from, end) => {
        for (let row = from; row < end; row++) {
          if (ofBranch)
            ofBranch[row] = Number((mask[row]! & inherited) !== 0) | (row > 0 ? ofBranch[parent[row]!]! : 0);
          marked[row] = Number((mask[row]! & asked) !== 0) | (ofBranch?.[row] ?? 0);
        }
      });
      return marked;
    },
    gone() {
      gone ??= findGoneNodes(compared, isGone, pause).catch((failure: unknown) => {
        gone = undefined;
        throw failure;
      });
      return gone;
    },
    namesAt: (row) => changeNames.filter((_, bit) => (mask[row]! >> bit) & 1),
  };
}

/** How many branches have lists of their own at a time. */
const maxBranches = 4;
const ofKind = [0, changeBits.new, changeBits.moved, changeBits.renamed];

type Side = { keeps(row: number): boolean; isKeyword(row: number): boolean; isCluster(row: number): boolean };

async function loadSide(pack: View, pause: Pause): Promise<Side> {
  const isFiltered = 'kept' in pack;
  const keeps = isFiltered ? pack.keeps : () => true;
  const isKeyword = await pack.column('is_keyword');
  const starts = await pack.column('branch');
  const isCluster = await clusterBranches(isFiltered ? pack.whole : pack, pause);
  return {
    keeps,
    isKeyword: isFiltered ? pack.counts : (row) => isKeyword[row] === 1,
    isCluster: (row) => starts[row] !== starts[row + 1] && isCluster[starts[row]!] === 1 && keeps(row),
  };
}

function isClusterLevel(row: number, kind: number, side: Side): boolean {
  return side.isCluster(row) || (kind >= matchKinds.moved && side.keeps(row) && !side.isKeyword(row));
}

type ComparedColumns = Readonly<Record<'volume' | 'difficulty' | 'position', Float32Array | Float64Array>>;

/** The figures of many rows, as {@link figureOf} has them. Two whole packs are compared, so nothing is copied without need. */
async function comparedColumns(pack: View, rows: Uint32Array): Promise<ComparedColumns> {
  const totals = await rollUpsOfMany(pack, rows);
  const empty = await ('kept' in pack ? await rollUpsOfMany(pack.whole, rows) : totals).empty();
  let volume = await totals.column('volume');
  if (empty.length > 0) volume = volume.slice();
  for (const at of empty) if (Number.isNaN(volume[at])) volume[at] = 0;
  return { volume, difficulty: await totals.column('difficulty'), position: await totals.column('position') };
}

/** Compares the figures of some rows with those before. */
function figureComparison(now: ComparedColumns, then: ComparedColumns, thresholds: ChangeThresholds) {
  const { volume, difficulty, position } = now;
  const { volume: volumeBefore, difficulty: difficultyBefore, position: positionBefore } = then;
  const [minDifficulty, minPosition] = [thresholds.difficulty - rounding, thresholds.position - rounding];
  return {
    /** The bits of the changes of known figures. */
    bits(at: number): number {
      const minVolume = Math.max(thresholds.volume, (thresholds.volumePercent * volumeBefore[at]!) / 100 || 0);
      return (
        changeOf(volume[at]!, volumeBefore[at]!, minVolume, changeBits['volume-up'], changeBits['volume-down']) |
        changeOf(difficulty[at]!, difficultyBefore[at]!, minDifficulty, changeBits.harder, changeBits.easier) |
        // A smaller position is a better rank.
        changeOf(position[at]!, positionBefore[at]!, minPosition, changeBits['rank-down'], changeBits['rank-up'])
      );
    },
    areEqual: (at: number): boolean =>
      Object.is(volume[at], volumeBefore[at]) &&
      Object.is(difficulty[at], difficultyBefore[at]) &&
      Object.is(position[at], positionBefore[at]),
  };
}

/** The bit of the change of a figure, which has to be at least so large; 0 for none. */
function changeOf(now: number, before: number, least: number, up: number, down: number): number {
  const change = now - before;
  if (Number.isNaN(change)) return knowledge(now, before);
  return change !== 0 && Math.abs(change) >= least ? (change > 0 ? up : down) : 0;
}

/** Means have 32 bits: the difference of two of them may be this much smaller than it is. */
const rounding = 1e-4;

function knowledge(now: number, before: number): number {
  if (Number.isNaN(now)) return Number.isNaN(before) ? 0 : changeBits['no-longer-known'];
  return changeBits['now-known'];
}

/** By branch: 1 for the cluster of a keyword. @param pack the whole pack, without a filter */
async function clusterBranches(pack: PackReader, pause: Pause): Promise<Uint8Array> {
  const { count, starts, firstChild, childCount } = await branchesOf(pack, pause);
  const { ofChildren } = await clustersOf(pack, pause);
  const isKeyword = await pack.column('is_keyword');
  const isCluster = new Uint8Array(count);
  const rest = pauseBetween(pause);
  for (let branch = 0; branch < count; branch++) {
    // One keyword among the children is enough.
    const end = firstChild[branch]! + childCount[branch]!;
    let child = firstChild[branch]!;
    while (child < end && isKeyword[child] !== 1) child++;
    const cluster = ofChildren[branch]!;
    if (child < end && cluster !== noRow) isCluster[starts[cluster]!] = 1;
    const waiting = rest(child - firstChild[branch]! + 1);
    if (waiting) await waiting;
  }
  return isCluster;
}

/** What a branch has lost, with the figures of the earlier upload. Unknown volumes count as 0. */
export type Gone = {
  /** Gone children: what was in a gone branch is gone with it and not counted again. */
  nodes: number;
  keywords: number;
  volume: number;
  /** The same figures of everything that is gone from the branch at any depth. */
  keywordsBelow: number;
  volumeBelow: number;
};

/**
 * What each branch of the later upload has lost, by row. Branches that lost nothing are absent. A gone node counts for
 * the branch that its parent has become; if a filter excludes that branch, for the nearest one above it that is kept.
 *
 * Cost: a pass over the nodes of the earlier upload, and the levels above each gone node.
 */
async function findGoneNodes(
  { match, after, before }: Compared,
  isGone: (rowBefore: number) => boolean,
  pause: Pause = noPause,
): Promise<ReadonlyMap<number, Readonly<Gone>>> {
  const parent = await after.column('parent');
  const parentBefore = await before.column('parent');
  const branchOf = (row: number) => match.after[parentBefore[row]!]!;
  const lost: number[] = [];
  await eachPiece(before.metadata.nodes, pause, (from, end) => {
    for (let row = Math.max(1, from); row < end; row++) if (isGone(row) && branchOf(row) !== noRow) lost.push(row);
  });
  const rows = Uint32Array.from(lost);
  const keywords = await figureOf(before, 'keywords', rows, pause);
  const volumes = await figureOf(before, 'volume', rows, pause);
  const found = new Map<number, Gone>();
  const goneFrom = (row: number): Gone => {
    const known = found.get(row) ?? { nodes: 0, keywords: 0, volume: 0, keywordsBelow: 0, volumeBelow: 0 };
    found.set(row, known);
    return known;
  };
  await eachPiece(rows.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const branch = branchOf(rows[at]!);
      const volume = volumes[at]! || 0;
      const here = goneFrom(nearestKept(after, parent, branch));
      here.nodes++;
      here.keywords += keywords[at]!;
      here.volume += volume;
      for (let above = branch; ; above = parent[above]!) {
        const below = goneFrom(above);
        below.keywordsBelow += keywords[at]!;
        below.volumeBelow += volume;
        if (above === 0) break;
      }
    }
  });
  return found;
}

function nearestKept(after: View, parent: Uint32Array, branch: number): number {
  if (!('kept' in after)) return branch;
  let row = branch;
  while (row > 0 && !after.keeps(row)) row = parent[row]!;
  return row;
}
