import { noRow } from '../format/pack-format.ts';

/** The child of the root that a row is or lies below; {@link noRow} for the root. */
export function pillarOf(parent: Uint32Array, row: number): number {
  if (row === 0) return noRow;
  let at = row;
  while (parent[at] !== 0) at = parent[at]!;
  return at;
}
