import { excerptOf, JsonExcerpt } from './json-excerpt.ts';
import {
  ACTION,
  AT,
  blockBytes,
  CODE,
  CONTAINER,
  contexts,
  DEPTH,
  DONE,
  END,
  fullTape,
  type JsonLoop,
  type JsonMemory,
  LINE_START,
  LINES,
  MAX_DEPTH,
  MAX_TEXT,
  noLoop,
  STATE,
  TAPE,
  VALUE,
} from './json-memory.ts';
import type { JsonLimits, JsonReader } from './json-plan.ts';
import { JsonSteps } from './json-steps.ts';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
/** The three bytes that some programs write before UTF-8. */
const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
const isUtf16 = 'UTF-16 text instead of UTF-8 (save it as UTF-8)';
/** The reader reads the tape before it is full if the texts beside it have more bytes than this. */
const manyTexts = 65_536;
/**
 * The maximum number of bytes read twice in order to read a token or an element whole that the end of a block or a tape
 * cuts.
 */
const maxReread = 8192;
/** Greater than every position in a block. */
const nowhere = 0x7fffffff;

/**
 * A push tokenizer for JSON: takes blocks cut at any position, and writes the values that the reader asks for to a
 * tape.
 *
 * Accepts exactly RFC 8259 in UTF-8, with an optional leading byte order mark, and reports the first byte that cannot
 * be valid.
 * Memory: 0.6 MB plus the longest text that is kept, independent of the file size. No recursion.
 *
 * The loop reads whole tokens inside a block; `JsonSteps` reads all others and reports errors. Both write the same
 * records.
 */
export class JsonTokens {
  readonly #reader: JsonReader;
  readonly #limits: JsonLimits;
  readonly #loop: JsonLoop;
  readonly #memory: JsonMemory;
  readonly #steps: JsonSteps;
  readonly #excerpt = new JsonExcerpt();
  /** The position of the block in the file, and the line number there. */
  #base = 0;
  #line = 1;
  #lineStart = 0;
  /** The number of bytes of a byte order mark seen so far; 3 once the value may start. */
  #markBytes = 0;
  #problem: UploadProblem | undefined;

  constructor(reader: JsonReader, limits: JsonLimits, loop: JsonLoop = noLoop()) {
    this.#reader = reader;
    this.#limits = limits;
    this.#loop = loop;
    this.#memory = loop.memory;
    this.#steps = new JsonSteps(loop.memory, reader, limits.maxText);
    const { registers, elements } = loop.memory;
    loop.memory.begin();
    registers[STATE] = VALUE;
    registers[ACTION] = reader.document;
    registers[MAX_TEXT] = limits.maxText;
    registers[MAX_DEPTH] = limits.maxDepth;
    for (let context = 0; context < contexts; context++) elements[context] = reader.elements[context] ?? 0;
  }

  /** Bytes read so far. */
  get bytes(): number {
    return this.#base;
  }

  /** Reads the next bytes. The first problem is final: every later call returns it again. */
  push(block: Uint8Array): UploadProblem | undefined {
    if (this.#problem || block.length === 0) return this.#problem;
    if (this.#base + block.length > this.#limits.maxBytes) {
      this.#take(block.subarray(0, 1));
      this.#fail(`more than ${this.#limits.maxBytes} bytes`, 0);
      return this.#problem;
    }
    for (let from = 0; from < block.length && !this.#problem; ) from += this.#readBlock(block, from);
    return this.#problem;
  }

  /** Call after the last byte. */
  finish(): UploadProblem | undefined {
    if (this.#problem) return this.#problem;
    this.#take(new Uint8Array(0));
    this.#steps.finish();
    this.#drainTape(false);
    if (!this.#problem && (this.#steps.isInside || this.#memory.registers[STATE] !== DONE))
      this.#fail(this.#base === 0 ? 'the file is empty' : 'the file ends too early', 0);
    return this.#problem;
  }

  #take(block: Uint8Array): void {
    const { bytes, registers } = this.#memory;
    bytes.set(block);
    bytes.fill(QUOTE, block.length, block.length + 4);
    registers[AT] = 0;
    registers[END] = block.length;
    registers[LINES] = 0;
  }

  /**
   * Reads as much of the input as fits, and returns the number of bytes consumed. Does not consume a token that the end
   * of the buffer cuts, unless nothing follows it yet.
   */
  #readBlock(whole: Uint8Array, from: number): number {
    const { registers } = this.#memory;
    const steps = this.#steps;
    const block = whole.subarray(from, from + blockBytes);
    const isLast = from + block.length === whole.length;
    this.#take(block);
    if (this.#markBytes < 3) this.#readMark(block);
    while (!this.#problem && registers[AT]! < block.length) {
      if (!steps.isInside) this.#loop.read();
      if (registers[TAPE]! >= fullTape || steps.textBytes > manyTexts) this.#drainTape(true);
      else if (registers[AT]! < block.length) {
        const mayReread = !isLast && !steps.isInside && registers[AT]! > 0;
        if (mayReread && registers[AT]! >= block.length - maxReread) break;
        steps.read();
        if (steps.problem) this.#drainTape(false);
      }
    }
    this.#drainTape(!isLast);
    const read = registers[AT]!;
    if (this.#problem) return read;
    this.#excerpt.keep(block.subarray(0, read));
    if (registers[LINES]! > 0) this.#lineStart = this.#base + registers[LINE_START]!;
    this.#line += registers[LINES]!;
    this.#base += read;
    steps.endBlock(read);
    return read;
  }

  /**
   * Lets the reader read the tape. A refusal by the reader comes before an error found by a step, which is behind the
   * tape.
   *
   * @param mayReread whether an element cut by the end of the tape can be read again
   */
  #drainTape(mayReread: boolean): void {
    const { registers } = this.#memory;
    const reader = this.#reader;
    if (registers[TAPE]! > 0) {
      const rereadFrom = mayReread && !this.#steps.isInside ? Math.max(1, registers[AT]! - maxReread) : nowhere;
      reader.read(this.#memory, this.#steps.texts, this.#base, rereadFrom);
      registers[TAPE] = 0;
      this.#steps.forgetTexts();
      if (reader.unreadAt) this.#goBack(reader.unreadAt);
    }
    const { refusal } = reader;
    if (refusal) {
      const near = refusal.near ? excerptOf(refusal.near) : this.#excerptUpTo(refusal.end);
      this.#report(refusal.what, refusal.at, near);
    } else if (this.#steps.problem) this.#fail(this.#steps.problem.what, this.#steps.problem.at);
  }

  /**
   * Goes back to the start of the array element whose record is at this index of the tape. All its enclosing containers
   * are still open.
   */
  #goBack(word: number): void {
    const { registers, tape, bytes, stack, elements } = this.#memory;
    const context = tape[word]! >> 4;
    const at = tape[word + 2]!;
    const container = (context << 1) | 1;
    if (registers[LINES]! > 0) {
      const again = bytes.subarray(at, registers[AT]);
      for (let i = again.indexOf(LINE_FEED); i >= 0; i = again.indexOf(LINE_FEED, i + 1)) registers[LINES]!--;
      if (registers[LINES]! > 0) registers[LINE_START] = bytes.lastIndexOf(LINE_FEED, at) + 1;
    }
    let depth = registers[DEPTH]!;
    if (registers[CONTAINER] !== container) while (stack[--depth] !== container);
    registers[AT] = at;
    registers[STATE] = VALUE;
    registers[DEPTH] = depth;
    registers[CONTAINER] = container;
    registers[CODE] = 0;
    registers[ACTION] = elements[context]!;
  }

  /** Reads the first bytes of the file: a byte order mark, another encoding, or the value itself. */
  #readMark(block: Uint8Array): void {
    const first = block[0]!;
    if (this.#markBytes === 0) {
      if (first === 0xff || first === 0xfe) this.#fail(isUtf16, 0);
      else if (first === 0x1f) this.#fail('gzip-compressed data instead of JSON (unpack it first)', 0);
      else if (first !== BYTE_ORDER_MARK[0]) this.#markBytes = 3;
    }
    let i = 0;
    while (i < block.length && this.#markBytes < 3 && block[i] === BYTE_ORDER_MARK[this.#markBytes]) {
      this.#markBytes++;
      i++;
    }
    this.#memory.registers[AT] = i;
    if (this.#markBytes < 3 && i < block.length && !this.#problem) this.#fail('a byte that is not UTF-8', i);
  }

  #fail(what: string, at: number): void {
    const hasNul = this.#memory.bytes[at] === 0 && this.#base + at < 2;
    this.#report(hasNul ? isUtf16 : what, at, this.#excerptUpTo(at + 1));
  }

  #excerptUpTo(end: number): string {
    const { bytes, registers } = this.#memory;
    return this.#excerpt.upTo(bytes.subarray(0, registers[END]), end);
  }

  #report(what: string, at: number, excerpt: string): void {
    const { bytes } = this.#memory;
    let line = this.#line;
    let lineStart = this.#lineStart;
    // Strings contain no line feeds, so all of these are between tokens.
    for (let i = 0; i < at; i++) {
      if (bytes[i] !== 0x0a) continue;
      line++;
      lineStart = this.#base + i + 1;
    }
    const byte = this.#base + at;
    this.#problem ??= { what, byte, line, column: byte - lineStart + 1, excerpt };
  }
}

/** An error in an upload and its position. `byte` counts from 0, `line` and `column` (in bytes) from 1. */
export type UploadProblem = {
  readonly what: string;
  readonly byte: number;
  readonly line: number;
  readonly column: number;
  /** Up to 40 printable characters around the position. */
  readonly excerpt: string;
};
