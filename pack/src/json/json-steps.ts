import { describe, describeControl } from './json-excerpt.ts';
import { takeMember } from './json-members.ts';
import {
  ACTION,
  AFTER,
  AT,
  CLOSE,
  CODE,
  COLON,
  CONTAINER,
  DEPTH,
  DONE,
  END,
  FIRST_ELEMENT,
  FIRST_KEY,
  type JsonMemory,
  KEY,
  LINE_START,
  LINES,
  LITERAL,
  MAX_DEPTH,
  MEMBER,
  NAME,
  NUMBER,
  OPEN,
  SKIPPED,
  STATE,
  TAPE,
  TELL_CONTAINERS,
  TELL_NAME,
  TELL_SCALARS,
  TEXT,
  VALUE,
} from './json-memory.ts';
import { JsonPiece } from './json-piece.ts';
import type { JsonReader } from './json-plan.ts';

// The kind of token being read, if any.
const NOTHING = 0;
const STRING = 1;
const PIECE_OF_STRING = 2;
const PIECE = 3;

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
 * All of RFC 8259 byte by byte, resumable at any position. Reads the tokens that a `JsonLoop` leaves, because they are
 * cut by the end of a block, contain escapes or are invalid. The only place that reports what is invalid. Writes to the
 * tape what a loop would write, except that its texts are stored beside the tape.
 */
export class JsonSteps {
  /** The error, and its byte position in the block. */
  problem: { readonly what: string; readonly at: number } | undefined;
  readonly #memory: JsonMemory;
  readonly #reader: JsonReader;
  readonly #piece: JsonPiece;
  #token = NOTHING;
  /** The start of the token; negative if it started in an earlier block. */
  #start = 0;
  #inKey = false;
  /** Whether the text of the token is emitted. */
  #isHeard = false;

  constructor(memory: JsonMemory, reader: JsonReader, maxText: number) {
    this.#memory = memory;
    this.#reader = reader;
    this.#piece = new JsonPiece(maxText);
  }

  /** Whether a token has started and not ended, so that no loop can continue. */
  get isInside(): boolean {
    return this.#token !== NOTHING;
  }

  /** The size of the texts that records refer to. */
  get textBytes(): number {
    return this.#piece.text.start;
  }

  /** The texts that records refer to. */
  get texts(): Uint8Array {
    return this.#piece.text.bytes;
  }

  /** Call after reading the tape: drops all texts except the one being read. */
  forgetTexts(): void {
    this.#piece.text.forget();
  }

  /** Call after reading a block to its end. */
  endBlock(length: number): void {
    this.#start -= length;
  }

  /** Reads a token, or the part of it that is in the block. */
  read(): void {
    const { registers, bytes } = this.#memory;
    const end = registers[END]!;
    let i = registers[AT]!;
    if (this.#token === NOTHING) i = this.#begin(i, bytes[i]!);
    while (i < end && this.#token !== NOTHING && !this.problem) i = this.#goOn(i, end);
    registers[AT] = i;
  }

  /** Call after the last byte. A number is the only value that may end with the file. */
  finish(): void {
    if (this.#token === PIECE && this.#memory.registers[DEPTH] === 0 && this.#piece.isWholeNumber) this.#endNumber(0);
  }

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
        else if (byte === OBJECT_END && state === FIRST_KEY) this.#close(i);
        else this.#unexpected(state, i, byte);
        return i + 1;
      case COLON:
        if (byte === COLON_SIGN) registers[STATE] = VALUE;
        else this.#unexpected(state, i, byte);
        return i + 1;
      case AFTER:
        if (byte === COMMA) this.#next();
        else if (byte === (this.#isArray ? ARRAY_END : OBJECT_END)) this.#close(i);
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
      // The next state reads its first byte.
      return i;
    } else if (byte === OBJECT || byte === ARRAY) this.#open(i, byte === ARRAY);
    else if (byte === ARRAY_END && state === FIRST_ELEMENT) this.#close(i);
    else if (this.#piece.beginLiteral(byte)) this.#beginPiece(i);
    else this.#unexpected(state, i, byte);
    return i + 1;
  }

  #beginPiece(i: number): void {
    this.#token = PIECE;
    this.#start = i;
    this.#isHeard = (this.#memory.registers[ACTION]! & TELL_SCALARS) !== 0;
  }

  #beginString(i: number, inKey: boolean): void {
    const { registers } = this.#memory;
    this.#token = STRING;
    this.#start = i;
    this.#inKey = inKey;
    this.#isHeard = inKey ? registers[CONTAINER]! >> 1 !== 0 : (registers[ACTION]! & TELL_SCALARS) !== 0;
    this.#piece.text.begin();
  }

  #goOn(i: number, end: number): number {
    const { bytes } = this.#memory;
    if (this.#token === STRING) {
      const stop = endOfPlain(bytes, i, end);
      if (stop > i) {
        this.#piece.text.endPair();
        if (this.#isHeard) this.#piece.text.append(bytes, i, stop);
      }
      return stop === end ? end : this.#leavePlain(stop, bytes[stop]!);
    }
    switch (this.#piece.next(bytes[i]!)) {
      case 'string':
        this.#token = STRING;
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

  /** Handles a byte of a string that does not represent itself. */
  #leavePlain(i: number, byte: number): number {
    if (byte === QUOTE) this.#endString(i + 1);
    else if (byte < 0x20) this.#fail(describeControl(byte), i);
    else {
      this.#token = PIECE_OF_STRING;
      if (byte === BACKSLASH) this.#piece.beginEscape();
      else if (!this.#piece.beginSequence(byte)) this.#fail('a byte that is not UTF-8', i);
    }
    return i + 1;
  }

  #endString(end: number): void {
    const { registers } = this.#memory;
    const { text } = this.#piece;
    this.#token = NOTHING;
    text.endPair();
    if (!this.#inKey) {
      if (this.#isHeard) {
        this.#write(TEXT, registers[CODE]!, this.#start, end);
        this.#write(TEXT, 0, text.start, text.length);
      } else text.drop();
      registers[STATE] = this.#afterValue();
      return;
    }
    if (this.#isHeard) takeMember(this.#memory, this.#reader, text.bytes, text.start, text.length);
    if (this.#isHeard && (registers[ACTION]! & TELL_NAME) !== 0) this.#write(NAME, registers[CODE]!, this.#start, end);
    text.drop();
    registers[STATE] = COLON;
  }

  #endNumber(end: number): void {
    const value = this.#isHeard ? this.#piece.number() : 0;
    this.#piece.text.drop();
    this.#endScalar(NUMBER, value, end);
  }

  #endScalar(kind: number, value: number, end: number): void {
    const { registers, values } = this.#memory;
    this.#token = NOTHING;
    if (this.#isHeard) {
      values[registers[TAPE]! >> 2] = value;
      this.#write(kind, registers[CODE]!, this.#start, end);
    }
    registers[STATE] = this.#afterValue();
  }

  #open(i: number, isArray: boolean): void {
    const { registers, stack, elements } = this.#memory;
    const depth = registers[DEPTH]!;
    if (depth === registers[MAX_DEPTH]) {
      this.#fail(`nesting deeper than ${depth} levels`, i);
      return;
    }
    const action = registers[ACTION]!;
    const inner = isArray ? (action >> 8) & 0xff : action & 0xff;
    if ((action & TELL_CONTAINERS) !== 0) this.#write(inner === 0 ? SKIPPED : OPEN, registers[CODE]!, i, inner);
    stack[depth] = registers[CONTAINER]!;
    registers[DEPTH] = depth + 1;
    registers[CONTAINER] = (inner << 1) | (isArray ? 1 : 0);
    registers[STATE] = isArray ? FIRST_ELEMENT : FIRST_KEY;
    registers[ACTION] = isArray ? elements[inner]! : 0;
    registers[CODE] = 0;
    if (!isArray) registers[MEMBER] = inner;
  }

  #close(i: number): void {
    const { registers, stack } = this.#memory;
    const context = registers[CONTAINER]! >> 1;
    if (context !== 0) {
      this.#write(CLOSE, 0, i, i + 1);
      registers[MEMBER] = context;
    }
    const depth = registers[DEPTH]! - 1;
    registers[DEPTH] = depth;
    registers[CONTAINER] = stack[depth]!;
    registers[STATE] = this.#afterValue();
  }

  /** After a comma. */
  #next(): void {
    const { registers, elements } = this.#memory;
    registers[STATE] = this.#isArray ? VALUE : KEY;
    if (this.#isArray) registers[ACTION] = elements[registers[CONTAINER]! >> 1]!;
    registers[CODE] = 0;
  }

  get #isArray(): boolean {
    return (this.#memory.registers[CONTAINER]! & 1) !== 0;
  }

  #afterValue(): number {
    return this.#memory.registers[DEPTH] === 0 ? DONE : AFTER;
  }

  #write(kind: number, code: number, at: number, end: number): void {
    const { registers, tape } = this.#memory;
    const to = registers[TAPE]!;
    tape[to] = kind | ((registers[CONTAINER]! >> 1) << 4);
    tape[to + 1] = code;
    tape[to + 2] = at;
    tape[to + 3] = end;
    registers[TAPE] = to + 4;
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

/** The first byte at or after `i` that does not represent itself in a string. */
function endOfPlain(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && bytes[i]! >= 0x20 && bytes[i]! < 0x80 && bytes[i] !== QUOTE && bytes[i] !== BACKSLASH) i++;
  return i;
}
