const fewest = 16;

/**
 * Counts how often a 64-bit hash has occurred among siblings. The table is small when there are few siblings, so it
 * usually stays in the processor cache. The ID column holds the hashes of the first occurrences.
 */
export class SiblingOrdinals {
  /** The first node of each hash, plus one; 0 for an empty slot. Open addressing. */
  #firsts = new Uint32Array(fewest);
  #mask = fewest - 1;
  #count = 0;
  readonly #repeats = new Map<number, number>();

  /** Clears the table for other siblings. */
  clear(): void {
    this.#firsts.fill(0, 0, this.#mask + 1);
    this.#mask = fewest - 1;
    this.#count = 0;
    if (this.#repeats.size > 0) this.#repeats.clear();
  }

  /** Makes room for more siblings. */
  expect(siblings: number, address: Uint32Array): void {
    let slots = this.#mask + 1;
    while (slots < 2 * (this.#count + siblings)) slots *= 2;
    if (slots > this.#mask + 1) this.#grow(slots, address);
  }

  /**
   * Returns the ordinal of a sibling that there is room for.
   *
   * @param address two words per node, low half first; for this node, its ID as the first of its name
   */
  take(address: Uint32Array, node: number): number {
    const low = address[2 * node]!;
    const high = address[2 * node + 1]!;
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
    this.#count++;
    return 0;
  }

  #grow(slots: number, address: Uint32Array): void {
    // Usually all siblings are expected before the first one arrives.
    const before = this.#count > 0 ? this.#firsts.slice(0, this.#mask + 1) : [];
    this.#mask = slots - 1;
    if (slots > this.#firsts.length) this.#firsts = new Uint32Array(slots);
    else this.#firsts.fill(0, 0, slots);
    for (const first of before) {
      if (first === 0) continue;
      let slot = address[2 * (first - 1)]! & this.#mask;
      while (this.#firsts[slot]! > 0) slot = (slot + 1) & this.#mask;
      this.#firsts[slot] = first;
    }
  }
}
