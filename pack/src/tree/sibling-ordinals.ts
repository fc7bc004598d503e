const fewest = 16;

/**
 * How often a 64-bit hash was met before among siblings. The table is as small as the siblings are few, so for most of
 * a tree it stays in the processor's cache. The addresses hold the hashes of those that were the first.
 */
export class SiblingOrdinals {
  /** The first node of each hash, plus one; 0 where none is. Open addressing. */
  #firsts = new Uint32Array(fewest);
  #mask = fewest - 1;
  #count = 0;
  readonly #repeats = new Map<number, number>();

  /** Forgets all siblings. */
  clear(): void {
    this.#firsts.fill(0, 0, this.#mask + 1);
    this.#mask = fewest - 1;
    this.#count = 0;
    if (this.#repeats.size > 0) this.#repeats.clear();
  }

  /** Makes room for so many more at once. */
  expect(siblings: number, address: Uint32Array): void {
    let slots = this.#mask + 1;
    while (slots < 2 * (this.#count + siblings)) slots *= 2;
    if (slots > this.#mask + 1) this.#grow(slots, address);
  }

  /**
   * For one that was expected.
   *
   * @param address two words a node, low half first; of this one, its address as the first of its name
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
    // Most are told all their siblings before the first one comes.
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
