import { afterComma, closeContainer, endValue, openContainer, writeRecord } from './json-containers.ts';
import { describe, describeControl } from './json-excerpt.ts';
import { takeMember } from './json-members.ts';
import {
  ACTION,
  AFTER,
  AT,
  CODE,
  COLON,
  CONTAINER,
  DEPTH,
  DONE,
  EMIT_NAME,
  EMIT_SCALARS,
  END,
  FIRST_ELEMENT,
  FIRST_KEY,
  type JsonMemory,
  KEY,
  LINE_START,
  LINES,
  LITERAL,
  MAX_DEPTH,
  NAME,
  NUMBER,
  STATE,
  TAPE,
  TEXT,
  VALUE,
} from './json-memory.ts';
import { JsonPiece } from './json-piece.ts';
import type { JsonReader } from './json-plan.ts';

// The token being read, if any. `JsonPiece` reads pieces: numbers, literals, and the escapes and UTF-8 sequences of
// strings.
const NO_TOKEN = 0;
const IN_STRING = 1;
const IN_STRING_PIECE = 2;
const IN_PIECE = 3;

/** What may come next, as shown in errors, by the value of the register STATE. */
const EXPECTED: Readonly<Record<number, string>> = {
  [VALUE]: 'a value',
  [FIRST_ELEMENT]: 'a value or ]',
  [FIRST_KEY]: 'a name in quotes or }',
  [KEY]: 'a name in quotes',
  [COLON]: 'a colon',
  [AFTER]: 'a comma or the closing bracket',
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON_SIGN = 0x3a;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;

/**
 * Reads JSON (RFC 8259) byte by byte and can stop and continue at any byte. Reads the tokens that a `JsonLoop` leaves:
 * those that are cut by the end of a block, contain escapes or are invalid. Only this class reports errors. It writes
 * the same records as a loop, except that its texts are stored beside the tape.
 */
export class JsonSteps {
  /** The first error and its byte position in the block. No more bytes are read after it. */
  problem: { readonly what: string; readonly at: number } | undefined;
  readonly #memory: JsonMemory;
  readonly #reader: JsonReader;
  readonly #piece: JsonPiece;
  #token = NO_TOKEN;
  /** The start of the token; negative if it started in an earlier block. */
  #start = 0;
  /** Whether the string being read is the name of a member. */
  #isName = false;
  /** Whether the text of the token is used: emitted, or looked up as the name of a member. */
  #isNeeded = false;

  /** @param maxText the maximum size of a text in bytes, see `JsonLimits` */
  constructor(memory: JsonMemory, reader: JsonReader, maxText: number) {
    this.#memory = memory;
    this.#reader = reader;
    this.#piece = new JsonPiece(maxText);
  }

  /** Whether a token has started and not ended, so that no loop can continue. */
  get isInside(): boolean {
    return this.#token !== NO_TOKEN;
  }

  /** The size in bytes of the texts that records on the tape refer to. */
  get textBytes(): number {
    return this.#piece.text.start;
  }

  /** The buffer that TEXT records refer to. */
  get texts(): Uint8Array {
    return this.#piece.text.bytes;
  }

  /** Call after reading the tape: drops all texts except the one being read. */
  forgetTexts(): void {
    this.#piece.text.forget();
  }

  /** Call after a block: makes the start of the token relative to the next block. @param length bytes consumed */
  endBlock(length: number): void {
    this.#start -= length;
  }

  /** Reads a byte of white space or one token, or as much of the token as the block contains. */
  read(): void {
    const { registers, bytes } = this.#memory;
    const end = registers[END]!;
    let i = registers[AT]!;
    if (this.#token === NO_TOKEN) i = this.#begin(i, bytes[i]!);
    while (i < end && this.#token !== NO_TOKEN && !this.problem) i = this.#continue(i, end);
    registers[AT] = i;
  }

  /**
   * Call after the last byte. A number at the top level has no closing character, so only the end of the file ends it:
   * at byte 0 of the empty block that follows the last one.
   */
  finish(): void {
    if (this.#token === IN_PIECE && this.#memory.registers[DEPTH] === 0 && this.#piece.isWholeNumber)
      this.#endNumber(0);
  }

  /** Reads the byte at `i` between two tokens. Returns the position of the next byte to read. */
  #begin(i: number, byte: number): number {
    const { registers } = this.#memory;
    const state = registers[STATE]!;
    if (byte <= 0x20) {
      if (byte === 0x0a) {
        registers[LINES]!++;
        registers[LINE_START] = i + 1;
      } else if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) this.#unexpected(state, i, byte);
      return i + 1;
    }
    switch (state) {
      case VALUE:
      case FIRST_ELEMENT:
        return this.#beginValue(state, i, byte);
      case KEY:
      case FIRST_KEY:
        if (byte === QUOTE) this.#beginString(i, true);
        else if (byte === OBJECT_END && state === FIRST_KEY) closeContainer(this.#memory, i);
        else this.#unexpected(state, i, byte);
        return i + 1;
      case COLON:
        if (byte === COLON_SIGN) registers[STATE] = VALUE;
        else this.#unexpected(state, i, byte);
        return i + 1;
      case AFTER:
        if (byte === COMMA) afterComma(this.#memory);
        else if (byte === ((registers[CONTAINER]! & 1) !== 0 ? ARRAY_END : OBJECT_END)) closeContainer(this.#memory, i);
        else this.#unexpected(state, i, byte);
        return i + 1;
      default:
        this.#unexpected(state, i, byte);
        return i;
    }
  }

  #beginValue(state: number, i: number, byte: number): number {
    if (byte === QUOTE) this.#beginString(i, false);
    else if (byte === MINUS || (byte >= 0x30 && byte <= 0x39)) {
      this.#beginPiece(i);
      this.#piece.beginNumber();
      // Not consumed: `JsonPiece` checks the first byte of a number as well.
      return i;
    } else if (byte === OBJECT || byte === ARRAY) {
      if (!openContainer(this.#memory, i, byte === ARRAY)) {
        this.#fail(`nesting deeper than ${this.#memory.registers[MAX_DEPTH]} levels`, i);
      }
    } else if (byte === ARRAY_END && state === FIRST_ELEMENT) closeContainer(this.#memory, i);
    else if (this.#piece.beginLiteral(byte)) this.#beginPiece(i);
    else this.#unexpected(state, i, byte);
    return i + 1;
  }

  #beginPiece(i: number): void {
    this.#token = IN_PIECE;
    this.#start = i;
    this.#isNeeded = (this.#memory.registers[ACTION]! & EMIT_SCALARS) !== 0;
  }

  #beginString(i: number, isName: boolean): void {
    const { registers } = this.#memory;
    this.#token = IN_STRING;
    this.#start = i;
    this.#isName = isName;
    this.#isNeeded = isName ? registers[CONTAINER]! >> 1 !== 0 : (registers[ACTION]! & EMIT_SCALARS) !== 0;
    this.#piece.text.begin();
  }

  /** Reads on inside a token, from the byte at `i`. Returns the position of the next byte to read. */
  #continue(i: number, end: number): number {
    const { bytes } = this.#memory;
    if (this.#token === IN_STRING) {
      const stop = endOfPlain(bytes, i, end);
      if (stop > i) {
        this.#piece.text.endPair();
        if (this.#isNeeded) this.#piece.text.append(bytes, i, stop);
      }
      return stop === end ? end : this.#special(stop, bytes[stop]!);
    }
    switch (this.#piece.next(bytes[i]!)) {
      case 'string':
        this.#token = IN_STRING;
        return i + 1;
      case 'literal':
        this.#endScalar(LITERAL, this.#piece.literal === null ? Number.NaN : Number(this.#piece.literal), i + 1);
        return i + 1;
      case 'number':
        this.#endNumber(i);
        return i;
      case 'wrong':
        this.#fail(this.#piece.what, i);
        return i;
      default:
        return i + 1;
    }
  }

  /** Reads a byte of a string that is not plain: a quote, a backslash, a control character or one beyond ASCII. */
  #special(i: number, byte: number): number {
    if (byte === QUOTE) this.#endString(i + 1);
    else if (byte < 0x20) this.#fail(describeControl(byte), i);
    else {
      this.#token = IN_STRING_PIECE;
      if (byte === BACKSLASH) this.#piece.beginEscape();
      else if (!this.#piece.beginSequence(byte)) this.#fail('a byte that is not UTF-8', i);
    }
    return i + 1;
  }

  #endString(end: number): void {
    const { registers } = this.#memory;
    const { text } = this.#piece;
    this.#token = NO_TOKEN;
    text.endPair();
    if (!this.#isName) {
      if (this.#isNeeded) {
        writeRecord(this.#memory, TEXT, registers[CODE]!, this.#start, end);
        writeRecord(this.#memory, TEXT, 0, text.start, text.end);
      } else text.drop();
      endValue(this.#memory);
      return;
    }
    if (this.#isNeeded) takeMember(this.#memory, this.#reader, text.bytes, text.start, text.end);
    if (this.#isNeeded && (registers[ACTION]! & EMIT_NAME) !== 0) {
      writeRecord(this.#memory, NAME, registers[CODE]!, this.#start, end);
    }
    text.drop();
    registers[STATE] = COLON;
  }

  #endNumber(end: number): void {
    const value = this.#isNeeded ? this.#piece.number() : 0;
    this.#piece.text.drop();
    this.#endScalar(NUMBER, value, end);
  }

  #endScalar(kind: number, value: number, end: number): void {
    const { registers, values } = this.#memory;
    this.#token = NO_TOKEN;
    if (this.#isNeeded) {
      values[registers[TAPE]! >> 2] = value;
      writeRecord(this.#memory, kind, registers[CODE]!, this.#start, end);
    }
    endValue(this.#memory);
  }

  #unexpected(state: number, i: number, byte: number): void {
    if (state === DONE) this.#fail('something after the end of the JSON value', i);
    else if (byte < 0x20) this.#fail(describeControl(byte), i);
    else this.#fail(`${describe(byte)} where ${EXPECTED[state]} should be`, i);
  }

  #fail(what: string, at: number): void {
    this.problem = { what, at };
  }
}

/** The position of the first byte from `start` on that `#special` must read; `end` if there is none. */
function endOfPlain(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && bytes[i]! >= 0x20 && bytes[i]! < 0x80 && bytes[i] !== QUOTE && bytes[i] !== BACKSLASH) i++;
  return i;
}
