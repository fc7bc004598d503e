import { createCommonAncestor } from './ancestors.ts';
import type { OwnMetrics, RollUp, Sum, WeightedSum } from './tree.ts';

/**
 * Sums every branch up in one reverse pass, parents before children.
 *
 * A keyword that stands more than once under a branch counts once there, with the values of its first occurrence. With
 * the occurrences in document order, each one after the first is taken off again at the lowest common ancestor of
 * itself and the one before it, so every ancestor from there on counts it once.
 * Unknown values are left out of the sums and of the known counts. A count that is taken off before it was added
 * wraps below zero and back.
 *
 * @param parent row of the parent, rows in document order; the root's is 0
 * @param keyword number of the node's keyword, -1 for none
 * @param keywords how many different keywords there are
 */
export function rollUp(
  parent: Uint32Array,
  depth: Uint32Array,
  childCount: Uint32Array,
  keyword: Int32Array,
  keywords: number,
  own: OwnMetrics,
): RollUp {
  const branch = numberBranches(childCount);
  const totals = emptyRollUp(branch.of, branch.count);
  for (let node = 0; node < parent.length; node++) {
    const at = branch.of[node]!;
    if (at >= 0 && own.isKeyword[node] === 1) addKeyword(totals, at, node, own, 1);
  }
  takeOffRepeats(totals, createCommonAncestor(parent, depth), keyword, keywords, own);
  for (let node = parent.length - 1; node > 0; node--) {
    const to = branch.of[parent[node]!]!;
    const from = branch.of[node]!;
    if (from >= 0) addBranch(totals, to, from, node, own);
    else addLeaf(totals, to, node, own);
  }
  if (branch.of[0]! >= 0) settleOwn(totals, 0, 0, own);
  return totals;
}

function numberBranches(childCount: Uint32Array) {
  const of = new Int32Array(childCount.length).fill(-1);
  let count = 0;
  for (let node = 0; node < childCount.length; node++) if (childCount[node]! > 0) of[node] = count++;
  return { of, count };
}

function addLeaf(totals: RollUp, to: number, node: number, own: OwnMetrics): void {
  totals.leaves[to]! += 1;
  totals.nodes[to]! += 1;
  if (own.isKeyword[node] === 0) return;
  addKeyword(totals, to, node, own, 1);
  totals.childKeywords[to]! += 1;
  const volume = own.volume[node]!;
  if (!Number.isNaN(volume)) totals.childVolume[to]! += volume;
  offerTop(totals, to, node, own);
}

function addBranch(totals: RollUp, to: number, from: number, node: number, own: OwnMetrics): void {
  settleOwn(totals, from, node, own);
  totals.leaves[to]! += totals.leaves[from]!;
  totals.nodes[to]! += totals.nodes[from]!;
  totals.keywords[to]! += totals.keywords[from]!;
  totals.repeats[to]! += totals.repeats[from]!;
  totals.childKeywords[to]! += totals.keywords[from]!;
  totals.childVolume[to]! += totals.volume.sum[from]!;
  for (const measure of measuresOf(totals)) {
    measure.sum[to]! += measure.sum[from]!;
    measure.known[to]! += measure.known[from]!;
  }
  for (const measure of [totals.difficulty, totals.cpc]) {
    measure.weighted[to]! += measure.weighted[from]!;
    measure.weight[to]! += measure.weight[from]!;
  }
  for (let kind = 0; kind < 4; kind++) totals.intent[4 * to + kind]! += totals.intent[4 * from + kind]!;
  totals.intentKnown[to]! += totals.intentKnown[from]!;
  if (totals.top[from]! >= 0) offerTop(totals, to, totals.top[from]!, own);
}

/** What a branch is itself, added once all below it is in. */
function settleOwn(totals: RollUp, at: number, node: number, own: OwnMetrics): void {
  totals.nodes[at]! += 1;
  if (own.isKeyword[node] === 1) offerTop(totals, at, node, own);
}

/** Offers come in falling document order, so an equal volume replaces: it stands earlier in the file. */
function offerTop(totals: RollUp, at: number, node: number, own: OwnMetrics): void {
  const volume = own.volume[node]!;
  if (Number.isNaN(volume)) return;
  const top = totals.top[at]!;
  const best = top < 0 ? Number.NEGATIVE_INFINITY : own.volume[top]!;
  if (volume > best || (volume === best && node < top)) totals.top[at] = node;
}

function takeOffRepeats(
  totals: RollUp,
  commonAncestor: (one: number, other: number) => number,
  keyword: Int32Array,
  keywords: number,
  own: OwnMetrics,
): void {
  const last = new Int32Array(keywords).fill(-1);
  for (let node = 0; node < keyword.length; node++) {
    const id = keyword[node]!;
    if (id < 0) continue;
    const before = last[id]!;
    last[id] = node;
    if (before < 0) continue;
    const at = totals.branch[commonAncestor(before, node)]!;
    addKeyword(totals, at, node, own, -1);
    totals.repeats[at]! += 1;
  }
}

/** @param sign 1 to count the keyword, -1 to take it off again */
function addKeyword(totals: RollUp, at: number, node: number, own: OwnMetrics, sign: 1 | -1): void {
  totals.keywords[at]! += sign;
  const volume = own.volume[node]!;
  const difficulty = own.difficulty[node]!;
  const cpc = own.cpc[node]!;
  addTo(totals.volume, at, volume, sign);
  addTo(totals.difficulty, at, difficulty, sign);
  addWeighted(totals.difficulty, at, difficulty, volume, sign);
  addTo(totals.cpc, at, cpc, sign);
  addWeighted(totals.cpc, at, cpc, volume, sign);
  addTo(totals.competition, at, own.competition[node]!, sign);
  addTo(totals.position, at, own.position[node]!, sign);
  const intent = own.intent[node]!;
  if (intent === 0) return;
  totals.intentKnown[at]! += sign;
  for (let kind = 0; kind < 4; kind++) if (intent & (1 << kind)) totals.intent[4 * at + kind]! += sign;
}

function addTo(measure: Sum, at: number, value: number, sign: 1 | -1): void {
  if (Number.isNaN(value)) return;
  measure.sum[at]! += sign * value;
  measure.known[at]! += sign;
}

function addWeighted(measure: WeightedSum, at: number, value: number, volume: number, sign: 1 | -1): void {
  if (Number.isNaN(value) || Number.isNaN(volume)) return;
  measure.weighted[at]! += sign * value * volume;
  measure.weight[at]! += sign * volume;
}

const measuresOf = (totals: RollUp) => [
  totals.volume,
  totals.difficulty,
  totals.cpc,
  totals.competition,
  totals.position,
];

function emptyRollUp(branch: Int32Array, count: number): RollUp {
  const sum = () => ({ sum: new Float64Array(count), known: new Uint32Array(count) });
  const weightedSum = () => ({ ...sum(), weighted: new Float64Array(count), weight: new Float64Array(count) });
  return {
    branch,
    leaves: new Uint32Array(count),
    nodes: new Uint32Array(count),
    keywords: new Uint32Array(count),
    repeats: new Uint32Array(count),
    volume: sum(),
    difficulty: weightedSum(),
    cpc: weightedSum(),
    competition: sum(),
    position: sum(),
    intent: new Uint32Array(4 * count),
    intentKnown: new Uint32Array(count),
    top: new Int32Array(count).fill(-1),
    childKeywords: new Float64Array(count),
    childVolume: new Float64Array(count),
  };
}
