import { type ChangeMark, changeMarks } from '../filter/filter.ts';
import type { FilteredPack } from '../filter/filtered-pack.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { clusterBranches } from './cluster-branches.ts';
import type { Compared } from './compared.ts';
import { findGoneNodes, type Gone } from './gone-nodes.ts';
import { matchKinds } from './match-packs.ts';
import { PartlySorted } from './partly-sorted.ts';
import { loadRowFigures, type RowFigures } from './row-figures.ts';

/** The kinds of changes, by their bit. A node can have several. */
export const changeNames = changeMarks;
export type ChangeName = ChangeMark;
const bits = Object.fromEntries(changeNames.map((name, bit) => [name, 1 << bit])) as Record<ChangeName, number>;

export const changeLevels = ['clusters', 'keywords'] as const;
export type ChangeLevel = (typeof changeLevels)[number];

/** From where on a difference of two known figures is a change. */
export type Thresholds = {
  /** In percent of the earlier volume, and in searches per month; both must be reached. */
  readonly volumePercent: number;
  readonly volume: number;
  /** In points. */
  readonly difficulty: number;
  readonly position: number;
};
export const usualThresholds: Thresholds = { volumePercent: 20, volume: 10, difficulty: 5, position: 3 };

/** A listed node: a row of the later upload, or of the earlier one for a gone node. */
export type ChangedRow = { readonly row: number; readonly isGone: boolean };

/**
 * What changed between two uploads, by node.
 *
 * The level `keywords` has the keywords, `clusters` the clusters, and other branches that were moved or renamed
 * themselves. Only what the filter keeps is counted and listed.
 */
export interface Changes {
  readonly compared: Compared;
  readonly figures: RowFigures;
  readonly figuresBefore: RowFigures;
  /** Whether nothing differs at all, however little. */
  readonly isSame: boolean;
  /** The number of nodes with each kind of change. */
  counts(level: ChangeLevel): Readonly<Record<ChangeName, number>>;
  /** The number of nodes with any change, or one kind. */
  total(level: ChangeLevel, kind?: ChangeName): number;
  /** Largest change in volume first; unknown ones last. */
  list(level: ChangeLevel, kind: ChangeName | undefined, from: number, count: number): readonly ChangedRow[];
  /** 1 for each row of `after` with one of these changes. It is moved or renamed with what contains it, too. */
  mark(wanted: readonly ChangeName[], pause?: Pause): Promise<Uint8Array>;
  /** What each branch of `after` has lost; found when first requested. */
  gone(): Promise<ReadonlyMap<number, Readonly<Gone>>>;
  /** The kinds of changes of a row of `after`. */
  namesAt(row: number): readonly ChangeName[];
  /** Memory in bytes, in addition to what is compared. */
  bytes(): number;
}

/**
 * Cost: a pass over the nodes of both packs; for the first page of a list, one over the nodes.
 * Memory: 2 bytes per node of `after`, 1 per branch, and 4 per node of each list that was asked for.
 */
export async function findChanges(
  compared: Compared,
  thresholds: Thresholds = usualThresholds,
  pause: Pause = noPause,
): Promise<Changes> {
  const { match, after, before } = compared;
  const sides = { after: await loadSide(after, pause), before: await loadSide(before, pause) };
  const figures = await loadRowFigures(after);
  const figuresBefore = await loadRowFigures(before);
  const mask = new Uint16Array(after.metadata.nodes);
  const counts = { clusters: new Uint32Array(changeNames.length), keywords: new Uint32Array(changeNames.length) };
  const totals = { clusters: 0, keywords: 0 };
  let isSame = true;
  const count = (level: ChangeLevel, changes: number) => {
    totals[level]++;
    for (let bit = 0; bit < changeNames.length; bit++) if ((changes >> bit) & 1) counts[level][bit]! += 1;
  };
  const isAt = (level: ChangeLevel, row: number) =>
    level === 'keywords' ? sides.after.isKeyword(row) : isClusterLevel(row, match.kind[row]!, sides.after);
  const isGone = (row: number) => match.after[row] === noRow && sides.before.keeps(row);
  const isGoneAt = (level: ChangeLevel, row: number) =>
    isGone(row) && (level === 'keywords' ? sides.before.isKeyword(row) : sides.before.isCluster(row));

  await eachPiece(after.metadata.nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      if (!sides.after.keeps(row)) continue;
      const rowBefore = match.before[row]!;
      const kind = match.kind[row]!;
      if (kind !== matchKinds.same) isSame = false;
      mask[row] = ofKind[kind]!;
      if (kind !== matchKinds.new) {
        const ofFigures = compareFigures(figures, row, figuresBefore, rowBefore, thresholds);
        mask[row]! |= ofFigures;
        // One difference is enough.
        if (isSame && sides.after.isKeyword(row)) isSame = areEqual(figures, row, figuresBefore, rowBefore);
      }
      if (mask[row] === 0) continue;
      for (const level of changeLevels) if (isAt(level, row)) count(level, mask[row]!);
    }
  });
  await eachPiece(before.metadata.nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      if (!isGone(row)) continue;
      isSame = false;
      for (const level of changeLevels) if (isGoneAt(level, row)) count(level, bits.gone);
    }
  });

  const { nodes } = after.metadata;
  const lists = new Map<string, PartlySorted>();
  let gone: Promise<ReadonlyMap<number, Readonly<Gone>>> | undefined;
  /** Rows of `after`, then those of `before`. */
  const sizeOf = (item: number): number => {
    if (item >= nodes) return orLast(figuresBefore.volume(item - nodes));
    const volume = figures.volume(item);
    if (match.kind[item] === matchKinds.new) return orLast(volume);
    return orLast(Math.abs(volume - figuresBefore.volume(match.before[item]!)));
  };
  const collect = (level: ChangeLevel, wanted: number): PartlySorted => {
    const items = new Uint32Array(totalOf(level, wanted));
    let next = 0;
    for (let row = 0; row < nodes; row++) if ((mask[row]! & wanted) !== 0 && isAt(level, row)) items[next++] = row;
    if ((wanted & bits.gone) !== 0) {
      for (let row = 0; row < before.metadata.nodes; row++) if (isGoneAt(level, row)) items[next++] = nodes + row;
    }
    return new PartlySorted(items, (one, other) => sizeOf(other) - sizeOf(one) || one - other);
  };
  const totalOf = (level: ChangeLevel, wanted: number) =>
    wanted === everyKind ? totals[level] : counts[level][Math.log2(wanted)]!;

  return {
    compared,
    figures,
    figuresBefore,
    isSame,
    counts: (level) => Object.fromEntries(changeNames.map((name, bit) => [name, counts[level][bit]!])) as never,
    total: (level, kind) => totalOf(level, kind ? bits[kind] : everyKind),
    list(level, kind, from, count) {
      const name = `${level} ${kind ?? ''}`;
      const found = lists.get(name) ?? collect(level, kind ? bits[kind] : everyKind);
      lists.set(name, found);
      return Array.from(found.slice(from, from + count), (item) =>
        item < nodes ? { row: item, isGone: false } : { row: item - nodes, isGone: true },
      );
    },
    async mark(wanted, pause = noPause) {
      const parent = await after.column('parent');
      const asked = wanted.reduce((all, name) => all | bits[name], 0);
      const inherited = asked & (bits.moved | bits.renamed);
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
      gone ??= findGoneNodes(compared, isGone, figuresBefore, pause);
      return gone;
    },
    namesAt: (row) => changeNames.filter((_, bit) => (mask[row]! >> bit) & 1),
    bytes: () => mask.byteLength + [...lists.values()].reduce((sum, { length }) => sum + 4 * length, 0),
  };
}

const everyKind = (1 << changeNames.length) - 1;
const ofKind = [0, bits.new, bits.moved, bits.renamed];
const orLast = (size: number) => (Number.isNaN(size) ? -1 : size);

type Side = { keeps(row: number): boolean; isKeyword(row: number): boolean; isCluster(row: number): boolean };

async function loadSide(pack: PackReader | FilteredPack, pause: Pause): Promise<Side> {
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

function isClusterLevel(row: number, kind: number, side: Side & { isBranch?: never }): boolean {
  return side.isCluster(row) || (kind >= matchKinds.moved && side.keeps(row) && !side.isKeyword(row));
}

/** The bits of the changes of known figures. */
function compareFigures(
  figures: RowFigures,
  row: number,
  figuresBefore: RowFigures,
  rowBefore: number,
  thresholds: Thresholds,
): number {
  const volumeBefore = figuresBefore.volume(rowBefore);
  const least = Math.max(thresholds.volume, (thresholds.volumePercent * volumeBefore) / 100 || 0);
  const [difficulty, position] = [thresholds.difficulty - rounding, thresholds.position - rounding];
  return (
    changeOf(figures.volume(row), volumeBefore, least, bits['volume-up'], bits['volume-down']) |
    changeOf(figures.difficulty(row), figuresBefore.difficulty(rowBefore), difficulty, bits.harder, bits.easier) |
    // A smaller position is a better rank.
    changeOf(figures.position(row), figuresBefore.position(rowBefore), position, bits['rank-down'], bits['rank-up'])
  );
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
  if (Number.isNaN(now)) return Number.isNaN(before) ? 0 : bits['no-longer-known'];
  return bits['now-known'];
}

function areEqual(figures: RowFigures, row: number, figuresBefore: RowFigures, rowBefore: number): boolean {
  return (['volume', 'difficulty', 'position'] as const).every((of) =>
    Object.is(figures[of](row), figuresBefore[of](rowBefore)),
  );
}
