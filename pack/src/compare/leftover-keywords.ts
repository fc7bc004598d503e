import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { type HashKey, halfSipHash } from '../names/half-sip-hash.ts';
import { TextKey } from '../names/text-key.ts';
import type { ComparedTree } from './compared-tree.ts';

/** The unmatched keywords of one side, with numbers for their texts. */
export type LeftoverKeywords = {
  /** Ascending rows. */
  readonly rows: Uint32Array;
  /** The number of each keyword's text. Equal texts have equal numbers, on both sides. */
  readonly texts: Uint32Array;
};

/**
 * Numbers the texts of the unmatched keywords of both sides. Two texts count as equal if their text keys have the same 64-bit
 * hash, see {@link TextKey}. With 10^7 texts, one wrong pair is expected in 10^5 comparisons of uploads.
 *
 * Memory: 8 bytes per keyword, and 32 to 64 per text.
 *
 * @param sides each with its unmatched rows
 */
export async function numberLeftovers(
  sides: readonly (readonly [ComparedTree, left: Uint32Array])[],
  key: HashKey,
  pause: Pause,
): Promise<{ readonly texts: number; readonly sides: readonly LeftoverKeywords[] }> {
  const table = new PairTable(
    sides.reduce((sum, [, unmatched]) => sum + unmatched.length, 0),
    key,
  );
  const fold = new TextKey();
  const out = new Uint32Array(2);
  let count = 0;
  const numbered: LeftoverKeywords[] = [];
  for (const [{ names, isKeyword }, unmatched] of sides) {
    const rows = new Uint32Array(unmatched.length);
    const texts = new Uint32Array(unmatched.length);
    let next = 0;
    await eachPiece(unmatched.length, pause, (from, end) => {
      for (let at = from; at < end; at++) {
        const row = unmatched[at]!;
        if (isKeyword[row] !== 1) continue;
        const length = fold.write(names.bytes, names.start[row]!, names.start[row + 1]!);
        halfSipHash(key[0], key[1], fold.buffer.view, 0, length, out, 0);
        const text = table.getOrAdd(out[0]!, out[1]!, count);
        if (text === count) count++;
        rows[next] = row;
        texts[next++] = text;
      }
    });
    numbered.push({ rows: rows.subarray(0, next), texts: texts.subarray(0, next) });
  }
  return { texts: count, sides: numbered };
}

/**
 * A map from 64-bit hashes, as two words, to numbers: an open-addressing table with at most half of its slots used.
 *
 * The hashes of node IDs and names are not secret, so slots are chosen with a random key: without it, the author of a file could make
 * all entries collide. Cost: 16 bytes per slot, 2 to 4 slots per entry.
 */
export class PairTable {
  #mask = 0;
  /** Four words per slot, so that a slot is in one cache line: low half, high half, the number plus one (0 if empty), and padding. */
  #slots = new Uint32Array(0);
  readonly #key: HashKey;

  /** @param capacity the number of entries that it has room for */
  constructor(capacity: number, key: HashKey) {
    this.#key = key;
    this.clear(capacity);
  }

  /** Removes all entries, and makes room for `capacity` entries. Costs that many steps, however many entries there were. */
  clear(capacity: number): void {
    let slots = 16;
    while (slots < 2 * capacity) slots *= 2;
    this.#mask = slots - 1;
    if (slotWords * slots <= this.#slots.length) this.#slots.fill(0, 0, slotWords * slots);
    else this.#slots = new Uint32Array(slotWords * slots);
  }

  /** The number of a hash, -1 if it has none. */
  get(low: number, high: number): number {
    return this.#slots[this.#find(low, high) + 2]! - 1;
  }

  /** The number of a hash. If it has none, it gets `next`. */
  getOrAdd(low: number, high: number, next: number): number {
    const slots = this.#slots;
    const at = this.#find(low, high);
    if (slots[at + 2]! > 0) return slots[at + 2]! - 1;
    slots[at] = low;
    slots[at + 1] = high;
    slots[at + 2] = next + 1;
    return next;
  }

  /** The position of the slot that a hash has or would get. */
  #find(low: number, high: number): number {
    const slots = this.#slots;
    // Multiplication by odd secrets, upper bits into lower ones, as the final mix of MurmurHash3 does.
    let mixed = Math.imul((low >>> 0) ^ this.#key[0], this.#key[1] | 1) ^ (high >>> 0);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    let slot = (mixed ^ (mixed >>> 16)) & this.#mask;
    for (;;) {
      const at = slotWords * slot;
      if (slots[at + 2] === 0 || (slots[at] === low && slots[at + 1] === high)) return at;
      slot = (slot + 1) & this.#mask;
    }
  }
}

const slotWords = 4;
