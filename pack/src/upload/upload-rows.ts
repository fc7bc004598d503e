import { OPEN, STRING } from '../json/json-memory.ts';
import type { MetricArrays } from './metric-columns.ts';
import { CHILDREN, KEYWORDS } from './upload-plan.ts';

// The part of the memory behind the tokenizer's; pack/assembly/memory.ts has the same numbers.

/** As many as records on a tape: each entry has one at least. */
const maxRows = 8192;
const ROWS_AT = 655_360;
const STARTS_AT = ROWS_AT + maxRows * 8;
const ENDS_AT = STARTS_AT + maxRows * 4;
const NAME_STARTS_AT = ENDS_AT + maxRows * 4;
const NAME_LENGTHS_AT = NAME_STARTS_AT + maxRows * 4;
const DIFFICULTIES_AT = NAME_LENGTHS_AT + maxRows * 4;
const CPCS_AT = DIFFICULTIES_AT + maxRows * 4;
const COMPETITIONS_AT = CPCS_AT + maxRows * 4;
const POSITIONS_AT = COMPETITIONS_AT + maxRows * 4;
const TYPES_AT = POSITIONS_AT + maxRows * 4;
const INTENTS_AT = TYPES_AT + maxRows * 2;
const TEXTS_AT = INTENTS_AT + maxRows;
const maxTexts = 16;
/** A length, a number, the text. */
const textStride = 40;
const maxTextBytes = 32;
const textKinds = 3;
const NAMES_AT = TEXTS_AT + textKinds * maxTexts * textStride;
const nameBytes = 131_072 + 4096;
/** Between them and the series are the tables of name-loop.ts. */
export const rowsEnd = NAMES_AT + nameBytes;
const SERIES_AT = rowsEnd + 2 * 0x481 * 8;
const MEMBERS_AT = SERIES_AT + maxRows * 4;
/** Where this part of the memory ends. */
export const listsEnd = MEMBERS_AT + maxRows * 4;

const REGISTERS_AT = 1024 + 56;
const ROWS = 0;
const NAME_BYTES = 1;
const METRICS = 2;
const REMEMBERED = 3;
const SERIES_CODE = 6;
const MEMBERS_CODE = 7;
const CUT = 8;
// Among the metrics.
const HAS_MEMBERS = 256;
const HAS_NEW_MEMBERS = 512;

/** Which texts: they stand for numbers that the reader gave them. */
export const TYPES = 0;
export const INTENTS = 1;
const MEMBERS = 2;
/** In place of a code: texts are too many to be remembered, or stand for too much. */
const givenUp = -1;

/** A run costs as much as so many rows one by one. Where that does not pay, the rest of a tape is left. */
const rowsOfRun = 8;
const maxPatience = 64;
/** By the first word of a record, 1 where an entry begins with it. */
const isEntry = new Uint8Array(256);
for (const context of [KEYWORDS, CHILDREN]) isEntry[OPEN | (context << 4)] = isEntry[STRING | (context << 4)] = 1;

/** Files entries as `fileRows` of pack/assembly/upload-rows.ts does. */
export type FileRows = (from: number, words: number, base: number, names: number, room: number) => number;

/**
 * Rows of plain entries, filed from the tape a run at a time: texts among the keywords or children, keywords with metrics
 * written as most are, nodes with a name and perhaps a type. `UploadEntries` files every other entry, and all of them
 * where this one cannot run.
 */
export class UploadRows {
  // By row, of the run that was filed last.
  readonly byteStart: Uint32Array<ArrayBuffer>;
  readonly byteEnd: Uint32Array<ArrayBuffer>;
  readonly nameStart: Uint32Array<ArrayBuffer>;
  readonly nameLength: Uint32Array<ArrayBuffer>;
  /** Of nodes. */
  readonly type: Uint16Array<ArrayBuffer>;
  /** Of keywords, in the order of `metricNames`. */
  readonly metrics: MetricArrays;
  /** Of keywords, the place behind the last value of their list of numbers, and in the bits above the lowest 16 how many they are; 0 for none. */
  readonly series: Uint32Array<ArrayBuffer>;
  /** Of keywords, the remembered texts of their list, as the bits that {@link learn} was told. */
  readonly members: Int32Array<ArrayBuffer>;
  /** Back to back. */
  readonly names: Uint8Array<ArrayBuffer>;
  readonly #fileRows: FileRows;
  readonly #registers: Int32Array<ArrayBuffer>;
  #patience = maxPatience;
  readonly #texts: DataView<ArrayBuffer>;
  readonly #textBytes: Uint8Array<ArrayBuffer>;
  readonly #learned = new Set<string>();

  constructor(buffer: ArrayBuffer, fileRows: FileRows) {
    this.byteStart = new Uint32Array(buffer, STARTS_AT, maxRows);
    this.byteEnd = new Uint32Array(buffer, ENDS_AT, maxRows);
    this.nameStart = new Uint32Array(buffer, NAME_STARTS_AT, maxRows);
    this.nameLength = new Uint32Array(buffer, NAME_LENGTHS_AT, maxRows);
    this.type = new Uint16Array(buffer, TYPES_AT, maxRows);
    this.metrics = {
      volume: new Float64Array(buffer, ROWS_AT, maxRows),
      difficulty: new Float32Array(buffer, DIFFICULTIES_AT, maxRows),
      cpc: new Float32Array(buffer, CPCS_AT, maxRows),
      competition: new Float32Array(buffer, COMPETITIONS_AT, maxRows),
      position: new Float32Array(buffer, POSITIONS_AT, maxRows),
      intent: new Uint8Array(buffer, INTENTS_AT, maxRows),
    };
    this.series = new Uint32Array(buffer, SERIES_AT, maxRows);
    this.members = new Int32Array(buffer, MEMBERS_AT, maxRows);
    this.names = new Uint8Array(buffer, NAMES_AT, nameBytes);
    this.#fileRows = fileRows;
    this.#registers = new Int32Array(buffer, REGISTERS_AT, 9);
    this.#texts = new DataView(buffer, TEXTS_AT, textKinds * maxTexts * textStride);
    this.#textBytes = new Uint8Array(buffer, TEXTS_AT, textKinds * maxTexts * textStride);
  }

  /** Before the first byte of a file. */
  begin(): void {
    this.#registers.fill(0);
    this.#learned.clear();
  }

  beginTape(): void {
    this.#patience = maxPatience;
  }

  /** Whether a run may begin at a record, by its first word, and is worth trying. */
  mayBegin(tag: number): boolean {
    return this.#patience >= 0 && isEntry[tag] === 1;
  }

  /**
   * Files entries of one table from a word of the tape on, until one comes that is not plain or not whole.
   *
   * @param words of the tape
   * @param base where the block begins in the file
   * @param names bytes of the names that the table has already
   * @param room rows at most
   * @returns the word where it stopped: `from` where the first entry is not plain
   */
  file(from: number, words: number, base: number, names: number, room: number): number {
    const next = this.#fileRows(from, words, base | 0, names | 0, room);
    this.#patience = Math.min(maxPatience, this.#patience + this.rows - rowsOfRun);
    return next;
  }

  /** Rows of the last run. */
  get rows(): number {
    return this.#registers[ROWS]!;
  }

  /** Whether the last run ended at an entry that goes on behind the tape: once it is whole, it may be plain. */
  get isCut(): boolean {
    return this.#registers[CUT] !== 0;
  }

  /** Bytes of their names. */
  get nameBytes(): number {
    return this.#registers[NAME_BYTES]!;
  }

  /** The code of the member whose lists of numbers keywords among them have, 0 for none. */
  get seriesCode(): number {
    return this.#registers[SERIES_CODE]!;
  }

  /** The code of the member whose texts are remembered, 0 for none. */
  get membersCode(): number {
    return Math.max(0, this.#registers[MEMBERS_CODE]!);
  }

  /** Whether texts stand in their lists that are not remembered: all lists of texts are still to be read from the tape. */
  get hasMembers(): boolean {
    return (this.#registers[METRICS]! & HAS_MEMBERS) !== 0;
  }

  /** Whether a metric of any of them is known, by its place in `metricNames`. */
  knows(metric: number): boolean {
    return (this.#registers[METRICS]! & (1 << metric)) !== 0;
  }

  /** Remembers the number of a text, where there is room: entries with it are plain from now on. */
  remember(kind: typeof TYPES | typeof INTENTS, text: string, number: number): void {
    this.#remember(kind, new TextEncoder().encode(text), number);
  }

  /** Whether texts of lists of this member may still be remembered: of the first one that has any, and not yet all. */
  mayLearn(code: number): boolean {
    const known = this.#registers[MEMBERS_CODE]!;
    return known === 0 || (known === code && (this.#registers[METRICS]! & HAS_NEW_MEMBERS) !== 0);
  }

  /**
   * Remembers what a text of a member's lists stands for. Where one cannot be, none is: half of them would be looked for
   * in vain.
   *
   * @param bits −1 for what has none
   */
  learn(code: number, text: Uint8Array, bits: number): void {
    const key = new TextDecoder().decode(text);
    if (this.#learned.has(key)) return;
    this.#learned.add(key);
    this.#registers[MEMBERS_CODE] = bits !== -1 && this.#remember(MEMBERS, text, bits) ? code : givenUp;
  }

  /** @returns whether there was room */
  #remember(kind: number, bytes: Uint8Array, number: number): boolean {
    const count = this.#registers[REMEMBERED + kind]!;
    if (count === maxTexts || bytes.length > maxTextBytes) return false;
    const at = (kind * maxTexts + count) * textStride;
    this.#texts.setInt32(at, bytes.length, true);
    this.#texts.setInt32(at + 4, number, true);
    this.#textBytes.set(bytes, at + 8);
    this.#registers[REMEMBERED + kind] = count + 1;
    return true;
  }
}
