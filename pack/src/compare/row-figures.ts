import type { FilteredPack } from '../filter/filtered-pack.ts';
import type { PackReader } from '../format/pack-reader.ts';

/** The figures of one row, as a slice has them; NaN if unknown. */
export type RowFigures = {
  keywords(row: number): number;
  /** A branch without keywords has a volume of 0, not an unknown one: what it lost is known. */
  volume(row: number): number;
  difficulty(row: number): number;
  position(row: number): number;
};

/**
 * The figures of any row of a pack, from columns that are read whole and cached with it. Rows that a filter excludes
 * have no keywords and no known figures.
 */
export async function loadRowFigures(pack: PackReader | FilteredPack): Promise<RowFigures> {
  const starts = await pack.column('branch');
  const isKeyword = await pack.column('is_keyword');
  const counts = 'kept' in pack ? pack.counts : (row: number) => isKeyword[row] === 1;
  const keywords = await pack.column('keywords');
  const keywordsInFile = await ('kept' in pack ? pack.whole : pack).column('keywords');
  const isEmpty = (row: number) =>
    starts[row] === starts[row + 1] ? isKeyword[row] !== 1 : keywordsInFile[starts[row]!] === 0;
  const figure = async (name: 'volume' | 'difficulty' | 'position') => {
    const own = await pack.column(`own_${name}`);
    const ofBranches = await pack.column(name);
    return (row: number): number => {
      if (starts[row] !== starts[row + 1]) return ofBranches[starts[row]!]!;
      return own && counts(row) ? own[row]! : Number.NaN;
    };
  };
  const volume = await figure('volume');
  return {
    keywords: (row) => (starts[row] === starts[row + 1] ? Number(counts(row)) : keywords[starts[row]!]!),
    volume(row) {
      const known = volume(row);
      return Number.isNaN(known) && isEmpty(row) ? 0 : known;
    },
    difficulty: await figure('difficulty'),
    position: await figure('position'),
  };
}
