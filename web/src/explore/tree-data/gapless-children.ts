import type { Slice, SliceQuery } from '@kc/pack/slice/slice';

/**
 * How many children of each node are loaded without a gap, counted from the first one in the order of a query's `skip`.
 * By pack row.
 *
 * The number of loaded children may be larger: a link into the middle of a branch, or a table in another order, loads
 * children beyond a gap.
 */
export class GaplessChildren {
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
