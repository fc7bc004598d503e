import { ByteMap } from '../json/byte-map.ts';
import { type Blocks, blockOf, blockRows, flatten, rowMask, type Table } from './field-blocks.ts';
import { maxValueBytes, unknownWords } from './field-texts.ts';
import { fold } from './fields.ts';
import { addMember, hasMembers, mostMembers } from './member-sets.ts';
import { release } from './release.ts';

/** Signs between the members of a text, the first of these that is in it. */
const separators = [0x7c, 0x3b, 0x2c] as const; // | ; ,
const blank = 0x20;
/** What lists written as a text have around them and their members: quotes, brackets. */
const around: ReadonlySet<number> = new Set([0x22, 0x27, 0x5b, 0x5d]);
/** In a list of what a results page has, the results themselves. Source: fields.md. */
const ordinary = 'organic';

/**
 * What a field lists while it is read: sets of at most 64 different members. More, or one that is longer than values may be,
 * and nothing is kept.
 *
 * Memory: 8 bytes a row, in blocks of rows that have any.
 */
export class CustomMembers {
  bytes = 0;
  /** Rows that have any. */
  known = 0;
  /** Why nothing is kept. */
  given: 'members' | 'long' | undefined;
  readonly #isSpelledFreely: boolean;
  readonly #blocks: [Blocks<Uint32Array>, Blocks<Uint32Array>] = [[], []];
  /** Members as they are first spelled, and their numbers by how they are compared. The empty one is first. */
  readonly #spelled = [''];
  readonly #numbers = new Map([['', 0]]);
  readonly #cache = new ByteMap((text) => this.#numberOf(text), 256);

  /** @param isSpelledFreely whether spellings are compared as those of fields, and what is ordinary is left out */
  constructor(isSpelledFreely: boolean) {
    this.#isSpelledFreely = isSpelledFreely;
  }

  /** One member of a row's list. @returns its bit in the low half of a set, 0 where it says nothing, −1 where it has none */
  add(table: Table, row: number, bytes: Uint8Array, start: number, end: number): number {
    if (this.given) return -1;
    if (end - start > maxValueBytes) {
      this.#giveUp('long');
      return -1;
    }
    const member = this.#cache.get(bytes, start, end);
    this.#set(table, row, member);
    if (this.given || member > 32) return -1;
    return member === 0 ? 0 : 1 << (member - 1);
  }

  /** Members of a row's list, by what `add` said of each. */
  addBits(table: Table, row: number, bits: number): void {
    if (bits === 0 || this.given) return;
    const block = this.#block(table, row);
    block[2 * (row & rowMask)]! |= bits;
  }

  /** The same of a text that is no longer at hand. */
  addText(table: Table, row: number, text: string): void {
    if (!this.given) this.#set(table, row, this.#numberOf(text));
  }

  /** A whole list as one text: `Video, Images`, `Video|Images`, `["Video", "Images"]`. */
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

  /** The values, the empty one first. */
  values(): readonly string[] {
    return this.#spelled;
  }

  /** The sets of a table's rows, undefined where none has any. Nothing may be heard afterwards. */
  finish(table: Table, rows: number): Uint32Array | undefined {
    const blocks = this.#blocks[table];
    return blocks.length > 0 ? flatten(blocks, new Uint32Array(2 * rows), 2) : undefined;
  }

  release(): void {
    for (const block of this.#blocks.flat()) if (block) release(block);
    for (const blocks of this.#blocks) blocks.length = 0;
    this.bytes = 0;
  }

  #giveUp(why: 'members' | 'long'): void {
    this.given = why;
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
    if (member === 0 || this.given) return;
    addMember(this.#block(table, row), row & rowMask, member);
  }

  /** The block of a row that will have members. */
  #block(table: Table, row: number): Uint32Array {
    const block = blockOf(this.#blocks[table], row, () => this.#empty());
    if (!hasMembers(block, row & rowMask)) this.known++;
    return block;
  }

  #empty(): Uint32Array {
    const block = new Uint32Array(2 * blockRows);
    this.bytes += block.byteLength;
    return block;
  }

  /** 0 for a text that says nothing. */
  #numberOf(text: string): number {
    const spelling = text.trim();
    const key = this.#isSpelledFreely ? fold(spelling) : spelling;
    if (unknownWords.test(spelling) || (this.#isSpelledFreely && key === ordinary)) return 0;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    if (number > mostMembers) {
      this.#giveUp('members');
      return 0;
    }
    this.#numbers.set(key, number);
    this.#spelled.push(spelling);
    return number;
  }
}
