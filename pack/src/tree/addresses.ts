import { createPathHash } from '../names/path-hash.ts';
import type { NameLoop } from '../upload/name-loop.ts';
import { grown } from '../upload/release.ts';
import type { GrowingTables, NameColumns } from '../upload/upload-tables.ts';
import { SiblingOrdinals } from './sibling-ordinals.ts';

type Nodes = GrowingTables['nodes'];

/** Shorter runs of siblings are hashed one by one. */
const shortRun = 16;

/**
 * Computes the ID of every node while nodes arrive, see `path-hash`: 2 numbers per node, low half first.
 *
 * Nodes arrive in document order, so the ancestors of a node are known before it. A node whose name comes after its
 * children is processed once the name is known. If an open node gets a second name, everything is computed again.
 * Cost: one hash per node (two for a node that follows a sibling of the same name), and per level 8 to 16 bytes for
 * each child of the node with the most children.
 */
export class Addresses {
  readonly #loop: NameLoop | undefined;
  readonly #hash = createPathHash();
  #address = new Uint32Array(0);
  #done = 0;
  /** The nodes from the root to the parent of the current node. */
  readonly #open: { node: number; readonly ordinals: SiblingOrdinals }[] = [];
  #depth = 0;
  /** Nodes that were open when their names were used, and the positions of those names. */
  #used: { readonly node: number; readonly start: number; readonly length: number }[] = [];

  /** @param loop hashes many names at a time, if it can run */
  constructor(loop?: NameLoop) {
    this.#loop = loop;
  }

  /** Processes the nodes that have arrived. */
  advance(nodes: Nodes): void {
    this.#address = grown(this.#address, Uint32Array, 2 * nodes.byteStart.length, 2 * this.#done);
    for (let node = this.#done; node < nodes.rows && isNamed(nodes, node); node = this.#done) {
      if (node === 0) this.#takeRoot(nodes);
      else this.#takeRun(nodes, node);
    }
  }

  /** Call when all nodes have arrived. */
  finish(nodes: Nodes): Uint32Array {
    const isOther = this.#used.some(
      ({ node, start, length }) => nodes.nameStart[node] !== start || nodes.nameLength[node] !== length,
    );
    if (isOther) {
      this.#done = 0;
      this.#depth = 0;
      this.#used = [];
    }
    this.advance(nodes);
    return this.#address.subarray(0, 2 * nodes.rows);
  }

  #takeRoot(nodes: Nodes): void {
    this.#keepOpen(nodes, 0);
    this.#address.set(this.#hashOf(nodes, 0, 0, 0, 0));
    this.#done = 1;
  }

  /** Processes consecutive siblings. */
  #takeRun(nodes: Nodes, first: number): void {
    const { parent, byteEnd } = nodes;
    const above = parent[first]!;
    if (above === first - 1) this.#push(above);
    while (this.#open[this.#depth - 1]!.node !== above) this.#depth--;
    const { ordinals } = this.#open[this.#depth - 1]!;
    let end = first + 1;
    while (end < nodes.rows && parent[end] === above && byteEnd[end]! > 0) end++;
    const address = this.#address;
    const low = address[2 * above]!;
    const high = address[2 * above + 1]!;
    const isHashed = this.#loop && end - first >= shortRun;
    if (isHashed) hashRun(this.#loop!, nodes, first, end, high, low, address);
    ordinals.expect(end - first, address);
    for (let node = first; node < end; node++) {
      if (!isHashed || (address[2 * node]! | address[2 * node + 1]!) === 0)
        address.set(this.#hashOf(nodes, node, high, low, 0), 2 * node);
      const ordinal = ordinals.take(address, node);
      if (ordinal > 0) address.set(this.#hashOf(nodes, node, high, low, ordinal), 2 * node);
    }
    this.#keepOpen(nodes, first);
    this.#done = end;
  }

  /** Only the first node of a run can be open: any other open node starts its own run. */
  #keepOpen({ byteEnd, nameStart, nameLength }: Nodes, node: number): void {
    if (byteEnd[node] === 0) this.#used.push({ node, start: nameStart[node]!, length: nameLength[node]! });
  }

  #push(node: number): void {
    const level = this.#open[this.#depth];
    if (level) {
      level.node = node;
      level.ordinals.clear();
    } else this.#open.push({ node, ordinals: new SiblingOrdinals() });
    this.#depth++;
  }

  #hashOf(nodes: NameColumns, node: number, high: number, low: number, ordinal: number): Uint32Array {
    const start = nodes.nameStart[node]!;
    return this.#hash(high, low, ordinal, nodes.names, start, start + nodes.nameLength[node]!);
  }
}

/** An open node without a name may still get one. */
const isNamed = ({ byteEnd, nameLength }: Nodes, node: number): boolean => byteEnd[node]! > 0 || nameLength[node]! > 0;

/** The IDs of consecutive siblings as the first of their names; zeros for those that the loop leaves out. */
function hashRun(
  loop: NameLoop,
  nodes: NameColumns,
  first: number,
  end: number,
  parentHigh: number,
  parentLow: number,
  address: Uint32Array,
): void {
  for (let from = first; from < end; ) {
    const brought = loop.bring(nodes, from, end);
    loop.address(parentHigh, parentLow);
    address.set(loop.hashes.subarray(0, 2 * brought), 2 * from);
    for (let at = 0; at < brought; at++)
      if (loop.isLeft[at] === 1) address.fill(0, 2 * (from + at), 2 * (from + at + 1));
    from += brought;
  }
}
