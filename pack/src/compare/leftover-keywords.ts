import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import { type HashKey, halfSipHash } from '../names/half-sip-hash.ts';
import { TextKey } from '../names/text-key.ts';
import type { ComparedTree } from './compared-tree.ts';

/** The keywords among the rows of one side that have no match, by the number of their text. */
export type LeftoverKeywords = {
  /** Ascending rows. */
  readonly rows: Uint32Array;
  /** The number of the text of each: the same for both sides. */
  readonly texts: Uint32Array;
  /** By row: its text; `noRow` for a row that is matched or no keyword. */
  readonly textAt: Uint32Array;
};

/**
 * Numbers the texts of the unmatched keywords of both sides. Two are the same if their text keys have the same 64-bit
 * hash, see {@link TextKey}: among 10^7 texts, one wrong pair is expected in 10^5 comparisons.
 *
 * Memory: 4 bytes per node of each side, 8 per keyword, and 24 to 48 per text.
 */
export async function numberLeftovers(
  sides: readonly (readonly [ComparedTree, matched: Uint32Array])[],
  key: HashKey,
  pause: Pause,
): Promise<{ readonly texts: number; readonly sides: readonly LeftoverKeywords[] }> {
  const found: Uint32Array[] = [];
  for (const [tree, matched] of sides) found.push(await unmatchedKeywords(tree, matched, pause));
  const table = new PairTable(
    found.reduce((sum, rows) => sum + rows.length, 0),
    key,
  );
  const fold = new TextKey();
  const out = new Uint32Array(2);
  let count = 0;
  const numbered: LeftoverKeywords[] = [];
  for (const [side, rows] of found.entries()) {
    const [{ nodes, names }] = sides[side]!;
    const texts = new Uint32Array(rows.length);
    const textAt = new Uint32Array(nodes).fill(noRow);
    await eachPiece(rows.length, pause, (from, end) => {
      for (let index = from; index < end; index++) {
        const row = rows[index]!;
        const length = fold.write(names.bytes, names.start[row]!, names.start[row + 1]!);
        halfSipHash(key[0], key[1], fold.buffer.view, 0, length, out, 0);
        const text = table.take(out[0]!, out[1]!, count);
        if (text === count) count++;
        texts[index] = text;
        textAt[row] = text;
      }
    });
    numbered.push({ rows, texts, textAt });
  }
  return { texts: count, sides: numbered };
}

async function unmatchedKeywords({ nodes, isKeyword }: ComparedTree, matched: Uint32Array, pause: Pause) {
  const isLeft = (row: number) => matched[row] === noRow && isKeyword[row] === 1;
  let count = 0;
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) if (isLeft(row)) count++;
  });
  const rows = new Uint32Array(count);
  let next = 0;
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) if (isLeft(row)) rows[next++] = row;
  });
  return rows;
}

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
