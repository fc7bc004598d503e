import { findMember } from './json-members.ts';
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
  fullTape,
  type JsonLoop,
  JsonMemory,
  KEY,
  LINE_START,
  LINES,
  LITERAL,
  LONG,
  MAX_DEPTH,
  MAX_TEXT,
  MEMBER,
  memberStride,
  NUMBER,
  OPEN,
  SKIPPED,
  STATE,
  STRING,
  TAPE,
  TELL_CONTAINERS,
  TELL_SCALARS,
  VALUE,
} from './json-memory.ts';
import { hexDigit } from './json-text.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON_SIGN = 0x3a;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const EXPONENT = 0x65;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

// Four-character words, little-endian.
const TRUE = 0x65757274;
const NULL = 0x6c6c756e;
const ALSE = 0x65736c61;

const maxShortDigits = 9;
const nameWordStride = memberStride / 4;
/** Masks for comparing only the first 0 to 3 bytes of a word. */
const masks = Int32Array.of(0, 0xff, 0xffff, 0xffffff);
const powers = Float64Array.from({ length: maxShortDigits + 1 }, (_, exponent) => 10 ** exponent);

/** The TypeScript version of the loop, for platforms without WebAssembly SIMD. */
export function scriptLoop(): JsonLoop {
  const memory = new JsonMemory();
  return { memory, read: () => readTokens(memory) };
}

/**
 * Reads whole tokens from `AT` on. Stops at a token that is cut by the end of the block, contains an escape or is
 * invalid, and when the tape is full. All state is in the memory before and after the call.
 *
 * What makes it fast: local variables instead of fields; quotes behind the block, so that searches need no bounds
 * check; four bytes at a time; comparing the likely successor of the previous name before looking the name up; handling
 * the most likely next token immediately.
 *
 * `pack/assembly/json-loop.ts` is the same loop with SIMD. Both must behave identically.
 */
function readTokens(memory: JsonMemory): void {
  const { registers, bytes, view, tape, values, stack, elements, memberLengths, codes, actions, successors } = memory;
  const words = memory.nameWords;
  const end = registers[END]!;
  const maxText = registers[MAX_TEXT]!;
  const maxDepth = registers[MAX_DEPTH]!;
  let i = registers[AT]!;
  /** The start of the part that the loop leaves to `JsonSteps`. */
  let left = i;
  let state = registers[STATE]!;
  let depth = registers[DEPTH]!;
  let container = registers[CONTAINER]!;
  let code = registers[CODE]!;
  let action = registers[ACTION]!;
  let member = registers[MEMBER]!;
  let to = registers[TAPE]!;

  while (to < fullTape) {
    left = i;
    let byte = bytes[i]!;

    if (state === KEY || state === FIRST_KEY) {
      if (byte <= 0x20) {
        i = endOfBlanks(memory, i);
        if (i === left) break;
        continue;
      }
      if (byte === QUOTE) {
        const start = i + 1;
        const context = container >> 1;
        if (context === 0) {
          i = endOfString(bytes, view, start, end, false) + 1;
          if (i === 0) break;
        } else {
          const likely = successors[member]!;
          const length = memberLengths[likely]!;
          if (start + length <= end && isNamed(view, start, words, likely * nameWordStride, length)) {
            member = likely;
            i = start + length;
          } else {
            i = endOfString(bytes, view, start, end, true) + 1;
            if (i === 0) break;
            const found = findMember(memory, context, bytes, start, i - 1);
            if (found === 0) break;
            successors[member] = found;
            member = found;
          }
          code = codes[member]!;
          action = actions[member]!;
        }
        state = COLON;
        left = i;
        byte = bytes[i]!;
      } else if (byte === OBJECT_END && state === FIRST_KEY) state = AFTER;
      else break;
    }

    if (state === COLON) {
      if (byte <= 0x20) {
        i = endOfBlanks(memory, i);
        left = i;
        byte = bytes[i]!;
      }
      if (byte !== COLON_SIGN) break;
      state = VALUE;
      left = ++i;
      byte = bytes[i]!;
    }

    if (state === VALUE || state === FIRST_ELEMENT) {
      if (byte <= 0x20) {
        i = endOfBlanks(memory, i);
        left = i;
        byte = bytes[i]!;
      }
      const start = i;
      const isTold = (action & TELL_SCALARS) !== 0;
      if (byte === QUOTE) {
        i = endOfString(bytes, view, start + 1, end, isTold) + 1;
        if (i === 0) break;
        if (isTold) {
          if (i - start - 2 > maxText) break;
          tape[to] = STRING | ((container >> 1) << 4);
          tape[to + 1] = code;
          tape[to + 2] = start;
          tape[to + 3] = i;
          to += 4;
        }
      } else if (byte === MINUS || (byte >= ZERO && byte <= 0x39)) {
        if (byte === MINUS) byte = bytes[++i]!;
        const first = i;
        let mantissa = byte - ZERO;
        if (mantissa < 0 || mantissa > 9) break;
        let digit = bytes[++i]! - ZERO;
        if (mantissa > 0) {
          while (digit >= 0 && digit <= 9) {
            mantissa = (Math.imul(mantissa, 10) + digit) | 0;
            digit = bytes[++i]! - ZERO;
          }
        }
        let digits = i - first;
        let decimals = 0;
        if (digit === POINT - ZERO) {
          const point = ++i;
          digit = bytes[i]! - ZERO;
          while (digit >= 0 && digit <= 9) {
            mantissa = (Math.imul(mantissa, 10) + digit) | 0;
            digit = bytes[++i]! - ZERO;
          }
          decimals = i - point;
          if (decimals === 0) break;
          digits += decimals;
        }
        let isLong = digits > maxShortDigits;
        if (((digit + ZERO) | 0x20) === EXPONENT) {
          isLong = true;
          i = endOfExponent(bytes, i);
          if (i < 0) break;
        }
        // The number may continue in the next block.
        if (i >= end || (isLong && i - start > maxText)) break;
        if (isTold) {
          tape[to] = (isLong ? LONG : NUMBER) | ((container >> 1) << 4);
          tape[to + 1] = code;
          tape[to + 2] = start;
          tape[to + 3] = i;
          if (!isLong) {
            const value = mantissa / powers[decimals]!;
            values[to >> 2] = first === start ? value : -value;
          }
          to += 4;
        }
      } else if (byte === OBJECT || byte === ARRAY) {
        if (depth === maxDepth) break;
        i++;
        const isArray = byte === ARRAY;
        const inner = isArray ? (action >> 8) & 0xff : action & 0xff;
        if ((action & TELL_CONTAINERS) !== 0) {
          tape[to] = (inner === 0 ? SKIPPED : OPEN) | ((container >> 1) << 4);
          tape[to + 1] = code;
          tape[to + 2] = start;
          tape[to + 3] = inner;
          to += 4;
        }
        stack[depth++] = container;
        code = 0;
        if (isArray) {
          container = (inner << 1) | 1;
          state = FIRST_ELEMENT;
          action = elements[inner]!;
        } else {
          container = inner << 1;
          state = FIRST_KEY;
          action = 0;
          member = inner;
        }
        left = i;
        continue;
      } else if (byte !== ARRAY_END || state !== FIRST_ELEMENT) {
        const word = view.getInt32(i, true);
        let value = 1;
        if (word === TRUE) i += 4;
        else if (word === NULL) {
          value = Number.NaN;
          i += 4;
        } else if (byte === 0x66 && view.getInt32(i + 1, true) === ALSE) {
          value = 0;
          i += 5;
        } else break;
        if (i > end) break;
        if (isTold) {
          tape[to] = LITERAL | ((container >> 1) << 4);
          tape[to + 1] = code;
          tape[to + 2] = start;
          tape[to + 3] = i;
          values[to >> 2] = value;
          to += 4;
        }
      }
      state = depth === 0 ? DONE : AFTER;
      left = i;
      byte = bytes[i]!;
    }

    let isStuck = false;
    while (state === AFTER && !isStuck) {
      if (byte === COMMA) {
        left = ++i;
        code = 0;
        if ((container & 1) === 0) state = KEY;
        else {
          state = VALUE;
          action = elements[container >> 1]!;
        }
      } else if (byte <= 0x20) {
        i = endOfBlanks(memory, i);
        isStuck = i === left;
        left = i;
        byte = bytes[i]!;
      } else if (byte === ((container & 1) === 0 ? OBJECT_END : ARRAY_END)) {
        const context = container >> 1;
        if (context !== 0) {
          tape[to] = CLOSE | (context << 4);
          tape[to + 1] = 0;
          tape[to + 2] = i;
          tape[to + 3] = i + 1;
          to += 4;
          member = context;
        }
        left = ++i;
        container = stack[--depth]!;
        if (depth === 0) state = DONE;
        isStuck = to >= fullTape;
        byte = bytes[i]!;
      } else isStuck = true;
    }
    if (isStuck || state === DONE) break;
  }

  registers[AT] = left;
  registers[STATE] = state;
  registers[DEPTH] = depth;
  registers[CONTAINER] = container;
  registers[CODE] = code;
  registers[ACTION] = action;
  registers[MEMBER] = member;
  registers[TAPE] = to;
}

/** Whether the block contains a given name and its closing quote at a given position. */
function isNamed(view: DataView, at: number, words: Int32Array, name: number, length: number): boolean {
  let word = name;
  let i = at;
  for (const whole = at + (length & ~3); i < whole; i += 4) if (view.getInt32(i, true) !== words[word++]) return false;
  return ((view.getInt32(i, true) ^ words[word]!) & masks[length & 3]!) === 0;
}

/** The first byte at or after `i` that is not white space. */
function endOfBlanks(memory: JsonMemory, start: number): number {
  const { bytes, registers } = memory;
  for (let i = start; ; i++) {
    const byte = bytes[i]!;
    if (byte === 0x0a) {
      registers[LINES]!++;
      registers[LINE_START] = i + 1;
    } else if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return i;
  }
}

/** The end of the exponent that starts at `i`, or −1 if it has no digits. */
function endOfExponent(bytes: Uint8Array, start: number): number {
  let i = start + 1;
  if (bytes[i] === 0x2b || bytes[i] === MINUS) i++;
  const first = i;
  while (bytes[i]! >= ZERO && bytes[i]! <= 0x39) i++;
  return i === first ? -1 : i;
}

/**
 * The position of the closing quote, or −1 if the text is cut, is invalid, or contains an escape and has to be emitted.
 *
 * Finds a byte in a word by the borrow into its highest bit, which is exact for the first match.
 * Source: Alan Mycroft's test for a zero byte.
 */
function endOfString(bytes: Uint8Array, view: DataView, start: number, end: number, isTold: boolean): number {
  let i = start;
  for (;;) {
    const word = view.getInt32(i, true);
    const quotes = (word ^ 0x22222222) - 0x01010101;
    const backslashes = (word ^ 0x5c5c5c5c) - 0x01010101;
    const found = ((word - 0x20202020) | quotes | backslashes | word) & 0x80808080;
    if (found === 0) {
      i += 4;
      continue;
    }
    i += (31 - Math.clz32(found & -found)) >> 3;
    const byte = bytes[i]!;
    if (byte === QUOTE) return i < end ? i : -1;
    if (byte < 0x20 || (isTold && byte === BACKSLASH)) return -1;
    i = byte === BACKSLASH ? endOfEscape(bytes, i) : endOfSequence(bytes, i);
    if (i < 0 || i > end) return -1;
  }
}

/** The end of an escape, or −1 if it is invalid. */
function endOfEscape(bytes: Uint8Array, i: number): number {
  switch (bytes[i + 1]!) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return i + 2;
    case 0x75:
      for (let at = i + 2; at < i + 6; at++) if (hexDigit(bytes[at]!) < 0) return -1;
      return i + 6;
    default:
      return -1;
  }
}

/** The end of a UTF-8 sequence, or −1 if it is invalid. Source: RFC 3629 §4. */
function endOfSequence(bytes: Uint8Array, i: number): number {
  const lead = bytes[i]!;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const second = bytes[i + 1]!;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return -1;
  if (length > 2 && (bytes[i + 2]! & 0xc0) !== 0x80) return -1;
  if (length > 3 && (bytes[i + 3]! & 0xc0) !== 0x80) return -1;
  return i + length;
}
