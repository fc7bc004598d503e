import { grown } from './release.ts';

/** The top-level member of a file that says which nodes are similar, as clustering writes it. */
export const similarMember = 'similar_nodes';

/** The maximum number of similar nodes for a node. */
export const mostSimilar = 5;

/** For each node, the nodes most similar to it, nearest first. Nodes are numbered in document order. */
export type SimilarNodes = {
  /** The nodes similar to node `n` are those from `start[n]` to before `start[n + 1]` in `to`. */
  readonly start: Uint32Array;
  readonly to: Uint32Array;
};

/**
 * Reads {@link similarMember}: one flat list of integers. For each node in document order, beginning with the root, it has the count of similar
 * nodes, then their numbers in document order. The hierarchy must come before it in the file.
 *
 * If anything does not fit the hierarchy, the whole list is ignored: it is optional, anybody may have written it, and it is never a
 * reason to refuse a file.
 * Memory: 4 bytes per number, and never more than six numbers per node.
 */
export class SimilarNodesReader {
  #numbers = new Uint32Array(0);
  #length = 0;
  /** The number of nodes whose part has begun, and how many numbers of the last part are missing. */
  #lists = 0;
  #left = 0;
  #isBroken = true;

  /** Call at the start of the list. */
  begin(): void {
    this.#length = 0;
    this.#lists = 0;
    this.#left = 0;
    this.#isBroken = false;
  }

  /** @param nodes the number of nodes of the hierarchy */
  number(value: number, nodes: number): void {
    if (this.#isBroken) return;
    const isCount = this.#left === 0;
    const isRight = isCount
      ? Number.isInteger(value) && value >= 0 && value <= mostSimilar && this.#lists < nodes
      : // The root is similar to nothing, and nothing to itself.
        Number.isInteger(value) && value > 0 && value < nodes && value !== this.#lists - 1;
    if (!isRight) {
      this.fail();
      return;
    }
    if (isCount) {
      this.#lists++;
      this.#left = value;
    } else this.#left--;
    if (this.#length === this.#numbers.length) {
      const room = Math.min((mostSimilar + 1) * nodes, Math.max(1024, 2 * this.#length));
      this.#numbers = grown(this.#numbers, Uint32Array, room, this.#length);
    }
    this.#numbers[this.#length++] = value;
  }

  /** Call for an element that is no number. */
  fail(): void {
    this.#isBroken = true;
    this.#numbers = new Uint32Array(0);
  }

  /** @param nodes the number of nodes of the hierarchy. @returns undefined if there is no valid list, or it names no similar nodes */
  finish(nodes: number): SimilarNodes | undefined {
    const total = this.#length - nodes;
    if (this.#isBroken || this.#left > 0 || this.#lists !== nodes || total === 0) return undefined;
    const start = new Uint32Array(nodes + 1);
    const to = new Uint32Array(total);
    let from = 0;
    for (let node = 0; node < nodes; node++) {
      const count = this.#numbers[from]!;
      to.set(this.#numbers.subarray(from + 1, from + 1 + count), start[node]);
      start[node + 1] = start[node]! + count;
      from += 1 + count;
    }
    this.#numbers = new Uint32Array(0);
    return { start, to };
  }
}
