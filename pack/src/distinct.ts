import { halfSipHash } from './half-sip-hash.ts';
import { release } from './release.ts';
import { TextKey } from './text-key.ts';
import type { EntryColumns } from './upload-tables.ts';

/** Secret halves of the hash key: 32 random bits each, new for every ingest, so that no file can be built to be slow. */
export type HashKey = readonly [number, number];

/**
 * Numbers names by their text keys: the first distinct one is 0, the next 1, and so on.
 *
 * Names are those of two tables, the second one's behind the first one's, and stay there: a table with open addressing
 * refers to them. A keyed 64-bit hash of the key tells two apart; where it is the same the names are compared, so that
 * a collision costs time and never a wrong answer. Where the second table has names in the order of the first, as
 * files often do, they are not hashed at all.
 * Cost: 18 to 24 bytes a name while it lives, and no copy of any.
 */
export class DistinctNames {
  readonly #tables: readonly [EntryColumns, EntryColumns];
  readonly #key: HashKey;
  /** Two words a name. */
  readonly #hashes: Uint32Array;
  /** The first name of each text, plus one; 0 where none is. */
  readonly #slots: Int32Array;
  /** -1 for a name that was not added. */
  readonly #numbers: Int32Array;
  readonly #fold = new TextKey();
  readonly #otherFold = new TextKey();
  #size = 0;
  /** The name that the last one asked for was the same as. */
  #last = -1;

  constructor(first: EntryColumns, second: EntryColumns, key: HashKey) {
    const names = first.rows + second.rows;
    this.#tables = [first, second];
    this.#key = key;
    this.#hashes = new Uint32Array(2 * names);
    this.#numbers = new Int32Array(names).fill(-1);
    let slots = 16;
    while (2 * slots < 3 * names) slots *= 2;
    this.#slots = new Int32Array(slots);
  }

  /** How many different ones were added. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds every name of the first table and says their numbers. All are hashed before any is looked up, for then the
   * processor waits for the memory of several look-ups at once.
   */
  addFirst(): Int32Array {
    const { rows } = this.#tables[0];
    for (let name = 0; name < rows; name++) this.#hash(name);
    for (let name = 0; name < rows; name++) this.#addHashed(name);
    return this.#numbers.slice(0, rows);
  }

  /** The number of the text of a row of the second table, given to it now when it is new. */
  add(row: number): number {
    const name = this.#tables[0].rows + row;
    if (this.#isNext(name)) return this.#follow(name);
    this.#hash(name);
    return this.#addHashed(name);
  }

  /** The number of the text of a row of the second table, -1 when it was never added. */
  find(row: number): number {
    const name = this.#tables[0].rows + row;
    this.#hash(name);
    const known = this.#slots[this.#slotOf(name)]! - 1;
    return known < 0 ? -1 : this.#numbers[known]!;
  }

  /** Gives its memory back; nothing may be asked afterwards. */
  release(): void {
    release(this.#hashes, this.#slots, this.#numbers);
  }

  /** Whether a name is the one that comes after the last, letter by letter. */
  #isNext(name: number): boolean {
    const next = this.#last + 1;
    return next < name && this.#numbers[next]! >= 0 && this.#isSameName(next, name);
  }

  #follow(name: number): number {
    this.#last += 1;
    this.#numbers[name] = this.#numbers[this.#last]!;
    return this.#numbers[name]!;
  }

  #hash(name: number): void {
    const length = this.#write(this.#fold, name);
    halfSipHash(this.#key[0], this.#key[1], this.#fold.buffer.words, length, this.#hashes, 2 * name);
  }

  #addHashed(name: number): number {
    const slot = this.#slotOf(name);
    const known = this.#slots[slot]! - 1;
    if (known < 0) this.#slots[slot] = name + 1;
    this.#last = known < 0 ? name : known;
    this.#numbers[name] = known < 0 ? this.#size++ : this.#numbers[known]!;
    return this.#numbers[name]!;
  }

  /** Where the name's text is, or where it would go. */
  #slotOf(name: number): number {
    const hashes = this.#hashes;
    const slots = this.#slots;
    const mask = slots.length - 1;
    const low = hashes[2 * name]!;
    const high = hashes[2 * name + 1]!;
    let slot = low & mask;
    for (; slots[slot]! > 0; slot = (slot + 1) & mask) {
      const known = slots[slot]! - 1;
      if (hashes[2 * known] === low && hashes[2 * known + 1] === high && this.#isSameText(known, name)) break;
    }
    return slot;
  }

  /** The same name has the same key; only others are folded. */
  #isSameText(one: number, other: number): boolean {
    return this.#isSameName(one, other) || this.#isSameKey(one, other);
  }

  #isSameName(one: number, other: number): boolean {
    const first = this.#tableOf(one);
    const second = this.#tableOf(other);
    const oneRow = this.#rowOf(one);
    const otherRow = this.#rowOf(other);
    const length = first.nameLength[oneRow]!;
    if (second.nameLength[otherRow] !== length) return false;
    const from = first.nameStart[oneRow]!;
    const otherFrom = second.nameStart[otherRow]!;
    for (let index = 0; index < length; index++) {
      if (first.names[from + index] !== second.names[otherFrom + index]) return false;
    }
    return true;
  }

  #isSameKey(one: number, other: number): boolean {
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
    const start = nameStart[row]!;
    return fold.write(names, start, start + nameLength[row]!);
  }

  #tableOf(name: number): EntryColumns {
    return name < this.#tables[0].rows ? this.#tables[0] : this.#tables[1];
  }

  #rowOf(name: number): number {
    const { rows } = this.#tables[0];
    return name < rows ? name : name - rows;
  }
}
