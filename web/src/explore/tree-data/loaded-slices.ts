import type { Slice, SliceQuery } from '@kc/pack/slice/slice';
import { limits } from '@kc/rules/limits';
import type { LoadedTree } from './loaded-tree.ts';

/** What is loaded under one filter, and the queries that loaded it. */
export class LoadedSlices {
  /** Canonical text of the filter; empty for none. */
  readonly filter: string;
  /** Whether the tree includes what the filter leaves out. */
  readonly isFaint: boolean;
  #tree: LoadedTree;
  readonly #children = new GaplessChildren();
  /** Keys of queries whose response added no row. */
  readonly #addedNothing = new Set<string>();
  /** Every merged query in order of its first response, with the fields it has loaded. */
  readonly #merged = new Map<string, { readonly query: SliceQuery; readonly fields: ReadonlySet<string> }>();

  constructor(filter: string, isFaint: boolean, tree: LoadedTree) {
    this.filter = filter;
    this.isFaint = isFaint && filter !== '';
    this.#tree = tree;
  }

  get tree(): LoadedTree {
    return this.#tree;
  }

  /** Makes `tree` a tree with these rows. Later responses are merged into it. */
  moveInto(tree: LoadedTree): void {
    tree.become(this.#tree);
    this.#tree = tree;
  }

  /**
   * The queries that load a slice with these fields under the filter. What the filter leaves out keeps the size it has
   * without a filter, so where it is included, the same rows are also loaded without the filter.
   */
  queriesFor(query: SliceQuery, fields: readonly string[]): { filtered: SliceQuery; whole: SliceQuery | undefined } {
    const whole = fields.length === 0 ? query : { ...query, fields };
    if (this.filter === '') return { filtered: whole, whole: undefined };
    if (!this.isFaint) return { filtered: { ...whole, filter: this.filter }, whole: undefined };
    return { filtered: { ...whole, filter: this.filter, rest: true }, whole };
  }

  /**
   * Merges the response to a query.
   * @param whole the same rows without the filter, see {@link queriesFor}
   * @param isRefetch whether the rows were expected to be loaded already
   */
  merge(
    query: SliceQuery,
    fields: readonly string[],
    [slice, whole]: readonly [Slice, Slice | undefined],
    isRefetch: boolean,
  ): void {
    const before = this.#tree.size;
    this.#tree.merge(slice, whole);
    this.#children.add(query, slice);
    if (this.#tree.size === before && !isRefetch) this.#addedNothing.add(sliceKey(query));
    const name = `${sliceKey(query)} ${query.budget}`;
    this.#merged.set(name, { query, fields: new Set([...(this.#merged.get(name)?.fields ?? []), ...fields]) });
  }

  /** The query for children of a node from the `skip`th one on, or from the first gap on if that is elsewhere. */
  childrenQuery({ node, skip }: Pick<SliceQuery, 'node' | 'skip'>, budget: number = limits.firstSliceRows): SliceQuery {
    return { node, skip: skip === 0 ? 0 : this.#children.of(node), budget };
  }

  /** Whether the same query has added no row before. */
  addsNothing(query: SliceQuery): boolean {
    return this.#addedNothing.has(sliceKey(query));
  }

  /** The oldest query, so the one nearest to the root, whose rows lack one of the fields. */
  nextRefetch(fields: readonly string[]): SliceQuery | undefined {
    const missing = fields.filter((name) => !this.#tree.isWhole(name));
    for (const { query, fields: loaded } of this.#merged.values())
      if (missing.some((name) => !loaded.has(name))) return query;
    return undefined;
  }

  /** The query that loads the largest missing part; undefined if nothing is missing that can be loaded. */
  nextPrefetch(): SliceQuery | undefined {
    // `shape` includes faint rows, so they count as missing like any others.
    const next = nextMissing(this.#tree.shape, (query) => this.addsNothing(this.childrenQuery(query)));
    return next && this.childrenQuery(next, limits.maxSliceRows);
  }
}

/** Identifies the rows that a query requests, under any filter and with any fields. */
export function sliceKey({ node, skip, child, ranked }: SliceQuery): string {
  if (ranked) return `${node} ${JSON.stringify(ranked)}`;
  return child === undefined ? `${node} ${skip}` : `${node} from ${child}`;
}

/**
 * How many children of each node are loaded without a gap, counted from the first one in the order of a query's `skip`.
 * By pack row.
 *
 * The number of loaded children may be larger: a link into the middle of a branch, or a table in another order, loads
 * children beyond a gap.
 */
class GaplessChildren {
  readonly #counts = new Map<number, number>();

  of(node: number): number {
    return this.#counts.get(node) ?? 0;
  }

  /** Adds the result of a query. Cost: a pass over the rows of the slice. */
  add({ node, skip, child, ranked }: SliceQuery, { parent, node: rows }: Pick<Slice, 'parent' | 'node'>): void {
    const counts = new Uint32Array(rows.length);
    for (let row = 1; row < rows.length; row++) counts[parent[row]!]!++;
    for (let row = 0; row < rows.length; row++) {
      if (counts[row] === 0) continue;
      const isQueried = rows[row] === node;
      // Their position is unknown, or they have another order.
      if (isQueried && (child !== undefined || ranked)) continue;
      const first = isQueried ? skip : 0;
      const before = this.of(rows[row]!);
      if (first <= before) this.#counts.set(rows[row]!, Math.max(before, first + counts[row]!));
    }
  }
}

/** Branches with at most this many leaves are requested whole: with their inner nodes they usually fit one slice. */
const wholeBranchLeaves = 10_000;

/**
 * The next request for loading the whole tree: of the branches that fit one slice and the runs of children that are not
 * loaded, the one with the most missing leaves. Undefined if nothing is missing.
 *
 * Cost: two passes over the loaded rows.
 */
export function nextMissing(
  tree: LoadedTree,
  isFutile: (query: { node: number; skip: number }) => boolean,
): { node: number; skip: number } | undefined {
  const missing = missingLeaves(tree);
  let best: { node: number; skip: number } | undefined;
  let max = 0;
  for (let row = 0; row < tree.size; row++) {
    if (missing[row]! <= max) continue;
    const query = requestFor(tree, row);
    if (!query || isFutile(query)) continue;
    best = query;
    max = missing[row]!;
  }
  return best;
}

/** A branch that fits one slice is requested whole; for a larger one, the run of missing children. */
function requestFor(tree: LoadedTree, row: number): { node: number; skip: number } | undefined {
  const node = tree.node[row]!;
  const loaded = tree.loadedChildren(row);
  if (tree.leaves[row]! <= wholeBranchLeaves && loaded === 0) return { node, skip: 0 };
  if (loaded < tree.childCount[row]!) return { node, skip: loaded };
  return tree.leaves[row]! <= wholeBranchLeaves ? { node, skip: 0 } : undefined;
}

/** Number of leaves below each row that are not loaded, summed up the tree. */
function missingLeaves(tree: LoadedTree): Float64Array {
  const missing = new Float64Array(tree.size);
  const parent = tree.parent;
  for (let row = tree.size - 1; row >= 0; row--) {
    missing[row] = missing[row]! + tree.tail(row).leaves;
    if (row > 0) missing[parent[row]!] = missing[parent[row]!]! + missing[row]!;
  }
  return missing;
}
