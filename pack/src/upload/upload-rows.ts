import { OPEN, STRING } from '../json/json-memory.ts';
import { CHILDREN, KEYWORDS } from './upload-plan.ts';
import type { MetricArrays } from './upload-tables.ts';

// The part of the memory behind the tokenizer. pack/assembly/memory.ts uses the same numbers.

/** Equal to the maximum number of records on a tape, because each entry has at least one. */
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
const SERIES_AT = NAMES_AT + nameBytes;
const MEMBERS_AT = SERIES_AT + maxRows * 4;
/** The end of this part of the memory. The tables of name-loop.ts follow. */
export const listsEnd = MEMBERS_AT + maxRows * 4;

const REGISTERS_AT = 1024 + 56;
const ROWS = 0;
const NAME_BYTES = 1;
const METRICS = 2;
const REMEMBERED = 3;
const SERIES_CODE = 6;
const MEMBERS_CODE = 7;
const CUT = 8;
// A flag next to those of the metrics.
const HAS_MEMBERS = 256;
const HAS_NEW_MEMBERS = 512;

/** The kinds of cached texts, which map to numbers assigned by the reader. */
export const TYPES = 0;
export const INTENTS = 1;
const MEMBERS = 2;
/** Replaces a member code when there are too many texts to cache, or one cannot be cached. */
const givenUp = -1;

/** A run costs as much as this many single rows. If runs are too short to pay off, the rest of a tape is skipped. */
const rowsOfRun = 8;
const maxPatience = 64;
/** By the first word of a record, 1 if an entry starts with it. */
const isEntry = new Uint8Array(256);
for (const context of [KEYWORDS, CHILDREN]) isEntry[OPEN | (context << 4)] = isEntry[STRING | (context << 4)] = 1;

/** The signature of `fillRows` in pack/assembly/upload-rows.ts, see `UploadRows.fill`. */
export type FillRows = (from: number, words: number, base: number, names: number, room: number) => number;

/**
 * Rows of plain entries, filled from the tape one run at a time. Plain entries are texts among keywords or children,
 * keywords with metrics in the usual notation, and nodes with a name and an optional type. `UploadEntries` handles all
 * other entries, and every entry where WebAssembly cannot run.
 */
export class UploadRows {
  // The rows of the last run.
  readonly byteStart: Uint32Array<ArrayBuffer>;
  readonly byteEnd: Uint32Array<ArrayBuffer>;
  readonly nameStart: Uint32Array<ArrayBuffer>;
  readonly nameLength: Uint32Array<ArrayBuffer>;
  /** For nodes. */
  readonly type: Uint16Array<ArrayBuffer>;
  /** For keywords, in the order of `metricNames`. */
  readonly metrics: MetricArrays;
  /**
   * For keywords: the position after the last value of their list of numbers, with the length of the list in the bits
   * above the lowest 16; 0 if there is no list.
   */
  readonly series: Uint32Array<ArrayBuffer>;
  /** For keywords: the cached texts of their list, as the bits passed to {@link learn}. */
  readonly members: Int32Array<ArrayBuffer>;
  /** Stored back to back. */
  readonly names: Uint8Array<ArrayBuffer>;
  readonly #fillRows: FillRows;
  readonly #registers: Int32Array<ArrayBuffer>;
  #patience = maxPatience;
  readonly #texts: DataView<ArrayBuffer>;
  readonly #textBytes: Uint8Array<ArrayBuffer>;
  readonly #learned = new Set<string>();

  constructor(buffer: ArrayBuffer, fillRows: FillRows) {
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
    this.#fillRows = fillRows;
    this.#registers = new Int32Array(buffer, REGISTERS_AT, 9);
    this.#texts = new DataView(buffer, TEXTS_AT, textKinds * maxTexts * textStride);
    this.#textBytes = new Uint8Array(buffer, TEXTS_AT, textKinds * maxTexts * textStride);
  }

  /** Resets the state for a new file. */
  begin(): void {
    this.#registers.fill(0);
    this.#learned.clear();
  }

  beginTape(): void {
    this.#patience = maxPatience;
  }

  /** Whether a run may start at a record, by its first word, and is worth trying. */
  mayBegin(tag: number): boolean {
    return this.#patience >= 0 && isEntry[tag] === 1;
  }

  /**
   * Fills rows with entries of one table, starting at an index of the tape. Stops at an entry that is not plain or not
   * complete.
   *
   * @param words the number of words on the tape
   * @param base the position of the block in the file
   * @param names the size of the names already in the table, in bytes
   * @param room the maximum number of rows
   * @returns the index where it stopped; `from` if the first entry is not plain
   */
  fill(from: number, words: number, base: number, names: number, room: number): number {
    const next = this.#fillRows(from, words, base | 0, names | 0, room);
    this.#patience = Math.min(maxPatience, this.#patience + this.rows - rowsOfRun);
    return next;
  }

  /** The number of rows in the last run. */
  get rows(): number {
    return this.#registers[ROWS]!;
  }

  /** Whether the last run stopped at an entry that continues behind the tape and may be plain once it is complete. */
  get isCut(): boolean {
    return this.#registers[CUT] !== 0;
  }

  /** The size of their names in bytes. */
  get nameBytes(): number {
    return this.#registers[NAME_BYTES]!;
  }

  /** The code of the member that contains their lists of numbers; 0 if there is none. */
  get seriesCode(): number {
    return this.#registers[SERIES_CODE]!;
  }

  /** The code of the member whose texts are cached; 0 if there is none. */
  get membersCode(): number {
    return Math.max(0, this.#registers[MEMBERS_CODE]!);
  }

  /** Whether their lists contain texts that are not cached. All lists of texts must then be read from the tape. */
  get hasMembers(): boolean {
    return (this.#registers[METRICS]! & HAS_MEMBERS) !== 0;
  }

  /** Whether any row has a known value for a metric, given by its index in `metricNames`. */
  knows(metric: number): boolean {
    return (this.#registers[METRICS]! & (1 << metric)) !== 0;
  }

  /** Caches the number of a text while there is room. Entries that contain it are plain from now on. */
  remember(kind: typeof TYPES | typeof INTENTS, text: string, number: number): void {
    this.#remember(kind, new TextEncoder().encode(text), number);
  }

  /**
   * Whether list texts of this member can still be cached: only for the first member that has any, until the cache is
   * full.
   */
  mayLearn(code: number): boolean {
    const known = this.#registers[MEMBERS_CODE]!;
    return known === 0 || (known === code && (this.#registers[METRICS]! & HAS_NEW_MEMBERS) !== 0);
  }

  /**
   * Caches the bits of a text in a member's lists. If one text cannot be cached, none are: looking up only some of them
   * would not pay off.
   *
   * @param bits −1 for a text without bits
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
