import { formatAddress, parseAddress } from '../names/path-hash.ts';
import { eachPiece, noPause, type Pause } from './in-pieces.ts';
import { noRow } from './pack-format.ts';
import type { PackReader } from './pack-reader.ts';

/** @throws RangeError if the row is not a node */
export function checkNode({ metadata: { nodes } }: Pick<PackReader, 'metadata'>, row: number): void {
  if (!Number.isInteger(row) || row < 0 || row >= nodes) throw new RangeError(`Node ${row}`);
}

/** The rows from the root to a node, including both. @throws RangeError if the row is not a node */
export async function pathTo(pack: PackReader, row: number): Promise<Uint32Array> {
  checkNode(pack, row);
  const parent = await pack.column('parent');
  let depth = 0;
  for (let at = row; at > 0; at = parent[at]!) depth++;
  const path = new Uint32Array(depth + 1);
  for (let at = row; depth >= 0; at = parent[at]!) path[depth--] = at;
  return path;
}

/**
 * The path to the node with an ID, see {@link pathTo}; undefined if no node has it or it is not 16 hex digits.
 *
 * Cost: one pass over the node IDs, which are read once and cached with the pack.
 */
export function locate(pack: PackReader, address: string, pause?: Pause): Promise<Uint32Array | undefined> {
  return locateLast(pack, [address], pause);
}

/**
 * The path to the last of these node IDs that exists. Given the IDs along a path of another pack, this is the part of it that this pack has.
 */
export async function locateLast(
  pack: PackReader,
  addresses: readonly string[],
  pause?: Pause,
): Promise<Uint32Array | undefined> {
  let last: Found | undefined;
  for (const found of await findAddresses(pack, addresses, pause)) if (found.place >= (last?.place ?? 0)) last = found;
  return last && pathTo(pack, last.row);
}

/**
 * The rows of these node IDs in ascending order; missing IDs have none. Costs the same as {@link locate}, once for all
 * IDs.
 */
export async function rowsAt(
  pack: PackReader,
  addresses: readonly string[],
  pause?: Pause,
): Promise<readonly number[]> {
  return (await findAddresses(pack, addresses, pause)).map(({ row }) => row);
}

/** The row of each of these node IDs that exists. Costs the same as {@link locate}, once for all IDs. */
export async function placesAt(
  pack: PackReader,
  addresses: readonly string[],
  pause?: Pause,
): Promise<ReadonlyMap<string, number>> {
  const found = await findAddresses(pack, addresses, pause);
  return new Map(found.map(({ row, place }) => [addresses[place]!, row]));
}

/** Adjacent rows in a pack, from `start` to before `end`. */
export type Level = { readonly start: number; readonly end: number };

/** Gives each row whose value is 0 the value of its parent, from the root down. Row 0 keeps its value. */
export async function inherit(pack: PackReader, values: Uint8Array | Uint32Array, pause: Pause): Promise<void> {
  const parent = await pack.column('parent');
  await eachPiece(values.length, pause, (from, end) => {
    for (let row = Math.max(1, from); row < end; row++) if (values[row] === 0) values[row] = values[parent[row]!]!;
  });
}

/** The rows of a level in batches of at most `maxRows`. */
export function* batchesOf({ start, end }: Level, maxRows: number): Generator<Uint32Array> {
  for (let from = start; from < end; from += maxRows)
    yield Uint32Array.from({ length: Math.min(maxRows, end - from) }, (_, at) => from + at);
}

/** The children of a row; an empty range if it has none. */
export async function childrenOf(pack: Pick<PackReader, 'gather' | 'branchesOf'>, row: number): Promise<Level> {
  const branch = await pack.branchesOf(Uint32Array.of(row));
  if (branch[0] === noRow) return { start: row, end: row };
  const [start] = await pack.gather('first_child', branch);
  const [count] = await pack.gather('child_count', branch);
  return { start: start!, end: start! + count! };
}

/**
 * The rows of a branch, level by level. Children are in the order of their parents, so the children of adjacent rows
 * are adjacent.
 */
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

/** The nodes with some of the given IDs, in pack order, each with the index of its ID in the list. */
async function findAddresses(
  pack: PackReader,
  addresses: readonly string[],
  pause: Pause = noPause,
): Promise<readonly Found[]> {
  const wanted = new Map(
    addresses.map((address, place) => [address.toLowerCase(), { place, ...parseAddress(address) }]),
  );
  // The last 16 bits of their ID rule out most rows, and its lower half nearly all others.
  const isLast = new Uint8Array(2 ** 16);
  const lows = new Set<number>();
  for (const { low } of wanted.values()) {
    if (low === undefined) continue;
    isLast[low & 0xffff] = 1;
    lows.add(low);
  }
  const halves = await pack.column('address');
  const found: Found[] = [];
  await eachPiece(pack.metadata.nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      const low = halves[2 * row]!;
      if (isLast[low & 0xffff] === 0 || !lows.has(low >>> 0)) continue;
      const place = wanted.get(formatAddress(halves[2 * row + 1]!, low))?.place;
      if (place !== undefined) found.push({ row, place });
    }
  });
  return found;
}
