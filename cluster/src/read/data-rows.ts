import {
  excerpt,
  maxKeywordLength,
  type Problem,
  type ProblemReason,
  type Reading,
  type RowSink,
  type Rows,
} from './reading.ts';
import { isKnown, numberOfCell } from './values.ts';

/** Footers are among this many last records. */
const heldBack = 10;
/** Unreadable rows beyond these are counted only. */
const listedProblems = 1000;

/** How reading a file went. */
export type RowReport = {
  /** Rows that became entries of keywords. */
  rows: number;
  /** By column, in how many of these rows its value is known. */
  readonly known: number[];
  unreadable: number;
  /** The first unreadable rows. */
  readonly problems: Problem[];
  /** Records after the last row that are no data. */
  footers: { readonly line: number; readonly text: string }[];
  /** The number of rows after which the tool cut the export. */
  cutAfter: number | undefined;
};

type Row = { readonly line: number; readonly cells: readonly string[] };

/**
 * Of the records of a file, passes on the rows of data: without the header and the lines above it, empty rows, footers
 * and unreadable rows. Missing cells at the end of a row are left out.
 */
export class DataRows implements RowSink {
  readonly report: RowReport;
  readonly #reading: Reading;
  readonly #keyword: number;
  readonly #take: (rows: Rows) => void;
  #toSkip: number;
  #held: Row[] = [];

  constructor(reading: Reading, take: (rows: Rows) => void) {
    const known = reading.columns.map(() => 0);
    this.report = { rows: 0, known, unreadable: 0, problems: [], footers: [], cutAfter: undefined };
    this.#reading = reading;
    this.#keyword = reading.columns.findIndex(({ meaning }) => meaning === 'keyword');
    this.#take = take;
    this.#toSkip = reading.skipped;
  }

  rows({ line, cells }: Rows): void {
    const rows = cells.map((record, at) => ({ line: line[at]!, cells: record }));
    const data = rows.slice(this.#toSkip);
    this.#toSkip -= rows.length - data.length;
    const known = [...this.#held, ...data.filter((row) => row.cells.some((cell) => cell.trim() !== ''))];
    this.#held = known.slice(-heldBack);
    this.#pass(known.slice(0, -heldBack));
  }

  problem(problem: Problem): void {
    const { problems } = this.report;
    this.report.unreadable++;
    if (problems.length < listedProblems) problems.push(problem);
  }

  /** Must be the last call. */
  end(): void {
    const { length } = this.#held;
    let rows = length;
    while (rows > 0 && this.#isFooter(this.#held[rows - 1]!)) rows--;
    if (rows > 0 && this.#isTotal(this.#held[rows - 1]!)) rows--;
    this.report.footers = this.#held
      .slice(rows)
      .map(({ line, cells }) => ({ line, text: excerpt(cells.join(' ').trim()) }));
    for (const { text } of this.report.footers) this.report.cutAfter ??= rowsOfSentence(text);
    this.#pass(this.#held.slice(0, rows));
    this.#held = [];
  }

  #pass(rows: readonly Row[]): void {
    const good = rows.filter((row) => {
      const reason = this.#fault(row.cells);
      if (reason) this.problem({ line: row.line, reason, text: this.#shown(row.cells) });
      return reason === undefined;
    });
    this.report.rows += good.length;
    const { known } = this.report;
    for (const { cells } of good) for (let at = 0; at < known.length; at++) if (isKnown(cells[at] ?? '')) known[at]!++;
    if (good.length > 0) this.#take({ line: good.map(({ line }) => line), cells: good.map(({ cells }) => cells) });
  }

  #fault(cells: readonly string[]): ProblemReason | undefined {
    const { length } = this.#reading.columns;
    if (cells.length > length && cells.slice(length).some((cell) => cell.trim() !== '')) return 'too-many-cells';
    if (this.#isText && length > 1 && cells.length === 1) return 'one-cell';
    const keyword = cells[this.#keyword]?.trim() ?? '';
    if (keyword === '') return 'no-keyword';
    return keyword.length > maxKeywordLength ? 'keyword-too-long' : undefined;
  }

  #shown(cells: readonly string[]): string {
    return excerpt(cells.join(this.#reading.delimiter ?? ' '));
  }

  /** In text, rows have all their cells; in a workbook, empty ones at the end may be missing. */
  get #isText(): boolean {
    return this.#reading.format === 'text';
  }

  #isFooter({ cells }: Row): boolean {
    if (this.#isText && cells.length === 1 && this.#reading.columns.length > 1) return true;
    return /^(?:You can export only first|To export more data|See plans and prices)/u.test(cells[0] ?? '');
  }

  /** A last row that adds the others up. */
  #isTotal({ cells }: Row): boolean {
    const [first, ...others] = cells;
    if (others.length === 0 || !/^(?:Total|Gesamt)$/u.test(first!.trim())) return false;
    const style = { hasDecimalComma: false, isCount: false };
    const figures = others.filter((cell) => cell.trim() !== '');
    return figures.length > 0 && figures.every((cell) => !Number.isNaN(numberOfCell(cell, style)));
  }
}

/** The number in "You can export only first 30000 rows". */
function rowsOfSentence(text: string): number | undefined {
  const rows = /^You can export only first ([\d.,]+) rows/u.exec(text)?.[1];
  return rows === undefined ? undefined : Number(rows.replace(/\D/gu, ''));
}
