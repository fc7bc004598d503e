import { maxProbes, textHash } from './byte-map.ts';
import { describe, describeControl } from './json-excerpt.ts';
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
  EMIT_CONTAINERS,
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
  MEMBER,
  MEMBERS,
  maxMemberBytes,
  memberEntries,
  memberSlots,
  memberStride,
  NAME,
  NUMBER,
  OPEN,
  SKIPPED,
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

// The part of the tokenizer's state machine above single tokens: containers, commas and records. Functions rather than
// methods of a class, because all state is in `JsonMemory`, which the WebAssembly loop changes as well.

/** Enters an object or an array. Returns false, without entering it, if that would exceed the maximum depth. */
function openContainer(memory: JsonMemory, at: number, isArray: boolean): boolean {
  const { registers, stack, elements } = memory;
  const depth = registers[DEPTH]!;
  if (depth === registers[MAX_DEPTH]) return false;
  const action = registers[ACTION]!;
  const inner = isArray ? (action >> 8) & 0xff : action & 0xff;
  if ((action & EMIT_CONTAINERS) !== 0) {
    writeRecord(memory, inner === 0 ? SKIPPED : OPEN, registers[CODE]!, at, inner);
  }
  stack[depth] = registers[CONTAINER]!;
  registers[DEPTH] = depth + 1;
  registers[CONTAINER] = (inner << 1) | (isArray ? 1 : 0);
  registers[STATE] = isArray ? FIRST_ELEMENT : FIRST_KEY;
  registers[ACTION] = isArray ? elements[inner]! : 0;
  registers[CODE] = 0;
  if (!isArray) registers[MEMBER] = inner;
  return true;
}

/** Leaves the innermost container, whose closing bracket is at this position. */
function closeContainer(memory: JsonMemory, at: number): void {
  const { registers, stack } = memory;
  const context = registers[CONTAINER]! >> 1;
  if (context !== 0) {
    writeRecord(memory, CLOSE, 0, at, at + 1);
    registers[MEMBER] = context;
  }
  const depth = registers[DEPTH]! - 1;
  registers[DEPTH] = depth;
  registers[CONTAINER] = stack[depth]!;
  endValue(memory);
}

/** Sets the state after a comma: an element or a member name comes next. */
function afterComma({ registers, elements }: JsonMemory): void {
  const container = registers[CONTAINER]!;
  const isArray = (container & 1) !== 0;
  registers[STATE] = isArray ? VALUE : KEY;
  if (isArray) registers[ACTION] = elements[container >> 1]!;
  registers[CODE] = 0;
}

/** Sets the state after a value. */
function endValue({ registers }: JsonMemory): void {
  registers[STATE] = registers[DEPTH] === 0 ? DONE : AFTER;
}

/** Appends a record to the tape, see `json-memory.ts`. */
function writeRecord({ registers, tape }: JsonMemory, kind: number, code: number, at: number, end: number): void {
  const to = registers[TAPE]!;
  tape[to] = kind | ((registers[CONTAINER]! >> 1) << 4);
  tape[to + 1] = code;
  tape[to + 2] = at;
  tape[to + 3] = end;
  registers[TAPE] = to + 4;
}

/**
 * Sets CODE and ACTION for the value of the member with this name in the innermost object. Asks the reader about a new
 * name, and caches the answer while there is room, so that the loop recognises the name next time.
 *
 * @param bytes contains the name, without escapes and quotes, from `start` to before `end`
 */
function takeMember(memory: JsonMemory, reader: JsonReader, bytes: Uint8Array, start: number, end: number) {
  const { registers, successors } = memory;
  const context = registers[CONTAINER]! >> 1;
  const isShort = end - start < maxMemberBytes;
  let entry = isShort ? findMember(memory, context, bytes, start, end) : 0;
  if (entry === 0) {
    const { code, action } = reader.member(context, decode(bytes, start, end));
    registers[CODE] = code;
    registers[ACTION] = action;
    // The loop emits no names, so it must not recognise those that are emitted.
    if (isShort && (action & EMIT_NAME) === 0) entry = addMember(memory, context, bytes, start, end);
  }
  if (entry === 0) return;
  registers[CODE] = memory.codes[entry]!;
  registers[ACTION] = memory.actions[entry]!;
  successors[registers[MEMBER]!] = entry;
  registers[MEMBER] = entry;
}

/** The entry of a name, or 0 if it is not cached: entry 0 is reserved for objects that are not inspected. */
function findMember(memory: JsonMemory, context: number, bytes: Uint8Array, start: number, end: number): number {
  let slot = textHash(bytes, start, end, context) & (memberSlots - 1);
  for (let probe = 0; probe < maxProbes; probe++) {
    const entry = memory.slots[slot]!;
    if (entry === 0 || (memory.memberContexts[entry] === context && matches(memory, entry, bytes, start, end)))
      return entry;
    slot = (slot + 1) & (memberSlots - 1);
  }
  return 0;
}

/** Caches a name with the current CODE and ACTION. Returns its entry, or 0 if there is no room or it needs escapes. */
function addMember(memory: JsonMemory, context: number, bytes: Uint8Array, start: number, end: number): number {
  const { registers, slots, names } = memory;
  let slot = textHash(bytes, start, end, context) & (memberSlots - 1);
  for (let probe = 0; slots[slot] !== 0; probe++) {
    if (probe === maxProbes - 1) return 0;
    slot = (slot + 1) & (memberSlots - 1);
  }
  if (registers[MEMBERS] === memberEntries || !isPlain(bytes, start, end)) return 0;
  const entry = registers[MEMBERS]!++;
  names.set(bytes.subarray(start, end), entry * memberStride);
  names[entry * memberStride + (end - start)] = QUOTE;
  memory.memberLengths[entry] = end - start + 1;
  memory.memberContexts[entry] = context;
  memory.codes[entry] = registers[CODE]!;
  memory.actions[entry] = registers[ACTION]!;
  slots[slot] = entry;
  return entry;
}

/** Whether JSON can contain the name without escapes: it has no quotes, backslashes or control characters. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i]! < 0x20 || bytes[i] === QUOTE || bytes[i] === 0x5c) return false;
  return true;
}

function matches(memory: JsonMemory, entry: number, bytes: Uint8Array, start: number, end: number): boolean {
  if (memory.memberLengths[entry] !== end - start + 1) return false;
  const { names } = memory;
  let at = entry * memberStride;
  for (let i = start; i < end; i++) if (names[at++] !== bytes[i]) return false;
  return true;
}

function decode(bytes: Uint8Array, start: number, end: number): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end));
}
