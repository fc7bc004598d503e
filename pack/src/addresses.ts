import { createPathHash } from './path-hash.ts';
import type { EntryColumns } from './upload-tables.ts';

/**
 * The address of every node: see `path-hash`. 2 numbers a node, low half first.
 *
 * Cost: one hash a node (two for one whose name a sibling before it has), 8 to 16 bytes a node while it runs.
 *
 * @param parent row of the parent, rows in document order
 */
export function addressNodes(nodes: EntryColumns, parent: Uint32Array): Uint32Array {
  const address = new Uint32Array(2 * parent.length);
  const hash = createPathHash();
  const takeOrdinal = createOrdinals(address);
  for (let node = 0; node < parent.length; node++) {
    const above = 2 * parent[node]!;
    const low = node === 0 ? 0 : address[above]!;
    const high = node === 0 ? 0 : address[above + 1]!;
    const start = nodes.nameStart[node]!;
    const end = start + nodes.nameLength[node]!;
    let found = hash(high, low, 0, nodes.names, start, end);
    const ordinal = takeOrdinal(node, found[0]!, found[1]!);
    if (ordinal > 0) found = hash(high, low, ordinal, nodes.names, start, end);
    address[2 * node] = found[0]!;
    address[2 * node + 1] = found[1]!;
  }
  return address;
}

/** How often a 64-bit hash was asked for before. The nodes' addresses hold the hashes of those that were the first. */
function createOrdinals(address: Uint32Array): (node: number, low: number, high: number) => number {
  let slots = 16;
  while (slots < address.length) slots *= 2;
  /** The first node of each hash, plus one; 0 where none is. */
  const firsts = new Uint32Array(slots);
  const repeats = new Map<number, number>();
  return (node, low, high) => {
    let slot = low & (slots - 1);
    for (; firsts[slot]! > 0; slot = (slot + 1) & (slots - 1)) {
      const first = firsts[slot]! - 1;
      if (address[2 * first] !== low || address[2 * first + 1] !== high) continue;
      const ordinal = (repeats.get(first) ?? 0) + 1;
      repeats.set(first, ordinal);
      return ordinal;
    }
    firsts[slot] = node + 1;
    return 0;
  };
}
