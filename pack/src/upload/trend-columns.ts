import { BlockColumn, blockRows, rowMask, type Table } from './field-blocks.ts';
import { fieldOf } from './fields.ts';
import { readSeries, trendMonths } from './trend-text.ts';
import { monthOfName } from './written-dates.ts';

/** Months since the year 0: twelve times the year plus the month, with January as 0. */
type MonthNumber = number;

/** How to read the trends of an upload. */
export type TrendKind = {
  /** The last of the twelve months; absent if the file does not name months. */
  readonly newest?: MonthNumber;
  /**
   * `share`: the months of each keyword are relative to its own best month, so searches can only be computed with its
   * volume.
   */
  readonly unit: 'searches' | 'share';
};

/** The trends of an upload's tables. The functions write twelve values, the oldest first, with NaN for unknown ones. */
export type UploadTrend = TrendKind & {
  /** @returns whether any value is known */
  readonly nodes: (row: number, target: Float64Array) => boolean;
  readonly keywords: (row: number, target: Float64Array) => boolean;
};

/** Receives the values of lists that may be trends, from `TrendReader`. */
export interface TrendListener {
  /**
   * Takes a list of `count` numbers, the oldest first. The last twelve end before `end` and must be copied before
   * returning.
   */
  series(field: number, row: number, values: Float64Array, end: number, count: number): void;
  month(row: number, month: MonthNumber, value: number): void;
}

/**
 * Fields numbered from here on are trends. The column of one month has this number plus the month number; lists have
 * this number.
 */
export const firstTrendField = 1 << 12;
/** Added to the number of a list whose name states its last month. */
const datedSeries = 1 << 17;
/** No file contains a later month. */
const lastMonth = 12 * 10_000 - 1;

/** The field of a member by its name: lists of months, or the column of one month; -1 for anything else. */
export function trendField(name: string): number {
  if (fieldOf(name)?.name === 'trend') {
    const ends = /\(\d{1,2}-\d{4}\s*[-–]\s*(\d{1,2})-(\d{4})\)\s*$/u.exec(name);
    const newest = ends ? monthOf(Number(ends[2]), Number(ends[1])) : -1;
    return newest < 0 ? firstTrendField : firstTrendField + datedSeries + newest;
  }
  // Keyword Planner writes "Searches: May 2025" in the language of the person.
  const column = /[:：]/u.test(name) ? monthOfName(name) : undefined;
  return column ? firstTrendField + monthOf(column.year, column.month) : -1;
}

/** Formatted as `2026-04`. */
export function monthText(month: MonthNumber): string {
  const padded = (number: number, digits: number) => String(number).padStart(digits, '0');
  return `${padded(Math.floor(month / 12), 4)}-${padded((month % 12) + 1, 2)}`;
}

/** @param month 1 to 12. Returns -1 for any other month and for a year outside the calendar. */
export function monthOf(year: number, month: number): MonthNumber {
  const isMonth = Number.isInteger(year) && year >= 1 && Number.isInteger(month) && month >= 1 && month <= 12;
  const number = 12 * year + month - 1;
  return isMonth && number <= lastMonth ? number : -1;
}

/**
 * Turns trends in any notation into twelve values per row: a list of numbers or its text, months with their searches,
 * or one column per month.
 *
 * If months are named, the twelve months end with the last month of most rows. If a file has trends of both kinds, the
 * kind that more rows have counts.
 * Memory: 50 bytes per row, in blocks of rows that have a trend.
 * Source: docs/pack-format.md "Trends".
 */
export class TrendColumns {
  readonly #dated = new MonthBlocks();
  readonly #undated = new MonthBlocks();
  readonly #read = new Float64Array(trendMonths);

  get bytes(): number {
    return this.#dated.bytes + this.#undated.bytes;
  }

  number(table: Table, field: number, row: number, value: number): void {
    const month = field - firstTrendField;
    if (month > 0 && month < datedSeries) this.#dated.set(table, row, month, value);
  }

  text(table: Table, field: number, row: number, bytes: Uint8Array, start: number, end: number): void {
    const month = field - firstTrendField;
    const count = readSeries(bytes, start, end, this.#read);
    if (month === 0 || month >= datedSeries) this.listener(table).series(field, row, this.#read, trendMonths, count);
    else if (count === 1) this.#dated.set(table, row, month, this.#read[trendMonths - 1]!);
  }

  listener(table: Table): TrendListener {
    return {
      series: (field, row, values, end, count) => {
        // The months of a shorter list are unknown.
        if (count < trendMonths) return;
        const newest = field - firstTrendField - datedSeries;
        const blocks = newest > 0 ? this.#dated : this.#undated;
        const last = newest > 0 ? newest : 2 * trendMonths - 1;
        blocks.setYear(table, row, last, values, end);
      },
      month: (row, month, value) => this.#dated.set(table, row, month, value),
    };
  }

  /** The trends that were read, or undefined if there are none. Must be the last call. */
  finish(): UploadTrend | undefined {
    const isDated = this.#dated.rows > 0 && this.#dated.rows >= this.#undated.rows;
    const blocks = isDated ? this.#dated : this.#undated;
    (isDated ? this.#undated : this.#dated).release();
    if (blocks.rows === 0) return undefined;
    const newest = blocks.mostFrequentNewest();
    return {
      ...(isDated && { newest }),
      unit: blocks.greatest <= 1 || blocks.greatest === 100 ? 'share' : 'searches',
      nodes: (row, target) => blocks.read(0, row, newest, target),
      keywords: (row, target) => blocks.read(1, row, newest, target),
    };
  }
}

/** The last twelve months of every row. */
class MonthBlocks {
  /** The number of rows that have a trend. */
  rows = 0;
  greatest = 0;
  /** Twelve values per row, one for each calendar month. */
  readonly #values = new BlockColumn(() => new Float32Array(blockRows * trendMonths).fill(Number.NaN));
  /** The last month of each row; 0 for a row without trend. */
  readonly #newest = new BlockColumn(() => new Uint32Array(blockRows));

  get bytes(): number {
    return this.#values.bytes + this.#newest.bytes;
  }

  /** Sets one month. Ignores values that are neither a share nor a number of searches. */
  set(table: Table, row: number, month: MonthNumber, value: number): void {
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER) || month <= 0) return;
    const [values, newest] = [this.#values.at(table, row), this.#newest.at(table, row)];
    const at = row & rowMask;
    const before = newest[at]!;
    if (before === 0) this.rows++;
    if (before - month >= trendMonths && before > 0) return;
    for (let passed = Math.max(before + 1, month - trendMonths + 1); passed < month; passed++) {
      values[trendMonths * at + (passed % trendMonths)] = Number.NaN;
    }
    newest[at] = Math.max(before, month);
    values[trendMonths * at + (month % trendMonths)] = value;
    this.greatest = Math.max(this.greatest, value);
  }

  /** Sets the twelve months up to `last`, from the values before `end`. */
  setYear(table: Table, row: number, last: MonthNumber, values: Float64Array, end: number): void {
    const [target, newest] = [this.#values.at(table, row), this.#newest.at(table, row)];
    const first = trendMonths * (row & rowMask);
    let isWhole = newest[row & rowMask] === 0;
    let greatest = this.greatest;
    for (let at = 0; at < trendMonths && isWhole; at++) {
      const value = values[end - trendMonths + at]!;
      target[first + ((last + 1 + at) % trendMonths)] = value;
      if (value > greatest) greatest = value;
      isWhole = value >= 0 && value <= Number.MAX_SAFE_INTEGER;
    }
    if (isWhole) {
      newest[row & rowMask] = last;
      this.greatest = greatest;
      this.rows++;
      return;
    }
    // Some are unknown, or the row already has others.
    if (newest[row & rowMask] === 0) target.fill(Number.NaN, first, first + trendMonths);
    for (let at = 0; at < trendMonths; at++) {
      this.set(table, row, last - trendMonths + 1 + at, values[end - trendMonths + at]!);
    }
  }

  read(table: Table, row: number, newest: MonthNumber, target: Float64Array): boolean {
    const values = this.#values.known(table, row);
    const last = this.#newest.known(table, row)?.[row & rowMask] ?? 0;
    const first = trendMonths * (row & rowMask);
    if (last === newest) return copyYear(values!, first, newest, target);
    let isKnown = false;
    for (let at = 0; at < trendMonths; at++) {
      const month = newest - trendMonths + 1 + at;
      const isHeld = last > 0 && month <= last && last - month < trendMonths;
      target[at] = isHeld ? values![first + (month % trendMonths)]! : Number.NaN;
      isKnown ||= !Number.isNaN(target[at]);
    }
    return isKnown;
  }

  /** The last month of most rows; the latest one on a tie. */
  mostFrequentNewest(): MonthNumber {
    const counts = new Map<MonthNumber, number>();
    for (const block of [...this.#newest.blocks(0), ...this.#newest.blocks(1)]) if (block) countRuns(block, counts);
    counts.delete(0);
    const [usual] = [...counts].sort(([one, rows], [other, others]) => others - rows || other - one);
    return usual![0];
  }

  release(): void {
    this.#values.release();
    this.#newest.release();
  }
}

/** Copies the twelve months of a row whose last month is the requested one, the usual case. */
function copyYear(values: Float32Array, first: number, newest: MonthNumber, target: Float64Array): boolean {
  let isKnown = false;
  let from = (newest + 1) % trendMonths;
  for (let at = 0; at < trendMonths; at++) {
    const value = values[first + from]!;
    target[at] = value;
    isKnown ||= !Number.isNaN(value);
    from = from + 1 === trendMonths ? 0 : from + 1;
  }
  return isKnown;
}

/** Counts how often each month occurs, one run of equal months at a time. */
function countRuns(months: Uint32Array, counts: Map<MonthNumber, number>): void {
  for (let start = 0; start < months.length; ) {
    const month = months[start]!;
    let end = start + 1;
    while (end < months.length && months[end] === month) end++;
    counts.set(month, (counts.get(month) ?? 0) + end - start);
    start = end;
  }
}
