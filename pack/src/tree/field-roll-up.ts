import { eachMember, hasMembers } from '../upload/member-sets.ts';
import type { UploadField } from '../upload/upload-tables.ts';
import type { Occurrences } from './occurrences.ts';
import { type Categories, type FieldValues, isWeighed, type MeanSum, sumUp, weighByImpressions } from './sums.ts';

/** @param keyword the keyword number of each node, -1 for none; @param entry the entry of each keyword, -1 for none */
export function createFieldValues(field: UploadField, keyword: Int32Array, entry: Int32Array): FieldValues {
  const entryOf = (node: number) => (keyword[node]! >= 0 ? entry[keyword[node]!]! : -1);
  if (field.kind === 'set') {
    const { nodes, keywords } = field;
    return {
      field,
      at(node, half = 0) {
        if (nodes && hasMembers(nodes, node)) return nodes[2 * node + half]!;
        return keywords && entryOf(node) >= 0 ? keywords[2 * entryOf(node) + half]! : 0;
      },
    };
  }
  const { nodes, keywords } = field;
  const isKnown = field.kind === 'number' ? (value: number) => !Number.isNaN(value) : (value: number) => value > 0;
  const unknown = field.kind === 'number' ? Number.NaN : 0;
  return {
    field,
    at(node) {
      if (nodes && isKnown(nodes[node]!)) return nodes[node]!;
      return keywords && entryOf(node) >= 0 ? keywords[entryOf(node)]! : unknown;
    },
  };
}

/**
 * The roll-up of a field over the distinct keywords of each branch.
 *
 * @param impressions the weights of rates, if the file has impressions
 */
export function rollUpField(
  all: Occurrences,
  values: FieldValues,
  impressions?: FieldValues | undefined,
): MeanSum | Categories {
  const { field, at } = values;
  if (field.kind !== 'number') return findTops(all, values, field.values.length);
  const byImpressions = impressions && isWeighed(field) && weighByImpressions(all, at, impressions);
  return { ...sumUp(all, at), ...(byImpressions && { byImpressions }) };
}

/**
 * The most frequent value or set member among the keywords of each branch; on a tie, the first one in the file.
 *
 * Counts exist only for the open branches, in document order. When a branch is complete, its counts are added to its
 * parent's. A repeated keyword is subtracted at the first ancestor where it must not count again, which is open when
 * the repeat arrives.
 * Cost: one pass over the nodes, and per branch as many steps as there are values; memory for the open branches.
 */
function findTops(all: Occurrences, { at, field }: FieldValues, values: number): Categories {
  const { branches, parent, keyword, repeatNode, repeatBranch } = all;
  const found = { top: new Uint8Array(branches.count), topCount: new Uint32Array(branches.count) };
  const known = new Uint32Array(branches.count);
  const ofRoot = new Uint32Array(values);
  const add = (counts: Counts, node: number, sign: 1 | -1) => {
    if (field.kind === 'set') addMembers(counts, at(node, 0), at(node, 1), sign);
    else addValue(counts, at(node), sign);
  };
  if (branches.count === 0) {
    const counts = new Int32Array(values);
    if (keyword[0]! >= 0) add(counts, 0, 1);
    ofRoot.set(counts.subarray(1), 1);
    return { ...found, known, counts: ofRoot };
  }
  const open = new OpenCounts(values);
  const leave = () => {
    const { branch, counts } = open.last();
    if (branch === 0) ofRoot.set(counts.subarray(1), 1);
    known[branch] = counts[0]!;
    findTop(counts, branch, found);
    open.pop();
  };
  let nextRepeat = 0;
  for (let node = 0; node < keyword.length; node++) {
    const own = branches.of[node]!;
    const above = own >= 0 ? branches.parent[own]! : branches.of[parent[node]!]!;
    while (open.depth > 0 && open.last().branch !== above) leave();
    if (own >= 0) open.push(own);
    if (keyword[node]! >= 0) add(open.last().counts, node, 1);
    if (repeatNode[nextRepeat] !== node) continue;
    add(open.counts(open.levelOf(repeatBranch[nextRepeat++]!)), node, -1);
  }
  while (open.depth > 0) leave();
  return { ...found, known, counts: ofRoot };
}

/** The number of keywords per value. The slot of the unknown value counts the keywords with any known value. */
export type Counts = Int32Array;

/** Adds a keyword to the counts of a category, or removes it with −1. */
function addValue(counts: Counts, value: number, sign: 1 | -1): void {
  if (value === 0) return;
  counts[value]! += sign;
  counts[0]! += sign;
}

/** {@link addValue} for all members of a set, given by the two halves of its bits. */
export function addMembers(counts: Counts, low: number, high: number, sign: 1 | -1): void {
  if ((low | high) === 0) return;
  eachMember(low, high, (member) => {
    counts[member]! += sign;
  });
  counts[0]! += sign;
}

/** Writes the most frequent value, the first one on a tie. */
export function findTop(
  counts: Counts,
  branch: number,
  { top, topCount }: { readonly top: Uint8Array; readonly topCount: Uint32Array },
): void {
  for (let value = 1; value < counts.length; value++) {
    if (counts[value]! <= topCount[branch]!) continue;
    topCount[branch] = counts[value]!;
    top[branch] = value;
  }
}

/** The counts of each value in each branch from the root to the current one. */
export class OpenCounts {
  depth = 0;
  readonly #values: number;
  readonly #levels: { branch: number; counts: Counts }[] = [];

  constructor(values: number) {
    this.#values = values;
  }

  last(): { readonly branch: number; readonly counts: Counts } {
    return this.#levels[this.depth - 1]!;
  }

  counts(level: number): Counts {
    return this.#levels[level]!.counts;
  }

  push(branch: number): void {
    const level = this.#levels[this.depth] ?? { branch, counts: new Int32Array(this.#values) };
    this.#levels[this.depth++] = level;
    level.branch = branch;
    level.counts.fill(0);
  }

  /** Adds the counts of the last branch to its parent's. */
  pop(): void {
    const { counts } = this.#levels[--this.depth]!;
    const above = this.depth > 0 ? this.#levels[this.depth - 1]!.counts : undefined;
    if (above) for (let value = 0; value < counts.length; value++) above[value]! += counts[value]!;
  }

  /** Branches are numbered in document order, so the open ones are in ascending order. */
  levelOf(branch: number): number {
    let low = 0;
    let high = this.depth - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#levels[middle]!.branch < branch) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
