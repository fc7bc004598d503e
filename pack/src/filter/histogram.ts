import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { addMembers } from '../tree/field-roll-up.ts';
import { type Filter, filterMetrics, intents } from './filter.ts';
import { isField, nameOf } from './filter-text.ts';
import type { FilteredPack } from './filtered-pack.ts';
import { counts, fates } from './kept-tree.ts';

/** What a histogram can be of: a figure or field of the file, as filters name it, or one of these. */
export type HistogramOf = string;
export const histogramKinds = ['type', 'intent', 'depth'] as const;

/**
 * How the keywords that a filter keeps spread, each counted once; the same shape as the HTTP contract's.
 *
 * `number`: bin `i` counts the values from `edges[i]` up to `edges[i + 1]`, the last one with its end; no bins where nothing
 * is known. Steps are even, or of a logarithm where values are skewed; values of 0 and less are in the first one then.
 * `values`: how many have each value, or each member of a set; of `type`, how many nodes are keywords that have the type or stand in a branch of it.
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
  | { kind: 'values'; values: { value: string; count: number }[]; known: number; unknown: number };

/** A brush as wide as a panel has a bin for every few pixels. Source: experience.md §5.2 "Filter". */
const bins = 40;
/** How much greater than the middle the value is that one in twenty exceeds, from which on steps are of a logarithm. */
const skewed = 20;
const sampled = 50_000;

/**
 * Cost: two passes over the nodes at most.
 *
 * @returns undefined for what the pack has no column of
 */
export async function takeHistogram(
  pack: FilteredPack,
  of: HistogramOf,
  pause: Pause = noPause,
): Promise<Histogram | undefined> {
  if (of === 'type') return countTypes(pack, pause);
  const asked: Asked = { pack, counted: await countedRows(pack, pause), pause };
  const isMetric = filterMetrics.find((name) => name === of);
  if (isMetric) return spread(asked, await pack.column(`own_${isMetric}`));
  if (of === 'depth') return spread(asked, await pack.column('depth'));
  if (of === 'intent') return countIntents(asked);
  const field = isField(of as `field:${string}`)
    ? pack.metadata.fields.find(({ name }) => name === nameOf(of as `field:${string}`))
    : undefined;
  if (!field) return undefined;
  const column = (await pack.column(`field:${field.name}`))!;
  if (field.kind === 'number') return spread(asked, column as Float64Array);
  if (field.kind === 'set') return countMembers(asked, column as Uint32Array, field.values);
  const counted = await countValues(asked, column as Uint8Array);
  return named(field.values.slice(1), counted.subarray(1, field.values.length), counted[0]!);
}

/** The filter without what it says of this itself: what a brush over it shows, so that it can be widened again. */
export function withoutPart(filter: Filter, of: HistogramOf): Filter {
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

type Numbers = Float64Array | Float32Array | Uint16Array;

type Asked = { readonly pack: FilteredPack; readonly counted: Uint8Array; readonly pause: Pause };

/** Of every node, 1 where it is the first occurrence of a keyword that is kept, else 0. */
async function countedRows({ kept: { fate, repeats } }: FilteredPack, pause: Pause): Promise<Uint8Array> {
  const counted = new Uint8Array(fate.length);
  const isCounted = new Uint8Array(256);
  isCounted[fates.leafKeyword] = isCounted[fates.branchKeyword] = 1;
  await eachPiece(fate.length, pause, (from, end) => markCounted(counted, fate, isCounted, from, end));
  await eachPiece(repeats.rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) counted[repeats.rows[index]!] = 0;
  });
  return counted;
}

function markCounted(counted: Uint8Array, fate: Uint8Array, isCounted: Uint8Array, from: number, end: number): void {
  for (let row = from; row < end; row++) counted[row] = isCounted[fate[row]!]!;
}

async function spread({ pack, counted, pause }: Asked, values: Numbers | undefined): Promise<Histogram> {
  const reach: Reach = {
    all: 0,
    known: 0,
    least: Number.POSITIVE_INFINITY,
    most: Number.NEGATIVE_INFINITY,
    positive: Number.POSITIVE_INFINITY,
  };
  await eachPiece(counted.length, pause, (from, end) => reachOf(reach, counted, values, from, end));
  const { all, known, least, most, positive } = reach;
  if (!values || known === 0) {
    return { kind: 'number', bins: [], edges: [], isLog: false, known: 0, unknown: all };
  }
  const isLog = positive < most && least >= 0 && isSkewed(pack, values);
  const place = isLog ? logPlace(positive, most) : (value: number) => (value - least) / (most - least);
  const perBin = new Array<number>(most > least ? bins : 1).fill(0);
  await eachPiece(counted.length, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      const value = values[row]!;
      if (counted[row] === 0 || Number.isNaN(value)) continue;
      const bin = most > least ? Math.floor(bins * Math.max(0, place(value))) : 0;
      perBin[Math.min(perBin.length - 1, bin)]! += 1;
    }
  });
  const edges = Array.from({ length: perBin.length + 1 }, (_, edge) => {
    if (edge === 0) return least;
    if (edge === perBin.length) return most;
    return isLog ? positive * (most / positive) ** (edge / bins) : least + ((most - least) * edge) / bins;
  });
  return { kind: 'number', bins: perBin, edges, isLog, least, most, known, unknown: all - known };
}

/** Of the values that were passed; `positive` is the least one above 0. */
type Reach = { all: number; known: number; least: number; most: number; positive: number };

function reachOf(reach: Reach, counted: Uint8Array, values: Numbers | undefined, from: number, end: number): void {
  let { all, known, least, most, positive } = reach;
  for (let row = from; row < end; row++) {
    if (counted[row] === 0) continue;
    all++;
    const value = values ? values[row]! : Number.NaN;
    if (Number.isNaN(value)) continue;
    known++;
    if (value < least) least = value;
    if (value > most) most = value;
    if (value > 0 && value < positive) positive = value;
  }
  Object.assign(reach, { all, known, least, most, positive });
}

function logPlace(positive: number, most: number): (value: number) => number {
  const width = Math.log(most / positive);
  return (value) => (value > 0 ? Math.log(value / positive) / width : 0);
}

/** By the values of every so many rows, which are rows of every branch. */
function isSkewed({ kept: { fate } }: FilteredPack, values: Numbers): boolean {
  const step = Math.ceil(fate.length / sampled);
  const some: number[] = [];
  for (let row = 0; row < fate.length; row += step) {
    if (counts(fate[row]!) && !Number.isNaN(values[row]!)) some.push(values[row]!);
  }
  const sorted = Float64Array.from(some).sort();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
  return at(0.95) > skewed * at(0.5);
}

/** How many have each of 256 values. */
async function countValues({ counted, pause }: Asked, column: Uint8Array): Promise<Uint32Array> {
  const found = new Uint32Array(256);
  await eachPiece(counted.length, pause, (from, end) => addValues(found, counted, column, from, end));
  return found;
}

function addValues(found: Uint32Array, counted: Uint8Array, column: Uint8Array, from: number, end: number): void {
  for (let row = from; row < end; row++) found[column[row]!]! += counted[row]!;
}

async function countMembers(
  { counted, pause }: Asked,
  sets: Uint32Array,
  values: readonly string[],
): Promise<Histogram> {
  const found = new Int32Array(values.length);
  let all = 0;
  await eachPiece(counted.length, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      if (counted[row] === 0) continue;
      all++;
      addMembers(found, sets[2 * row]!, sets[2 * row + 1]!, 1);
    }
  });
  const [known] = found as unknown as [number];
  return { ...named(values.slice(1), Uint32Array.from(found.subarray(1)), all - known), known };
}

async function countIntents(asked: Asked): Promise<Histogram> {
  const column = (await asked.pack.column('own_intent')) ?? new Uint8Array(asked.counted.length);
  const combinations = (await countValues(asked, column)).subarray(0, 16);
  const of = intents.map((_, kind) =>
    combinations.reduce((sum, count, bits) => sum + ((bits & (1 << kind)) !== 0 ? count : 0), 0),
  );
  const known = combinations.subarray(1).reduce((sum, count) => sum + count, 0);
  return { ...named(intents, Uint32Array.from(of), combinations[0]!), known };
}

/** A keyword counts for every type that it or a branch around it has: the first 32 types of the pack. */
async function countTypes(pack: FilteredPack, pause: Pause): Promise<Histogram> {
  const [type, parent] = await Promise.all([pack.column('type'), pack.column('parent')]);
  const types = pack.metadata.types.slice(0, 32);
  const { fate } = pack.kept;
  const around = new Uint32Array(fate.length);
  const counted = new Uint32Array(types.length);
  let known = 0;
  let unknown = 0;
  await eachPiece(fate.length, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      around[row] = around[parent[row]!]! | (type[row]! < 32 ? 1 << type[row]! : 0);
      if (!counts(fate[row]!)) continue;
      for (let bits = around[row]!; bits !== 0; bits &= bits - 1) counted[31 - Math.clz32(bits & -bits)]! += 1;
      if (types[type[row]!] === '') unknown++;
      else known++;
    }
  });
  return { ...named(types, counted, unknown), known };
}

function named(values: readonly string[], counted: Uint32Array, unknown: number) {
  const all = values.map((value, index) => ({ value, count: counted[index]! }));
  const known = counted.reduce((sum, count) => sum + count, 0);
  return { kind: 'values' as const, values: all, known, unknown };
}
