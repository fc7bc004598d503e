import type { HashKey } from '../names/hash-key.ts';
import { release } from '../upload/release.ts';
import type { NameTable } from './name-table.ts';

/** Names that are hashed and looked for at a time. */
export const namesAtATime = 4096;
/** Of its places, so many are taken at most. */
const fullest = 0.8;

/**
 * Which name was the first of its text, by the keyed hash of the text's key: 64 bits, of which the low ones choose where
 * to look and the high ones are compared before the names are.
 *
 * Names are looked for in thousands, so that the processor waits for many places at a time.
 * Cost: one hash a name; 8 bytes a place, 1.25 to 3 places a text.
 */
export class TextTable {
  readonly #key: HashKey;
  /** Two words a place: the high half of the hash, and the name plus one, 0 where none is. */
  #places: Uint32Array;
  #mask: number;
  #taken = 0;

  /** @param texts that are expected; more find room, too */
  constructor(key: HashKey, texts: number) {
    const places = placesFor(texts);
    this.#key = key;
    this.#places = new Uint32Array(2 * places);
    this.#mask = places - 1;
  }

  /**
   * Writes for each name the first one with its text, itself for that one, -1 where there is none.
   *
   * @param asked rising numbers of names
   * @param mayBegin 1 for a name that may be the first of its text, 0 for one that is only found
   */
  find(names: NameTable, asked: Uint32Array, mayBegin: Uint8Array, firsts: Int32Array): void {
    const hashes = this.#hash(names, asked);
    if (this.#taken + asked.length > fullest * (this.#mask + 1)) this.#grow(names, asked.length);
    const places = this.#places;
    const mask = this.#mask;
    // No step of this loop waits for another: the places are in the processor's cache when the next loop needs them.
    for (let index = 0; index < asked.length; index++) firsts[index] = places[2 * (hashes[2 * index]! & mask)]!;
    for (let index = 0; index < asked.length; index++) {
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

  /** It is done with afterwards. */
  release(): void {
    release(this.#places);
  }

  #hash(names: NameTable, asked: Uint32Array): Uint32Array {
    return names.hashAll({ count: asked.length, at: (index) => asked[index]! }, this.#key);
  }

  /** The places tell half of each hash, so the names are hashed anew. */
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

/** A power of two, a half more than texts at least. */
const placesFor = (texts: number): number => 2 ** Math.max(4, Math.ceil(Math.log2(1.5 * texts + 1)));
