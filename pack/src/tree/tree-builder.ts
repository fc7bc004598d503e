import type { HashKey } from '../names/half-sip-hash.ts';
import type { DateOf } from '../upload/entry-dates.ts';
import type { NameLoop } from '../upload/name-loop.ts';
import { release } from '../upload/release.ts';
import type { UploadTrend } from '../upload/trend-columns.ts';
import {
  emptyMetric,
  type MetricArrays,
  type MetricColumns,
  type MetricName,
  metricNames,
  type UploadField,
  type UploadTables,
  type WithheldField,
} from '../upload/upload-tables.ts';
import { createFieldValues, rollUpField } from './field-roll-up.ts';
import { IncrementalTree } from './incremental-tree.ts';
import { leafSort } from './leaf-order.ts';
import { mergeEntries } from './merge-entries.ts';
import { addToAncestors, findRepeats, numberBranches, type Occurrences } from './occurrences.ts';
import { type FieldValues, isWeight, type Sum, sumUp, type ValueOf, weigh, weighByImpressions } from './sums.ts';
import type { RollUp, Tree } from './tree.ts';
import { createTrendValues, rollUpTrend, type TrendValues } from './trend-roll-up.ts';

/**
 * Joins the uploaded hierarchy with its keywords, rolls it up and orders it for the pack.
 *
 * The result does not depend on the key of the join. Works at any depth, without recursion.
 * Cost: a few passes over the nodes. The tree takes over the tables without copying them, and fills unknown metrics of
 * nodes from their keywords.
 * Source: docs/pack-format.md.
 *
 * @param read the tables of the file
 * @param key random, used only for the join
 * @param extras fields beyond the metrics of the tables, most known values first
 * @param uploadTrend monthly values, if the file has any
 * @param withheld members without a column
 * @param loop hashes many names at a time, if it can run
 * @param ahead results computed while the rows arrived. In this case, the names of entries that nodes name are freed.
 * @param dateOf the dates of entries, which show the newest of several entries of one keyword
 */
export function buildTree(
  read: UploadTables,
  key: HashKey,
  extras: readonly UploadField[] = [],
  uploadTrend?: UploadTrend,
  withheld: readonly WithheldField[] = [],
  loop?: NameLoop,
  ahead?: IncrementalTree,
  dateOf?: DateOf,
): Tree {
  const made = ahead ?? new IncrementalTree(key, loop);
  const { keyword, entry, unplaced, repeats } = made.join.finish(read);
  const tables = ahead ? withNamesOf(unplaced, read) : read;
  const { parent } = tables.nodes;
  const { metrics } = tables.keywords;
  const mergedTrend = repeats
    ? mergeEntries(repeats, { metrics, fields: extras, trend: uploadTrend, dateOf })
    : uploadTrend;
  const children = childrenOf(parent);
  const own = ownMetrics(tables, keyword, entry);
  const fields = extras
    .map((field) => withOwnNumbers(field, { parent, childCount: children.count, keyword }))
    .map((field) => createFieldValues(field, keyword, entry));
  const trend = mergedTrend && createTrendValues(mergedTrend, keyword, entry);
  const totals = rollUp(parent, children.count, keyword, entry.length, own, fields, trend);
  const address = made.addresses.finish(tables.nodes);
  const folds = made.folds.finish(tables.nodes);
  const { order, rowOf, levels } = orderBreadthFirst(
    children,
    leafSort(totals.branch, keyword, own.volume),
    weigher(totals, keyword, own.volume),
  );
  release(children.count, children.start, children.list);
  return {
    tables,
    order,
    rowOf,
    levels,
    address,
    folds,
    keyword,
    entry,
    own,
    fields,
    withheld,
    trend,
    rollUp: totals,
    unplaced: heaviestFirst(unplaced, metrics.volume),
    repeats,
    counts: {
      nodes: parent.length,
      keywords: tables.keywords.rows,
      distinct: entry.length,
      notInHierarchy: unplaced.length,
      merged: repeats?.later.length ?? 0,
      depth: levels.length - 1,
    },
  };
}

/** Keeps only the names of some entries: most others have the same name as a node. */
function withNamesOf(entries: Uint32Array, { keywords, ...tables }: UploadTables): UploadTables {
  const { names, nameStart, nameLength } = keywords;
  let bytes = 0;
  for (const entry of entries) bytes += nameLength[entry]!;
  const compact = new Uint8Array(bytes);
  let at = 0;
  for (const entry of entries) {
    const start = nameStart[entry]!;
    compact.set(names.subarray(start, start + nameLength[entry]!), at);
    nameStart[entry] = at;
    at += nameLength[entry]!;
  }
  release(names);
  return { ...tables, keywords: { ...keywords, names: compact } };
}

/**
 * Flat columns, so that the many passes over them are plain loops. Values that a node does not have are filled in
 * place.
 */
function ownMetrics({ nodes, keywords }: UploadTables, keyword: Int32Array, entry: Int32Array): MetricColumns {
  const own: { [Name in MetricName]?: MetricArrays[Name] } = {};
  let entryOf: Int32Array<ArrayBuffer> | undefined;
  for (const name of metricNames) {
    const ofEntries = keywords.metrics[name];
    const ofNodes = nodes.metrics[name];
    const column = ofNodes ?? (ofEntries && emptyMetric(name, nodes.rows));
    if (!column) continue;
    if (ofEntries) {
      entryOf ??= entriesOf(keyword, entry);
      if (ofNodes) fillUnknown(column, ofEntries, name === 'intent', entryOf);
      else fill(column, ofEntries, entryOf);
    }
    own[name] = column as never;
  }
  if (entryOf) release(entryOf);
  return own;
}

/** The entry of each node's keyword, -1 for none. */
function entriesOf(keyword: Int32Array, entry: Int32Array): Int32Array<ArrayBuffer> {
  const entryOf = new Int32Array(keyword.length);
  for (let node = 0; node < keyword.length; node++) entryOf[node] = keyword[node]! < 0 ? -1 : entry[keyword[node]!]!;
  return entryOf;
}

type Metric = Float64Array | Float32Array | Uint8Array;

function fill(mine: Metric, theirs: Metric, entryOf: Int32Array): void {
  for (let node = 0; node < entryOf.length; node++) if (entryOf[node]! >= 0) mine[node] = theirs[entryOf[node]!]!;
}

function fillUnknown(mine: Metric, theirs: Metric, zeroIsUnknown: boolean, entryOf: Int32Array): void {
  for (let node = 0; node < entryOf.length; node++) {
    if (entryOf[node]! < 0) continue;
    const value = mine[node]!;
    if (zeroIsUnknown ? value === 0 : Number.isNaN(value)) mine[node] = theirs[entryOf[node]!]!;
  }
}

/** Compares siblings: greater known volume first, then more keywords, then more leaves, then document order. */
function weigher(
  totals: RollUp,
  keyword: Int32Array,
  volume: Float64Array | undefined,
): (one: number, other: number) => number {
  const { branch } = totals;
  const keywordsOf = (node: number) =>
    branch[node]! >= 0 ? totals.keywords[branch[node]!]! : Number(keyword[node]! >= 0);
  const leavesOf = (node: number) => (branch[node]! >= 0 ? totals.leaves[branch[node]!]! : 1);
  const volumeOf = (node: number) => {
    if (!volume || !totals.volume) return 0;
    if (branch[node]! >= 0) return totals.volume.sum[branch[node]!]!;
    return keyword[node]! >= 0 ? volume[node]! || 0 : 0;
  };
  return (one, other) =>
    volumeOf(other) - volumeOf(one) ||
    keywordsOf(other) - keywordsOf(one) ||
    leavesOf(other) - leavesOf(one) ||
    one - other;
}

/** Sorts children in place. Runs of leaves have their own sort. */
function orderBreadthFirst(
  { count, start, list }: Children,
  sortLeaves: (run: Uint32Array) => boolean,
  compare: (one: number, other: number) => number,
): { order: Uint32Array; rowOf: Uint32Array; levels: Uint32Array } {
  const order = new Uint32Array(count.length);
  const rowOf = new Uint32Array(count.length);
  const levels = [0];
  let end = 1;
  let nextLevel = 1;
  for (let row = 0; row < order.length; row++) {
    if (row === nextLevel) {
      levels.push(row);
      nextLevel = end;
    }
    const node = order[row]!;
    if (count[node] === 0) continue;
    const run = list.subarray(start[node]!, start[node]! + count[node]!);
    if (!sortLeaves(run)) sortRun(run, compare);
    order.set(run, end);
    for (let at = 0; at < run.length; at++) rowOf[run[at]!] = end++;
  }
  return { order, rowOf, levels: Uint32Array.from(levels) };
}

/** Files often list the heaviest first, so nothing needs to move. */
function sortRun(run: Uint32Array, compare: (one: number, other: number) => number): void {
  for (let index = 1; index < run.length; index++) {
    if (compare(run[index - 1]!, run[index]!) > 0) {
      run.sort(compare);
      return;
    }
  }
}

function heaviestFirst(entries: Uint32Array, volume: Float64Array | undefined): Uint32Array {
  if (!volume) return entries;
  return entries.sort((one, other) => (volume[other]! || 0) - (volume[one]! || 0) || one - other);
}

/** The children of every node. Those of `node` start at `list[start[node]]`, initially in document order. */
export type Children = {
  readonly count: Uint32Array;
  readonly start: Uint32Array;
  /** Every node except the root. */
  readonly list: Uint32Array;
};

/** @param parent the row of the parent, rows in document order; 0 for the root */
export function childrenOf(parent: Uint32Array): Children {
  const count = new Uint32Array(parent.length);
  for (let node = 1; node < parent.length; node++) count[parent[node]!]!++;
  // Initially the end of each node's children. Filling the list from the back turns it into their start.
  const start = new Uint32Array(parent.length);
  let end = 0;
  for (let node = 0; node < parent.length; node++) {
    end += count[node]!;
    start[node] = end;
  }
  const list = new Uint32Array(end);
  for (let node = parent.length - 1; node > 0; node--) {
    const above = parent[node]!;
    start[above]! -= 1;
    list[start[above]!] = node;
  }
  return { count, start, list };
}

type Nodes = {
  /** The row of each node's parent, rows in document order; 0 for the root. */
  readonly parent: Uint32Array;
  readonly childCount: Uint32Array;
  /** The keyword number of each node, -1 for none. */
  readonly keyword: Int32Array;
};

/**
 * A number that the file gives only to branches, such as the confidence of clusters, is kept as the branches' own value instead of being
 * rolled up. Each keyword gets that of the nearest branch above it, so that keywords can be filtered, sorted and coloured by it.
 *
 * All other fields stay as they are: recognised figures, such as a position, which describe keywords; sums; and fields of which keywords have
 * numbers of their own. Numbers that the file gives to branches are ignored there, because it is unknown how they were computed.
 *
 * The column is changed in place.
 */
function withOwnNumbers(field: UploadField, { parent, childCount, keyword }: Nodes): UploadField {
  if (field.kind !== 'number' || field.rollUp !== 'mean' || field.is || field.keywords || !field.nodes) return field;
  const { nodes } = field;
  if (!isOfBranches(nodes, childCount)) return field;
  const nearest = new Float64Array(nodes.length);
  for (let node = 0; node < nodes.length; node++) {
    const isKnown = !Number.isNaN(nodes[node]!);
    nearest[node] = isKnown || node === 0 ? nodes[node]! : nearest[parent[node]!]!;
    if (keyword[node]! >= 0) nodes[node] = nearest[node]!;
  }
  return { ...field, rollUp: 'own' };
}

function isOfBranches(nodes: Float64Array, childCount: Uint32Array): boolean {
  let hasSome = false;
  for (let node = 0; node < nodes.length; node++) {
    if (Number.isNaN(nodes[node]!)) continue;
    if (childCount[node] === 0) return false;
    hasSome = true;
  }
  return hasSome;
}

/**
 * Computes the totals of every branch: adds each value to the innermost branch that contains it; totals then propagate
 * to ancestors.
 *
 * A keyword that occurs several times under a branch counts once there, with the values of its first occurrence. In
 * document order, each further occurrence is subtracted at the lowest common ancestor of itself and the previous one,
 * so that every ancestor from there on counts it once. Unknown values are in neither the sums nor the known counts. A
 * count that is subtracted before it is added wraps below zero and back.
 * Cost: a few passes over the nodes per metric with known values, and one over the branches.
 *
 * @param parent the row of the parent, rows in document order; 0 for the root
 * @param keyword the keyword number of each node, -1 for none
 * @param distinct the number of distinct keywords
 * @param fields other values of the nodes, rolled up in the same way
 */
function rollUp(
  parent: Uint32Array,
  childCount: Uint32Array,
  keyword: Int32Array,
  distinct: number,
  own: MetricColumns,
  fields: readonly FieldValues[] = [],
  trend?: TrendValues,
): RollUp {
  const branches = numberBranches(parent, childCount);
  const hasValues = Object.keys(own).length > 0 || fields.length > 0 || trend !== undefined;
  const all = findRepeats({ branches, parent, keyword }, distinct, hasValues);
  const of = (column: ArrayLike<number> | undefined): ValueOf => (column ? (node) => column[node]! : () => Number.NaN);
  const sum = (column: ArrayLike<number> | undefined) => column && sumUp(all, of(column));
  const byVolume = (column: ArrayLike<number> | undefined) =>
    column && { ...sumUp(all, of(column)), ...weigh(all, of(column), of(own.volume)) };
  const volume = sum(own.volume);
  const position = sum(own.position);
  const impressions = fields.find(({ field }) => isWeight(field));
  const { keywords, childKeywords } = countKeywords(all);
  const totals = {
    branch: branches.of,
    parent: branches.parent,
    childCount: branches.childCount,
    ...countNodes(all),
    keywords,
    repeats: countRepeats(all),
    volume,
    difficulty: byVolume(own.difficulty),
    cpc: byVolume(own.cpc),
    competition: sum(own.competition),
    position: position && {
      ...position,
      ...(impressions && { byImpressions: weighByImpressions(all, of(own.position), impressions) }),
    },
    intent: own.intent && countIntents(all, own.intent),
    top: findTop(all, own.volume),
    childKeywords,
    childVolume: sumChildren(all, own.volume, volume),
    fields: fields.map((field) => rollUpField(all, field, impressions)),
    trend: trend && rollUpTrend(all, trend, own.volume),
  };
  release(all.place);
  return totals;
}

function countNodes({ branches, parent }: Occurrences): { leaves: Uint32Array; nodes: Uint32Array } {
  const leaves = new Uint32Array(branches.count);
  const nodes = new Uint32Array(branches.count);
  for (let node = 0; node < parent.length; node++) {
    const own = branches.of[node]!;
    if (own >= 0) nodes[own]! += 1;
    else if (node > 0) {
      const at = branches.of[parent[node]!]!;
      leaves[at]! += 1;
      nodes[at]! += 1;
    }
  }
  addToAncestors(branches.parent, leaves);
  addToAncestors(branches.parent, nodes);
  return { leaves, nodes };
}

function countRepeats({ branches, repeatBranch }: Occurrences): Uint32Array {
  const repeats = new Uint32Array(branches.count);
  for (const branch of repeatBranch) repeats[branch]! += 1;
  addToAncestors(branches.parent, repeats);
  return repeats;
}

function countKeywords(all: Occurrences): { keywords: Uint32Array; childKeywords: Uint32Array } {
  const { branches, keyword, parent, repeatBranch } = all;
  const keywords = new Uint32Array(branches.count);
  const childKeywords = new Uint32Array(branches.count);
  for (let node = 0; node < keyword.length; node++) {
    if (keyword[node]! < 0) continue;
    const own = branches.of[node]!;
    const at = own >= 0 ? own : branches.of[parent[node]!]!;
    keywords[at]! += 1;
    if (own < 0) childKeywords[at]! += 1;
  }
  for (const branch of repeatBranch) keywords[branch]! -= 1;
  addToAncestors(branches.parent, keywords);
  for (let branch = 1; branch < branches.count; branch++) {
    childKeywords[branches.parent[branch]!]! += keywords[branch]!;
  }
  return { keywords, childKeywords };
}

function countIntents(all: Occurrences, intent: Uint8Array): { counts: Uint32Array; known: Uint32Array } {
  const { branches, place, repeatNode, repeatBranch } = all;
  const counts = new Uint32Array(4 * branches.count);
  const known = new Uint32Array(branches.count);
  const add = (at: number, node: number, sign: 1 | -1) => {
    const bits = intent[node]!;
    if (bits === 0) return;
    known[at]! += sign;
    for (let kind = 0; kind < 4; kind++) if (bits & (1 << kind)) counts[4 * at + kind]! += sign;
  };
  for (let node = 0; node < place.length; node++) if (place[node]! >= 0) add(place[node]!, node, 1);
  for (let index = 0; index < repeatNode.length; index++) add(repeatBranch[index]!, repeatNode[index]!, -1);
  addToAncestors(branches.parent, known);
  for (let branch = branches.count - 1; branch > 0; branch--) {
    for (let kind = 0; kind < 4; kind++) counts[4 * branches.parent[branch]! + kind]! += counts[4 * branch + kind]!;
  }
  return { counts, known };
}

/** The node with the highest known volume in each branch, the first in document order on a tie; -1 for none. */
function findTop(all: Occurrences, volume: Float64Array | undefined): Int32Array {
  const { branches, place } = all;
  const top = new Int32Array(branches.count).fill(-1);
  if (!volume) return top;
  const offer = (at: number, node: number) => {
    const best = top[at]!;
    if (best < 0 || volume[node]! > volume[best]! || (volume[node] === volume[best] && node < best)) top[at] = node;
  };
  for (let node = 0; node < place.length; node++) {
    if (place[node]! >= 0 && !Number.isNaN(volume[node])) offer(place[node]!, node);
  }
  for (let branch = branches.count - 1; branch > 0; branch--) {
    if (top[branch]! >= 0) offer(branches.parent[branch]!, top[branch]!);
  }
  return top;
}

/** By branch: the sum of its children's volumes, which are own values of leaves and totals of branches. */
function sumChildren(all: Occurrences, own: Float64Array | undefined, rolled: Sum | undefined): Float64Array {
  const { branches, place } = all;
  const sums = new Float64Array(branches.count);
  if (!own || !rolled) return sums;
  for (let node = 1; node < place.length; node++) {
    if (place[node]! < 0 || branches.of[node]! >= 0 || Number.isNaN(own[node]!)) continue;
    sums[place[node]!]! += own[node]!;
  }
  for (let branch = 1; branch < branches.count; branch++) sums[branches.parent[branch]!]! += rolled.sum[branch]!;
  return sums;
}
