import type { Columns } from './columns.ts';

/** Who is whose held child, and what the held children of every row sum up to. */
export type ChildIndex = {
  /** Held children of row `r`: `rows[start[r] .. start[r + 1]]`, by `order`, the heaviest first. */
  readonly start: Uint32Array;
  readonly rows: Int32Array;
  /** Held children of a row. */
  readonly held: Uint32Array;
  readonly keywords: Float64Array;
  /** Sum of the known volumes of the held children. */
  readonly volume: Float64Array;
  readonly leaves: Float64Array;
  /** Children of all rows together that are not held. */
  readonly missing: number;
};

/**
 * @param byNode every held row, in the pack's order
 * Cost: four passes over the rows; under a filter, which stands siblings otherwise, a sort of their runs.
 */
export function indexChildren(columns: Columns, byNode: Int32Array): ChildIndex {
  const size = byNode.length;
  const { parent, keywords, volume, leaves, childCount, order } = columns;
  let children = 0;
  for (let row = 0; row < size; row++) children += childCount[row]!;
  const index: ChildIndex = {
    start: new Uint32Array(size + 1),
    rows: new Int32Array(Math.max(0, size - 1)),
    held: new Uint32Array(size),
    keywords: new Float64Array(size),
    volume: new Float64Array(size),
    leaves: new Float64Array(size),
    missing: children - Math.max(0, size - 1),
  };
  for (let row = 1; row < size; row++) {
    const up = parent[row]!;
    index.held[up] = index.held[up]! + 1;
    index.keywords[up] = index.keywords[up]! + keywords[row]!;
    index.leaves[up] = index.leaves[up]! + leaves[row]!;
    const known = volume[row]!;
    if (!Number.isNaN(known)) index.volume[up] = index.volume[up]! + known;
  }
  for (let row = 0; row < size; row++) index.start[row + 1] = index.start[row]! + index.held[row]!;
  const next = index.start.slice();
  for (const row of byNode) {
    const up = parent[row]!;
    if (up === -1) continue;
    index.rows[next[up]!] = row;
    next[up] = next[up]! + 1;
  }
  for (let row = 0; row < size; row++) {
    const run = index.rows.subarray(index.start[row], index.start[row + 1]);
    for (let at = 1; at < run.length; at++) {
      if (order[run[at - 1]!]! <= order[run[at]!]!) continue;
      run.sort((one, other) => order[one]! - order[other]!);
      break;
    }
  }
  return index;
}
