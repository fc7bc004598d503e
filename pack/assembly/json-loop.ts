// The tokenizer loop for ordinary tokens, in AssemblyScript with SIMD. It must write the same records as
// pack/src/json/json-steps.ts. Built by tools/wasm-loops.ts; pack/assembly/memory.ts has the memory layout.

import {
  ACTION,
  ACTIONS,
  AFTER,
  AT,
  BYTES,
  CLOSE,
  CODE,
  CODES,
  COLON,
  CONTAINER,
  DEPTH,
  DONE,
  ELEMENTS,
  EMIT_CONTAINERS,
  EMIT_SCALARS,
  END,
  FIRST_ELEMENT,
  FIRST_KEY,
  KEY,
  LENGTHS,
  LINE_START,
  LINES,
  LITERAL,
  LONG,
  MAX_DEPTH,
  MAX_TEXT,
  MEMBER,
  MEMBER_CONTEXTS,
  MEMBER_SLOTS,
  MEMBER_STRIDE,
  NAMES,
  NUMBER,
  OPEN,
  POWERS,
  SKIPPED,
  SLOTS,
  STACK,
  STATE,
  STRING,
  SUCCESSORS,
  TAPE,
  TAPE_RECORDS,
  TAPE_WORDS,
  VALUE,
  VALUES,
} from './memory';
import { isSame } from './same-bytes';

/** Exported so that the loader can compare it. */
export { STACK } from './memory';
export { address, foldNames, hashKeys } from './names';
export { fillRows } from './upload-rows';

const QUOTE: i32 = 0x22;
const BACKSLASH: i32 = 0x5c;
const COMMA: i32 = 0x2c;
const MINUS: i32 = 0x2d;
const POINT: i32 = 0x2e;
const ZERO: i32 = 0x30;
const COLON_SIGN: i32 = 0x3a;
const ARRAY: i32 = 0x5b;
const ARRAY_END: i32 = 0x5d;
const EXPONENT: i32 = 0x65;
const OBJECT: i32 = 0x7b;
const OBJECT_END: i32 = 0x7d;
const TRUE: i32 = 0x65757274;
const NULL: i32 = 0x6c6c756e;
const ALSE: i32 = 0x65736c61;

const FULL: usize = TAPE + (TAPE_RECORDS - 8) * 16;
const MAX_SHORT_DIGITS: i32 = 9;
const MAX_PROBES: i32 = 16;

/**
 * Reads whole tokens from `AT` on. Stops at a token that the block's end cuts, that contains an escape or is invalid, and
 * when the tape is full. Positions are addresses here, and relative to the block in records. Fast because quotes behind
 * the block replace bounds checks, and the likely successor of the previous name is compared first.
 */
export function read(): void {
  const end: usize = BYTES + load<i32>(END);
  const maxText = load<i32>(MAX_TEXT);
  const maxDepth = load<i32>(MAX_DEPTH);
  let i: usize = BYTES + load<i32>(AT);
  let left: usize = i;
  let state = load<i32>(STATE);
  let depth = load<i32>(DEPTH);
  let container = load<i32>(CONTAINER);
  let code = load<i32>(CODE);
  let action = load<i32>(ACTION);
  let member = load<i32>(MEMBER);
  let to: usize = TAPE + ((<usize>load<i32>(TAPE_WORDS)) << 2);

  while (to < FULL) {
    left = i;
    let byte: i32 = load<u8>(i);

    if (state === KEY || state === FIRST_KEY) {
      if (byte <= 0x20) {
        i = endOfBlanks(i);
        if (i === left) break;
        continue;
      }
      if (byte === QUOTE) {
        const start = i + 1;
        const context = container >> 1;
        if (context === 0) {
          i = endOfString(start, end, false) + 1;
          if (i === 1) break;
        } else {
          const likely = load<i32>(SUCCESSORS + ((<usize>member) << 2));
          const length = load<i32>(LENGTHS + ((<usize>likely) << 2));
          if (start + length <= end && isSame(start, NAMES + <usize>likely * MEMBER_STRIDE, length)) {
            member = likely;
            i = start + length;
          } else {
            i = endOfString(start, end, true) + 1;
            if (i === 1) break;
            const found = findMember(context, start, <i32>(i - start));
            if (found === 0) break;
            store<i32>(SUCCESSORS + ((<usize>member) << 2), found);
            member = found;
          }
          code = load<i32>(CODES + ((<usize>member) << 2));
          action = load<i32>(ACTIONS + ((<usize>member) << 2));
        }
        state = COLON;
        left = i;
        byte = load<u8>(i);
      } else if (byte === OBJECT_END && state === FIRST_KEY) state = AFTER;
      else break;
    }

    if (state === COLON) {
      if (byte <= 0x20) {
        i = endOfBlanks(i);
        left = i;
        byte = load<u8>(i);
      }
      if (byte !== COLON_SIGN) break;
      state = VALUE;
      left = ++i;
      byte = load<u8>(i);
    }

    if (state === VALUE || state === FIRST_ELEMENT) {
      if (byte <= 0x20) {
        i = endOfBlanks(i);
        left = i;
        byte = load<u8>(i);
      }
      const isEmitted = (action & EMIT_SCALARS) !== 0;
      if (byte === QUOTE) {
        i = endOfString(left + 1, end, isEmitted) + 1;
        if (i === 1) break;
        if (isEmitted) {
          if (<i32>(i - left) - 2 > maxText) break;
          write(to, STRING, container, code, left, <i32>(i - BYTES));
          to += 16;
        }
      } else if (byte === MINUS || isDigit(byte - ZERO)) {
        // Runs once for a member, and repeats for list numbers that are separated only by a comma.
        for (;;) {
          if (byte === MINUS) byte = load<u8>(++i);
          const first = i;
          let mantissa = byte - ZERO;
          let digit: i32 = <i32>load<u8>(++i) - ZERO;
          if (mantissa > 0) {
            while (isDigit(digit)) {
              mantissa = mantissa * 10 + digit;
              digit = <i32>load<u8>(++i) - ZERO;
            }
          }
          let digits = <i32>(i - first);
          let decimals: i32 = 0;
          let isWrong = !isDigit(byte - ZERO);
          if (digit === POINT - ZERO) {
            const point = ++i;
            digit = <i32>load<u8>(i) - ZERO;
            while (isDigit(digit)) {
              mantissa = mantissa * 10 + digit;
              digit = <i32>load<u8>(++i) - ZERO;
            }
            decimals = <i32>(i - point);
            digits += decimals;
            if (decimals === 0) isWrong = true;
          }
          let isLong = digits > MAX_SHORT_DIGITS;
          if (((digit + ZERO) | 0x20) === EXPONENT) {
            isLong = true;
            i = endOfExponent(i);
          }
          // The number may continue in the next block.
          if (isWrong || i === 0 || i >= end || (isLong && <i32>(i - left) > maxText)) {
            i = 0;
            break;
          }
          if (isEmitted) {
            write(to, isLong ? LONG : NUMBER, container, code, left, <i32>(i - BYTES));
            if (!isLong) {
              const value: f64 = <f64>mantissa / load<f64>(POWERS + ((<usize>decimals) << 3));
              writeValue(to, first === left ? value : -value);
            }
            to += 16;
          }
          const isFollowed = (container & 1) !== 0 && load<u8>(i) === COMMA && to < FULL;
          if (!isFollowed || !isDigit(<i32>load<u8>(i, 1) - ZERO)) break;
          left = ++i;
          byte = load<u8>(i);
          state = VALUE;
        }
        if (i === 0) break;
      } else if (byte === OBJECT || byte === ARRAY) {
        if (depth === maxDepth) break;
        i++;
        const isArray = byte === ARRAY;
        const inner = isArray ? (action >> 8) & 0xff : action & 0xff;
        if ((action & EMIT_CONTAINERS) !== 0) {
          write(to, inner === 0 ? SKIPPED : OPEN, container, code, left, inner);
          to += 16;
        }
        store<u8>(STACK + depth, <u8>container);
        depth++;
        code = 0;
        if (isArray) {
          container = (inner << 1) | 1;
          state = FIRST_ELEMENT;
          action = load<i32>(ELEMENTS + ((<usize>inner) << 2));
        } else {
          container = inner << 1;
          state = FIRST_KEY;
          action = 0;
          member = inner;
        }
        left = i;
        continue;
      } else if (byte !== ARRAY_END || state !== FIRST_ELEMENT) {
        const word = load<i32>(i);
        let value: f64 = 1;
        if (word === TRUE) i += 4;
        else if (word === NULL) {
          value = NaN;
          i += 4;
        } else if (byte === 0x66 && load<i32>(i + 1) === ALSE) {
          value = 0;
          i += 5;
        } else break;
        if (i > end) break;
        if (isEmitted) {
          write(to, LITERAL, container, code, left, <i32>(i - BYTES));
          writeValue(to, value);
          to += 16;
        }
      }
      state = depth === 0 ? DONE : AFTER;
      left = i;
      byte = load<u8>(i);
    }

    if (byte === COMMA && state === AFTER) {
      left = ++i;
      code = 0;
      if ((container & 1) === 0) state = KEY;
      else {
        state = VALUE;
        action = load<i32>(ELEMENTS + ((<usize>(container >> 1)) << 2));
      }
      continue;
    }
    let isStuck = false;
    while (state === AFTER && !isStuck) {
      if (byte === COMMA) {
        left = ++i;
        code = 0;
        if ((container & 1) === 0) state = KEY;
        else {
          state = VALUE;
          action = load<i32>(ELEMENTS + ((<usize>(container >> 1)) << 2));
        }
      } else if (byte <= 0x20) {
        i = endOfBlanks(i);
        isStuck = i === left;
        left = i;
        byte = load<u8>(i);
      } else if (byte === ((container & 1) === 0 ? OBJECT_END : ARRAY_END)) {
        if (container >> 1 !== 0) {
          write(to, CLOSE, container, 0, i, <i32>(i - BYTES) + 1);
          to += 16;
          member = container >> 1;
        }
        left = ++i;
        container = load<u8>(STACK + --depth);
        if (depth === 0) state = DONE;
        isStuck = to >= FULL;
        byte = load<u8>(i);
      } else isStuck = true;
    }
    if (isStuck || state === DONE) break;
  }

  store<i32>(AT, <i32>(left - BYTES));
  store<i32>(STATE, state);
  store<i32>(DEPTH, depth);
  store<i32>(CONTAINER, container);
  store<i32>(CODE, code);
  store<i32>(ACTION, action);
  store<i32>(MEMBER, member);
  store<i32>(TAPE_WORDS, <i32>((to - TAPE) >> 2));
}

function write(to: usize, kind: i32, container: i32, code: i32, at: usize, end: i32): void {
  store<i32>(to, kind | ((container >> 1) << 4));
  store<i32>(to, code, 4);
  store<i32>(to, <i32>(at - BYTES), 8);
  store<i32>(to, end, 12);
}

function writeValue(to: usize, value: f64): void {
  store<f64>(VALUES + ((to - TAPE) >> 1), value);
}

function isDigit(value: i32): bool {
  return <u32>value <= 9;
}

/** The entry of a name with this length, including its closing quote; 0 if it is not cached. */
function findMember(context: i32, start: usize, length: i32): i32 {
  let value: i32 = 0x811c9dc5 ^ context;
  for (let i: i32 = 0; i < length - 1; i++) value = (value ^ <i32>load<u8>(start + i)) * 0x01000193;
  let slot = (value ^ (value >>> 15)) & (MEMBER_SLOTS - 1);
  for (let probe: i32 = 0; probe < MAX_PROBES; probe++) {
    const entry = load<i32>(SLOTS + ((<usize>slot) << 2));
    if (entry === 0) return 0;
    const isLike =
      load<i32>(MEMBER_CONTEXTS + ((<usize>entry) << 2)) === context &&
      load<i32>(LENGTHS + ((<usize>entry) << 2)) === length;
    if (isLike && isSame(start, NAMES + <usize>entry * MEMBER_STRIDE, length)) return entry;
    slot = (slot + 1) & (MEMBER_SLOTS - 1);
  }
  return 0;
}

/** The first byte at or after `start` that is not white space. */
function endOfBlanks(start: usize): usize {
  let i = start;
  let byte: i32 = load<u8>(i);
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
    if (byte === 0x20) {
      // Indented files contain runs of spaces.
      const others = ~i8x16.bitmask(i8x16.eq(v128.load(i), i8x16.splat(0x20))) & 0xffff;
      i += others === 0 ? 16 : ctz(others);
    } else {
      i++;
      if (byte === 0x0a) {
        store<i32>(LINES, load<i32>(LINES) + 1);
        store<i32>(LINE_START, <i32>(i - BYTES));
      }
    }
    byte = load<u8>(i);
  }
  return i;
}

/** The end of the exponent that starts at `i`, or 0 if it has no digits. */
function endOfExponent(start: usize): usize {
  let i = start + 1;
  const sign: i32 = load<u8>(i);
  if (sign === 0x2b || sign === MINUS) i++;
  const first = i;
  while (isDigit(<i32>load<u8>(i) - ZERO)) i++;
  return i === first ? 0 : i;
}

/** The closing quote of a text, or 0 if the text is cut, is invalid, or contains an escape and has to be emitted. */
function endOfString(start: usize, end: usize, isEmitted: bool): usize {
  let i = start;
  let byte: i32 = 0;
  do {
    let found = specials(i);
    while (found === 0) {
      i += 16;
      found = specials(i);
    }
    i += ctz(found);
    byte = load<u8>(i);
    if (byte === QUOTE) break;
    while (byte >= 0x80 || (byte === BACKSLASH && !isEmitted)) {
      i = byte === BACKSLASH ? endOfEscape(i) : endOfSequence(i, byte);
      if (i === 0 || i > end) return 0;
      byte = load<u8>(i);
    }
  } while (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH);
  return byte === QUOTE && i < end ? i : 0;
}

/** The end of an escape, or 0 if it is invalid. */
function endOfEscape(i: usize): usize {
  switch (load<u8>(i, 1)) {
    case 0x22:
    case 0x5c:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return i + 2;
    case 0x75: {
      for (let at = i + 2; at < i + 6; at++) if (!isHex(load<u8>(at))) return 0;
      return i + 6;
    }
    default:
      return 0;
  }
}

function isHex(byte: i32): bool {
  const letter = byte | 0x20;
  return isDigit(byte - ZERO) || (letter >= 0x61 && letter <= 0x66);
}

/** Marks which of sixteen bytes need special handling in a text, one bit each; other bytes are plain ASCII. */
function specials(i: usize): i32 {
  const sixteen = v128.load(i);
  // As signed numbers, control characters and non-ASCII bytes are less than a space.
  const low = i8x16.lt_s(sixteen, i8x16.splat(0x20));
  const quotes = i8x16.eq(sixteen, i8x16.splat(<i8>QUOTE));
  const backslashes = i8x16.eq(sixteen, i8x16.splat(<i8>BACKSLASH));
  return i8x16.bitmask(v128.or(low, v128.or(quotes, backslashes)));
}

/** The end of a UTF-8 sequence, or 0 if it is invalid. Source: RFC 3629 §4. */
function endOfSequence(i: usize, lead: i32): usize {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second: i32 = load<u8>(i, 1);
  if (lead < 0xe0) return (second & 0xc0) === 0x80 ? i + 2 : 0;
  const low: i32 = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high: i32 = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  if ((load<u8>(i, 2) & 0xc0) !== 0x80) return 0;
  if (lead < 0xf0) return i + 3;
  return (load<u8>(i, 3) & 0xc0) === 0x80 ? i + 4 : 0;
}
