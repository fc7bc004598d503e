import { ByteMap } from '../json/byte-map.ts';
import { BlockColumn, blockRows, rowMask, type Table } from './field-blocks.ts';
import { addMember, hasMembers, maxMembers } from './member-sets.ts';
import { fold, isUnknown, maxValueBytes } from './spelling.ts';

/** Separators between the members in a text. The first of these that occurs in the text is used. */
const separators = [0x7c, 0x3b, 0x2c] as const; // | ; ,
const blank = 0x20;
/** Quotes and brackets that a list written as a text puts around itself and its members. */
const around: ReadonlySet<number> = new Set([0x22, 0x27, 0x5b, 0x5d]);
/** Ignored among SERP features, because it stands for the ordinary results. */
const ordinary = 'organic';

/**
 * The lists of a field while it is read, as sets of at most 64 different members. If there are more, or one is longer
 * than a value may be, nothing is kept.
 *
 * Memory: 8 bytes per row, in blocks of rows that have members.
 */
export class CustomMembers {
  /** The number of rows that have members. */
  known = 0;
  /** Why the sets were given up; undefined while they are kept. */
  givenUp: 'members' | 'long' | undefined;
  readonly #isSpelledFreely: boolean;
  readonly #sets = new BlockColumn(() => new Uint32Array(2 * blockRows));
  /** Members in their first spelling, and their numbers by normalized spelling. The empty member comes first. */
  readonly #spelled = [''];
  readonly #numbers = new Map([['', 0]]);
  readonly #cache = new ByteMap((text) => this.#numberOf(text), 256);

  /** @param isSpelledFreely whether to compare members like field spellings and to leave out ordinary results */
  constructor(isSpelledFreely: boolean) {
    this.#isSpelledFreely = isSpelledFreely;
  }

  get bytes(): number {
    return this.#sets.bytes;
  }

  /**
   * Adds one member of a row's list. @returns its bit in the low half of a set, 0 if it means nothing, −1 if it has no
   * such bit
   */
  add(table: Table, row: number, bytes: Uint8Array, start: number, end: number): number {
    if (this.givenUp) return -1;
    if (end - start > maxValueBytes) {
      this.#giveUp('long');
      return -1;
    }
    const member = this.#cache.get(bytes, start, end);
    this.#set(table, row, member);
    if (this.givenUp || member > 32) return -1;
    return member === 0 ? 0 : 1 << (member - 1);
  }

  /** Adds members of a row's list by the bits that `add` returned. */
  addBits(table: Table, row: number, bits: number): void {
    if (bits === 0 || this.givenUp) return;
    const block = this.#block(table, row);
    block[2 * (row & rowMask)]! |= bits;
  }

  /** Adds a member given as a string. */
  addText(table: Table, row: number, text: string): void {
    if (!this.givenUp) this.#set(table, row, this.#numberOf(text));
  }

  /** Adds a whole list written as one text: `Video, Images`, `Video|Images`, `["Video", "Images"]`. */
  addAll(table: Table, row: number, bytes: Uint8Array, start: number, end: number): void {
    const text = bytes.subarray(start, end);
    const separator = separators.find((sign) => text.includes(sign));
    for (let from = 0; from < text.length; ) {
      const next = separator === undefined ? -1 : text.indexOf(separator, from);
      const to = next < 0 ? text.length : next;
      this.#addTrimmed(table, row, text, from, to);
      from = to + 1;
    }
  }

  /** The values; the empty one comes first. */
  values(): readonly string[] {
    return this.#spelled;
  }

  /** The sets of a table's rows, or undefined if all are empty. Must be the last call. */
  finish(table: Table, rows: number): Uint32Array | undefined {
    return this.#sets.join(table, () => new Uint32Array(2 * rows), 2);
  }

  release(): void {
    this.#sets.release();
  }

  #giveUp(why: 'members' | 'long'): void {
    this.givenUp = why;
    this.release();
  }

  #addTrimmed(table: Table, row: number, bytes: Uint8Array, start: number, end: number): void {
    const isAround = (byte: number) => byte <= blank || around.has(byte);
    let from = start;
    let to = end;
    while (from < to && isAround(bytes[from]!)) from++;
    while (from < to && isAround(bytes[to - 1]!)) to--;
    if (from < to) this.add(table, row, bytes, from, to);
  }

  #set(table: Table, row: number, member: number): void {
    if (member === 0 || this.givenUp) return;
    addMember(this.#block(table, row), row & rowMask, member);
  }

  /** The block of a row that is about to get members. */
  #block(table: Table, row: number): Uint32Array {
    const block = this.#sets.at(table, row);
    if (!hasMembers(block, row & rowMask)) this.known++;
    return block;
  }

  /** Returns 0 for a text that means nothing. */
  #numberOf(text: string): number {
    const spelling = text.trim();
    const key = this.#isSpelledFreely ? fold(spelling) : spelling;
    if (isUnknown(spelling) || (this.#isSpelledFreely && key === ordinary)) return 0;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    if (number > maxMembers) {
      this.#giveUp('members');
      return 0;
    }
    this.#numbers.set(key, number);
    this.#spelled.push(spelling);
    return number;
  }
}
