import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { amountsIn, type Family, standForAmounts } from './families.ts';
import { goneRow, type MarksBuffer } from './layout.ts';

/**
 * Siblings that are readable in the room that the page was made for, and one item for those after them.
 *
 * The rest takes its share of the page, but at least what it needs to be readable, and at most {@link maxRest}:
 * otherwise a thousand keywords of low weight would leave no room for any name. A page does not depend on the zoom, so
 * nothing changes places; the rest has pages of its own, which open when it is large enough.
 */
export type Page = {
  /** Items `[first, end)` of the family. */
  readonly first: number;
  readonly end: number;
  /** Weight of the rest relative to the items; 0 without a rest. */
  readonly rest: number;
  /** The room that the page needs to be readable, as a multiple of what one item needs. */
  readonly need: number;
};

/** A family with the sums that pages are made from. */
export type Run = {
  readonly family: Family;
  /** Weight of the items `[i, items)`, including children that are not loaded. */
  readonly restWeight: Float64Array;
};

/** The rest of a page takes at most this share of it. */
const maxRest = 1 / 12;
/** A page has at least this many items, however small its room is at zoom 1: with fewer it is not worth opening. */
const minItems = 3;

export function runOf(family: Family): Run {
  const restWeight = new Float64Array(family.items + 1);
  for (let i = family.items - 1; i >= 0; i--) restWeight[i] = restWeight[i + 1]! + family.weights[i]!;
  return { family, restWeight };
}

/** Whether children with a weight follow the loaded ones. */
const hasMore = ({ items, rows, weightless }: Family) => items > rows.length || weightless.nodes > 0;

/**
 * @param first item of the page, a loaded child
 * @param room at zoom 1, as a multiple of what one item needs
 * @param isNear whether one item is enough
 * Cost: the items of the page.
 */
export function pageOf({ family, restWeight }: Run, first: number, room: number, isNear: boolean): Page {
  const { weights, rows } = family;
  const aim = Math.max(room, isNear ? 1 : minItems);
  const restAt = (at: number, shown: number) => {
    if (at === rows.length && !hasMore(family)) return 0;
    const minWeight = Math.min(weights[at - 1]!, shown / Math.max(1, aim - 1));
    return Math.min(Math.max(restWeight[at]!, minWeight), Math.max(minWeight, (shown * maxRest) / (1 - maxRest)));
  };
  let end = first + 1;
  let weight = weights[first]!;
  let rest = restAt(end, weight);
  while (end < rows.length) {
    const longer = weight + weights[end]!;
    const after = restAt(end + 1, longer);
    if (weights[end]! * aim < longer + after) break;
    [weight, rest, end] = [longer, after, end + 1];
  }
  const need = (weight + rest) / Math.min(weights[end - 1]!, rest || Number.POSITIVE_INFINITY);
  return { first, end, rest, need: isNear ? need : Math.max(need, Math.min(minItems, end - first)) };
}

/** A page opens slightly before all of its names fit. */
const nearlyAll = 0.9;
/** With this much room, a single name beside the rest says more than a large closed mark. */
const ample = 8;

/** @param room on screen, as a multiple of what one item needs */
export const isReadable = ({ need, end, first, rest }: Page, room: number, isNear: boolean): boolean =>
  room >= need * nearlyAll && (isNear || end - first > 1 || rest === 0 || room >= ample);

/** The weights of the items of a page, with the weight of its rest last. */
export function pageWeights({ family }: Run, { first, end, rest }: Page): Float64Array {
  const weights = new Float64Array(end - first + (rest > 0 ? 1 : 0));
  weights.set(family.weights.subarray(first, end));
  if (rest > 0) weights[end - first] = rest;
  return weights;
}

/** Number of the heaviest children from which the length of names in a branch is estimated. */
const maxMeasured = 12;

/** Mean length of the names of a branch's heaviest children, in UTF-8 bytes. */
export function nameBytesIn(tree: LoadedTree, { rows }: Family): number {
  const measured = rows.subarray(0, maxMeasured).filter((row) => row !== goneRow);
  return measured.reduce((bytes, row) => bytes + tree.nameBytes(row), 0) / Math.max(1, measured.length);
}

/**
 * Whether children that are not loaded could appear among so many items: a page that ends with the last loaded child
 * has room for more, and the heaviest children determine the length of names.
 */
export const wantsMore = ({ rows, items }: Family, shown: number): boolean =>
  items > rows.length && (shown === rows.length || rows.length < maxMeasured);

/** Makes a mark stand for the rest after a page: the items from `from` on, and the children without weight. */
export function standBehindPage(marks: MarksBuffer, mark: number, { family }: Run, from: number): void {
  const { items, weightless } = family;
  const { nodes, keywords, volume } = amountsIn(family, from, items);
  const all = {
    nodes: nodes + weightless.nodes,
    keywords: keywords + weightless.keywords,
    volume: volume + weightless.volume,
  };
  standForAmounts(marks, mark, all, family, from, items);
}
