import type { Children } from './children.ts';
import { createPathHash } from './path-hash.ts';
import type { EntryColumns } from './upload-tables.ts';

/**
 * The address of every node: see `path-hash`. 2 numbers a node, low half first.
 *
 * Cost: one hash a node (two for one whose name a sibling before it has), and 8 to 16 bytes for each child of the node
 * that has the most.
 *
 * @param children in document order
 */
export function addressNodes(nodes: EntryColumns, children: Children): Uint32Array {
  const address = new Uint32Array(2 * nodes.rows);
  const hash = createPathHash();
  const ordinals = new SiblingOrdinals(address);
  const root = hash(0, 0, 0, nodes.names, nodes.nameStart[0]!, nodes.nameStart[0]! + nodes.nameLength[0]!);
  address.set(root);
  for (let node = 0; node < nodes.rows; node++) {
    const count = children.count[node]!;
    if (count === 0) continue;
    const first = children.start[node]!;
    const low = address[2 * node]!;
    const high = address[2 * node + 1]!;
    ordinals.begin(count);
    for (let at = first; at < first + count; at++) {
      const child = children.list[at]!;
      const start = nodes.nameStart[child]!;
      const end = start + nodes.nameLength[child]!;
      let found = hash(high, low, 0, nodes.names, start, end);
      const ordinal = ordinals.take(child, found[0]!, found[1]!);
      if (ordinal > 0) found = hash(high, low, ordinal, nodes.names, start, end);
      address[2 * child] = found[0]!;
      address[2 * child + 1] = found[1]!;
    }
  }
  return address;
}

/**
 * How often a 64-bit hash was met before among siblings. The table is as small as the siblings are few, so for most of
 * a tree it stays in the processor's cache. The addresses hold the hashes of those that were the first.
 */
class SiblingOrdinals {
  readonly #address: Uint32Array;
  /** The first node of each hash, plus one; 0 where none is. Open addressing. */
  #firsts = new Uint32Array(16);
  #mask = 0;
  readonly #repeats = new Map<number, number>();

  constructor(address: Uint32Array) {
    this.#address = address;
  }

  /** Forgets the siblings before, for this many new ones. */
  begin(siblings: number): void {
    let slots = 2;
    while (slots < 2 * siblings) slots *= 2;
    if (slots > this.#firsts.length) this.#firsts = new Uint32Array(slots);
    else this.#firsts.fill(0, 0, slots);
    this.#mask = slots - 1;
    if (this.#repeats.size > 0) this.#repeats.clear();
  }

  take(node: number, low: number, high: number): number {
    const address = this.#address;
    const firsts = this.#firsts;
    let slot = low & this.#mask;
    for (; firsts[slot]! > 0; slot = (slot + 1) & this.#mask) {
      const first = firsts[slot]! - 1;
      if (address[2 * first] !== low || address[2 * first + 1] !== high) continue;
      const ordinal = (this.#repeats.get(first) ?? 0) + 1;
      this.#repeats.set(first, ordinal);
      return ordinal;
    }
    firsts[slot] = node + 1;
    return 0;
  }
}
