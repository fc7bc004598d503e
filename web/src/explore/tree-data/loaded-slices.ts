import type { Slice, SliceQuery } from '@kc/pack/slice/slice';
import { limits } from '@kc/rules/limits';
import { GaplessChildren } from './gapless-children.ts';
import type { LoadedTree } from './loaded-tree.ts';
import { nextMissing } from './next-missing.ts';

/** What is loaded under one filter, and the queries that loaded it. */
export class LoadedSlices {
  /** Canonical text of the filter; empty for none. */
  readonly filter: string;
  /** Whether the tree includes what the filter leaves out. */
  readonly isFaint: boolean;
  #tree: LoadedTree;
  readonly #children = new GaplessChildren();
  /** Keys of queries whose response added no row. */
  readonly #answered = new Set<string>();
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
    if (this.#tree.size === before && !isRefetch) this.#answered.add(sliceKey(query));
    const name = `${sliceKey(query)} ${query.budget}`;
    this.#merged.set(name, { query, fields: new Set([...(this.#merged.get(name)?.fields ?? []), ...fields]) });
  }

  /** The query for children of a node from the `skip`th one on, or from the first gap on if that is elsewhere. */
  childrenQuery({ node, skip }: Pick<SliceQuery, 'node' | 'skip'>, budget: number = limits.firstSliceRows): SliceQuery {
    return { node, skip: skip === 0 ? 0 : this.#children.of(node), budget };
  }

  /** Whether the same query has added no row before. */
  isAnswered(query: SliceQuery): boolean {
    return this.#answered.has(sliceKey(query));
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
    const next = nextMissing(this.#tree.shape, (query) => this.isAnswered(this.childrenQuery(query)));
    return next && this.childrenQuery(next, limits.maxSliceRows);
  }
}

/** Identifies the rows that a query asks for, under any filter and with any fields. */
export function sliceKey({ node, skip, child, ranked }: SliceQuery): string {
  if (ranked) return `${node} ${JSON.stringify(ranked)}`;
  return child === undefined ? `${node} ${skip}` : `${node} from ${child}`;
}
