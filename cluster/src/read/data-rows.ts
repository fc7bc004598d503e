import { TextReader } from './csv.ts';
import { intoGroups } from './group-rows.ts';
import { keywordText } from './keyword-notation.ts';
import { isKeywordName, isKnownName, keywordsOnLine } from './names.ts';
import { isSentence, OutlineRows, titledRows } from './outlines.ts';
import {
  type Column,
  excerpt,
  isFigure,
  maxKeywordLength,
  type Problem,
  type ProblemReason,
  type Reading,
  type Refusal,
  type RowSink,
  type Rows,
} from './reading.ts';
import { Totals } from './totals.ts';
import { hasLetter, isKnown, isOrganic, isRule, isZero, plainRateOf } from './values.ts';

/** Footers are among this many last records: Google Ads writes a total for each of its networks. */
const heldBack = 40;
/** Unreadable rows beyond these are counted only. */
const listedProblems = 1000;

/** How reading a file went. */
export type RowReport = {
  /** Rows that became entries of keywords. */
  rows: number;
  /** By column, in how many of these rows its value is known. */
  readonly known: number[];
  /** In how many of these rows the cost per click is 0. */
  zeroCosts: number;
  /** The columns of rates in which one of these rows is above 1, of those whose scale nothing in the first rows shows. */
  highRates: readonly string[];
  unreadable: number;
  /** The first unreadable rows. */
  readonly problems: Problem[];
  /** Records after the last row that are no data. */
  footers: { readonly line: number; readonly text: string }[];
  /** The number of rows after which the tool cut the export. */
  cutAfter: number | undefined;
};

/** The report of several sheets that are read as one. */
export function joinedReports([first, ...others]: readonly RowReport[]): RowReport {
  return others.reduce(
    (one, other) => ({
      rows: one.rows + other.rows,
      known: one.known.map((rows, at) => rows + other.known[at]!),
      zeroCosts: one.zeroCosts + other.zeroCosts,
      highRates: [...new Set([...one.highRates, ...other.highRates])],
      unreadable: one.unreadable + other.unreadable,
      problems: [...one.problems, ...other.problems].slice(0, listedProblems),
      footers: [...one.footers, ...other.footers],
      cutAfter: one.cutAfter ?? other.cutAfter,
    }),
    first!,
  );
}

/** Why files have no rows of data: what is in them cannot be read, or nothing is. */
export function whyNoRows(reports: readonly RowReport[]): Refusal {
  const problems = reports.flatMap((report) => report.problems);
  if (problems.length === 0) return { code: 'no-rows' };
  const rows = reports.reduce((sum, { unreadable }) => sum + unreadable, 0);
  const areAnswers = problems.every(({ reason }) => answerFaults.has(reason));
  return { code: areAnswers ? 'no-answers' : 'all-unreadable', rows, problems: problems.slice(0, shownProblems) };
}

const answerFaults: ReadonlySet<ProblemReason> = new Set<ProblemReason>([
  'answer-broken',
  'answer-cut',
  'answer-too-long',
  'no-answer',
  'not-answered',
]);

const shownProblems = 3;

type Row = { readonly line: number; readonly cells: readonly string[] };

/** So many rows wait behind a first row that may be a total. */
const maxWaiting = 1000;

/**
 * Of the records of a file, passes on the rows of data: without the header and the lines above it, empty rows, footers,
 * totals and unreadable rows. Missing cells at the end of a row are left out, and empty cells of levels that are written
 * once per group are filled.
 *
 * A first row that turns out after more than {@link maxWaiting} rows to be no total comes last.
 */
export class DataRows implements RowSink {
  readonly report: RowReport;
  readonly #reading: Reading;
  /** Of its columns, in lower case; none without a header. */
  readonly #names: readonly string[];
  readonly #keyword: number;
  readonly #cost: number;
  /** Columns of rates whose scale is not known yet. */
  #rates: readonly { readonly at: number; readonly column: Column }[];
  readonly #take: (rows: Rows) => void;
  readonly #toFill: readonly number[];
  readonly #grouped: ReturnType<typeof intoGroups>;
  readonly #outline: OutlineRows | undefined;
  /** The last value of each level that is filled. */
  readonly #above: string[] = [];
  /** Of the rows so far, without a first one that may be a total. */
  readonly #totals: Totals;
  /** The line of the last row, whether empty lines were before it, and whether it was of another table. */
  #line = Number.POSITIVE_INFINITY;
  #isBehindGap = false;
  #isOther = false;
  /** Rows so far, and those with a value in one cell only. */
  #rows = 0;
  #alone = 0;
  #toSkip: number;
  #isFirst: boolean;
  /** First rows that may be totals. All but the last one are called so. */
  #maybeTotals: Row[] = [];
  #subtotals: Row[] = [];
  #waiting: Row[] = [];
  #held: Row[] = [];

  constructor(reading: Reading, take: (rows: Rows) => void) {
    const known = reading.columns.map(() => 0);
    const counts = { rows: 0, known, zeroCosts: 0, highRates: [], unreadable: 0 };
    this.report = { ...counts, problems: [], footers: [], cutAfter: undefined };
    this.#reading = reading;
    const { header, groupRows, outline } = reading;
    this.#names = (header?.names ?? []).slice(0, outline ? 1 : groupRows?.groups).map((name) => name.toLowerCase());
    this.#outline = outline && new OutlineRows(outline);
    this.#grouped = groupRows ? intoGroups(groupRows) : (cells) => cells;
    this.#keyword = reading.columns.findIndex(({ meaning }) => meaning === 'keyword');
    this.#cost = reading.columns.findIndex(({ meaning }) => meaning === 'cpc');
    this.#rates = reading.columns.flatMap((column, at) => (column.isPercent === undefined ? [] : [{ at, column }]));
    this.#take = take;
    this.#toFill = reading.columns.flatMap(({ fillsDown }, at) => (fillsDown ? [at] : []));
    this.#totals = new Totals(reading.columns);
    this.#toSkip = reading.skipped;
    this.#isFirst = this.#isTable;
  }

  rows({ line, cells }: Rows): void {
    const { separator, outline } = this.#reading;
    const rowsOn = (record: readonly string[]): (readonly string[])[] => {
      if (separator === undefined) return [record];
      if (outline?.kind === 'titles') return titledRows(record[0]!, separator);
      return keywordsOnLine(record[0]!, separator).map((cell) => [cell]);
    };
    const rows = cells.flatMap((record, at) => rowsOn(record).map((own): Row => ({ line: line[at]!, cells: own })));
    const data = rows.slice(this.#toSkip);
    this.#toSkip -= rows.length - data.length;
    this.#hold(this.#outline?.rows(data.filter((row) => (row.cells[0] ?? '').trim() !== '')) ?? data);
  }

  #hold(rows: readonly Row[]): void {
    const filled: Row[] = [];
    for (const row of rows) {
      if (row.cells.every((cell) => cell.trim() === '') || isRule(row.cells)) continue;
      const mayBeTitle = this.#isBehindGap;
      if (!this.#isOfOtherTable(row)) filled.push(row);
      else if (mayBeTitle) this.#leaveTitle(filled.length > 0 ? filled : this.#held, row);
    }
    this.#rows += filled.length;
    this.#alone += filled.filter(isAlone).length;
    const known = [...this.#held, ...filled];
    this.#held = known.slice(-heldBack);
    this.#passBehindFirst(known.slice(0, -heldBack));
  }

  /** Takes the line above the header of another table for its title, not for a keyword. */
  #leaveTitle(rows: Row[], { line }: Row): void {
    const title = rows.at(-1);
    if (!title || !isAlone(title) || title.line !== line - 1) return;
    rows.pop();
    this.problem({ line: title.line, reason: 'other-table', text: this.#shown(title.cells) });
  }

  /** Whether a row repeats the header, or belongs to another table, whose header stands behind empty lines. */
  #isOfOtherTable({ line, cells }: Row): boolean {
    // An object of JSON may have several lines.
    this.#isBehindGap = this.#reading.format !== 'json' && line > this.#line + 1;
    this.#line = line;
    const names = this.#names;
    if (names.length < 2) return false;
    const isHeader = names.every((name, at) => (cells[at] ?? '').trim().toLowerCase() === name);
    if (isHeader) this.#isOther = false;
    else if ((this.#isBehindGap || this.#namesFigures(cells)) && isOtherHeader(cells)) this.#isOther = true;
    if (isHeader || this.#isOther) this.problem({ line, reason: 'other-table', text: this.#shown(cells) });
    return isHeader || this.#isOther;
  }

  /** Whether a row names the keyword and stands for no figure, as the header of another file does that was put behind the first one. */
  #namesFigures(cells: readonly string[]): boolean {
    const figures = cells.filter(
      (cell, at) => cell.trim() !== '' && isFigure(this.#reading.columns[at]?.meaning ?? 'keep'),
    );
    return (
      figures.length > 0 && figures.every((cell) => hasLetter(cell) && !/\d/u.test(cell)) && cells.some(isKeywordName)
    );
  }

  problem(problem: Problem): void {
    const { problems } = this.report;
    this.report.unreadable++;
    if (problems.length < listedProblems) problems.push(problem);
  }

  /** Must be the last call. */
  end(): void {
    if (this.#outline) this.#hold(this.#outline.end());
    const last = this.#held;
    this.#held = [];
    const end = this.#endOfTable(last);
    const total = this.#isTable ? this.#firstTotal(last.slice(0, end)) : end;
    // Notes may also stand above a total.
    const first = this.#endOfTable(last.slice(0, total));
    this.#passBehindFirst(last.slice(0, first));
    const isTotal = ({ cells }: Row) => this.#totals.isTotalOf(cells);
    // What is no total counts in the others.
    const unnamed = this.#maybeTotals.findLast(({ cells }) => !this.#totals.isCalledTotal(cells));
    if (unnamed && !isTotal(unnamed)) this.#release([unnamed]);
    const totals = this.#maybeTotals.filter(isTotal);
    const others = this.#maybeTotals.filter((row) => !isTotal(row));
    this.#pass([...others, ...this.#waiting]);
    const footers = [...totals, ...this.#subtotals, ...last.slice(first)];
    this.report.footers = footers.map(({ line, cells }) => ({ line, text: excerpt(cells.join(' ').trim()) }));
    for (const { text } of this.report.footers) this.report.cutAfter ??= rowsOfSentence(text);
  }

  /** Where the rows of totals at the end begin: each of them adds up what is above all of them. */
  #firstTotal(last: readonly Row[]): number {
    for (let first = 0; first < last.length; first++) {
      const above = this.#totals.with(last.slice(0, first).map(({ cells }) => cells));
      const own = last.slice(first);
      const rows = own.map(({ cells }) => cells);
      if (rows.every((cells) => above.isTotalOf(cells)) || above.areSummaries(rows)) return first;
      const maybe = this.#maybeTotals.map(({ cells }) => cells);
      const all = maybe.length > 0 && above.with(maybe);
      if (!all || !own.every(({ cells }) => all.isTotalOf(cells))) continue;
      this.#release(this.#maybeTotals);
      return first;
    }
    return last.length;
  }

  /** Passes rows on, unless the first one may be their total. */
  #passBehindFirst(rows: readonly Row[]): void {
    for (const row of rows) {
      if (this.#isFirst && this.#totals.mayBeTotal(row.cells)) {
        this.#maybeTotals.push(row);
        this.#isFirst = this.#totals.isCalledTotal(row.cells);
        if (this.#maybeTotals.length <= heldBack) continue;
        // No table has so many totals: these are keywords.
        this.#isFirst = false;
        this.#release(this.#maybeTotals);
        continue;
      }
      this.#isFirst = false;
      if (this.#isTable && this.#totals.takeSubtotal(row.cells)) {
        if (this.#subtotals.length < listedProblems) this.#subtotals.push(row);
        continue;
      }
      this.#totals.add(row.cells);
      this.#waiting.push(row);
      // What is called a total stays one for now.
      const last = this.#maybeTotals.at(-1);
      if (last && !this.#totals.mayBeTotal(last.cells)) this.#release([last]);
    }
    if (this.#maybeTotals.length > 0 && this.#waiting.length <= maxWaiting) return;
    this.#pass(this.#waiting);
    this.#waiting = [];
  }

  /** Takes first rows for keywords that turn out to be no totals. */
  #release(rows: readonly Row[]): void {
    for (const { cells } of rows) this.#totals.add(cells);
    this.#waiting.unshift(...rows);
    this.#maybeTotals = this.#maybeTotals.filter((row) => !rows.includes(row));
  }

  #pass(rows: readonly Row[]): void {
    const good: Row[] = [];
    for (const row of rows) {
      const filled = this.#filled(row);
      if (!filled) continue;
      for (const one of this.#eachKeyword(this.#ranked(filled))) {
        const reason = this.#fault(one.cells);
        if (reason) this.problem({ line: row.line, reason, text: this.#shown(row.cells) });
        else good.push(one);
      }
    }
    this.report.rows += good.length;
    const { known } = this.report;
    for (const { cells } of good) {
      for (let at = 0; at < known.length; at++) if (isKnown(cells[at] ?? '')) known[at]!++;
      if (isZero(cells[this.#cost] ?? '')) this.report.zeroCosts++;
      for (const rate of this.#rates) if (plainRateOf(cells[rate.at] ?? '', rate.column) > 1) this.#takeHighRate(rate);
    }
    if (good.length > 0) this.#take({ line: good.map(({ line }) => line), cells: good.map(({ cells }) => cells) });
  }

  #takeHighRate(rate: { readonly column: Column }): void {
    this.report.highRates = [...this.report.highRates, rate.column.name];
    this.#rates = this.#rates.filter((other) => other !== rate);
  }

  /** A row with the groups that stand above it; undefined for a row that only names groups. */
  #filled({ line, cells: given }: Row): Row | undefined {
    const grouped = this.#grouped(given);
    if (!grouped || this.#toFill.length === 0) return grouped && { line, cells: grouped };
    const cells = [...grouped];
    this.#toFill.forEach((at, place) => {
      const text = cells[at]?.trim() ?? '';
      // A new group has none of the groups in the one before.
      if (text !== '' && text !== this.#above[at])
        for (const below of this.#toFill.slice(place)) this.#above[below] = '';
      if (text !== '') this.#above[at] = text;
      else cells[at] = this.#above[at] ?? '';
    });
    const isHeading = grouped.every((cell, at) => cell.trim() === '' || this.#toFill.includes(at));
    return isHeading ? undefined : { line, cells };
  }

  /** A row without its positions and its result, if they are those of an ad, a block of images or the like: these have an order of their own. */
  #ranked(row: Row): Row {
    const { resultKind, columns } = this.#reading;
    if (resultKind === undefined || isOrganic(row.cells[resultKind] ?? '')) return row;
    const isPosition = (at: number) =>
      /^(?:position|previousPosition|resultRank|resultUrl)$/u.test(columns[at]?.meaning ?? '');
    return { line: row.line, cells: row.cells.map((cell, at) => (isPosition(at) ? '' : cell)) };
  }

  /** A row for each keyword in the cell of a row, without the figures of the row, which are those of all of them. */
  #eachKeyword(row: Row): Row[] {
    const { inCells, columns } = this.#reading;
    const keywords = inCells === undefined ? [] : (row.cells[this.#keyword] ?? '').split(inCells);
    if (keywords.length < 2) return [row];
    const group = row.cells.map((cell, at) => (isFigure(columns[at]?.meaning ?? 'keep') ? '' : cell));
    return keywords
      .filter((keyword) => keyword.trim() !== '')
      .map((keyword) => ({ line: row.line, cells: group.with(this.#keyword, keyword.trim()) }));
  }

  #fault(cells: readonly string[]): ProblemReason | undefined {
    const { length } = this.#reading.columns;
    if (cells.length > length && cells.slice(length).some((cell) => cell.trim() !== '')) return 'too-many-cells';
    if (this.#isText && length > 1 && cells.length === 1) return 'one-cell';
    const keyword = keywordText(cells[this.#keyword] ?? '', this.#reading);
    if (!saysSomething.test(keyword) || faults.test(keyword)) return 'no-keyword';
    if ((length === 1 || this.#outline) && this.#isHeading(cells[0]!, keyword)) return 'heading';
    return keyword.length > maxKeywordLength ? 'keyword-too-long' : undefined;
  }

  /** Whether a line is no keyword: a heading, or, between the items of a list, a sentence about them. */
  #isHeading(line: string, keyword: string): boolean {
    const { listMarks, ...unmarked } = this.#reading;
    if (listMarks === undefined) return heading.test(keyword);
    const isItem = keywordText(line, unmarked) !== keyword;
    return !isItem && (heading.test(keyword) || isSentence(keyword) || keyword.endsWith('?'));
  }

  #shown(cells: readonly string[]): string {
    // Its groups stand on other lines.
    return excerpt((this.#outline ? cells.slice(0, 1) : cells).join(this.#reading.delimiter ?? ' '));
  }

  /** In text, rows have all their cells; in a workbook, empty ones at the end may be missing. */
  get #isText(): boolean {
    return this.#reading.format === 'text';
  }

  get #isTable(): boolean {
    return this.#reading.columns.length > 1;
  }

  /** How many of the last rows are before the notes below a table. */
  #endOfTable(last: readonly Row[]): number {
    let end = last.length;
    while (end > 0 && this.#isFooter(last[end - 1]!)) end--;
    if (this.#reading.format !== 'workbook') return end;
    for (let first = end - 1; first > 0 && isAlone(last[first]!); first--)
      if (last[first]!.line > last[first - 1]!.line + 1) end = first;
    return end;
  }

  #isFooter(row: Row): boolean {
    if (this.#isText && this.#isTable && row.cells.length === 1) return true;
    const isOdd = this.#isTable && isAlone(row) && this.#alone <= rarelyAlone * this.#rows + 1;
    if (isOdd && isSentence(row.cells.join('').trim())) return true;
    return this.#reading.listMarks !== 'bullets' && sentences.test(row.cells[0] ?? '');
  }
}

/** If more of the rows have one value only, that says nothing about the last ones. */
const rarelyAlone = 0.1;

/** Whether all cells of a row name fields. */
function isOtherHeader(cells: readonly string[]): boolean {
  const names = cells.filter((cell) => cell.trim() !== '');
  return names.length >= 2 && names.every(isKnownName);
}

/** A keyword has letters, digits or signs; dashes stand for none. */
const saysSomething = /[\p{L}\p{N}\p{S}]/u;
/** What spreadsheets, in any language, and analytics show in place of a value: "#REF!", "#¿NOMBRE?", "#NV". */
const faults =
  /^(?:#[¡¿]?[\p{Lu}/0]{2,12}[!?]|#(?:N\/[ABD]|NV|Н\/Д|YOK|I\/T|HIÁNYZIK)|\((?:not provided|not set|other)\))$/u;

/** A heading of Markdown or a comment, and a line that is about the next ones: "## Shoes", "# from May", "SHOES:". */
const heading = /^#{1,6} |[:：]$/u;

/** In a workbook, notes stand behind an empty row, in one cell. */
function isAlone({ cells }: Row): boolean {
  let filled = 0;
  for (const cell of cells) if (cell.trim() !== '' && ++filled > 1) return false;
  return filled === 1;
}

const sentences =
  /^(?:You can export only first|To export more data|See plans and prices|\* |Source:|Notes?:|Quelle:)/u;

/** The number in "You can export only first 30000 rows". */
function rowsOfSentence(text: string): number | undefined {
  const rows = /^You can export only first ([\d.,]+) rows/u.exec(text)?.[1];
  return rows === undefined ? undefined : Number(rows.replace(/\D/gu, ''));
}

/** A text file while its bytes arrive. */
type TextList = {
  /** Takes the next bytes, in pieces of any size. */
  write(bytes: Uint8Array): void;
  /** Must be the last call. */
  end(): RowReport;
};

/** Reads the rows of data of a text file. @param take receives them in batches */
export function textList(reading: Reading, take: (rows: Rows) => void): TextList {
  const rows = new DataRows(reading, take);
  const reader = new TextReader(reading, rows);
  return {
    write: (bytes) => reader.write(bytes),
    end() {
      reader.end();
      rows.end();
      return rows.report;
    },
  };
}
