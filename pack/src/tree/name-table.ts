import type { HashKey } from '../names/half-sip-hash.ts';
import { nameHash } from '../names/name-hash.ts';
import { TextKey } from '../names/text-key.ts';
import type { NameLoop } from '../upload/name-loop.ts';
import type { NameColumns } from '../upload/upload-tables.ts';

/** Ascending name numbers. */
export type Names = { readonly count: number; at(index: number): number };

/** If this many requested names span at least twice as many name numbers, the first one is hashed separately. */
const someNames = 64;

/**
 * The names of two tables as one sequence: first those of the first table, then those of the second. Names are not
 * copied; callers refer to them by number.
 */
export class NameTable {
  #tables: readonly [NameColumns, NameColumns];
  #views: readonly [DataView, DataView];
  readonly #fold = new TextKey();
  readonly #otherFold = new TextKey();
  readonly #loop: NameLoop | undefined;
  /** The number of names in the first table. */
  first: number;

  /** @param loop hashes many names at a time, if it can run */
  constructor(first: NameColumns, second: NameColumns, loop?: NameLoop) {
    this.#tables = [first, second];
    this.#views = [viewOf(first.names), viewOf(second.names)];
    this.#loop = loop;
    this.first = first.rows;
  }

  /** Replaces the tables with versions that have more rows, possibly at another memory location. */
  follow(first: NameColumns, second: NameColumns): void {
    this.#tables = [first, second];
    this.#views = [viewOf(first.names), viewOf(second.names)];
    this.first = first.rows;
  }

  /** Hashes names, given as ascending numbers, in that order: two words each. */
  hashAll(names: Names, key: HashKey): Uint32Array {
    const { count } = names;
    const hashes = new Uint32Array(2 * count);
    for (let index = 0; index < count; ) {
      const isDense = names.at(Math.min(index + someNames, count) - 1) - names.at(index) < 2 * someNames;
      if (this.#loop && isDense) index = this.#hashMany(this.#loop, names, index, key, hashes);
      else this.hash(names.at(index), key, hashes, 2 * index++);
    }
    return hashes;
  }

  /** Hashes as many names as are stored close together, starting at an index. Returns the next index. */
  #hashMany(loop: NameLoop, names: Names, from: number, key: HashKey, out: Uint32Array): number {
    const name = names.at(from);
    const table = this.#tableOf(name);
    const brought = loop.bring(table, this.#rowOf(name), table.rows);
    loop.hashKeys(key);
    const { hashes, isLeft } = loop;
    let index = from;
    for (; index < names.count; index++) {
      const at = names.at(index) - name;
      if (at >= brought) break;
      if (isLeft[at] === 1) this.hash(name + at, key, out, 2 * index);
      else {
        out[2 * index] = hashes[2 * at]!;
        out[2 * index + 1] = hashes[2 * at + 1]!;
      }
    }
    return index;
  }

  /** Writes the hash of a name's text key to `out[at]` and `out[at + 1]`. */
  hash(name: number, key: HashKey, out: Uint32Array, at: number): void {
    const length = this.#write(this.#fold, name);
    nameHash(key[0], key[1], this.#fold.buffer.view, 0, length, out, at);
  }

  /**
   * Loads some names of the first table into the processor cache, so that many memory accesses overlap.
   *
   * @param numbers contains the names between two indexes, -1 for none; overwritten there
   */
  prefetch(numbers: Int32Array, from: number, end: number): void {
    const { names, nameStart, nameLength } = this.#tables[0];
    const { first } = this;
    for (let index = from; index < end; index++) {
      const row = numbers[index]!;
      // Uses both columns, so that neither access is optimized away.
      numbers[index] = row >= 0 && row < first ? nameStart[row]! + (nameLength[row]! >>> 31) : 0;
    }
    for (let index = from; index < end; index++) numbers[index] = names[numbers[index]!]!;
  }

  /** Whether two names have the same bytes. */
  isSameName(one: number, other: number): boolean {
    const first = this.#tableOf(one);
    const second = this.#tableOf(other);
    const oneRow = this.#rowOf(one);
    const otherRow = this.#rowOf(other);
    const length = first.nameLength[oneRow]!;
    if (second.nameLength[otherRow] !== length) return false;
    const from = first.nameStart[oneRow]!;
    const otherFrom = second.nameStart[otherRow]!;
    const bytes = this.#views[one < this.first ? 0 : 1];
    const otherBytes = this.#views[other < this.first ? 0 : 1];
    let at = 0;
    for (; at + 4 <= length; at += 4) {
      if (bytes.getInt32(from + at) !== otherBytes.getInt32(otherFrom + at)) return false;
    }
    for (; at < length; at++) if (bytes.getUint8(from + at) !== otherBytes.getUint8(otherFrom + at)) return false;
    return true;
  }

  /** Whether two names have the same text key. Only names with different bytes need folding. */
  isSameText(one: number, other: number): boolean {
    if (this.isSameName(one, other)) return true;
    const length = this.#write(this.#fold, one);
    if (this.#write(this.#otherFold, other) !== length) return false;
    const bytes = this.#fold.buffer.bytes;
    const otherBytes = this.#otherFold.buffer.bytes;
    for (let index = 0; index < length; index++) if (bytes[index] !== otherBytes[index]) return false;
    return true;
  }

  #write(fold: TextKey, name: number): number {
    const { names, nameStart, nameLength } = this.#tableOf(name);
    const row = this.#rowOf(name);
    return fold.write(names, nameStart[row]!, nameStart[row]! + nameLength[row]!);
  }

  #tableOf(name: number): NameColumns {
    return name < this.first ? this.#tables[0] : this.#tables[1];
  }

  #rowOf(name: number): number {
    return name < this.first ? name : name - this.first;
  }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
