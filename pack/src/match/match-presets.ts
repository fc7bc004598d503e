import { type BrandPart, brandField, type Filter, type QuickPart, type RisingPart } from '../filter/filter.ts';
import type { SearchInput } from '../find/find-names.ts';
import { findTerms } from '../find/find-terms.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { wordCounts } from './count-words.ts';
import { growthOf } from './growth.ts';
import { findQuestions } from './match-questions.ts';
import { boundsFor, type Narrow, type Numbers, nothing, oneOf, within } from './narrow.ts';

/** Calls `narrowBy` for the words, questions, quick wins, rising searches and brand of a filter, one after the other. */
export async function eachPreset(
  pack: PackReader,
  { words, questions, quick, rising, brand }: Filter,
  parts: SearchInput,
  narrowBy: (narrow: Narrow) => Promise<void>,
): Promise<void> {
  if (words) await narrowBy(within(await wordCounts(pack, parts), words.from, words.to));
  if (questions.length > 0) {
    await narrowBy(oneOf(await findQuestions(pack, questions, parts), (value) => value === 1));
  }
  if (quick) await narrowBy(await quickWins(pack, quick));
  if (rising) await narrowBy(await risingSearches(pack, rising, parts));
  if (brand) await narrowBy(await branded(pack, brand, parts));
}

/** The positions from which a page can still be improved to one of the first. */
export const reachable = { from: 4, to: 20 } as const;

/** Keywords of at least this volume that are easy or, if the file has positions, in reach. */
async function quickWins(pack: PackReader, { volume, difficulty }: QuickPart): Promise<Narrow> {
  const [volumes, difficulties, positions] = await Promise.all([
    pack.column('own_volume'),
    pack.column('own_difficulty'),
    pack.column('own_position'),
  ]);
  if (!volumes) return nothing;
  const isEasy = isWithin(difficulties, undefined, difficulty);
  const isNear = isWithin(positions, reachable.from, reachable.to);
  return (matches, from, end) => {
    for (let row = from; row < end; row++) {
      if (!(volumes[row]! >= volume && (isEasy(row) || isNear(row)))) matches[row] = 0;
    }
  };
}

/** Keywords of at least this volume that have grown by at least this many percent. */
async function risingSearches(pack: PackReader, { percent, volume }: RisingPart, parts: SearchInput): Promise<Narrow> {
  const [volumes, growth] = [await pack.column('own_volume'), await growthOf(pack, parts)];
  if (!volumes || !growth) return nothing;
  // Growth is rounded to six decimals, so its bound is, too.
  const least = Math.round(percent * 1e4) / 1e6;
  return (matches, from, end) => {
    for (let row = from; row < end; row++) {
      if (!(volumes[row]! >= volume && growth[row]! >= least)) matches[row] = 0;
    }
  };
}

/** Keywords that contain a brand term or are marked as branded by the file, or the others. */
async function branded(pack: PackReader, { isIn, terms }: BrandPart, parts: SearchInput): Promise<Narrow> {
  const found = await findTerms(pack, terms, 'words', parts);
  const field = brandField(pack.metadata.fields);
  const values = field && (await pack.column(`field:${field.name}`));
  const isMarked = Uint8Array.from({ length: 256 }, (_, value) =>
    Number(field?.kind === 'category' && isYes.test(field.values[value] ?? '')),
  );
  return (matches, from, end) => {
    for (let row = from; row < end; row++) {
      const marked = field?.kind === 'number' ? Number(values![row]! > 0) : values ? isMarked[values[row]!]! : 0;
      if (((found[row]! | marked) === 1) !== isIn) matches[row] = 0;
    }
  };
}

const isYes = /^\s*(?:true|yes|y|1|branded)\s*$/iu;

function isWithin(values: Numbers | undefined, from?: number, to?: number): (row: number) => boolean {
  if (!values) return () => false;
  const [low, high] = boundsFor(values, from, to);
  return (row) => values[row]! >= low && values[row]! <= high;
}
