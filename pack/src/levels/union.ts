import type { FilteredPack } from '../filter/filtered-pack.ts';
import { branchesOf } from '../filter/pack-branches.ts';
import { keepRepeats, loadRepeatColumns } from '../filter/repeat-columns.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { rollUpsOf } from '../slice/rolled-rows.ts';
import { knownVolumes } from './known-volumes.ts';
import { countsOf } from './row-values.ts';

/**
 * Several nodes as one set of keywords: `outermost` are those of them that lie in no other, ascending, and `repeats` the
 * nodes whose keyword already counts in an earlier one of them.
 */
export type Union = { readonly outermost: Uint32Array; readonly repeats: Uint32Array };

/**
 * The union of some branches and keywords: nested rows count once, and so do keywords that occur in several of them.
 * Cost: one pass over the branches and one over the repeats.
 *
 * @param rows in any order, also several times the same
 */
export async function unionOf(
  pack: PackReader | FilteredPack,
  rows: Uint32Array,
  pause: Pause = noPause,
): Promise<Union> {
  const whole = 'kept' in pack ? pack.whole : pack;
  const [branches, parent, isCounted, all] = [
    await branchesOf(whole, pause),
    await whole.column('parent'),
    await countsOf(pack),
    await loadRepeatColumns(whole, pause),
  ];
  const { starts, count } = branches;
  /** By branch, whether it is one of the rows or below one. */
  const isCovered = new Uint8Array(count);
  const isSingle = (row: number) => starts[row] === starts[row + 1];
  const ascending = isAscending(rows) ? rows : rows.toSorted();
  await eachPiece(ascending.length, pause, (from, end) => {
    for (let at = from; at < end; at++) if (!isSingle(ascending[at]!)) isCovered[starts[ascending[at]!]!] = 1;
  });
  const coveredAbove = (row: number) => row !== 0 && isCovered[starts[parent[row]!]!] === 1;
  await eachPiece(count, pause, (from, end) => {
    for (let branch = from; branch < end; branch++) if (coveredAbove(branches.rows[branch]!)) isCovered[branch] = 1;
  });
  const found = new Uint32Array(ascending.length);
  const isLeaf = new Uint8Array(whole.metadata.nodes);
  let outer = 0;
  await eachPiece(ascending.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const row = ascending[at]!;
      if (row === ascending[at - 1] || coveredAbove(row)) continue;
      found[outer++] = row;
      if (isSingle(row)) isLeaf[row] = 1;
    }
  });
  const outermost = found.subarray(0, outer);
  if (all.rows.length === 0) return { outermost, repeats: new Uint32Array(0) };
  const isIn = (row: number) =>
    isSingle(row) ? coveredAbove(row) || isLeaf[row] === 1 : isCovered[starts[row]!] === 1;
  const kept = await keepRepeats(all, (row) => isCounted(row) && isIn(row), pause);
  // A repeat within one of the branches is counted once by its roll-up.
  return { outermost, repeats: kept.rows.filter((_, at) => isCovered[kept.branch[at]!] === 0) };
}

function isAscending(rows: Uint32Array): boolean {
  for (let at = 1; at < rows.length; at++) if (rows[at]! < rows[at - 1]!) return false;
  return true;
}

/** Totals of a union. Sums are NaN if nothing is known, means as well. */
export type UnionTotals = {
  readonly keywords: number;
  readonly volume: number;
  readonly volumeKnown: number;
  /** The plain mean over the keywords with a known difficulty. */
  readonly difficulty: number;
  readonly difficultyKnown: number;
  /** The volume of the keywords with a known difficulty. */
  readonly difficultyKnownVolume: number;
};

/** The number of rows whose figures are read at a time: a few milliseconds. */
const pieceRows = 2 ** 16;

export async function totalsOf(
  pack: PackReader | FilteredPack,
  { outermost, repeats }: Union,
  pause: Pause = noPause,
): Promise<UnionTotals> {
  const whole = 'kept' in pack ? pack.whole : pack;
  const sum = { keywords: 0, volume: 0, volumeKnown: 0, difficulty: 0, difficultyKnown: 0, difficultyKnownVolume: 0 };
  for (let from = 0; from < outermost.length; from += pieceRows) {
    if (from > 0) await pause();
    const piece = outermost.subarray(from, from + pieceRows);
    const rolled = await rollUpsOf(pack, piece);
    const [keywords, volume, volumeKnown, difficulty, difficultyKnown] = [
      await rolled.column('keywords'),
      await rolled.column('volume'),
      await rolled.column('volume_known'),
      await rolled.column('difficulty'),
      await rolled.column('difficulty_known'),
    ];
    const knownVolume = await knownVolumesAt(pack, 'difficulty', piece, pause);
    for (let at = 0; at < piece.length; at++) {
      sum.keywords += keywords[at]!;
      sum.volume += volume[at]! || 0;
      sum.volumeKnown += volumeKnown[at]!;
      sum.difficulty += (difficulty[at]! || 0) * difficultyKnown[at]!;
      sum.difficultyKnown += difficultyKnown[at]!;
      sum.difficultyKnownVolume += knownVolume[at]!;
    }
  }
  const [volumes, difficulties] = [
    await whole.gather('own_volume', repeats),
    await whole.gather('own_difficulty', repeats),
  ];
  for (let at = 0; at < repeats.length; at++) {
    const [ownVolume, ownDifficulty] = [volumes?.[at] ?? Number.NaN, difficulties?.[at] ?? Number.NaN];
    sum.keywords -= 1;
    sum.volume -= ownVolume || 0;
    sum.volumeKnown -= Number(!Number.isNaN(ownVolume));
    if (Number.isNaN(ownDifficulty)) continue;
    sum.difficulty -= ownDifficulty;
    sum.difficultyKnown -= 1;
    sum.difficultyKnownVolume -= ownVolume || 0;
  }
  return {
    ...sum,
    volume: sum.volumeKnown > 0 ? sum.volume : Number.NaN,
    difficulty: sum.difficultyKnown > 0 ? sum.difficulty / sum.difficultyKnown : Number.NaN,
  };
}

/** {@link knownVolumes} of some rows, also of rows without children. */
export async function knownVolumesAt(
  pack: PackReader | FilteredPack,
  of: Parameters<typeof knownVolumes>[1],
  rows: Uint32Array,
  pause: Pause,
): Promise<Float64Array> {
  const whole = 'kept' in pack ? pack.whole : pack;
  const volumes = new Float64Array(rows.length);
  const branch = await whole.branchesOf(rows);
  const isSingle = (at: number) => branch[at] === noRow;
  if (!branch.every((one) => one === noRow)) {
    const ofBranches = await knownVolumes(pack, of, pause);
    for (let at = 0; at < rows.length; at++) if (!isSingle(at)) volumes[at] = ofBranches[branch[at]!]!;
  }
  const [own, values, isKeyword] = [
    await whole.gather('own_volume', rows),
    await whole.gather(`own_${of as 'difficulty'}`, rows),
    await pack.gather('is_keyword', rows),
  ];
  if (!own || !values) return volumes;
  const isKnown = of === 'intent' ? (at: number) => values[at] !== 0 : (at: number) => !Number.isNaN(values[at]);
  for (let at = 0; at < rows.length; at++) {
    if (isSingle(at) && isKeyword[at] === 1 && isKnown(at)) volumes[at] = own[at]! || 0;
  }
  return volumes;
}
