import { climb } from './branches.ts';
import { type Occurrences, placeOf } from './occurrences.ts';
import type { Categories, Sum } from './tree.ts';
import type { UploadField } from './upload-tables.ts';

/** A field of nodes: what a node says of itself, else what its keyword's entry says. */
export type FieldValues = {
  readonly field: UploadField;
  /** NaN for an unknown number, 0 for an unknown category. */
  at(node: number): number;
};

/** @param keyword number of the node's keyword, -1 for none; @param entry by that number, -1 for none */
export function createFieldValues(field: UploadField, keyword: Int32Array, entry: Int32Array): FieldValues {
  const { nodes, keywords } = field;
  const isKnown = field.kind === 'number' ? (value: number) => !Number.isNaN(value) : (value: number) => value > 0;
  const unknown = field.kind === 'number' ? Number.NaN : 0;
  return {
    field,
    at(node) {
      if (nodes && isKnown(nodes[node]!)) return nodes[node]!;
      const id = keyword[node]!;
      return keywords && id >= 0 && entry[id]! >= 0 ? keywords[entry[id]!]! : unknown;
    },
  };
}

/** What a field adds up to, over the distinct keywords of each branch. */
export function rollUpField(all: Occurrences, values: FieldValues): Sum | Categories {
  const { field } = values;
  return field.kind === 'number' ? sumUp(all, values) : findTops(all, values, field.values.length);
}

function sumUp(all: Occurrences, { at }: FieldValues): Sum {
  const { branches, keyword, repeatNode, repeatBranch } = all;
  const sum = new Float64Array(branches.count);
  const known = new Uint32Array(branches.count);
  const add = (branch: number, value: number, sign: 1 | -1) => {
    if (Number.isNaN(value)) return;
    sum[branch]! += sign * value;
    known[branch]! += sign;
  };
  for (let node = 0; node < keyword.length; node++) if (keyword[node]! >= 0) add(placeOf(all, node), at(node), 1);
  for (let index = 0; index < repeatNode.length; index++) add(repeatBranch[index]!, at(repeatNode[index]!), -1);
  climb(branches.parent, sum);
  climb(branches.parent, known);
  return { sum, known };
}

/**
 * The value that most keywords of each branch have, the first to come in the file among equals.
 *
 * Counts are held for the open branches alone, in document order: when a branch is left its counts are added to its
 * parent's. A repeat is taken off where it counts no more, which is a branch that is open when it comes.
 * Cost: one pass over the nodes, as many steps as there are values for a branch; memory for the open branches.
 */
function findTops(all: Occurrences, { at }: FieldValues, values: number): Categories {
  const { branches, keyword, repeatNode, repeatBranch } = all;
  const top = new Uint8Array(branches.count);
  const topCount = new Uint32Array(branches.count);
  const known = new Uint32Array(branches.count);
  const ofRoot = new Uint32Array(values);
  if (branches.count === 0) {
    if (keyword[0]! >= 0 && at(0) > 0) ofRoot[at(0)] = 1;
    return { top, topCount, known, counts: ofRoot };
  }
  const open = new OpenCounts(values);
  const leave = () => {
    const { branch, counts } = open.last();
    if (branch === 0) ofRoot.set(counts.subarray(1), 1);
    for (let value = 1; value < values; value++) {
      known[branch]! += counts[value]!;
      if (counts[value]! <= topCount[branch]!) continue;
      topCount[branch] = counts[value]!;
      top[branch] = value;
    }
    open.pop();
  };
  let nextRepeat = 0;
  for (let node = 0; node < keyword.length; node++) {
    const own = branches.of[node]!;
    const place = placeOf(all, node);
    const above = own > 0 ? branches.parent[own]! : place;
    while (open.depth > 0 && open.last().branch !== above) leave();
    if (own >= 0) open.push(own);
    if (keyword[node]! >= 0) open.add(open.depth - 1, at(node), 1);
    if (repeatNode[nextRepeat] !== node) continue;
    open.add(open.levelOf(repeatBranch[nextRepeat++]!), at(node), -1);
  }
  while (open.depth > 0) leave();
  return { top, topCount, known, counts: ofRoot };
}

/** How often each value came in each of the branches from the root to the current one. */
export class OpenCounts {
  depth = 0;
  readonly #values: number;
  readonly #levels: { branch: number; counts: Int32Array }[] = [];

  constructor(values: number) {
    this.#values = values;
  }

  last(): { readonly branch: number; readonly counts: Int32Array } {
    return this.#levels[this.depth - 1]!;
  }

  push(branch: number): void {
    const level = this.#levels[this.depth] ?? { branch, counts: new Int32Array(this.#values) };
    this.#levels[this.depth++] = level;
    level.branch = branch;
    level.counts.fill(0);
  }

  add(level: number, value: number, sign: 1 | -1): void {
    this.#levels[level]!.counts[value]! += sign;
  }

  /** Adds the last one's counts to those above it. */
  pop(): void {
    const { counts } = this.#levels[--this.depth]!;
    const above = this.depth > 0 ? this.#levels[this.depth - 1]!.counts : undefined;
    if (above) for (let value = 1; value < counts.length; value++) above[value]! += counts[value]!;
  }

  /** Branches are numbered in document order, so those that are open rise. */
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
