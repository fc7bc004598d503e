import { addMembers } from '../tree/field-roll-up.ts';
import { type Filter, filterMetrics, intents } from './filter.ts';
import { isField, nameOf } from './filter-text.ts';
import type { FilteredPack } from './filtered-pack.ts';
import { counts } from './kept-tree.ts';

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

/** @returns undefined for what the pack has no column of */
export async function takeHistogram(pack: FilteredPack, of: HistogramOf): Promise<Histogram | undefined> {
  const isMetric = filterMetrics.find((name) => name === of);
  if (isMetric) return spread(pack, await pack.column(`own_${isMetric}`));
  if (of === 'depth') return spread(pack, await pack.column('depth'));
  if (of === 'intent') return countIntents(pack);
  if (of === 'type') return countTypes(pack);
  const field = isField(of as `field:${string}`)
    ? pack.metadata.fields.find(({ name }) => name === nameOf(of as `field:${string}`))
    : undefined;
  if (!field) return undefined;
  const column = (await pack.column(`field:${field.name}`))!;
  if (field.kind === 'number') return spread(pack, column as Float64Array);
  if (field.kind === 'set') return countMembers(pack, column as Uint32Array, field.values);
  const counted = countValues(pack, column as Uint8Array, field.values.length);
  return named(field.values.slice(1), counted.subarray(1), counted[0]!);
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

/** Calls `take` with the row of each keyword's first occurrence. */
function eachKeyword({ kept: { fate, repeats } }: FilteredPack, take: (row: number) => void): void {
  const isRepeat = new Uint8Array(repeats.rows.length > 0 ? fate.length : 0);
  for (const row of repeats.rows) isRepeat[row] = 1;
  for (let row = 0; row < fate.length; row++) if (counts(fate[row]!) && isRepeat[row] !== 1) take(row);
}

function spread(pack: FilteredPack, values: Numbers | undefined): Histogram {
  let all = 0;
  let known = 0;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let positive = Number.POSITIVE_INFINITY;
  eachKeyword(pack, (row) => {
    all++;
    const value = values ? values[row]! : Number.NaN;
    if (Number.isNaN(value)) return;
    known++;
    if (value < least) least = value;
    if (value > most) most = value;
    if (value > 0 && value < positive) positive = value;
  });
  if (!values || known === 0) {
    return { kind: 'number', bins: [], edges: [], isLog: false, known: 0, unknown: all };
  }
  const isLog = positive < most && least >= 0 && isSkewed(pack, values);
  const place = isLog ? logPlace(positive, most) : (value: number) => (value - least) / (most - least);
  const counted = new Array<number>(most > least ? bins : 1).fill(0);
  eachKeyword(pack, (row) => {
    const value = values[row]!;
    if (Number.isNaN(value)) return;
    const bin = most > least ? Math.floor(bins * Math.max(0, place(value))) : 0;
    counted[Math.min(counted.length - 1, bin)]! += 1;
  });
  const edges = Array.from({ length: counted.length + 1 }, (_, edge) => {
    if (edge === 0) return least;
    if (edge === counted.length) return most;
    return isLog ? positive * (most / positive) ** (edge / bins) : least + ((most - least) * edge) / bins;
  });
  return { kind: 'number', bins: counted, edges, isLog, least, most, known, unknown: all - known };
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

function countValues(pack: FilteredPack, column: Uint8Array, values: number): Uint32Array {
  const counted = new Uint32Array(values);
  eachKeyword(pack, (row) => {
    counted[column[row]!]! += 1;
  });
  return counted;
}

function countMembers(pack: FilteredPack, sets: Uint32Array, values: readonly string[]): Histogram {
  const counted = new Int32Array(values.length);
  let all = 0;
  eachKeyword(pack, (row) => {
    all++;
    addMembers(counted, sets[2 * row]!, sets[2 * row + 1]!, 1);
  });
  const [known] = counted as unknown as [number];
  return { ...named(values.slice(1), Uint32Array.from(counted.subarray(1)), all - known), known };
}

async function countIntents(pack: FilteredPack): Promise<Histogram> {
  const column = (await pack.column('own_intent')) ?? new Uint8Array(pack.metadata.nodes);
  const combinations = countValues(pack, column, 16);
  const of = intents.map((_, kind) =>
    combinations.reduce((sum, count, bits) => sum + ((bits & (1 << kind)) !== 0 ? count : 0), 0),
  );
  const known = combinations.subarray(1).reduce((sum, count) => sum + count, 0);
  return { ...named(intents, Uint32Array.from(of), combinations[0]!), known };
}

/** A keyword counts for every type that it or a branch around it has: the first 32 types of the pack. */
async function countTypes(pack: FilteredPack): Promise<Histogram> {
  const [type, parent] = await Promise.all([pack.column('type'), pack.column('parent')]);
  const types = pack.metadata.types.slice(0, 32);
  const { fate } = pack.kept;
  const around = new Uint32Array(fate.length);
  const counted = new Uint32Array(types.length);
  let known = 0;
  let unknown = 0;
  for (let row = 0; row < fate.length; row++) {
    around[row] = around[parent[row]!]! | (type[row]! < 32 ? 1 << type[row]! : 0);
    if (!counts(fate[row]!)) continue;
    for (let bits = around[row]!; bits !== 0; bits &= bits - 1) counted[31 - Math.clz32(bits & -bits)]! += 1;
    if (types[type[row]!] === '') unknown++;
    else known++;
  }
  return { ...named(types, counted, unknown), known };
}

function named(values: readonly string[], counted: Uint32Array, unknown: number) {
  const all = values.map((value, index) => ({ value, count: counted[index]! }));
  const known = counted.reduce((sum, count) => sum + count, 0);
  return { kind: 'values' as const, values: all, known, unknown };
}
