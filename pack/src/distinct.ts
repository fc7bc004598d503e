import { halfSipHash } from './half-sip-hash.ts';

/** Secret halves of the hash key: 32 random bits each, new for every ingest, so that no file can be built to be slow. */
export type HashKey = readonly [number, number];

/**
 * Numbers texts: the first distinct one is 0, the next 1, and so on.
 *
 * A table with open addressing; texts are compared by a keyed 64-bit hash and then byte by byte, so that a collision
 * costs time and never a wrong answer. Texts are copied.
 * Cost: 24 bytes a distinct text and its bytes.
 */
export class DistinctTexts {
  #slots = new Int32Array(1024).fill(-1);
  #hashes = new Uint32Array(2 * 512);
  #ends = new Float64Array(512);
  #blob = new Uint8Array(16 * 1024);
  #size = 0;
  readonly #key: HashKey;
  readonly #hash = new Uint32Array(2);

  constructor(key: HashKey) {
    this.#key = key;
  }

  get size(): number {
    return this.#size;
  }

  /** The text's number, given to it now when it is new. */
  add(text: Uint8Array): number {
    const slot = this.#slotOf(text);
    if (this.#slots[slot]! >= 0) return this.#slots[slot]!;
    const id = this.#size++;
    this.#slots[slot] = id;
    this.#keep(id, text);
    if (2 * this.#size > this.#slots.length) this.#grow();
    return id;
  }

  /** The text's number, -1 when it was never added. */
  find(text: Uint8Array): number {
    return this.#slots[this.#slotOf(text)]!;
  }

  /** Where the text is, or where it would go. */
  #slotOf(text: Uint8Array): number {
    halfSipHash(this.#key[0], this.#key[1], text, 0, text.length, this.#hash, 0);
    const mask = this.#slots.length - 1;
    let slot = this.#hash[0]! & mask;
    for (;;) {
      const id = this.#slots[slot]!;
      if (id < 0 || this.#isText(id, text)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isText(id: number, text: Uint8Array): boolean {
    if (this.#hashes[2 * id] !== this.#hash[0] || this.#hashes[2 * id + 1] !== this.#hash[1]) return false;
    const start = id === 0 ? 0 : this.#ends[id - 1]!;
    if (this.#ends[id]! - start !== text.length) return false;
    for (let index = 0; index < text.length; index++) {
      if (this.#blob[start + index] !== text[index]) return false;
    }
    return true;
  }

  #keep(id: number, text: Uint8Array): void {
    if (id === this.#ends.length) {
      this.#ends = grown(this.#ends, new Float64Array(2 * id));
      this.#hashes = grown(this.#hashes, new Uint32Array(4 * id));
    }
    const start = id === 0 ? 0 : this.#ends[id - 1]!;
    const end = start + text.length;
    if (end > this.#blob.length) this.#blob = grown(this.#blob, new Uint8Array(2 * end));
    this.#blob.set(text, start);
    this.#ends[id] = end;
    this.#hashes[2 * id] = this.#hash[0]!;
    this.#hashes[2 * id + 1] = this.#hash[1]!;
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1);
    const mask = this.#slots.length - 1;
    for (let id = 0; id < this.#size; id++) {
      let slot = this.#hashes[2 * id]! & mask;
      while (this.#slots[slot]! >= 0) slot = (slot + 1) & mask;
      this.#slots[slot] = id;
    }
  }
}

function grown<T extends Float64Array | Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
