import { createPathHash } from '../names/path-hash.ts';
import type { NameLoop } from '../upload/name-loop.ts';
import type { EntryColumns } from '../upload/upload-tables.ts';
import type { Children } from './children.ts';

/**
 * The address of every node: see `path-hash`. 2 numbers a node, low half first.
 *
 * Cost: one hash a node (two for one whose name a sibling before it has), and 8 to 16 bytes for each child of the node
 * that has the most.
 *
 * @param children in document order
 * @param loop what hashes many names at a time, where it can run
 */
export function addressNodes(nodes: EntryColumns, children: Children, loop?: NameLoop): Uint32Array {
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
    const isRun = loop && count >= shortRun && children.list[first + count - 1]! - children.list[first]! === count - 1;
    if (isRun) hashRun(loop, nodes, children.list[first]!, count, high, low, address);
    ordinals.begin(count);
    for (let at = first; at < first + count; at++) {
      const child = children.list[at]!;
      const start = nodes.nameStart[child]!;
      const end = start + nodes.nameLength[child]!;
      let childLow = address[2 * child]!;
      let childHigh = address[2 * child + 1]!;
      if ((childLow | childHigh) === 0) {
        const found = hash(high, low, 0, nodes.names, start, end);
        childLow = found[0]!;
        childHigh = found[1]!;
      }
      const ordinal = ordinals.take(child, childLow, childHigh);
      if (ordinal > 0) {
        const found = hash(high, low, ordinal, nodes.names, start, end);
        childLow = found[0]!;
        childHigh = found[1]!;
      }
      address[2 * child] = childLow;
      address[2 * child + 1] = childHigh;
    }
  }
  return address;
}

/** Fewer siblings are hashed one by one. */
const shortRun = 16;

/** The addresses of siblings that follow each other as the first of their names; zeros for those that are left. */
function hashRun(
  loop: NameLoop,
  nodes: EntryColumns,
  first: number,
  count: number,
  parentHigh: number,
  parentLow: number,
  address: Uint32Array,
): void {
  const end = first + count;
  for (let from = first; from < end; ) {
    const brought = loop.bring(nodes, from, end);
    loop.address(parentHigh, parentLow);
    address.set(loop.hashes.subarray(0, 2 * brought), 2 * from);
    for (let at = 0; at < brought; at++)
      if (loop.isLeft[at] === 1) address.fill(0, 2 * (from + at), 2 * (from + at + 1));
    from += brought;
  }
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
