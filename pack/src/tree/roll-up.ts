import { release } from '../upload/release.ts';
import type { MetricColumns } from '../upload/upload-tables.ts';
import { rollUpField } from './field-roll-up.ts';
import { addToAncestors, findRepeats, numberBranches, type Occurrences } from './occurrences.ts';
import { type FieldValues, isWeight, type Sum, sumUp, type ValueOf, weigh, weighByImpressions } from './sums.ts';
import type { RollUp } from './tree.ts';
import { rollUpTrend, type TrendValues } from './trend-roll-up.ts';

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
export function rollUp(
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
