import { formatAddress, parseAddress } from '../names/path-hash.ts';
import { eachPiece, noPause, type Pause } from './in-pieces.ts';
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
export function locate(pack: PackReader, address: string, pause?: Pause): Promise<Uint32Array | undefined> {
  return locateLast(pack, [address], pause);
}

/** The path to the last of these addresses that a node has: of a path in another pack, what is left of it here. */
export async function locateLast(
  pack: PackReader,
  addresses: readonly string[],
  pause?: Pause,
): Promise<Uint32Array | undefined> {
  let last: Found | undefined;
  for (const found of await findAddresses(pack, addresses, pause)) if (found.place >= (last?.place ?? 0)) last = found;
  return last && pathTo(pack, last.row);
}

/** The rows at these addresses, rising; none where no node has one. Cost: as of {@link locate}, for all at once. */
export async function rowsAt(
  pack: PackReader,
  addresses: readonly string[],
  pause?: Pause,
): Promise<readonly number[]> {
  return (await findAddresses(pack, addresses, pause)).map(({ row }) => row);
}

/** Neighbours in a pack: rows from `start` to before `end`. */
export type Level = { readonly start: number; readonly end: number };

/** The rows of a branch, level by level: children stand in the order of their parents, so those of neighbours do too. */
export async function levelsOf(pack: PackReader, node: number): Promise<Level[]> {
  const levels: Level[] = [{ start: node, end: node + 1 }];
  for (;;) {
    const { start, end } = levels.at(-1)!;
    const [first, behind] = await pack.gather('branch', Uint32Array.of(start, end));
    if (first === behind) return levels;
    const ends = Uint32Array.of(first!, behind! - 1);
    const child = await pack.gather('first_child', ends);
    const count = await pack.gather('child_count', ends);
    levels.push({ start: child[0]!, end: child[1]! + count[1]! });
  }
}

type Found = { readonly row: number; readonly place: number };

/** The nodes at some addresses, in the pack's order, each with the place of its address among those. */
async function findAddresses(
  pack: PackReader,
  addresses: readonly string[],
  pause: Pause = noPause,
): Promise<readonly Found[]> {
  const wanted = new Map(
    addresses.map((address, place) => [address.toLowerCase(), { place, ...parseAddress(address) }]),
  );
  // Most rows are passed over by the last bits of their address.
  const isLast = new Uint8Array(2 ** 16);
  for (const { low } of wanted.values()) if (low !== undefined) isLast[low & 0xffff] = 1;
  const halves = await pack.column('address');
  const found: Found[] = [];
  await eachPiece(pack.metadata.nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      if (isLast[halves[2 * row]! & 0xffff] === 0) continue;
      const place = wanted.get(formatAddress(halves[2 * row + 1]!, halves[2 * row]!))?.place;
      if (place !== undefined) found.push({ row, place });
    }
  });
  return found;
}
