import type { ProblemReason } from './reading.ts';

/** The maximum length of a record, in bytes of UTF-8. */
export const maxRecordBytes = 1 << 20;
/** The maximum length of a field, in bytes of UTF-8. */
export const maxFieldBytes = 1 << 16;
/** The maximum number of records that are passed on together. */
const maxBlockRecords = 8192;

/** Complete records, back to back, in a buffer that is reused after the call. */
export type RecordBlock = {
  readonly bytes: Uint8Array;
  /** Where each record starts in `bytes`; it ends, with its line end, where the next one starts. */
  readonly start: readonly number[];
  /** The first line of each record, from 1. */
  readonly line: readonly number[];
};

type RecordCutterSink = {
  block(block: RecordBlock): void;
  /** @param bytes the beginning of the record */
  problem(reason: ProblemReason, line: number, bytes: Uint8Array): void;
};

type RecordSyntax = {
  /** The byte between fields; −1 if a record is one field. */
  readonly delimiter: number;
  /** Whether fields may be quoted, and then contain delimiters and line ends. */
  readonly isQuoted: boolean;
  /** What quotes are; `"` if undefined. */
  readonly quote?: string;
  /** Whether blanks may stand before a quote that opens, and behind one that closes. */
  readonly isSpaced?: boolean;
  readonly blockBytes?: number;
};

/** Where a field starts, on which line, and how many fields its record has up to there. */
type FieldStart = { readonly start: number; readonly line: number; readonly fields: number };

const SPACE = 0x20;
const LF = 0x0a;
const CR = 0x0d;
const NONE = -1;
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** What the next byte is part of. */
const states = { fieldStart: 0, plain: 1, quoted: 2, quoteInQuoted: 3, skipped: 4 } as const;
type State = (typeof states)[keyof typeof states];

/**
 * Cuts UTF-8 text, in pieces of any size, into blocks of complete records.
 *
 * A record ends with LF, CRLF or CR outside quotes. A quote opens at the start of a field only. It closes before a
 * delimiter, a record end or the end of the text; if other text follows, the field was never quoted and its quotes are
 * text. Empty lines are no records.
 *
 * A quote may also be a part of a keyword, as in `"best hose` or `"12 inch`, and would swallow the rows up to the next quote. It
 * is text if that quote opens a field, or if the lines up to it are rows of the table. Such a field is passed on in quotes.
 *
 * If a quote is not closed within {@link maxFieldBytes}, its line is reported and reading continues on the next line.
 * Memory: one block, one record and one piece.
 */
export class RecordCutter {
  readonly #syntax: RecordSyntax;
  readonly #sink: RecordCutterSink;
  readonly #blockBytes: number;
  readonly #quote: number;
  /** The block so far, and the bytes after it that are not read yet. */
  #bytes = new Uint8Array(1 << 17);
  #length = 0;
  #at = 0;
  #state: State = states.fieldStart;
  /** The line of the next byte. */
  #line = 1;
  #last = NONE;
  #recordStart = 0;
  #recordLine = 1;
  #fieldStart = 0;
  #fieldLine = 1;
  /** The fields of the record so far, and of the last record of one line. */
  #fields = 1;
  #width = 0;
  /** The first field of the record with a line end in it; undefined if there is none. */
  #broken: FieldStart | undefined;
  #starts: number[] = [];
  #lines: number[] = [];

  constructor(syntax: RecordSyntax, sink: RecordCutterSink) {
    this.#syntax = syntax;
    this.#sink = sink;
    this.#blockBytes = syntax.blockBytes ?? 1 << 20;
    this.#quote = (syntax.quote ?? '"').charCodeAt(0);
  }

  write(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += maxFieldBytes) {
      this.#append(bytes.subarray(from, from + maxFieldBytes));
      this.#scan();
    }
  }

  end(): void {
    while (this.#state === states.quoted || (this.#broken && this.#areRows())) {
      if (this.#state === states.quoted) this.#giveUpQuote();
      else this.#keepQuote(this.#broken!);
      this.#scan();
    }
    if (this.#state !== states.skipped && this.#recordStart < this.#length) this.#endRecord(this.#length);
    this.#flush(this.#length);
  }

  /** Passes on the records that are complete. Otherwise they would wait for the end of a record that has only begun. */
  passOn(): void {
    if (this.#starts.length === 0) return;
    const begun = this.#bytes.slice(this.#recordStart, this.#length);
    this.#sink.block({ bytes: this.#bytes.subarray(0, this.#recordStart), start: this.#starts, line: this.#lines });
    this.#starts = [];
    this.#lines = [];
    this.#bytes.set(begun);
    this.#at -= this.#recordStart;
    this.#fieldStart -= this.#recordStart;
    if (this.#broken) this.#broken = { ...this.#broken, start: this.#broken.start - this.#recordStart };
    this.#length = begun.length;
    this.#recordStart = 0;
  }

  #append(piece: Uint8Array): void {
    this.#makeRoom(piece.length);
    this.#bytes.set(piece, this.#length);
    this.#length += piece.length;
  }

  #makeRoom(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * (this.#length + more));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }

  #scan(): void {
    const { delimiter, isQuoted, isSpaced = false } = this.#syntax;
    const quote = this.#quote;
    while (this.#at < this.#length) {
      const byte = this.#bytes[this.#at]!;
      const isLineEnd = byte === LF || byte === CR;
      if (isLineEnd && !(byte === LF && this.#last === CR)) this.#line++;
      this.#last = byte;
      this.#at++;
      if (isLineEnd && this.#state !== states.quoted) this.#endLine();
      else if (this.#state === states.quoted) {
        if (byte === quote) this.#state = states.quoteInQuoted;
        else if (isLineEnd) this.#broken ??= this.#field;
      } else if (this.#state === states.quoteInQuoted && byte === quote && this.#bytes[this.#at - 2] === quote)
        this.#state = states.quoted;
      else if (this.#state === states.skipped) continue;
      else if (byte === delimiter) this.#startField();
      else if (isSpaced && byte === SPACE && this.#state !== states.plain) continue;
      else if (this.#state === states.quoteInQuoted && this.#opensAnother) this.#keepQuote(this.#field);
      else if (this.#state === states.fieldStart && byte === quote && isQuoted) this.#state = states.quoted;
      else this.#state = states.plain;
      this.#checkLength();
    }
    if (this.#state === states.skipped) this.#flush(this.#length);
  }

  #startField(): void {
    this.#state = states.fieldStart;
    this.#fieldStart = this.#at;
    this.#fieldLine = this.#line;
    this.#fields++;
  }

  get #field(): FieldStart {
    return { start: this.#fieldStart, line: this.#fieldLine, fields: this.#fields };
  }

  /** Whether the quote before the last byte stands where a field begins, so that the quote before it has never closed. */
  get #opensAnother(): boolean {
    const { isSpaced = false } = this.#syntax;
    let at = this.#at - 3;
    while (isSpaced && this.#bytes[at] === SPACE) at--;
    const before = this.#bytes[at];
    return before === this.#syntax.delimiter || before === LF || before === CR;
  }

  #endLine(): void {
    // An empty line, and the LF of a CRLF, consist of their line end alone.
    const isRecord = this.#state !== states.skipped && this.#at - 1 > this.#recordStart;
    if (isRecord && this.#broken && this.#areRows()) this.#keepQuote(this.#broken);
    else if (isRecord) this.#endRecord(this.#at);
    // Empty lines take memory, too, until a block is passed on.
    else if (this.#at >= this.#blockBytes) this.#flush(this.#at);
    else this.#startRecord();
  }

  /**
   * Whether all lines of a record have as many fields as the record before it, and a number in one of these: so many commas on
   * each line of a text would be chance. Many lines of many fields need no number.
   */
  #areRows(): boolean {
    // A record with more fields than others is reported anyway.
    if (this.#width < 2 || this.#fields > this.#width) return false;
    const text = lenient.decode(this.#bytes.subarray(this.#recordStart, this.#at));
    const delimiter = String.fromCharCode(this.#syntax.delimiter);
    const lines = text.replace(/\r?\n$|\r$/u, '').split(/\r\n|\n|\r/u);
    const rows = lines.map((line) => line.split(delimiter).map((cell) => cell.trim()));
    if (rows.some(({ length }) => length !== this.#width)) return false;
    const isNumber = (cell: string) => /^["']?[\d.,]+["']?$/u.test(cell);
    return (
      (this.#width > 2 && rows.length > 2) || rows[0]!.some((_, column) => rows.every((row) => isNumber(row[column]!)))
    );
  }

  /** Puts the text of a field that begins with a quote into quotes, and goes back to it. */
  #keepQuote({ start, line, fields }: FieldStart): void {
    const { delimiter } = this.#syntax;
    const text = [this.#quote];
    let end = start;
    for (; end < this.#length; end++) {
      const byte = this.#bytes[end]!;
      if (byte === delimiter || byte === LF || byte === CR) break;
      if (byte === this.#quote) text.push(byte);
      text.push(byte);
    }
    text.push(this.#quote);
    const longer = text.length - (end - start);
    this.#makeRoom(longer);
    this.#bytes.copyWithin(start + text.length, end, this.#length);
    this.#bytes.set(text, start);
    this.#length += longer;
    this.#at = start;
    this.#line = line;
    this.#last = NONE;
    this.#broken = undefined;
    this.#fields = fields;
    this.#fieldStart = start;
    this.#fieldLine = line;
    this.#state = states.fieldStart;
  }

  #endRecord(end: number): void {
    if (!this.#broken) this.#width = this.#fields;
    this.#starts.push(this.#recordStart);
    this.#lines.push(this.#recordLine);
    if (end >= this.#blockBytes || this.#starts.length === maxBlockRecords) this.#flush(end);
    else this.#startRecord();
  }

  #startRecord(): void {
    this.#recordStart = this.#at;
    this.#recordLine = this.#line;
    this.#startField();
    this.#fields = 1;
    this.#broken = undefined;
  }

  #checkLength(): void {
    if (this.#state === states.skipped) return;
    const isFieldTooLong = this.#at - this.#fieldStart > maxFieldBytes;
    if (!isFieldTooLong && this.#at - this.#recordStart <= maxRecordBytes) return;
    if (this.#state === states.quoted) this.#giveUpQuote();
    else this.#skipLine(isFieldTooLong ? 'field-too-long' : 'record-too-long', this.#recordLine);
  }

  /** Reports the line of the quote that was never closed, and goes back to the line after it. */
  #giveUpQuote(): void {
    let lineEnd = this.#fieldStart;
    while (lineEnd < this.#at && this.#bytes[lineEnd] !== LF && this.#bytes[lineEnd] !== CR) lineEnd++;
    const line = this.#fieldLine;
    if (lineEnd === this.#at) {
      this.#skipLine('quote-not-closed', line);
      return;
    }
    this.#sink.problem('quote-not-closed', line, this.#bytes.subarray(this.#recordStart, lineEnd));
    this.#last = this.#bytes[lineEnd]!;
    this.#at = lineEnd + 1;
    this.#line = line + 1;
    this.#flush(this.#recordStart);
  }

  #skipLine(reason: ProblemReason, line: number): void {
    this.#sink.problem(reason, line, this.#bytes.subarray(this.#recordStart, this.#at));
    this.#flush(this.#recordStart);
    this.#state = states.skipped;
  }

  /** Passes the block on, frees its memory and starts a record at the current byte. @param end of the last record */
  #flush(end: number): void {
    if (this.#starts.length > 0) {
      this.#sink.block({ bytes: this.#bytes.subarray(0, end), start: this.#starts, line: this.#lines });
      this.#starts = [];
      this.#lines = [];
    }
    const isSkipped = this.#state === states.skipped;
    this.#bytes.copyWithin(0, this.#at, this.#length);
    this.#length -= this.#at;
    this.#at = 0;
    this.#startRecord();
    if (isSkipped) this.#state = states.skipped;
  }
}
