import {
  type BranchFigure,
  type BranchLevel,
  type BranchPart,
  branchFigures,
  branchLevels,
  type Figure,
  type Filter,
  filterMetrics,
  intents,
  isShare,
} from '../filter/filter.ts';
import { isField, nameOf } from '../filter/filter-text.ts';
import { eachPiece, eachRun, noPause, type Pause } from '../format/in-pieces.ts';
import { branchBounds, branchValues, type CoveredRows } from '../levels/filter-pack.ts';
import { levelRows } from '../levels/level-rows.ts';
import { growthOf } from '../match/growth.ts';
import { categoryColumn, figuresOf } from '../match/match-rows.ts';
import type { Numbers } from '../match/narrow.ts';
import { addMembers } from '../tree/field-roll-up.ts';
import { runsOf } from './branches.ts';
import type { FilteredPack } from './filtered-pack.ts';
import { counts } from './kept-tree.ts';

/**
 * What a histogram can show: a figure or field of the file, named as in filters; a figure of subtopics, clusters or pillars, such as
 * `cluster-volume`; `type`, `intent`, `depth` or `growth`.
 */
type HistogramOf = string;

/**
 * The distribution of the keywords that a filter keeps, each counted once, or of subtopics, clusters or pillars. Same shape as in
 * the HTTP contract.
 *
 * `number`: bin `i` counts the values from `edges[i]` up to `edges[i + 1]`; the last bin includes its end. There are no
 * bins if no value is known. Bins are linear, or logarithmic for skewed values; the first logarithmic bin also contains
 * values of 0 and below. `values`: the number of keywords with each value, or each member of a set; for `type`, the
 * number of keyword nodes that have the type or are in a branch with it.
 */
export type Histogram =
  | {
      kind: 'number';
      bins: number[];
      edges: number[];
      isLog: boolean;
      least?: number;
      most?: number;
      known: number;
      unknown: number;
    }
  | { kind: 'values'; values: { value: string; count: number; sum?: number }[]; known: number; unknown: number };

/** Enough for a brush across the panel to have a bin every few pixels. */
const bins = 40;
/** Use logarithmic bins if the 95th percentile is more than this many times the median. */
const skewed = 20;
/** The number of rows from which the skew is estimated. */
const sampled = 50_000;

/**
 * Cost: at most two passes over the nodes.
 *
 * @param branches for a figure of subtopics, clusters or pillars: the filter's conditions on these, which {@link withoutPart} has removed
 * @param summed a figure that adds up over keywords: intents and values of categories then have its sum, too
 * @returns undefined if the pack has no such column
 */
export async function takeHistogram(
  pack: FilteredPack,
  of: HistogramOf,
  pause: Pause = noPause,
  branches: BranchConditions = { parts: [] },
  summed?: string,
): Promise<Histogram | undefined> {
  const branchFigure = branchFigureOf(of);
  if (branchFigure) {
    const values = await figuresOfBranches(pack, branchFigure, branches, pause);
    const rows = Uint32Array.from(values.keys());
    return spread({ lists: [rows], isIn: () => true, pause }, values);
  }
  if (of === 'type') return countTypes(pack, pause);
  const countedRows: CountedRows = {
    lists: await keywordsOf(pack, pause),
    isIn: (row) => counts(pack.kept.fate[row]!),
    pause,
  };
  const { whole } = pack;
  const isOfFile = summed !== undefined && whole.metadata.fields.some(({ name }) => summed === `field:${name}`);
  const isSummed = isOfFile || filterMetrics.some((name) => name === summed);
  const figures = isSummed ? await figuresOf(whole, summed as Figure, pause) : undefined;
  if (of === 'intent') return countIntents(countedRows, await pack.column('own_intent'), figures);
  if (of === 'depth') return spread(countedRows, await pack.column('depth'));
  if (of === 'growth') return spread(countedRows, await growthOf(whole, { pause }));
  const figure = of as Figure;
  const category = isField(figure) ? await categoryColumn(whole, nameOf(figure), pause) : undefined;
  if (category) {
    const { values, column } = category;
    const counted = await countValues(countedRows, column);
    const sums = figures && (await sumValues(countedRows, column, figures));
    return named(
      values.slice(1),
      counted.subarray(1, values.length),
      counted[0]!,
      sums && Array.from(sums.subarray(1, values.length)),
    );
  }
  const field = whole.metadata.fields.find(({ name }) => figure === `field:${name}`);
  if (field?.kind === 'set')
    return countMembers(countedRows, (await pack.column(`field:${field.name}`)) as Uint32Array, field.values);
  const values = await figuresOf(whole, figure, pause);
  // A figure that every file can have is unknown everywhere if this one lacks it.
  return values || filterMetrics.some((name) => name === figure) ? spread(countedRows, values) : undefined;
}

/**
 * The filter without its condition on this value. A brush shows this distribution, so that its range can be widened
 * again. For a figure of subtopics, clusters or pillars, it is the part of the filter that is applied before the conditions on that level.
 */
export function withoutPart(filter: Filter, of: HistogramOf): Filter {
  const branchFigure = branchFigureOf(of);
  if (branchFigure) {
    const isEarlier = ({ level }: BranchPart) => branchLevels.indexOf(level) < branchLevels.indexOf(branchFigure.level);
    return { ...filter, branches: filter.branches.filter(isEarlier), areas: [], scores: [] };
  }
  return {
    ...filter,
    ...(of === 'type' && { types: [] }),
    ...(of === 'intent' && { intents: [] }),
    ...(of === 'depth' && { depth: undefined }),
    ranges: filter.ranges.filter((range) => range.of !== of),
    known: filter.known.filter((known) => known !== of),
    categories: filter.categories.filter(({ field }) => `field:${field}` !== of),
  };
}

type CountedRows = {
  readonly lists: readonly Uint32Array[];
  /** Whether a row counts; for a figure of branches, whether the one with this index does. */
  readonly isIn: (index: number) => boolean;
  readonly pause: Pause;
};

/** The rows of the kept keywords, each in its first occurrence. */
async function keywordsOf({ kept }: FilteredPack, pause: Pause): Promise<Uint32Array[]> {
  const { branches, branchFate, leafKeywords, repeats, fate } = kept;
  const lists = [leafKeywords.rows, branches.rows.filter((_, branch) => counts(branchFate[branch]!))];
  // A tree with one node has no branches, so its keyword is in no list.
  if (branches.count === 0 && counts(fate[0]!)) lists[0] = Uint32Array.of(0);
  if (repeats.rows.length === 0) return lists;
  const isFirst = new Uint8Array(fate.length).fill(1);
  await eachPiece(repeats.rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) isFirst[repeats.rows[index]!] = 0;
  });
  const first: Uint32Array[] = [];
  for (const rows of lists) {
    const some = new Uint32Array(rows.length + 1);
    let next = 0;
    await eachPiece(rows.length, pause, (from, end) => {
      next = keepFirst(some, next, rows, isFirst, from, end);
    });
    first.push(some.subarray(0, next));
  }
  return first;
}

/** Branchless, because it is hard to predict which occurrences are first. */
function keepFirst(
  some: Uint32Array,
  next: number,
  rows: Uint32Array,
  isFirst: Uint8Array,
  from: number,
  end: number,
): number {
  let at = next;
  for (let index = from; index < end; index++) {
    const row = rows[index]!;
    some[at] = row;
    at += isFirst[row]!;
  }
  return at;
}

async function eachKeyword(
  { lists, pause }: CountedRows,
  work: (rows: Uint32Array, from: number, end: number) => void,
): Promise<void> {
  for (const rows of lists) {
    await pause();
    await eachPiece(rows.length, pause, (from, end) => work(rows, from, end));
  }
}

/** Whether a node counts, by fate. */
const isCounted = Uint8Array.from({ length: 256 }, (_, fate) => Number(counts(fate)));

async function spread(countedRows: CountedRows, values: Numbers | undefined): Promise<Histogram> {
  const reach: Reach = {
    known: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    minPositive: Number.POSITIVE_INFINITY,
  };
  if (values) await eachKeyword(countedRows, (rows, from, end) => reachOf(reach, values, rows, from, end));
  const { known, min, max, minPositive } = reach;
  const all = countAll(countedRows);
  if (!values || known === 0) {
    return { kind: 'number', bins: [], edges: [], isLog: false, known: 0, unknown: all };
  }
  const isLog = minPositive < max && min >= 0 && isSkewed(countedRows, values);
  const place = isLog ? logPlace(minPositive, max) : (value: number) => (value - min) / (max - min);
  const perBin = new Array<number>(max > min ? bins : 1).fill(0);
  await eachKeyword(countedRows, (rows, from, end) => {
    for (let index = from; index < end; index++) {
      const value = values[rows[index]!]!;
      if (Number.isNaN(value)) continue;
      const bin = max > min ? Math.floor(bins * Math.max(0, place(value))) : 0;
      perBin[Math.min(perBin.length - 1, bin)]! += 1;
    }
  });
  const edges = Array.from({ length: perBin.length + 1 }, (_, edge) => {
    if (edge === 0) return min;
    if (edge === perBin.length) return max;
    return isLog ? minPositive * (max / minPositive) ** (edge / bins) : min + ((max - min) * edge) / bins;
  });
  return { kind: 'number', bins: perBin, edges, isLog, least: min, most: max, known, unknown: all - known };
}

/** The range of the values seen so far; `minPositive` is the smallest one above 0. */
type Reach = { known: number; min: number; max: number; minPositive: number };

function reachOf(reach: Reach, values: Numbers, rows: Uint32Array, from: number, end: number): void {
  let { known, min, max, minPositive } = reach;
  for (let index = from; index < end; index++) {
    const value = values[rows[index]!]!;
    if (Number.isNaN(value)) continue;
    known++;
    if (value < min) min = value;
    if (value > max) max = value;
    if (value > 0 && value < minPositive) minPositive = value;
  }
  Object.assign(reach, { known, min, max, minPositive });
}

const countAll = ({ lists }: CountedRows): number => lists.reduce((all, rows) => all + rows.length, 0);

function logPlace(minPositive: number, max: number): (value: number) => number {
  const width = Math.log(max / minPositive);
  return (value) => (value > 0 ? Math.log(value / minPositive) / width : 0);
}

/** Estimates the skew from a sample at regular intervals, which includes rows of every branch. */
function isSkewed({ isIn }: CountedRows, values: Numbers): boolean {
  const step = Math.ceil(values.length / sampled);
  const some: number[] = [];
  for (let row = 0; row < values.length; row += step) {
    if (isIn(row) && !Number.isNaN(values[row]!)) some.push(values[row]!);
  }
  const sorted = Float64Array.from(some).sort();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
  return at(0.95) > skewed * at(0.5);
}

/** The number of keywords with each of 256 values. */
async function countValues(countedRows: CountedRows, column: Uint8Array): Promise<Uint32Array> {
  const found = new Uint32Array(256);
  await eachKeyword(countedRows, (rows, from, end) => addValues(found, column, rows, from, end));
  return found;
}

function addValues(found: Uint32Array, column: Uint8Array, rows: Uint32Array, from: number, end: number): void {
  for (let index = from; index < end; index++) found[column[rows[index]!]!]! += 1;
}

async function countMembers(
  countedRows: CountedRows,
  sets: Uint32Array,
  values: readonly string[],
): Promise<Histogram> {
  const found = new Int32Array(values.length);
  await eachKeyword(countedRows, (rows, from, end) => {
    for (let index = from; index < end; index++) {
      const row = rows[index]!;
      addMembers(found, sets[2 * row]!, sets[2 * row + 1]!, 1);
    }
  });
  const [known] = found as unknown as [number];
  return { ...named(values.slice(1), Uint32Array.from(found.subarray(1)), countAll(countedRows) - known), known };
}

/** The sum of the known figures of the keywords with each of 256 values. */
async function sumValues(countedRows: CountedRows, column: Uint8Array, figures: Numbers): Promise<Float64Array> {
  const sums = new Float64Array(256);
  await eachKeyword(countedRows, (rows, from, end) => {
    for (let index = from; index < end; index++) {
      const row = rows[index]!;
      const figure = figures[row]!;
      if (!Number.isNaN(figure)) sums[column[row]!]! += figure;
    }
  });
  return sums;
}

async function countIntents(
  countedRows: CountedRows,
  column: Uint8Array | undefined,
  figures?: Numbers,
): Promise<Histogram> {
  const unknown = countAll(countedRows);
  const combinations = column ? (await countValues(countedRows, column)).subarray(0, 16) : Uint32Array.of(unknown);
  const ofIntents = (byCombination: Uint32Array | Float64Array) =>
    intents.map((_, kind) => {
      let sum = 0;
      for (const [bits, count] of byCombination.entries()) if ((bits & (1 << kind)) !== 0) sum += count;
      return sum;
    });
  const of = ofIntents(combinations);
  const sums = column && figures && ofIntents((await sumValues(countedRows, column, figures)).subarray(0, 16));
  const known = combinations.subarray(1).reduce((sum, count) => sum + count, 0);
  return { ...named(intents, Uint32Array.from(of), combinations[0]!, sums), known };
}

/** The maximum number of distinguished types: one bit each. */
const maxTypes = 32;

/**
 * A keyword counts for every type that it or one of its ancestors has, up to the first 32 types of the pack. All
 * children of a branch have the same ancestors, so they are first counted by their own type.
 */
async function countTypes(pack: FilteredPack, pause: Pause): Promise<Histogram> {
  const types = pack.metadata.types.slice(0, maxTypes);
  const { fate, branches } = pack.kept;
  const runs = runsOf(branches);
  const seen = new Uint32Array(maxTypes + 1);
  /** By branch: the bits of its own type and of its ancestors' types. */
  const around = new Uint32Array(Math.max(1, branches.count));
  const children: Children = { type: await pack.column('type'), fate, starts: branches.starts, around, seen };
  const counted = new Uint32Array(maxTypes);
  let known = 0;
  let unknown = 0;
  const flush = (bitsAround: number): void => {
    for (let type = 0; type <= maxTypes; type++) {
      const keywords = seen[type]!;
      if (keywords === 0) continue;
      seen[type] = 0;
      for (let bits = bitsAround | bitOf(type); bits !== 0; bits &= bits - 1) {
        counted[31 - Math.clz32(bits & -bits)]! += keywords;
      }
      if (types[type] === '') unknown += keywords;
      else known += keywords;
    }
  };
  seeTypes(children, 0, 0, 1);
  flush(0);
  await eachRun(runs, pause, (run, endRun, from, end) => {
    let row = from;
    for (let branch = run; branch < endRun; branch++) {
      const until = Math.min(end, runs[branch + 1]!);
      seeTypes(children, around[branch]!, row, until);
      flush(around[branch]!);
      row = until;
    }
  });
  return { ...named(types, counted, unknown), known };
}

type Children = {
  readonly type: Uint16Array;
  readonly fate: Uint8Array;
  readonly starts: Uint32Array;
  readonly around: Uint32Array;
  /** Keywords by their own type; those beyond {@link maxTypes} are counted together. */
  readonly seen: Uint32Array;
};

function seeTypes({ type, fate, starts, around, seen }: Children, bits: number, from: number, end: number): void {
  for (let row = from; row < end; row++) seen[Math.min(maxTypes, type[row]!)]! += isCounted[fate[row]!]!;
  if (starts[from] === starts[end]) return;
  for (let row = from; row < end; row++) {
    if (starts[row] !== starts[row + 1]) around[starts[row]!] = bits | bitOf(type[row]!);
  }
}

const bitOf = (type: number): number => (type < maxTypes ? 1 << type : 0);

function named(values: readonly string[], counted: Uint32Array, unknown: number, sums?: readonly number[]) {
  const all = values.map((value, index) => ({ value, count: counted[index]!, ...(sums && { sum: sums[index]! }) }));
  const known = counted.reduce((sum, count) => sum + count, 0);
  return { kind: 'values' as const, values: all, known, unknown };
}

type BranchFigureOf = { readonly level: BranchLevel; readonly of: BranchFigure };

/** The conditions of a filter on subtopics, clusters and pillars, and the covered rows if one of them needs these. */
type BranchConditions = { readonly parts: readonly BranchPart[]; readonly covered?: CoveredRows };

/** Reads `cluster-volume` and the like. There is no histogram of covered shares. */
function branchFigureOf(text: string): BranchFigureOf | undefined {
  const at = text.indexOf('-');
  const level = branchLevels.find((name) => name === text.slice(0, Math.max(0, at)));
  const of = branchFigures.find((name) => name === text.slice(at + 1));
  return level && of && of !== 'covered' ? { level, of } : undefined;
}

/**
 * A figure of each subtopic, cluster or pillar that has a kept keyword and satisfies the other conditions on its level. Shares
 * are in percent.
 *
 * @param pack under the filter that precedes the conditions on this level
 */
async function figuresOfBranches(
  pack: FilteredPack,
  { level, of }: BranchFigureOf,
  { parts, covered }: BranchConditions,
  pause: Pause,
): Promise<Float64Array> {
  const { starts } = pack.kept.branches;
  const hasKeyword = (row: number) =>
    starts[row] === starts[row + 1] ? pack.counts(row) : pack.kept.keywords[starts[row]!]! > 0;
  const rows = (await levelRows(pack, `${level}s`, 0, pause)).filter(hasKeyword);
  const isIn = new Uint8Array(rows.length).fill(1);
  for (const part of parts) {
    if (part.level !== level || part.of === of) continue;
    const values = await branchValues(pack, part.of, rows, covered, pause);
    const [low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY] = branchBounds(part);
    for (let at = 0; at < rows.length; at++) isIn[at]! &= Number(values[at]! >= low) & Number(values[at]! <= high);
  }
  const values = (await branchValues(pack, of, rows, covered, pause)).filter((_, at) => isIn[at] === 1);
  return isShare(of) ? values.map((value) => 100 * value) : values;
}
