import { describe, describeControl, excerptOf, JsonExcerpt } from './json-excerpt.ts';
import type { JsonHandler, JsonLimits, JsonRefusal } from './json-handler.ts';
import { NUMBER_START, nextNumberState, numberIsWhole } from './json-number.ts';
import { ESCAPES, hexDigit, JsonText } from './json-text.ts';
import type { UploadProblem } from './upload-tables.ts';

// What may come next. Up to LAST_BETWEEN the machine stands between tokens and blanks are skipped.
const VALUE = 0;
const FIRST_ELEMENT = 1;
const FIRST_KEY = 2;
const KEY = 3;
const COLON = 4;
const AFTER = 5;
const DONE = 6;
const LAST_BETWEEN = DONE;
const STRING = 7;
const CONTINUATION = 8;
const ESCAPE = 9;
const HEX = 10;
const NUMBER = 11;
const LITERAL = 12;
const MARK = 13;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const OBJECT = 0x7b;
const ARRAY = 0x5b;

/** 1 for the bytes that stand for themselves inside a string. */
const PLAIN = new Uint8Array(256).fill(1, 0x20, 0x80);
PLAIN[QUOTE] = 0;
PLAIN[BACKSLASH] = 0;

/** Powers of ten that a double holds exactly and that a mantissa below 2^53 may be divided by without a second rounding. */
const POWERS = Float64Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/** The three bytes that some programs put before UTF-8. */
const MARK_BYTES = Uint8Array.of(0xef, 0xbb, 0xbf);

const LITERALS = new Map<number, { text: Uint8Array; value: boolean | null }>(
  ([true, false, null] as const).map((value) => {
    const text = new TextEncoder().encode(String(value));
    return [text[0]!, { text, value }];
  }),
);

const EXPECTED: Readonly<Record<number, string>> = {
  [VALUE]: 'a value',
  [FIRST_ELEMENT]: 'a value or ]',
  [FIRST_KEY]: 'a name in quotes or }',
  [KEY]: 'a name in quotes',
  [COLON]: 'a colon',
  [AFTER]: 'a comma or the closing bracket',
};

/**
 * A push tokenizer for JSON: bytes go in as blocks cut anywhere, tokens come out at a handler.
 *
 * Accepts exactly RFC 8259 in UTF-8, with one leading byte order mark skipped, and refuses the first byte that cannot be
 * right. Memory: the longest text that is kept, a byte a level of depth, the last 160 bytes for excerpts; nothing grows
 * with the file. No recursion.
 *
 * The loop keeps what it touches per byte in locals. What is rare (escapes, numbers with exponents, tokens cut by a
 * block's end) goes through methods that take one byte at a time.
 */
export class JsonTokens {
  readonly #handler: JsonHandler;
  readonly #limits: JsonLimits;
  readonly #text: JsonText;
  readonly #excerpt = new JsonExcerpt();
  /** OBJECT or ARRAY for every open container. */
  readonly #stack: Uint8Array;
  #depth = 0;
  #state = MARK;
  #base = 0;
  #line = 1;
  #lineStart = 0;
  #problem: UploadProblem | undefined;

  /** Byte of the file where the current string, number or literal began. */
  #tokenStart = 0;
  #inKey = false;
  /** Whether the beginning of the current string already lies in `#text`. */
  #spilled = false;
  /** Bytes that the current UTF-8 sequence, escape, literal or byte order mark still needs or has had. */
  #count = 0;
  /** Range of the next byte of a UTF-8 sequence. */
  #low = 0;
  #high = 0;
  #codeUnit = 0;
  #numberState = NUMBER_START;
  #literal = 0;

  constructor(handler: JsonHandler, limits: JsonLimits) {
    this.#handler = handler;
    this.#limits = limits;
    this.#text = new JsonText(limits.maxText);
    this.#stack = new Uint8Array(limits.maxDepth);
  }

  /** Bytes read so far. */
  get bytes(): number {
    return this.#base;
  }

  /** Reads the next bytes. The first problem is final: it is returned again by every later call. */
  push(block: Uint8Array): UploadProblem | undefined {
    if (this.#problem || block.length === 0) return this.#problem;
    this.#handler.beginBlock(this.#base);
    this.#run(block);
    if (this.#problem) return this.#problem;
    this.#excerpt.keep(block);
    this.#base += block.length;
    return undefined;
  }

  /** To be called after the last byte. */
  finish(): UploadProblem | undefined {
    if (this.#problem) return this.#problem;
    const nothing = new Uint8Array(0);
    this.#handler.beginBlock(this.#base);
    if (this.#state === NUMBER && numberIsWhole(this.#numberState)) this.#endNumber(nothing, 0);
    if (this.#state !== DONE && !this.#problem) {
      this.#fail(this.#base === 0 ? 'the file is empty' : 'the file ends too early', nothing, 0);
    }
    return this.#problem;
  }

  /** Answers where it stopped: the end of the block, or the place of a problem. */
  #run(block: Uint8Array): number {
    const handler = this.#handler;
    const stack = this.#stack;
    const end = block.length;
    let state = this.#state;
    let i = 0;
    /** Where the part of the current string that lies in this block begins. */
    let from = 0;
    while (i < end) {
      const byte = block[i]!;
      if (state <= LAST_BETWEEN && byte <= 0x20) {
        if (byte === 0x0a) {
          this.#line++;
          this.#lineStart = this.#base + i + 1;
        } else if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) {
          return this.#unexpected(state, block, i);
        }
        i++;
        continue;
      }
      switch (state) {
        case STRING: {
          while (i < end && PLAIN[block[i]!] === 1) i++;
          if (i === end) break;
          const stop = block[i]!;
          if (stop === QUOTE) {
            const at = this.#tokenStart - this.#base;
            let bytes = block;
            let start = from;
            let stopAt = i;
            if (this.#spilled) {
              this.#text.endPair();
              this.#text.append(block, from, i);
              bytes = this.#text.bytes;
              start = 0;
              stopAt = this.#text.length;
            }
            i++;
            if (this.#inKey) {
              state = COLON;
              handler.key(bytes, start, stopAt, at);
            } else {
              state = this.#depth === 0 ? DONE : AFTER;
              handler.string(bytes, start, stopAt, at, i);
            }
            break;
          }
          if (stop === BACKSLASH) {
            this.#spill(block, from, i);
            state = ESCAPE;
            i++;
            continue;
          }
          if (stop < 0x20) return this.#fail(describeControl(stop), block, i);
          if (!this.#beginSequence(stop)) return this.#fail('a byte that is not UTF-8', block, i);
          state = CONTINUATION;
          i++;
          continue;
        }
        case CONTINUATION:
          if (byte < this.#low || byte > this.#high) return this.#fail('a byte that is not UTF-8', block, i);
          this.#low = 0x80;
          this.#high = 0xbf;
          if (--this.#count === 0) state = STRING;
          i++;
          continue;
        case VALUE:
        case FIRST_ELEMENT:
          if (byte === QUOTE) {
            this.#inKey = false;
            this.#spilled = false;
            this.#tokenStart = this.#base + i;
            from = ++i;
            state = STRING;
            continue;
          }
          if (byte === MINUS || (byte >= 0x30 && byte <= 0x39)) {
            // Short decimals end here; everything else is read again, byte by byte.
            const negative = byte === MINUS;
            let mantissa = 0;
            let digits = 0;
            let point = 0;
            let j = negative ? i + 1 : i;
            const first = j;
            for (; j < end; j++) {
              const next = block[j]!;
              if (next >= 0x30 && next <= 0x39) {
                mantissa = mantissa * 10 + (next - 0x30);
                digits++;
              } else if (next === DOT && point === 0) point = j;
              else break;
            }
            const decimals = point === 0 ? 0 : j - point - 1;
            const leadingZero = block[first] === 0x30 && digits - decimals > 1;
            const isShort = digits <= 15 && digits > decimals && point !== j - 1 && !leadingZero;
            if (j < end && isShort && (block[j]! | 0x20) !== 0x65) {
              const value = decimals === 0 ? mantissa : mantissa / POWERS[decimals]!;
              state = this.#depth === 0 ? DONE : AFTER;
              handler.number(negative ? -value : value, i);
              i = j;
              break;
            }
            this.#tokenStart = this.#base + i;
            this.#numberState = NUMBER_START;
            this.#text.clear();
            state = NUMBER;
            continue;
          }
          if (byte === OBJECT || byte === ARRAY) {
            if (this.#depth === this.#limits.maxDepth) {
              return this.#fail(`nesting deeper than ${this.#limits.maxDepth} levels`, block, i);
            }
            stack[this.#depth++] = byte;
            if (byte === OBJECT) {
              state = FIRST_KEY;
              handler.openObject(i);
            } else {
              state = FIRST_ELEMENT;
              handler.openArray(i);
            }
            i++;
            break;
          }
          if (byte === 0x5d && state === FIRST_ELEMENT) {
            state = --this.#depth === 0 ? DONE : AFTER;
            handler.closeArray(++i);
            break;
          }
          if (!LITERALS.has(byte)) return this.#unexpected(state, block, i);
          this.#tokenStart = this.#base + i;
          this.#literal = byte;
          this.#count = 1;
          state = LITERAL;
          i++;
          continue;
        case FIRST_KEY:
        case KEY:
          if (byte === QUOTE) {
            this.#inKey = true;
            this.#spilled = false;
            this.#tokenStart = this.#base + i;
            from = ++i;
            state = STRING;
            continue;
          }
          if (byte !== 0x7d || state === KEY) return this.#unexpected(state, block, i);
          state = --this.#depth === 0 ? DONE : AFTER;
          handler.closeObject(++i);
          break;
        case COLON:
          if (byte !== 0x3a) return this.#unexpected(state, block, i);
          state = VALUE;
          i++;
          continue;
        case AFTER: {
          const container = stack[this.#depth - 1]!;
          if (byte === COMMA) {
            state = container === OBJECT ? KEY : VALUE;
            i++;
            continue;
          }
          // The closing bracket stands two places after the opening one in ASCII.
          if (byte !== container + 2) return this.#unexpected(state, block, i);
          state = --this.#depth === 0 ? DONE : AFTER;
          i++;
          if (container === OBJECT) handler.closeObject(i);
          else handler.closeArray(i);
          break;
        }
        case DONE:
          return this.#unexpected(state, block, i);
        default:
          this.#state = state;
          i = this.#slow(block, i);
          if (this.#problem) return i;
          state = this.#state;
          from = i;
          continue;
      }
      if (handler.refusal !== undefined) return this.#refuse(handler.refusal, block, i);
    }
    if (state === STRING || state === CONTINUATION) this.#spill(block, from, end);
    this.#state = state;
    return end;
  }

  /** One byte of a token that is not read in one go. Answers where to read on. */
  #slow(block: Uint8Array, i: number): number {
    const byte = block[i]!;
    switch (this.#state) {
      case ESCAPE:
        return this.#escape(byte, block, i);
      case HEX: {
        const digit = hexDigit(byte);
        if (digit < 0) return this.#fail('a \\u escape without four hexadecimal digits', block, i);
        this.#codeUnit = this.#codeUnit * 16 + digit;
        if (--this.#count === 0) {
          this.#text.appendCodeUnit(this.#codeUnit);
          this.#state = STRING;
        }
        return i + 1;
      }
      case NUMBER:
        return this.#numberByte(byte, block, i);
      case LITERAL:
        return this.#literalByte(byte, block, i);
      default:
        return this.#markByte(byte, block, i);
    }
  }

  #escape(byte: number, block: Uint8Array, i: number): number {
    if (byte === 0x75) {
      this.#count = 4;
      this.#codeUnit = 0;
      this.#state = HEX;
      return i + 1;
    }
    const meant = ESCAPES[byte] ?? 0;
    if (meant === 0) return this.#fail('a backslash before a character that needs none', block, i);
    this.#text.endPair();
    this.#text.appendByte(meant);
    this.#state = STRING;
    return i + 1;
  }

  #numberByte(byte: number, block: Uint8Array, i: number): number {
    const next = nextNumberState(this.#numberState, byte);
    if (next < 0) {
      if (!numberIsWhole(this.#numberState)) return this.#fail('a number that is not whole', block, i);
      this.#endNumber(block, i);
      return i;
    }
    if (this.#text.length === this.#limits.maxText) {
      return this.#fail(`a number longer than ${this.#limits.maxText} bytes`, block, i);
    }
    this.#text.appendByte(byte);
    this.#numberState = next;
    return i + 1;
  }

  #endNumber(block: Uint8Array, i: number): void {
    const value = Number(new TextDecoder().decode(this.#text.bytes.subarray(0, this.#text.length)));
    this.#state = this.#depth === 0 ? DONE : AFTER;
    this.#handler.number(Number.isFinite(value) ? value : Number.NaN, this.#tokenStart - this.#base);
    this.#refuseIfAsked(block, i);
  }

  #literalByte(byte: number, block: Uint8Array, i: number): number {
    const { text, value } = LITERALS.get(this.#literal)!;
    if (byte !== text[this.#count]) return this.#fail(describe(byte), block, i);
    if (++this.#count === text.length) {
      this.#state = this.#depth === 0 ? DONE : AFTER;
      this.#handler.literal(value, this.#tokenStart - this.#base);
      this.#refuseIfAsked(block, i + 1);
    }
    return i + 1;
  }

  /** The first bytes of the file: a byte order mark, another encoding, or the value itself. */
  #markByte(byte: number, block: Uint8Array, i: number): number {
    if (this.#count > 0) {
      if (byte !== MARK_BYTES[this.#count]) return this.#fail('a byte that is not UTF-8', block, i);
      if (++this.#count === MARK_BYTES.length) this.#state = VALUE;
      return i + 1;
    }
    if (byte === MARK_BYTES[0]) {
      this.#count = 1;
      return i + 1;
    }
    if (byte === 0xff || byte === 0xfe) return this.#fail('UTF-16 text instead of UTF-8', block, i);
    if (byte === 0x1f) return this.#fail('gzip-compressed data instead of JSON', block, i);
    this.#state = VALUE;
    return i;
  }

  /** Whether the byte may begin a sequence; then it is known what must follow. Source: RFC 3629 §4. */
  #beginSequence(byte: number): boolean {
    if (byte < 0xc2 || byte > 0xf4) return false;
    this.#count = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    this.#low = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    this.#high = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
    return true;
  }

  /** Moves the part of the current string that lies in this block to `#text`. */
  #spill(block: Uint8Array, from: number, end: number): void {
    if (!this.#spilled) this.#text.clear();
    this.#spilled = true;
    if (from < end) this.#text.endPair();
    this.#text.append(block, from, end);
  }

  #refuseIfAsked(block: Uint8Array, i: number): void {
    if (this.#handler.refusal !== undefined) this.#refuse(this.#handler.refusal, block, i);
  }

  #refuse(refusal: JsonRefusal, block: Uint8Array, i: number): number {
    const near = refusal.near ? excerptOf(refusal.near) : this.#excerpt.upTo(block, i);
    this.#report(refusal.what, refusal.at, near);
    return i;
  }

  #unexpected(state: number, block: Uint8Array, i: number): number {
    const byte = block[i]!;
    if (byte === 0 && this.#base + i < 4) return this.#fail('UTF-16 text instead of UTF-8', block, i);
    if (state === DONE) return this.#fail('something after the end of the JSON value', block, i);
    if (byte < 0x20) return this.#fail(describeControl(byte), block, i);
    return this.#fail(`${describe(byte)} where ${EXPECTED[state]} should be`, block, i);
  }

  /** Answers a place to read on, for the callers that answer one; nothing is read on. */
  #fail(what: string, block: Uint8Array, i: number): number {
    this.#report(what, i, this.#excerpt.upTo(block, i + 1));
    return i;
  }

  #report(what: string, at: number, excerpt: string): void {
    const byte = this.#base + at;
    this.#problem = { what, byte, line: this.#line, column: byte - this.#lineStart + 1, excerpt };
  }
}
