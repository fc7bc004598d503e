import { parse } from 'csv-parse/browser/esm/sync';
import { textOfUtf8, Utf8Bytes } from './encodings.ts';
import { splitAtFigure } from './figures-in-lines.ts';
import { type Delimiter, type Encoding, excerpt, type FigurePlace, type RowSink } from './reading.ts';
import { type RecordBlock, RecordCutter } from './records.ts';

export type TextSyntax = {
  readonly encoding: Encoding;
  /** Undefined if each line is one keyword, with its commas. */
  readonly delimiter: Delimiter | undefined;
  /** See `Reading`. */
  readonly columnsAt?: readonly number[] | undefined;
  readonly isQuotedWhole?: true | undefined;
  readonly isSpaced?: true | undefined;
  readonly isSingleQuoted?: true | undefined;
  readonly figureAt?: FigurePlace | undefined;
  /** Whether a line that is one quoted field keeps its quotes. */
  readonly keepsQuotes?: boolean;
  /** About how much text is passed on at once, in bytes. */
  readonly blockBytes?: number;
};

/**
 * Reads the records of a delimited text, or the lines of a plain one, from bytes in pieces of any size. Empty lines are
 * no records. Rows arrive in batches of at most 1 MiB of text and 8,192 records.
 *
 * The text is cut into records here, so that memory is bounded whatever it contains; csv-parse splits them into fields.
 */
export class TextReader {
  readonly #cutter: RecordCutter;
  readonly #utf8: Utf8Bytes;
  readonly #sink: RowSink;
  readonly #syntax: TextSyntax;

  constructor(syntax: TextSyntax, sink: RowSink) {
    const { encoding, delimiter, isQuotedWhole = false, isSpaced = false, isSingleQuoted, blockBytes } = syntax;
    this.#sink = sink;
    this.#syntax = syntax;
    const isPlain = delimiter === undefined || isQuotedWhole;
    const cut = {
      delimiter: isPlain ? -1 : delimiter.charCodeAt(0),
      isQuoted: !isPlain,
      isSpaced,
      quote: quoteOf(isSingleQuoted),
    };
    this.#cutter = new RecordCutter(blockBytes === undefined ? cut : { ...cut, blockBytes }, {
      block: (block) => this.#block(block),
      problem: (reason, line, bytes) =>
        sink.problem({ line, reason, text: excerpt(lenient.decode(bytes.slice(0, 640))) }),
    });
    this.#utf8 = new Utf8Bytes(encoding, (bytes) => this.#cutter.write(bytes));
  }

  write(bytes: Uint8Array): void {
    this.#utf8.write(bytes);
  }

  /** Passes on the records that are complete so far. */
  passOn(): void {
    this.#cutter.passOn();
  }

  end(): void {
    this.#utf8.end();
    this.#cutter.end();
  }

  #block(block: RecordBlock): void {
    const cells = this.#split(block.bytes.subarray(block.start[0]!));
    if (cells.length === block.start.length) this.#pass(block.line, cells);
    else this.#eachRecord(block);
  }

  /** Reads the records of a block one by one, because at least one of them is not valid UTF-8. */
  #eachRecord({ bytes, start, line }: RecordBlock): void {
    const good: { line: number[]; cells: string[][] } = { line: [], cells: [] };
    start.forEach((from, index) => {
      const record = bytes.subarray(from, start[index + 1]);
      const cells = this.#split(record);
      if (cells.length === 1) {
        good.line.push(line[index]!);
        good.cells.push(cells[0]!);
      } else {
        const beginning = excerpt(lenient.decode(record.slice(0, 640))).trimEnd();
        // Where blanks do not count, such a line is empty.
        if (this.#syntax.isSpaced && beginning === '') return;
        this.#sink.problem({ line: line[index]!, reason: 'not-in-encoding', text: beginning });
      }
    });
    if (good.line.length > 0) this.#pass(good.line, good.cells);
  }

  #pass(line: RecordBlock['line'], cells: string[][]): void {
    this.#sink.rows({ line, cells: this.#syntax.delimiter === '|' ? withSingleBars(cells) : cells });
  }

  /** The fields of records; nothing if they are not valid UTF-8. */
  #split(bytes: Uint8Array): string[][] {
    const text = textOfUtf8(bytes);
    if (text === undefined) return [];
    const { delimiter, columnsAt = [0], isQuotedWhole = false, isSpaced = false, keepsQuotes = false } = this.#syntax;
    const { isSingleQuoted, figureAt } = this.#syntax;
    const quote = quoteOf(isSingleQuoted);
    if (delimiter !== undefined && !isQuotedWhole) {
      const records: string[][] = parse(bytes, { ...options, delimiter, ltrim: isSpaced, quote, escape: quote });
      // With a blank behind its closing quote, a field keeps its quotes.
      return isSpaced ? records.map((record) => record.map((cell) => withoutQuotes(cell.trimEnd(), quote))) : records;
    }
    const lines = text.split(/\r\n|\n|\r/u).filter((line) => line !== '');
    if (delimiter !== undefined) return lines.map((line) => fieldsOf(withoutQuotes(line), delimiter));
    if (columnsAt.length > 1) return lines.map((line) => cellsAt(line, columnsAt));
    if (figureAt) return lines.map((line) => splitAtFigure(withoutQuotes(line), figureAt));
    return lines.map((line) => [keepsQuotes ? line : withoutQuotes(line, quote)]);
  }
}

/** In Jira and Confluence, column names stand between double bars: "||Keyword||Volume||" above "|oak desk|30|". */
function withSingleBars(records: string[][]): string[][] {
  const [header = [], row = []] = records;
  const isDouble = (record: readonly string[]): boolean =>
    record.length >= 5 && record.length === header.length && record.every((cell, at) => at % 2 === 0 || cell === '');
  if (!isDouble(header) || header.length !== 2 * row.length - 1) return records;
  return records.map((record) => (isDouble(record) ? record.filter((_, at) => at % 2 === 0) : record));
}

const options = {
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
  record_delimiter: ['\r\n', '\n', '\r'],
};

const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** The fields of a line that was quoted as a whole. */
const fieldsOf = (line: string, delimiter: Delimiter): string[] =>
  line.includes('"') ? (parse(line, { ...options, delimiter })[0] ?? ['']) : line.split(delimiter);

/**
 * The cells of a line whose columns are padded with spaces. A line that does not fit the columns is a single cell: a title, a note, or a line with a
 * value that is too long for its column.
 */
function cellsAt(line: string, columnsAt: readonly number[]): string[] {
  const isMisfit = columnsAt.some((from) => from > 0 && (line[from - 1] ?? ' ') !== ' ');
  if (isMisfit || line.slice(columnsAt[1]).trim() === '') return [line.trim()];
  return columnsAt.map((from, at) => line.slice(from, columnsAt[at + 1]).trim());
}

/** Removes the quotes of a line that is one quoted field as a whole; any other line stays as it is. */
function withoutQuotes(line: string, quote: Quote = '"'): string {
  return isQuotedLine(line, quote) ? line.slice(1, -1).replaceAll(quote + quote, quote) : line;
}

export const isQuotedLine = (line: string, quote: Quote = '"'): boolean => quotedLines[quote].test(line);

type Quote = '"' | "'";
const quotedLines = { '"': /^"(?:[^"]|"")*"$/u, "'": /^'(?:[^']|'')*'$/u } as const;
const quoteOf = (isSingle: true | undefined): Quote => (isSingle ? "'" : '"');
