import {
  type BrandPart,
  brandField,
  type Figure,
  type Filter,
  filterMetrics,
  intents,
  type Known,
  type QuickPart,
  type RisingPart,
} from '../filter/filter.ts';
import { isField, nameOf } from '../filter/filter-text.ts';
import { hitKind, type TextFinder } from '../find/find-fallback.ts';
import { findNames, isBlank, type SearchInput } from '../find/find-names.ts';
import { findTerms } from '../find/find-terms.ts';
import type { TextQuery } from '../find/text-query.ts';
import { eachPiece, eachRun, type Pause } from '../format/in-pieces.ts';
import { type Level, levelsOf, rowsAt } from '../format/locate.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { keywordScores } from '../score/row-scores.ts';
import { scoreOfField } from '../score/score.ts';
import { ownSeasons } from '../season/own-peaks.ts';
import { seasonOfField } from '../season/season-name.ts';
import { branchesOf, type PackBranches, runsOf } from '../sums/branches.ts';
import { wordCounts } from './count-words.ts';
import { growthOf } from './growth.ts';
import { findQuestions } from './match-questions.ts';
import { anyOf, boundsFor, type Narrow, type Numbers, narrowByValue, nothing, oneOf, within } from './narrow.ts';

/**
 * For every node, 1 if it satisfies all parts of the filter that are on keywords, otherwise 0; see {@link Filter} for their meaning. Of
 * conditions on branches, areas, scores, the plan, changes and warnings, only the limitation to keywords is applied.
 *
 * Cost: a pass over the nodes for each part, and one over the bytes of all names for each text.
 */
export async function matchRows(
  pack: PackReader,
  filter: Filter,
  pause: Pause,
  find?: TextFinder,
): Promise<Uint8Array> {
  const matches = await candidateRows(pack, filter, pause);
  const narrowBy = async (narrow: Narrow) => {
    await pause();
    await eachPiece(matches.length, pause, (from, end) => narrow(matches, from, end));
  };
  for (const narrow of await partsOf(pack, filter, pause)) await narrowBy(narrow);
  if (filter.types.length > 0) await keepTypes(pack, matches, filter.types, pause);
  await eachPreset(pack, filter, { find, pause }, narrowBy);
  if (filter.within.length > 0) await keepPlaces(pack, matches, filter.within, true, pause);
  if (filter.outside.length > 0) await keepPlaces(pack, matches, filter.outside, false, pause);
  for (const part of [
    ...filter.contains.map((text) => ({ mode: 'phrase', text, isIn: true }) as const),
    ...filter.excludes.map((text) => ({ mode: 'phrase', text, isIn: false }) as const),
    ...filter.texts,
  ]) {
    await pause();
    await matchName(pack, matches, part, { find, pause });
  }
  return matches;
}

/** The nodes to which the filter is applied: keywords and, if it has no condition that only keywords can satisfy, nodes without children. */
async function candidateRows(pack: PackReader, filter: Filter, pause: Pause): Promise<Uint8Array> {
  const { intents: wanted, categories, ranges, known, branches, areas, scores } = filter;
  const ofRows = branches.length + areas.length + scores.length;
  const marks = filter.plan.length + filter.planned.length + filter.changes.length + filter.warnings.length;
  const listed = wanted.length + categories.length + ranges.length + known.length + ofRows + marks;
  const ofFigures = listed > 0 || filter.quick !== undefined || filter.rising !== undefined;
  const isKeyword = await pack.column('is_keyword');
  if (ofFigures) return isKeyword.slice(0, pack.metadata.nodes);
  const { count, rows } = await branchesOf(pack, pause);
  const matches = new Uint8Array(pack.metadata.nodes).fill(1);
  await eachPiece(count, pause, (from, end) => {
    for (let branch = from; branch < end; branch++) matches[rows[branch]!] = isKeyword[rows[branch]!]!;
  });
  return matches;
}

async function partsOf(pack: PackReader, filter: Filter, pause: Pause): Promise<Narrow[]> {
  const { ranges, known, depth, hasChildren } = filter;
  const parts: Narrow[] = [];
  if (depth) parts.push(within(await pack.column('depth'), depth.from, depth.to));
  if (hasChildren !== undefined) parts.push(haveChildren(await pack.column('branch'), hasChildren));
  for (const { of, from, to, isBelow } of ranges)
    parts.push(within(await figuresOf(pack, of, pause), from, to, isBelow));
  for (const of of known) parts.push(await isKnown(pack, of, pause));
  if (filter.intents.length > 0) {
    const bits = filter.intents.reduce((all, intent) => all | (1 << intents.indexOf(intent)), 0);
    parts.push(oneOf(await pack.column('own_intent'), (value) => (value & bits) !== 0));
  }
  for (const { field, values } of filter.categories) {
    const category = await categoryColumn(pack, field, pause);
    if (category) {
      const wanted = category.values.map((value) => values.includes(value));
      parts.push(oneOf(category.column, (value) => wanted[value] === true));
      continue;
    }
    const found = pack.metadata.fields.find(({ name }) => name === field);
    if (found?.kind !== 'set') {
      // No node has a known value.
      if (!values.includes('')) parts.push(nothing);
      continue;
    }
    const column = (await pack.column(`field:${field}`)) as Uint32Array;
    parts.push(
      anyOf(
        column,
        found.values.map((value) => values.includes(value)),
      ),
    );
  }
  return parts;
}

/** The own values of every row for a figure, as in the pack; undefined if the file has none. */
export async function figuresOf(
  pack: PackReader,
  of: Figure,
  pause: Pause,
): Promise<Float32Array | Float64Array | undefined> {
  if (!isField(of)) return pack.column(`own_${of}`);
  const score = scoreOfField(nameOf(of));
  if (score) return keywordScores(pack, score.expression, pause);
  const found = pack.metadata.fields.find(({ name }) => name === nameOf(of));
  return found?.kind === 'number' ? ((await pack.column(`field:${found.name}`)) as Float64Array) : undefined;
}

async function isKnown(pack: PackReader, of: Known, pause: Pause): Promise<Narrow> {
  if (of === 'intent') return oneOf(await pack.column('own_intent'), (value) => value > 0);
  const figures =
    (filterMetrics as readonly Known[]).includes(of) || isField(of) ? await figuresOf(pack, of, pause) : undefined;
  if (figures) return within(figures);
  const category = isField(of) ? await categoryColumn(pack, nameOf(of), pause) : undefined;
  if (category) return oneOf(category.column, (value) => value > 0);
  const field = pack.metadata.fields.find(({ name }) => isField(of) && name === nameOf(of));
  if (field?.kind !== 'set') return within(undefined);
  const all = field.values.map((value) => value !== '');
  return anyOf((await pack.column(`field:${field.name}`)) as Uint32Array, all);
}

function haveChildren(starts: Uint32Array, wanted: boolean): Narrow {
  return (matches, from, end) => {
    for (let row = from; row < end; row++) {
      if ((starts[row] !== starts[row + 1]) !== wanted) matches[row] = 0;
    }
  };
}

/** Keeps nodes that have one of these types or are in a branch that does. */
async function keepTypes(pack: PackReader, matches: Uint8Array, types: readonly string[], pause: Pause): Promise<void> {
  await pause();
  const [type, branches] = [await pack.column('type'), await branchesOf(pack, pause)];
  const wanted = Uint8Array.from(pack.metadata.types, (name) => Number(types.includes(name)));
  /** By branch: whether it has one of the types, or is in a branch that does. */
  const isIn = new Uint8Array(branches.count);
  isIn[0] = wanted[type[0]!]!;
  matches[0]! &= isIn[0]!;
  await eachRun(runsOf(branches), pause, (run, endRun, from, end) => {
    keepTypesOf(matches, type, wanted, branches, isIn, run, endRun, from, end);
  });
}

function keepTypesOf(
  matches: Uint8Array,
  type: Uint16Array,
  wanted: Uint8Array,
  { starts, firstChild, childCount }: PackBranches,
  isIn: Uint8Array,
  run: number,
  endRun: number,
  from: number,
  end: number,
): void {
  let row = from;
  for (let branch = run; branch < endRun; branch++) {
    const until = Math.min(end, firstChild[branch]! + childCount[branch]!);
    const around = isIn[branch]!;
    if (starts[row] === starts[until]) {
      for (; row < until; row++) matches[row]! &= wanted[type[row]!]! | around;
      continue;
    }
    for (; row < until; row++) {
      const own = wanted[type[row]!]! | around;
      matches[row]! &= own;
      if (starts[row] !== starts[row + 1]) isIn[starts[row]!] = own;
    }
  }
}

/** Keeps nodes inside one of these branches, or inside none. A branch consists of one contiguous range per level. */
async function keepPlaces(
  pack: PackReader,
  matches: Uint8Array,
  addresses: readonly string[],
  wanted: boolean,
  pause: Pause,
): Promise<void> {
  await pause();
  const levels: Level[] = [];
  for (const row of await rowsAt(pack, addresses, pause)) levels.push(...(await levelsOf(pack, row)));
  if (!wanted) {
    for (const { start, end } of levels) matches.fill(0, start, end);
    return;
  }
  let next = 0;
  for (const { start, end } of levels.sort((one, other) => one.start - other.start)) {
    if (start > next) matches.fill(0, next, start);
    next = Math.max(next, end);
  }
  matches.fill(0, next);
}

/** Searches folded names, like search. A text with an empty fold is contained in every name. */
async function matchName(
  pack: PackReader,
  matches: Uint8Array,
  { isIn, ...query }: TextQuery & { readonly isIn: boolean },
  parts: SearchInput & { readonly pause: Pause },
): Promise<void> {
  if (isBlank(query)) return;
  const { kinds } = await findNames(pack, query, parts);
  const wanted = new Uint8Array(256).fill(Number(isIn));
  wanted[hitKind.none] = Number(!isIn);
  await eachPiece(kinds.length, parts.pause, (from, end) => narrowByValue(matches, kinds, wanted, from, end));
}

/** The values of a category, the empty one first, and for each row the index of its value. */
type CategoryColumn = { readonly values: readonly string[]; readonly column: Uint8Array };

/** A category of the file, or the peak month, by name; undefined if the pack has no such category. */
export async function categoryColumn(
  pack: PackReader,
  name: string,
  pause: Pause,
): Promise<CategoryColumn | undefined> {
  const season = seasonOfField(name);
  const seasons = season && (await ownSeasons(pack, season.newest, pause));
  if (seasons) return seasons;
  const field = pack.metadata.fields.find((one) => one.name === name);
  if (field?.kind !== 'category') return undefined;
  return { values: field.values, column: (await pack.column(`field:${name}`)) as Uint8Array };
}

/** Calls `narrowBy` for the words, questions, quick wins, rising searches and brand of a filter, one after the other. */
async function eachPreset(
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
const reachable = { from: 4, to: 20 } as const;

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
  const minGrowth = Math.round(percent * 1e4) / 1e6;
  return (matches, from, end) => {
    for (let row = from; row < end; row++) {
      if (!(volumes[row]! >= volume && growth[row]! >= minGrowth)) matches[row] = 0;
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
