import { describe, describeControl } from './json-excerpt.ts';
import { decimalOf, NUMBER_START, nextNumberState, numberIsWhole } from './json-number.ts';
import { ESCAPES, hexDigit, JsonText } from './json-text.ts';

const ESCAPE = 0;
const HEX = 1;
const SEQUENCE = 2;
const NUMBER = 3;
const LITERAL = 4;

const literals = new Map(
  ([true, false, null] as const).map((value) => {
    const text = new TextEncoder().encode(String(value));
    return [text[0]!, { text, value }];
  }),
);

/**
 * - `more`: the byte belongs to the piece, and the piece continues
 * - `string`: the byte ended the piece, and the enclosing string continues
 * - `literal`: the byte ended `piece.literal`
 * - `number`: the byte follows the end of `piece.number()`
 * - `wrong`: the byte is invalid here; `piece.what` says why
 */
type PieceStep = 'more' | 'string' | 'literal' | 'number' | 'wrong';

/**
 * The JSON tokens that span several bytes, read one byte at a time: escapes, UTF-8 sequences, numbers, literals. Their
 * decoded value accumulates in `text`.
 */
export class JsonPiece {
  readonly text: JsonText;
  literal: boolean | null = null;
  what = '';
  readonly #maxText: number;
  #kind = ESCAPE;
  /** For a sequence or an escape, the bytes still missing; for a literal, the bytes matched. */
  #count = 0;
  /** The valid range of the next byte of a sequence. */
  #low = 0;
  #high = 0;
  #codeUnit = 0;
  #numberState = NUMBER_START;
  #literalText = new Uint8Array(0);

  constructor(maxText: number) {
    this.#maxText = maxText;
    this.text = new JsonText(maxText);
  }

  beginEscape(): void {
    this.#kind = ESCAPE;
  }

  /** Returns false for a byte that cannot start a UTF-8 sequence. Source: RFC 3629 §4. */
  beginSequence(lead: number): boolean {
    if (lead < 0xc2 || lead > 0xf4) return false;
    this.#kind = SEQUENCE;
    this.#count = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    this.#low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    this.#high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    this.text.endPair();
    this.text.appendByte(lead);
    return true;
  }

  beginNumber(): void {
    this.#kind = NUMBER;
    this.#numberState = NUMBER_START;
    this.text.begin();
  }

  /** Returns false for a byte that cannot start a literal. */
  beginLiteral(first: number): boolean {
    const found = literals.get(first);
    if (!found) return false;
    this.#kind = LITERAL;
    this.literal = found.value;
    this.#literalText = found.text;
    this.#count = 1;
    return true;
  }

  next(byte: number): PieceStep {
    switch (this.#kind) {
      case ESCAPE:
        return this.#escape(byte);
      case HEX:
        return this.#hex(byte);
      case SEQUENCE:
        return this.#continuation(byte);
      case NUMBER:
        return this.#numberByte(byte);
      default:
        return this.#literalByte(byte);
    }
  }

  /** Whether the number being read may end here. */
  get isWholeNumber(): boolean {
    return this.#kind === NUMBER && numberIsWhole(this.#numberState);
  }

  /** Returns NaN if the number is too large for a double. */
  number(): number {
    return decimalOf(this.text.bytes, this.text.start, this.text.end);
  }

  #escape(byte: number): PieceStep {
    if (byte === 0x75) {
      this.#kind = HEX;
      this.#count = 4;
      this.#codeUnit = 0;
      return 'more';
    }
    const unescaped = ESCAPES[byte];
    if (unescaped === undefined) return this.#fail('a backslash before a character that needs none');
    this.text.endPair();
    this.text.appendByte(unescaped);
    return 'string';
  }

  #hex(byte: number): PieceStep {
    const digit = hexDigit(byte);
    if (digit < 0) return this.#fail('a \\u escape without four hexadecimal digits');
    this.#codeUnit = this.#codeUnit * 16 + digit;
    if (--this.#count > 0) return 'more';
    this.text.appendCodeUnit(this.#codeUnit);
    return 'string';
  }

  #continuation(byte: number): PieceStep {
    if (byte < this.#low || byte > this.#high) return this.#fail('a byte that is not UTF-8');
    this.#low = 0x80;
    this.#high = 0xbf;
    this.text.appendByte(byte);
    return --this.#count > 0 ? 'more' : 'string';
  }

  #numberByte(byte: number): PieceStep {
    const next = nextNumberState(this.#numberState, byte);
    if (next < 0) return numberIsWhole(this.#numberState) ? 'number' : this.#fail('a number that is not whole');
    if (this.text.end - this.text.start === this.#maxText)
      return this.#fail(`a number longer than ${this.#maxText} bytes`);
    this.text.appendByte(byte);
    this.#numberState = next;
    return 'more';
  }

  #literalByte(byte: number): PieceStep {
    if (byte !== this.#literalText[this.#count]) {
      return this.#fail(byte < 0x20 ? describeControl(byte) : describe(byte));
    }
    return ++this.#count < this.#literalText.length ? 'more' : 'literal';
  }

  #fail(what: string): PieceStep {
    this.what = what;
    return 'wrong';
  }
}
