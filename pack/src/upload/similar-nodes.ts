/** The top-level member of a file that says which nodes are similar, as clustering writes it. */
export const similarMember = 'similar_nodes';

/** A node has at most so many similar ones. */
export const mostSimilar = 5;

/** For each node, the rows of those most similar to it, nearest first, both in document order. */
export type SimilarNodes = {
  /** Where the part of each node begins in `to`; one more than there are nodes. */
  readonly start: Uint32Array;
  readonly to: Uint32Array;
};

/**
 * Reads {@link similarMember}: one flat list of whole numbers. For each node in document order, the root first, how many
 * are similar to it, then their places in document order. The hierarchy has to come before it.
 *
 * Whatever does not fit to the hierarchy drops all of it: it is an addition that anybody can have written, and never a
 * reason to refuse a file.
 * Memory: 4 bytes per number, and never more than six numbers per node.
 */
export class SimilarNodesReader {
  #numbers = new Uint32Array(0);
  #length = 0;
  /** How many lists have begun, and how many numbers of the last one are still to come. */
  #lists = 0;
  #left = 0;
  #isBroken = true;

  /** The list opens. */
  begin(): void {
    this.#length = 0;
    this.#lists = 0;
    this.#left = 0;
    this.#isBroken = false;
  }

  /** @param nodes how many the hierarchy has */
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
    if (this.#length === this.#numbers.length) this.#grow(nodes);
    this.#numbers[this.#length++] = value;
  }

  /** Something in the list is no number. */
  fail(): void {
    this.#isBroken = true;
    this.#numbers = new Uint32Array(0);
  }

  /** @param nodes how many the hierarchy has @returns undefined if the file does not say it, or has no similar nodes */
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

  #grow(nodes: number): void {
    const most = (mostSimilar + 1) * nodes;
    const larger = new Uint32Array(Math.min(most, Math.max(1024, 2 * this.#length)));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}
