import { formatAddress, parseAddress } from '../names/path-hash.ts';
import type { PackReader } from './pack-reader.ts';

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
export function locate(pack: PackReader, address: string): Promise<Uint32Array | undefined> {
  return locateLast(pack, [address]);
}

/** The path to the last of these addresses that a node has: of a path in another pack, what is left of it here. */
export async function locateLast(pack: PackReader, addresses: readonly string[]): Promise<Uint32Array | undefined> {
  let last: Found | undefined;
  for (const found of await findAddresses(pack, addresses)) if (found.place >= (last?.place ?? 0)) last = found;
  return last && pathTo(pack, last.row);
}

/** The rows at these addresses, rising; none where no node has one. Cost: as of {@link locate}, for all at once. */
export async function rowsAt(pack: PackReader, addresses: readonly string[]): Promise<readonly number[]> {
  return (await findAddresses(pack, addresses)).map(({ row }) => row);
}

type Found = { readonly row: number; readonly place: number };

/** The nodes at some addresses, in the pack's order, each with the place of its address among those. */
async function findAddresses(pack: PackReader, addresses: readonly string[]): Promise<readonly Found[]> {
  const wanted = new Map(
    addresses.map((address, place) => [address.toLowerCase(), { place, ...parseAddress(address) }]),
  );
  const lows = new Set([...wanted.values()].map(({ low }) => low));
  const halves = await pack.column('address');
  const found: Found[] = [];
  for (let row = 0; row < pack.metadata.nodes; row++) {
    if (!lows.has(halves[2 * row])) continue;
    const place = wanted.get(formatAddress(halves[2 * row + 1]!, halves[2 * row]!))?.place;
    if (place !== undefined) found.push({ row, place });
  }
  return found;
}
