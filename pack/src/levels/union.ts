import { eachPiece, eachStep, noPause, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { branchesOf, keepRepeats, loadRepeatColumns } from '../sums/branches.ts';
import type { View } from '../sums/filtered-pack.ts';
import { keywordMarks, type Marks } from './level-rows.ts';
import { knownVolumes } from './row-values.ts';

/** The totals of a set of nodes, each keyword counted once. The volume and the mean are NaN if no value is known. */
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

/**
 * The totals of some branches and keywords. Nested rows count once, and so do keywords that occur in several rows.
 * Cost: one pass over the rows, one over the branches if there are any among them, and one over the repeats.
 *
 * @param rows in any order, may contain a row several times
 */
export async function totalsOf(pack: View, rows: Uint32Array, pause: Pause = noPause): Promise<UnionTotals> {
  const ascending = isAscending(rows) ? rows : rows.toSorted();
  const [sum] = await sumParts(pack, ascending, onePart, true, pause);
  return {
    ...asTotals(sum!),
    difficulty: sum![difficultyKnown]! > 0 ? sum![difficulty]! / sum![difficultyKnown]! : Number.NaN,
    difficultyKnown: sum![difficultyKnown]!,
    difficultyKnownVolume: sum![knownVolume]!,
  };
}

/** A partition of rows: the part that each row is in. Rows with a number from `count` on are in none. There are at most eight parts. */
export type Parts = { readonly of: Uint8Array | undefined; readonly count: number };

/** All rows are in the same part. */
export const onePart: Parts = { of: undefined, count: 1 };

/**
 * The keywords and the volume of each part of some rows.
 *
 * @param rows ascending
 */
export async function totalsOfParts(
  pack: View,
  rows: Uint32Array,
  parts: Parts,
  pause: Pause,
): Promise<Pick<UnionTotals, 'keywords' | 'volume' | 'volumeKnown'>[]> {
  return (await sumParts(pack, rows, parts, false, pause)).map(asTotals);
}

async function sumParts(
  pack: View,
  rows: Uint32Array,
  parts: Parts,
  withDifficulty: boolean,
  pause: Pause,
): Promise<Float64Array[]> {
  const { whole } = pack;
  const { marks, isMarked } = await keywordMarks(pack);
  const repeats = await loadRepeatColumns(whole, pause);
  const { starts, isCovered, coveredAbove } = await coverOf(whole, rows, parts, pause);
  const sums = Array.from({ length: parts.count }, () => new Float64Array(sumCount));
  const figures = await figuresOf(pack, { withBranches: isCovered !== undefined, withDifficulty }, pause);
  /** For each row without children, a bit for each part that contains it. Only needed to find repeats. */
  const isLeaf = repeats.rows.length === 0 ? undefined : new Uint8Array(whole.metadata.nodes);
  const isPlain = !isCovered && !parts.of;
  const addStep = (from: number, end: number) =>
    addKeywords(sums[0]!, rows, { marks, isMarked }, isLeaf, figures, from, end);
  await eachPiece(rows.length, pause, (from, end) => {
    if (isPlain) return eachStep(from, end, addStep);
    for (let at = from; at < end; at++) {
      const row = rows[at]!;
      const part = parts.of ? parts.of[at]! : 0;
      if (part >= parts.count || (at > 0 && row === rows[at - 1])) continue;
      if (isCovered && (coveredAbove(row) & (1 << part)) !== 0) continue;
      const branch = starts[row]!;
      const sum = sums[part]!;
      if (branch !== starts[row + 1]) figures.addBranch(sum, branch);
      else {
        if (isLeaf) isLeaf[row]! |= 1 << part;
        if (isMarked[marks[row]!] === 1) figures.addKeyword(sum, row, 1);
      }
    }
  });
  for (let part = 0; isLeaf && part < parts.count; part++) {
    const bit = 1 << part;
    const isIn = (row: number) =>
      starts[row] === starts[row + 1]
        ? ((coveredAbove(row) | isLeaf[row]!) & bit) !== 0
        : isCovered !== undefined && (isCovered[starts[row]!]! & bit) !== 0;
    const kept = await keepRepeats(repeats, (row) => isMarked[marks[row]!] === 1 && isIn(row), pause);
    for (let at = 0; at < kept.rows.length; at++) {
      // A repeat within one of the branches is counted once by its roll-up.
      if (!isCovered || (isCovered[kept.branch[at]!]! & bit) === 0) figures.addKeyword(sums[part]!, kept.rows[at]!, -1);
    }
  }
  return sums;
}

/** For each branch, a bit for each part that contains it or a branch above it. */
async function coverOf(whole: PackReader, rows: Uint32Array, parts: Parts, pause: Pause) {
  const [{ starts, count, rows: rowOf }, parent] = [await branchesOf(whole, pause), await whole.column('parent')];
  let isCovered: Uint8Array | undefined;
  const hasBranches = rows.length > 0 && starts[rows[0]!] !== starts[rows.at(-1)! + 1];
  await eachPiece(hasBranches ? rows.length : 0, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const branch = starts[rows[at]!]!;
      const part = parts.of ? parts.of[at]! : 0;
      if (branch === starts[rows[at]! + 1] || part >= parts.count) continue;
      isCovered ??= new Uint8Array(count);
      isCovered[branch]! |= 1 << part;
    }
  });
  const coveredAbove = (row: number): number => (isCovered && row !== 0 ? isCovered[starts[parent[row]!]!]! : 0);
  await eachPiece(isCovered ? count : 0, pause, (from, end) => {
    for (let branch = from; branch < end; branch++) isCovered![branch]! |= coveredAbove(rowOf[branch]!);
  });
  return { starts, isCovered, coveredAbove };
}

/** The indices of the sums. */
const [keywords, volume, volumeKnown, difficulty, difficultyKnown, knownVolume, sumCount] = [0, 1, 2, 3, 4, 5, 6];

/** Prepares adding figures. `withBranches`: whether branches are added, too. `withDifficulty`: whether the difficulty is summed. */
async function figuresOf(
  pack: View,
  { withBranches, withDifficulty }: { readonly withBranches: boolean; readonly withDifficulty: boolean },
  pause: Pause,
) {
  const { whole } = pack;
  const ownVolume = await whole.column('own_volume');
  const ownDifficulty = withDifficulty ? await whole.column('own_difficulty') : undefined;
  const of = withBranches
    ? {
        keywords: await pack.column('keywords'),
        volume: await pack.column('volume'),
        volumeKnown: await pack.column('volume_known'),
      }
    : undefined;
  const hard =
    withBranches && withDifficulty
      ? {
          mean: await pack.column('difficulty'),
          known: await pack.column('difficulty_known'),
          volume: await knownVolumes(pack, 'difficulty', pause),
        }
      : undefined;
  return {
    ownVolume,
    ownDifficulty,
    addBranch(sum: Float64Array, branch: number): void {
      sum[keywords]! += of!.keywords[branch]!;
      sum[volume]! += of!.volume[branch]! || 0;
      sum[volumeKnown]! += of!.volumeKnown[branch]!;
      if (!hard) return;
      sum[difficulty]! += (hard.mean[branch]! || 0) * hard.known[branch]!;
      sum[difficultyKnown]! += hard.known[branch]!;
      sum[knownVolume]! += hard.volume[branch]!;
    },
    addKeyword(sum: Float64Array, row: number, sign: 1 | -1): void {
      sum[keywords]! += sign;
      const searches = ownVolume ? ownVolume[row]! : Number.NaN;
      if (!Number.isNaN(searches)) {
        sum[volume]! += sign * searches;
        sum[volumeKnown]! += sign;
      }
      const points = ownDifficulty ? ownDifficulty[row]! : Number.NaN;
      if (Number.isNaN(points)) return;
      sum[difficulty]! += sign * points;
      sum[difficultyKnown]! += sign;
      if (!Number.isNaN(searches)) sum[knownVolume]! += sign * searches;
    },
  };
}

/**
 * Adds rows without children, all in one part. Branchless, because it is hard to predict which rows count and which values are known: what
 * does not count is added as 0.
 */
function addKeywords(
  sum: Float64Array,
  rows: Uint32Array,
  { marks, isMarked }: Marks,
  isLeaf: Uint8Array | undefined,
  { ownVolume, ownDifficulty }: Pick<Awaited<ReturnType<typeof figuresOf>>, 'ownVolume' | 'ownDifficulty'>,
  from: number,
  end: number,
): void {
  let [ofVolume, ofDifficulty, ofBoth] = [sum[volume]!, sum[difficulty]!, sum[knownVolume]!];
  let [counted, withVolume, withDifficulty] = [0, 0, 0];
  let before = from > 0 ? rows[from - 1]! : -1;
  for (let at = from; at < end; at++) {
    const row = rows[at]!;
    if (isLeaf) isLeaf[row] = 1;
    const searches = ownVolume ? ownVolume[row]! : Number.NaN;
    const points = ownDifficulty ? ownDifficulty[row]! : Number.NaN;
    const counts = isMarked[marks[row]!]! & (row === before ? 0 : 1);
    const hasVolume = Number.isNaN(searches) ? 0 : counts;
    const hasDifficulty = Number.isNaN(points) ? 0 : counts;
    before = row;
    counted += counts;
    withVolume += hasVolume;
    withDifficulty += hasDifficulty;
    ofVolume += hasVolume ? searches : 0;
    ofDifficulty += hasDifficulty ? points : 0;
    ofBoth += hasVolume & hasDifficulty ? searches : 0;
  }
  sum[keywords]! += counted;
  sum[volumeKnown]! += withVolume;
  sum[difficultyKnown]! += withDifficulty;
  sum[volume] = ofVolume;
  sum[difficulty] = ofDifficulty;
  sum[knownVolume] = ofBoth;
}

const asTotals = (sum: Float64Array) => ({
  keywords: sum[keywords]!,
  volume: sum[volumeKnown]! > 0 ? sum[volume]! : Number.NaN,
  volumeKnown: sum[volumeKnown]!,
});

function isAscending(rows: Uint32Array): boolean {
  let before = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    if (row < before) return false;
    before = row;
  }
  return true;
}
