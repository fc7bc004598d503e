import type { HashKey } from '../names/hash-key.ts';

/**
 * Numbers by 64-bit hash, as two words: an open-addressing table with at most half of its slots used.
 *
 * The hashes of node IDs and names are not secret, so slots are chosen with a key that whoever wrote the names does not
 * know. Cost: 12 bytes per slot, 2 to 4 slots per entry.
 */
export class PairTable {
  #mask = 0;
  #low = new Uint32Array(0);
  #high = new Uint32Array(0);
  /** The number plus one; 0 for an empty slot. */
  #number = new Uint32Array(0);
  readonly #key: HashKey;

  /** @param most the number of entries that it has room for */
  constructor(most: number, key: HashKey) {
    this.#key = key;
    this.clear(most);
  }

  /** Removes all entries, and makes room for `most`. Costs that many steps, whatever was in it. */
  clear(most: number): void {
    let slots = 16;
    while (slots < 2 * most) slots *= 2;
    this.#mask = slots - 1;
    if (slots <= this.#number.length) {
      this.#number.fill(0, 0, slots);
      return;
    }
    this.#low = new Uint32Array(slots);
    this.#high = new Uint32Array(slots);
    this.#number = new Uint32Array(slots);
  }

  /** The number of a hash, -1 if it has none. */
  get(low: number, high: number): number {
    return this.#number[this.#slot(low, high)]! - 1;
  }

  /** The number of a hash. Gives it the next one, which is `next`, if it has none. */
  take(low: number, high: number, next: number): number {
    const slot = this.#slot(low, high);
    if (this.#number[slot]! > 0) return this.#number[slot]! - 1;
    this.#low[slot] = low;
    this.#high[slot] = high;
    this.#number[slot] = next + 1;
    return next;
  }

  #slot(low: number, high: number): number {
    // Multiplication by odd secrets, upper bits into lower ones, as the final mix of MurmurHash3 does.
    let mixed = Math.imul((low >>> 0) ^ this.#key[0], this.#key[1] | 1) ^ (high >>> 0);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    let slot = (mixed ^ (mixed >>> 16)) & this.#mask;
    while (this.#number[slot]! > 0 && (this.#low[slot] !== low || this.#high[slot] !== high)) {
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }
}
