import { describe, describeControl, excerptOf, JsonExcerpt } from './json-excerpt.ts';
import type { JsonHandler, JsonLimits, JsonRefusal } from './json-handler.ts';
import { endOfShortDecimal, shortDecimal } from './json-number.ts';
import { JsonPiece } from './json-piece.ts';
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
const PIECE = 8;
const MARK = 9;

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

/** 1 for the bytes that stand for themselves inside a string. */
const PLAIN = new Uint8Array(256).fill(1, 0x20, 0x80);
PLAIN[QUOTE] = 0;
PLAIN[BACKSLASH] = 0;

/** The three bytes that some programs put before UTF-8. */
const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

/**
 * A push tokenizer for JSON: bytes go in as blocks cut anywhere, tokens come out at a handler.
 *
 * Accepts exactly RFC 8259 in UTF-8, with one leading byte order mark skipped, and refuses the first byte that cannot be
 * right. Memory: the longest text that is kept, a byte a level of depth, the last 160 bytes for excerpts; nothing grows
 * with the file. No recursion.
 *
 * The loop keeps what it touches per byte in locals and reads whole tokens where it can; what is rare or cut by a block's
 * end goes byte by byte through `JsonPiece`.
 */
export class JsonTokens {
  readonly #handler: JsonHandler;
  readonly #limits: JsonLimits;
  readonly #piece: JsonPiece;
  readonly #excerpt = new JsonExcerpt();
  /** OBJECT or ARRAY for every open container. */
  readonly #stack: Uint8Array;
  #depth = 0;
  /** Depth of the container that the handler does not want to look into, 0 while there is none. */
  #quiet = 0;
  #state = MARK;
  #base = 0;
  #line = 1;
  #lineStart = 0;
  #problem: UploadProblem | undefined;

  /** Where the current token began, relative to the block: negative when in an earlier one. */
  #start = 0;
  #inKey = false;
  /** Whether the beginning of the current string already lies in the piece's text. */
  #spilled = false;
  #markBytes = 0;

  constructor(handler: JsonHandler, limits: JsonLimits) {
    this.#handler = handler;
    this.#limits = limits;
    this.#piece = new JsonPiece(limits.maxText);
    this.#stack = new Uint8Array(limits.maxDepth);
  }

  /** Bytes read so far. */
  get bytes(): number {
    return this.#base;
  }

  /** Reads the next bytes. The first problem is final: it is returned again by every later call. */
  push(block: Uint8Array): UploadProblem | undefined {
    if (this.#problem || block.length === 0) return this.#problem;
    if (this.#base + block.length > this.#limits.maxBytes) {
      this.#fail(`more than ${this.#limits.maxBytes} bytes`, block, 0);
      return this.#problem;
    }
    this.#handler.beginBlock(this.#base);
    this.#run(block, this.#state === MARK ? this.#readMark(block) : 0);
    if (this.#problem) return this.#problem;
    this.#excerpt.keep(block);
    this.#base += block.length;
    this.#start -= block.length;
    return undefined;
  }

  /** To be called after the last byte. */
  finish(): UploadProblem | undefined {
    if (this.#problem) return this.#problem;
    const nothing = new Uint8Array(0);
    if (this.#state === PIECE && this.#depth === 0 && this.#piece.isWholeNumber) {
      this.#handler.beginBlock(this.#base);
      this.#handler.number(this.#piece.number(), this.#start);
      if (this.#handler.refusal) this.#refuse(this.#handler.refusal, nothing, 0);
    } else if (this.#state !== DONE) {
      this.#fail(this.#base === 0 ? 'the file is empty' : 'the file ends too early', nothing, 0);
    }
    return this.#problem;
  }

  /** Answers where it stopped: the end of the block, or the place of a problem. */
  #run(block: Uint8Array, begin: number): number {
    if (this.#problem) return begin;
    const handler = this.#handler;
    const stack = this.#stack;
    const end = block.length;
    let state = this.#state;
    let depth = this.#depth;
    let quiet = this.#quiet;
    let i = begin;
    /** Where the part of the current string that lies in this block begins. */
    let from = begin;
    while (i < end) {
      const byte = block[i]!;
      if (byte <= 0x20 && state <= LAST_BETWEEN) {
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
        case KEY:
        case FIRST_KEY: {
          if (byte === OBJECT_END && state === FIRST_KEY) {
            i++;
            if (quiet === 0) handler.closeObject(i);
            else if (quiet === depth) quiet = 0;
            state = --depth === 0 ? DONE : AFTER;
            break;
          }
          if (byte !== QUOTE) return this.#unexpected(state, block, i);
          const start = i++;
          while (i < end && PLAIN[block[i]!] === 1) i++;
          if (i < end && block[i] === QUOTE) {
            if (quiet === 0) handler.key(block, start + 1, i, start);
            state = COLON;
            i++;
            break;
          }
          this.#start = start;
          this.#inKey = true;
          this.#spilled = false;
          from = start + 1;
          state = STRING;
          continue;
        }
        case VALUE:
        case FIRST_ELEMENT: {
          const start = i;
          if (byte === QUOTE) {
            i++;
            while (i < end && PLAIN[block[i]!] === 1) i++;
            if (i < end && block[i] === QUOTE) {
              i++;
              if (quiet === 0) handler.string(block, start + 1, i - 1, start, i);
              state = depth === 0 ? DONE : AFTER;
              break;
            }
            this.#start = start;
            this.#inKey = false;
            this.#spilled = false;
            from = start + 1;
            state = STRING;
            continue;
          }
          if (byte === MINUS || (byte >= 0x30 && byte <= 0x39)) {
            const stop = endOfShortDecimal(block, i, end);
            if (stop > 0) {
              if (quiet === 0) handler.number(shortDecimal(block, start, stop), start);
              state = depth === 0 ? DONE : AFTER;
              i = stop;
              break;
            }
            this.#start = start;
            this.#piece.beginNumber();
            state = PIECE;
            continue;
          }
          if (byte === OBJECT || byte === ARRAY) {
            if (depth === this.#limits.maxDepth) return this.#fail(`nesting deeper than ${depth} levels`, block, i);
            stack[depth++] = byte;
            state = byte === OBJECT ? FIRST_KEY : FIRST_ELEMENT;
            if (quiet === 0 && !(byte === OBJECT ? handler.openObject(i) : handler.openArray(i))) quiet = depth;
            i++;
            break;
          }
          if (byte === ARRAY_END && state === FIRST_ELEMENT) {
            i++;
            if (quiet === 0) handler.closeArray(i);
            else if (quiet === depth) quiet = 0;
            state = --depth === 0 ? DONE : AFTER;
            break;
          }
          if (!this.#piece.beginLiteral(byte)) return this.#unexpected(state, block, i);
          this.#start = start;
          state = PIECE;
          i++;
          continue;
        }
        case AFTER: {
          const container = stack[depth - 1]!;
          if (byte === COMMA) {
            state = container === OBJECT ? KEY : VALUE;
            i++;
            continue;
          }
          // The closing bracket stands two places after the opening one in ASCII.
          if (byte !== container + 2) return this.#unexpected(state, block, i);
          i++;
          if (quiet === 0) {
            if (container === OBJECT) handler.closeObject(i);
            else handler.closeArray(i);
          } else if (quiet === depth) quiet = 0;
          state = --depth === 0 ? DONE : AFTER;
          break;
        }
        case COLON:
          if (byte !== COLON_SIGN) return this.#unexpected(state, block, i);
          state = VALUE;
          i++;
          continue;
        case STRING:
          i = endOfText(block, i, end);
          if (i === end) continue;
          if (block[i] !== QUOTE) {
            if (!this.#beginPiece(block, from, i)) return i;
            state = PIECE;
            i++;
            continue;
          }
          state = this.#inKey ? COLON : depth === 0 ? DONE : AFTER;
          if (quiet === 0) this.#emitString(block, from, i);
          i++;
          break;
        case PIECE:
          switch (this.#piece.next(byte)) {
            case 'more':
              i++;
              continue;
            case 'string':
              from = ++i;
              state = STRING;
              continue;
            case 'literal':
              i++;
              state = depth === 0 ? DONE : AFTER;
              if (quiet === 0) handler.literal(this.#piece.literal, this.#start);
              break;
            case 'number':
              state = depth === 0 ? DONE : AFTER;
              if (quiet === 0) handler.number(this.#piece.number(), this.#start);
              break;
            case 'wrong':
              return this.#fail(this.#piece.what, block, i);
          }
          break;
        default:
          return this.#unexpected(state, block, i);
      }
      if (handler.refusal !== undefined) return this.#refuse(handler.refusal, block, i);
      // What nearly always follows is taken at once.
      if (i < end) {
        if (state === AFTER && block[i] === COMMA) {
          state = stack[depth - 1] === OBJECT ? KEY : VALUE;
          i++;
        } else if (state === COLON && block[i] === COLON_SIGN) {
          state = VALUE;
          i++;
        }
      }
    }
    if (state === STRING) this.#spill(block, from, end);
    this.#state = state;
    this.#depth = depth;
    this.#quiet = quiet;
    return end;
  }

  /** A string that holds more than plain ASCII, or began in an earlier block. Its closing quote stands at `i`. */
  #emitString(block: Uint8Array, from: number, i: number): void {
    const { text } = this.#piece;
    let bytes = block;
    let start = from;
    let end = i;
    if (this.#spilled) {
      text.endPair();
      text.append(block, from, i);
      bytes = text.bytes;
      start = 0;
      end = text.length;
    }
    if (this.#inKey) this.#handler.key(bytes, start, end, this.#start);
    else this.#handler.string(bytes, start, end, this.#start, i + 1);
  }

  /** An escape or a UTF-8 sequence that this block cuts; what stood before it moves to the piece's text. */
  #beginPiece(block: Uint8Array, from: number, i: number): boolean {
    const byte = block[i]!;
    this.#spill(block, from, i);
    if (byte === BACKSLASH) this.#piece.beginEscape();
    else if (byte < 0x20) this.#fail(describeControl(byte), block, i);
    else if (!this.#piece.beginSequence(byte)) this.#fail('a byte that is not UTF-8', block, i);
    return this.#problem === undefined;
  }

  #spill(block: Uint8Array, from: number, end: number): void {
    const { text } = this.#piece;
    if (!this.#spilled) text.clear();
    this.#spilled = true;
    if (from < end) text.endPair();
    text.append(block, from, end);
  }

  /** The first bytes of the file: a byte order mark, another encoding, or the value itself. Answers where to read on. */
  #readMark(block: Uint8Array): number {
    const first = block[0]!;
    if (this.#markBytes === 0) {
      if (first === 0xff || first === 0xfe) return this.#fail('UTF-16 text instead of UTF-8', block, 0);
      if (first === 0x1f) return this.#fail('gzip-compressed data instead of JSON', block, 0);
    }
    let i = 0;
    while (i < block.length && this.#markBytes < 3 && block[i] === BYTE_ORDER_MARK[this.#markBytes]) {
      this.#markBytes++;
      i++;
    }
    const isComplete = this.#markBytes === 0 || this.#markBytes === BYTE_ORDER_MARK.length;
    if (isComplete) this.#state = VALUE;
    else if (i < block.length) this.#fail('a byte that is not UTF-8', block, i);
    return i;
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

  /** Answers the place, for the callers that answer where they stopped. */
  #fail(what: string, block: Uint8Array, i: number): number {
    this.#report(what, i, this.#excerpt.upTo(block, i + 1));
    return i;
  }

  #report(what: string, at: number, excerpt: string): void {
    const byte = this.#base + at;
    this.#problem = { what, byte, line: this.#line, column: byte - this.#lineStart + 1, excerpt };
  }
}

/** The first byte from `i` on that is neither plain nor part of a whole UTF-8 sequence. Source: RFC 3629 §4. */
function endOfText(block: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end) {
    const lead = block[i]!;
    if (lead < 0x80) {
      if (PLAIN[lead] === 0) return i;
      i++;
      continue;
    }
    const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead < 0xc2 || lead > 0xf4 || i + length > end) return i;
    const second = block[i + 1]!;
    const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (second < low || second > high) return i;
    if (length > 2 && (block[i + 2]! & 0xc0) !== 0x80) return i;
    if (length > 3 && (block[i + 3]! & 0xc0) !== 0x80) return i;
    i += length;
  }
  return i;
}
