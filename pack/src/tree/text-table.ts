import type { HashKey } from '../names/half-sip-hash.ts';
import { release } from '../upload/release.ts';
import type { NameTable } from './name-table.ts';

/** The number of names that are hashed and looked up at a time. */
export const namesAtATime = 4096;
/** The number of names whose memory is loaded ahead of the comparison: what they touch fits into a small cache. */
const prefetched = 256;
/** The maximum load factor. */
const fullest = 0.8;

/**
 * Finds the first name with each text, by the keyed 64-bit hash of the text key. The low bits select the slot; the high
 * bits are compared before the names.
 *
 * Names are looked up by the thousand, so that many memory accesses overlap.
 * Cost: one hash per name; 8 bytes per slot, 1.25 to 3 slots per text.
 */
export class TextTable {
  readonly #key: HashKey;
  /** Two words per slot: the high half of the hash, and the name plus one, or 0 if the slot is empty. */
  #places: Uint32Array;
  #mask: number;
  #taken = 0;

  /** @param texts the expected number of texts; the table grows beyond it */
  constructor(key: HashKey, texts: number) {
    const places = placesFor(texts);
    this.#key = key;
    this.#places = new Uint32Array(2 * places);
    this.#mask = places - 1;
  }

  /**
   * Writes for each name the first name with its text, which may be the name itself; -1 if there is none.
   *
   * @param asked ascending name numbers
   * @param mayBegin 1 for a name that may be added as the first of its text, 0 for one that is only looked up
   */
  find(names: NameTable, asked: Uint32Array, mayBegin: Uint8Array, firsts: Int32Array): void {
    const hashes = this.#hash(names, asked);
    if (this.#taken + asked.length > fullest * (this.#mask + 1)) this.#grow(names, asked.length);
    for (let from = 0; from < asked.length; from += prefetched) {
      this.#findSome(names, asked, mayBegin, firsts, hashes, from, Math.min(from + prefetched, asked.length));
    }
  }

  #findSome(
    names: NameTable,
    asked: Uint32Array,
    mayBegin: Uint8Array,
    firsts: Int32Array,
    hashes: Uint32Array,
    from: number,
    end: number,
  ): void {
    const places = this.#places;
    const mask = this.#mask;
    // The iterations of these loops are independent, so slots and names are in the processor cache for the last one.
    for (let index = from; index < end; index++) firsts[index] = places[2 * (hashes[2 * index]! & mask) + 1]! - 1;
    names.prefetch(firsts, from, end);
    for (let index = from; index < end; index++) {
      const high = hashes[2 * index + 1]!;
      const name = asked[index]!;
      let place = hashes[2 * index]! & mask;
      let first = -1;
      for (let other = places[2 * place + 1]!; other > 0; other = places[2 * place + 1]!) {
        if (places[2 * place] === high && names.isSameText(other - 1, name)) {
          first = other - 1;
          break;
        }
        place = (place + 1) & mask;
      }
      if (first < 0 && mayBegin[index] === 1) {
        places[2 * place] = high;
        places[2 * place + 1] = name + 1;
        this.#taken++;
        first = name;
      }
      firsts[index] = first;
    }
  }

  /** Frees the memory. The table cannot be used afterwards. */
  release(): void {
    release(this.#places);
  }

  #hash(names: NameTable, asked: Uint32Array): Uint32Array {
    return names.hashAll({ count: asked.length, at: (index) => asked[index]! }, this.#key);
  }

  /** Slots contain only half of each hash, so all names are hashed again. */
  #grow(names: NameTable, more: number): void {
    const before = this.#places;
    const all = new Uint32Array(this.#taken);
    let count = 0;
    for (let at = 1; at < before.length; at += 2) if (before[at]! > 0) all[count++] = before[at]! - 1;
    all.sort();
    const size = placesFor(2 * (count + more));
    const places = new Uint32Array(2 * size);
    for (let from = 0; from < count; from += namesAtATime) {
      const some = all.subarray(from, from + namesAtATime);
      const hashes = this.#hash(names, some);
      for (let index = 0; index < some.length; index++) {
        let place = hashes[2 * index]! & (size - 1);
        while (places[2 * place + 1]! > 0) place = (place + 1) & (size - 1);
        places[2 * place] = hashes[2 * index + 1]!;
        places[2 * place + 1] = some[index]! + 1;
      }
    }
    this.#places = places;
    this.#mask = size - 1;
  }
}

/** A power of two, at least one and a half times the number of texts. */
const placesFor = (texts: number): number => 2 ** Math.max(4, Math.ceil(Math.log2(1.5 * texts + 1)));
