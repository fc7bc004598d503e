import type { PackReader } from './pack-reader.ts';
import { parseAddress } from './path-hash.ts';

/** Rows from the root to a node, both included. @throws RangeError when the row is no node */
export async function pathTo(pack: PackReader, row: number): Promise<Uint32Array> {
  if (!Number.isInteger(row) || row < 0 || row >= pack.metadata.nodes) throw new RangeError(`Node ${row}`);
  const parent = await pack.column('parent');
  const [depth] = await pack.gather('depth', Uint32Array.of(row));
  const path = new Uint32Array(depth! + 1);
  for (let level = depth!, at = row; level >= 0; level--, at = parent[at]!) path[level] = at;
  return path;
}

/**
 * The path to the node at an address, see {@link pathTo}; undefined when no node has it or it is not 16 hex digits.
 *
 * Cost: one pass over the addresses, which are read once and kept with the pack.
 */
export async function locate(pack: PackReader, address: string): Promise<Uint32Array | undefined> {
  const wanted = parseAddress(address);
  if (!wanted) return undefined;
  const halves = await pack.column('address');
  for (let row = 0; row < pack.metadata.nodes; row++) {
    if (halves[2 * row] === wanted.low && halves[2 * row + 1] === wanted.high) return pathTo(pack, row);
  }
  return undefined;
}
