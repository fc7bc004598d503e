import type { View } from '../sums/filtered-pack.ts';

/** The figures of one row, as a slice has them; NaN if unknown. */
export type RowFigures = {
  keywords(row: number): number;
  /** A branch without keywords has a volume of 0, not an unknown one: what it lost is known. */
  volume(row: number): number;
  difficulty(row: number): number;
  position(row: number): number;
  /** Writes volume, difficulty and position. */
  write(row: number, into: Float64Array): void;
};

/**
 * The figures of any row of a pack, from columns that are read whole and cached with it. Rows that a filter excludes
 * have no keywords and no known figures.
 */
export async function loadRowFigures(pack: View): Promise<RowFigures> {
  const starts = await pack.column('branch');
  const isKeyword = await pack.column('is_keyword');
  const counts = 'kept' in pack ? pack.counts : (row: number) => isKeyword[row] === 1;
  const keywords = await pack.column('keywords');
  const keywordsInFile = await pack.whole.column('keywords');
  const isEmpty = (row: number) =>
    starts[row] === starts[row + 1] ? isKeyword[row] !== 1 : keywordsInFile[starts[row]!] === 0;
  const columns = async (name: 'volume' | 'difficulty' | 'position') =>
    [await pack.column(`own_${name}`), await pack.column(name)] as const;
  const [ownVolume, volumeOfBranch] = await columns('volume');
  const [ownDifficulty, difficultyOfBranch] = await columns('difficulty');
  const [ownPosition, positionOfBranch] = await columns('position');
  const figure =
    (own: Float64Array | Float32Array | undefined, ofBranch: Float64Array | Float32Array) =>
    (row: number): number => {
      if (starts[row] !== starts[row + 1]) return ofBranch[starts[row]!]!;
      return own && counts(row) ? own[row]! : Number.NaN;
    };
  const known = figure(ownVolume, volumeOfBranch);
  return {
    keywords: (row) => (starts[row] === starts[row + 1] ? Number(counts(row)) : keywords[starts[row]!]!),
    volume(row) {
      const volume = known(row);
      return Number.isNaN(volume) && isEmpty(row) ? 0 : volume;
    },
    difficulty: figure(ownDifficulty, difficultyOfBranch),
    position: figure(ownPosition, positionOfBranch),
    write(row, into) {
      const branch = starts[row]!;
      if (branch !== starts[row + 1]) {
        into[0] = volumeOfBranch[branch]!;
        into[1] = difficultyOfBranch[branch]!;
        into[2] = positionOfBranch[branch]!;
      } else if (counts(row)) {
        into[0] = ownVolume ? ownVolume[row]! : Number.NaN;
        into[1] = ownDifficulty ? ownDifficulty[row]! : Number.NaN;
        into[2] = ownPosition ? ownPosition[row]! : Number.NaN;
      } else into.fill(Number.NaN);
      if (Number.isNaN(into[0]) && isEmpty(row)) into[0] = 0;
    },
  };
}
