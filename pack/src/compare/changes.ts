import { eachPiece, findInPieces, noPause, type Pause, pauseBetween } from '../format/in-pieces.ts';
import { inherit } from '../format/locate.ts';
import { type NumberArray, noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { pickRows } from '../format/pick-rows.ts';
import { rolledUp, valuesOf } from '../levels/row-values.ts';
import { clustersOf } from '../levels/topics.ts';
import { branchesOf } from '../sums/branches.ts';
import type { View } from '../sums/filtered-pack.ts';
import { type RollUps, rollUpsOfMany } from '../sums/roll-ups.ts';
import { type ChangeName, type ChangeThresholds, changeNames, defaultThresholds } from '../vocabulary/changes.ts';
import {
  type ChangedNodes,
  type ChangeLists,
  changeBits,
  changedWithin,
  levelBits,
  listChanges,
} from './change-lists.ts';
import { type Compared, matchKinds, rowsAmong } from './match-packs.ts';

/**
 * What changed between two uploads, by node.
 *
 * The level `keywords` has the keywords. The level `clusters` has the clusters, and other branches that were themselves moved or
 * renamed. Only what the filter keeps is counted and listed.
 */
export interface Changes extends ChangeLists {
  readonly compared: Compared;
  /** Whether nothing differs at all, not even by less than the thresholds. */
  readonly isSame: boolean;
  /** The lists for one branch of `after`, including what is gone from it. */
  within(branch: number): Promise<ChangeLists>;
  /** 1 for each row of `after` with one of these changes. Below a moved or renamed row, all rows count as moved or renamed. */
  mark(wanted: readonly ChangeName[], pause?: Pause): Promise<Uint8Array>;
  /** What each branch of `after` has lost; computed on the first call. */
  gone(): Promise<ReadonlyMap<number, Readonly<Gone>>>;
  /** The kinds of changes of a row of `after`. */
  namesAt(row: number): readonly ChangeName[];
}

/** The number of rows whose figures are compared at a time. */
const comparedRows = 2 ** 15;

/** The figures of a node that are compared. */
export type ComparedFigure = 'keywords' | 'volume' | 'difficulty' | 'position';

/**
 * A figure of some rows of one side, like `valuesOf`, except that a row without any keywords has a volume of 0 instead of an unknown one:
 * what it has lost is known.
 */
export async function figureOf(pack: View, of: ComparedFigure, rows: Uint32Array, pause: Pause): Promise<Float64Array> {
  if (of !== 'volume') return valuesOf(pack, of, rows, pause);
  return rolledUp(pack, rows, pause, (totals, piece) => volumesOf(pack, totals, piece));
}

async function volumesOf(pack: View, totals: RollUps, rows: Uint32Array): Promise<NumberArray<'volume'>> {
  const volume = await totals.column('volume');
  const empty = await ('kept' in pack ? await rollUpsOfMany(pack.whole, rows) : totals).empty();
  // It may be a part of a column, which must not be modified.
  const values = empty.length > 0 ? volume.slice() : volume;
  for (const at of empty) if (Number.isNaN(values[at])) values[at] = 0;
  return values;
}

/** {@link figureOf} in the earlier upload, for rows of the later one; NaN for new ones. */
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

/** The rows that match some rows in the earlier upload; 0 for new ones. */
function rowsBefore(match: Compared['match'], rows: Uint32Array): Uint32Array {
  const found = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const row = match.before[rows[at]!]!;
    found[at] = row === noRow ? 0 : row;
  }
  return found;
}

/**
 * Cost: a pass over the nodes, one over the changed ones, and another one for the first page of a list.
 * Memory: 2 bytes per node of `after`, 1 per branch, 7 per changed node, the same for the changed nodes of each branch with its own
 * lists, 16 per node of each list that is requested, and one entry per branch that has lost something.
 */
export async function findChanges(
  compared: Compared,
  thresholds: ChangeThresholds = defaultThresholds,
  pause: Pause = noPause,
): Promise<Changes> {
  const { match, after, before } = compared;
  const sides = { after: await loadSide(after, pause), before: await loadSide(before, pause) };
  const { nodes } = after.metadata;
  const mask = new Uint16Array(nodes);
  const { kind: kinds } = match;
  const elsewhere = await keptOf(match.elsewhere, sides.after, pause);
  await eachPiece(elsewhere.length, pause, (from, end) => {
    for (let at = from; at < end; at++) mask[elsewhere[at]!] = ofKind[kinds[elsewhere[at]!]!]!;
  });
  let isSame = elsewhere.length === 0;
  const mayDiffer = await rowsThatMayDiffer(compared, pause);
  for (let from = 0; from < mayDiffer.length; from += comparedRows) {
    if (from > 0) await pause();
    const batch = mayDiffer.subarray(from, from + comparedRows);
    const [now, then] = [await comparedColumns(after, batch), await comparedColumns(before, rowsBefore(match, batch))];
    isSame = addChanges(mask, batch, sides.after, figureComparison(now, then, thresholds)) && isSame;
  }
  const rows = await changedRows(mask, elsewhere, mayDiffer, pause);
  const changes = new Uint16Array(rows.length);
  pickRows(changes, mask, mask.BYTES_PER_ELEMENT, rows);
  const gone = await keptOf(match.gone, sides.before, pause);
  if (gone.length > 0) isSame = false;

  const changed: ChangedNodes = {
    present: {
      rows,
      levels: await levelsOf(rows, sides.after, pause, kinds),
      changes,
    },
    gone: {
      rows: gone,
      levels: await levelsOf(gone, sides.before, pause),
      changes: new Uint16Array(gone.length).fill(changeBits.gone),
    },
    async sizesOf(rows, pause) {
      const sizes = await figureOf(after, 'volume', rows, pause);
      const then = await figureBefore(compared, 'volume', rows, pause);
      for (let at = 0; at < rows.length; at++)
        if (kinds[rows[at]!] !== matchKinds.new) sizes[at] = Math.abs(sizes[at]! - then[at]!);
      return sizes;
    },
    sizesOfGone: (rows, pause) => figureOf(before, 'volume', rows, pause),
  };
  const all = await listChanges(changed, pause);
  let ofBranches: readonly { readonly branch: number; readonly lists: Promise<ChangeLists> }[] = [];
  let lost: Promise<ReadonlyMap<number, Readonly<Gone>>> | undefined;
  return {
    compared,
    isSame,
    ...all,
    within(branch) {
      const listWithin = async () => listChanges(await changedWithin(changed, compared, branch, pause), pause);
      const found = ofBranches.find((one) => one.branch === branch) ?? { branch, lists: listWithin() };
      ofBranches = [found, ...ofBranches.filter((one) => one !== found)].slice(0, maxBranches);
      found.lists.catch(() => {
        ofBranches = ofBranches.filter((one) => one !== found);
      });
      return found.lists;
    },
    async mark(wanted, pause = noPause) {
      const wantedBits = wanted.reduce((all, name) => all | changeBits[name], 0);
      const inherited = wantedBits & (changeBits.moved | changeBits.renamed);
      const marked = new Uint8Array(nodes);
      const add = (bits: number) =>
        eachPiece(nodes, pause, (from, end) => {
          for (let row = from; row < end; row++) marked[row]! |= Number((mask[row]! & bits) !== 0);
        });
      if (inherited !== 0) {
        await add(inherited);
        await inherit(after, marked, pause);
      }
      await add(wantedBits);
      return marked;
    },
    gone() {
      lost ??= findGoneNodes(compared, gone, pause).catch((failure: unknown) => {
        lost = undefined;
        throw failure;
      });
      return lost;
    },
    namesAt: (row) => changeNames.filter((_, bit) => (mask[row]! >> bit) & 1),
  };
}

/** The maximum number of branches whose lists are cached. */
const maxBranches = 4;
const ofKind = [0, changeBits.new, changeBits.moved, changeBits.renamed];

/** The rows with any change, ascending, of two ascending lists that contain all of them. */
function changedRows(mask: Uint16Array, one: Uint32Array, other: Uint32Array, pause: Pause): Promise<Uint32Array> {
  let [at, atOther] = [0, 0];
  let before = noRow;
  return findInPieces(one.length + other.length, pause, (from, end, found, count) => {
    let next = count;
    for (let step = from; step < end; step++) {
      const isOne = atOther === other.length || (at < one.length && one[at]! < other[atOther]!);
      const row = isOne ? one[at++]! : other[atOther++]!;
      if (row !== before && mask[row] !== 0) found[next++] = row;
      before = row;
    }
    return next;
  });
}

type Side = {
  readonly isFiltered: boolean;
  keeps(row: number): boolean;
  isKeyword(row: number): boolean;
  isCluster(row: number): boolean;
};

async function loadSide(pack: View, pause: Pause): Promise<Side> {
  const isFiltered = 'kept' in pack;
  const keeps = isFiltered ? pack.keeps : () => true;
  const isKeyword = await pack.column('is_keyword');
  const starts = await pack.column('branch');
  const isCluster = await clusterBranches(isFiltered ? pack.whole : pack, pause);
  return {
    isFiltered,
    keeps,
    isKeyword: isFiltered ? pack.counts : (row) => isKeyword[row] === 1,
    isCluster: (row) => starts[row] !== starts[row + 1] && isCluster[starts[row]!] === 1 && keeps(row),
  };
}

/** The rows that the filter keeps, of some rows. */
const keptOf = async (rows: Uint32Array, { isFiltered, keeps }: Side, pause: Pause): Promise<Uint32Array> =>
  isFiltered ? rowsAmong(rows, pause, keeps) : rows;

/** The {@link levelBits} of some rows. @param kinds by row, absent for gone rows */
async function levelsOf(rows: Uint32Array, side: Side, pause: Pause, kinds?: Uint8Array): Promise<Uint8Array> {
  const { keeps, isKeyword, isCluster } = side;
  const levels = new Uint8Array(rows.length);
  await eachPiece(rows.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const row = rows[at]!;
      if (isKeyword(row)) levels[at]! |= levelBits.keywords;
      const isElsewhere = kinds !== undefined && kinds[row]! >= matchKinds.moved && keeps(row) && !isKeyword(row);
      if (isElsewhere || isCluster(row)) levels[at]! |= levelBits.clusters;
    }
  });
  return levels;
}

/**
 * The matched rows whose figures may have changed, ascending: branches, and leaves whose own values differ. Most nodes of two uploads are
 * equal leaves, so this saves reading most figures.
 */
async function rowsThatMayDiffer({ match, after, before }: Compared, pause: Pause): Promise<Uint32Array> {
  const [now, then] = [await ownColumns(after), await ownColumns(before)];
  return findInPieces(match.before.length, pause, (from, end, rows, count) =>
    addDifferent(now, then, match.before, from, end, rows, count),
  );
}

/** The columns that determine the figures of nodes without children. */
type OwnColumns = {
  readonly starts: Uint32Array;
  /** By row: two nodes with equal numbers either both count as keywords or both do not. */
  readonly state: Uint8Array;
  /**
   * The 32-bit words of each column of a figure, which are compared faster than its numbers. Different words may be equal numbers; that
   * is decided later. Without known values it is undefined.
   */
  readonly volume: Uint32Array | undefined;
  readonly difficulty: Uint32Array | undefined;
  readonly position: Uint32Array | undefined;
};

async function ownColumns(pack: View): Promise<OwnColumns> {
  return {
    starts: await pack.column('branch'),
    state: 'kept' in pack ? pack.kept.fate : await pack.column('is_keyword'),
    volume: wordsOf(await pack.column('own_volume')),
    difficulty: wordsOf(await pack.column('own_difficulty')),
    position: wordsOf(await pack.column('own_position')),
  };
}

const wordsOf = (column: Float32Array | Float64Array | undefined): Uint32Array | undefined =>
  column && new Uint32Array(column.buffer, column.byteOffset, column.byteLength / 4);

/** Separate, because a loop over variables of a closure takes twice the time. @returns the number of rows now in `rows` */
function addDifferent(
  { starts, state, volume, difficulty, position }: OwnColumns,
  then: OwnColumns,
  rowsThen: Uint32Array,
  from: number,
  end: number,
  rows: Uint32Array,
  count: number,
): number {
  const { starts: startsThen, state: stateThen } = then;
  const { volume: volumeThen, difficulty: difficultyThen, position: positionThen } = then;
  let next = count;
  for (let row = from; row < end; row++) {
    const at = rowsThen[row]!;
    if (at === noRow) continue;
    // A figure that only one side has makes every row different, because what is unknown has no words to compare.
    const isEqual =
      starts[row] === starts[row + 1] &&
      startsThen[at] === startsThen[at + 1] &&
      state[row] === stateThen[at] &&
      volume?.[2 * row] === volumeThen?.[2 * at] &&
      volume?.[2 * row + 1] === volumeThen?.[2 * at + 1] &&
      difficulty?.[row] === difficultyThen?.[at] &&
      position?.[row] === positionThen?.[at];
    if (!isEqual) rows[next++] = row;
  }
  return next;
}

type ComparedColumns = Readonly<Record<'volume' | 'difficulty' | 'position', Float32Array | Float64Array>>;

/** {@link figureOf} for all figures of many rows. Avoids copies, because whole packs are compared. */
async function comparedColumns(pack: View, rows: Uint32Array): Promise<ComparedColumns> {
  const totals = await rollUpsOfMany(pack, rows);
  return {
    volume: await volumesOf(pack, totals, rows),
    difficulty: await totals.column('difficulty'),
    position: await totals.column('position'),
  };
}

/** Adds the changes of the figures of some rows. @returns whether those of all keywords among them are equal */
function addChanges(
  mask: Uint16Array,
  rows: Uint32Array,
  { keeps, isKeyword }: Side,
  compare: ReturnType<typeof figureComparison>,
): boolean {
  let areEqual = true;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    if (!keeps(row)) continue;
    mask[row]! |= compare.bits(at);
    // One difference is enough.
    if (areEqual && isKeyword(row)) areEqual = compare.areEqual(at);
  }
  return areEqual;
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

/** The bit for the change of a figure; 0 if it is smaller than `minChange`. */
function changeOf(now: number, before: number, minChange: number, up: number, down: number): number {
  const change = now - before;
  if (Number.isNaN(change)) return changeOfKnown(now, before);
  return change !== 0 && Math.abs(change) >= minChange ? (change > 0 ? up : down) : 0;
}

/** Means are stored in 32 bits, so the difference of two of them may come out this much too small. */
const rounding = 1e-4;

/** The bit for a figure that is known on one side only; 0 if it is unknown on both. */
function changeOfKnown(now: number, before: number): number {
  if (Number.isNaN(now)) return Number.isNaN(before) ? 0 : changeBits['no-longer-known'];
  return changeBits['now-known'];
}

/** By branch: 1 if it is the cluster of at least one keyword. @param pack the whole pack, without a filter */
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
  /** The number of gone children. What was in a gone branch is gone with it and not counted again. */
  nodes: number;
  keywords: number;
  volume: number;
  /** The keywords and volume of everything that is gone from the branch at any depth. */
  keywordsBelow: number;
  volumeBelow: number;
};

/**
 * What each branch of the later upload has lost, by row. Branches that lost nothing are absent. A gone node counts for
 * the branch that its parent has become; if a filter excludes that branch, for the nearest one above it that is kept.
 *
 * Cost: the levels above each gone node.
 */
async function findGoneNodes(
  { match, after, before }: Compared,
  gone: Uint32Array,
  pause: Pause = noPause,
): Promise<ReadonlyMap<number, Readonly<Gone>>> {
  const parent = await after.column('parent');
  const parentBefore = await before.column('parent');
  const branchOf = (row: number) => match.after[parentBefore[row]!]!;
  const rows = gone.filter((row) => branchOf(row) !== noRow);
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
