import { BlockColumn, blockRows, rowMask } from './field-blocks.ts';
import { fieldOf } from './fields.ts';
import { fold, namesIn } from './spelling.ts';

/** Seconds since 1970; 0 for an entry without a date. */
export type DateOf = (entry: number) => number;

/** A member that contains dates. */
export interface DateColumn {
  text(row: number, bytes: Uint8Array, start: number, end: number): void;
  number(row: number, value: number): void;
}

/** The date that the figures refer to, in order of preference. Preferred over the time when a tool looked them up. */
const spellings = namesIn(`
  date, data date, day, datum, fecha, data, dato, dátum, päivämäärä, tarih, дата, день, ημερομηνία, ngày, tanggal, 日付, 日期, 날짜,
  วันที่, تاريخ, التاريخ, תאריך, end date, week, woche, semaine, semana, settimana, неделя, start date, month, monat,
  mois, mes, mês, mese, maand, måned, månad, kuukausi, miesiąc, měsíc, hónap, lună, месяц, місяць, ay, μήνας, tháng,
  bulan, 月, 年月, 月份, 월
`).map(fold);

/** Whether a member states the day that an entry's figures refer to. */
export const isDate = (name: string): boolean => spellings.includes(fold(name));

/**
 * The dates of `keywords` entries. If a keyword has several entries, the dates show which one is newest.
 *
 * Memory: 4 bytes per row for each date member, in blocks of rows that have one; nothing for a file without dates.
 */
export class EntryDates {
  /** In order of preference. */
  readonly #columns: (BlockColumn<Uint32Array> | undefined)[] = [];

  get bytes(): number {
    return this.#columns.reduce((sum, column) => sum + (column?.bytes ?? 0), 0);
  }

  /** The column that takes the values of a member; undefined if the member contains no dates. */
  columnOf(name: string): DateColumn | undefined {
    const rank = fieldOf(name)?.name === 'updated' ? spellings.length : spellings.indexOf(fold(name));
    if (rank < 0) return undefined;
    this.#columns[rank] ??= new BlockColumn(() => new Uint32Array(blockRows));
    const column = this.#columns[rank];
    const set = (row: number, seconds: number): void => {
      if (seconds > 0) column.at(ofKeywords, row)[row & rowMask] = seconds;
    };
    return {
      text: (row, bytes, start, end) => set(row, secondsOfText(bytes, start, end)),
      number: (row, value) => set(row, secondsOfNumber(value)),
    };
  }

  /** Undefined if no entry has a date. */
  finish(): DateOf | undefined {
    const columns = this.#columns.filter((column) => column !== undefined && column.bytes > 0);
    if (columns.length === 0) return undefined;
    return (entry) => {
      for (const column of columns) {
        const seconds = column!.known(ofKeywords, entry)?.[entry & rowMask] ?? 0;
        if (seconds > 0) return seconds;
      }
      return 0;
    };
  }

  /** Frees the memory. The dates are unknown afterwards. */
  release(): void {
    for (const column of this.#columns) column?.release();
  }
}

/** Only entries have dates. */
const ofKeywords = 1;

const isoDate = /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)? ?(Z|[+-]\d{2}:?\d{2})?)?)?$/u;
const longestDate = 40;

/**
 * Parses `2026-04-17`, with or without a time, `2026/04/17` and `2026-04`; 0 for anything else. UTC unless a time zone
 * is given.
 */
function secondsOfText(bytes: Uint8Array, start: number, end: number): number {
  const days = end - start === 10 ? dayOf(bytes, start) : -1;
  if (days >= 0) return inRange(days * 86_400);
  if (end - start > longestDate || end - start < 7) return 0;
  let text = '';
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!);
  const found = isoDate.exec(text.trim().replaceAll('/', '-'));
  if (!found) return /^\d{8,13}$/u.test(text) ? secondsOfNumber(Number(text)) : 0;
  const [, year, month, day = '01', time = '00:00', zone = 'Z'] = found;
  const seconds = Date.parse(`${year}-${month}-${day}T${time}${zone}`) / 1000;
  return inRange(seconds);
}

/** Days since 1970 of `2026-04-17`, the usual form, without creating a string; -1 for anything else. */
function dayOf(bytes: Uint8Array, start: number): number {
  let digits = 0;
  for (let at = 0; at < 10; at++) {
    const byte = bytes[start + at]!;
    const digit = byte - 0x30;
    if (at === 4 || at === 7) {
      if (byte !== 0x2d) return -1;
    } else if (digit >= 0 && digit <= 9) digits = 10 * digits + digit;
    else return -1;
  }
  const year = Math.floor(digits / 10_000);
  const month = Math.floor(digits / 100) % 100;
  const day = digits % 100;
  return isDay(year, month, day) ? daysBefore(year, month) + day - 1 : -1;
}

const isDay = (year: number, month: number, day: number): boolean =>
  year >= 1970 && year <= 2105 && month >= 1 && month <= 12 && day >= 1 && day <= 31;

/** Cached by month. Its size is bounded by the range of years that are accepted. */
const daysOfMonths = new Map<number, number>();

/** Days from 1970 to the first of a month. */
function daysBefore(year: number, month: number): number {
  const key = 12 * year + month;
  const found = daysOfMonths.get(key) ?? Date.UTC(year, month - 1, 1) / 86_400_000;
  daysOfMonths.set(key, found);
  return found;
}

/** Parses a day such as 20260417, or the time since 1970 in seconds or milliseconds; 0 for anything else. */
function secondsOfNumber(value: number): number {
  if (!Number.isInteger(value)) return 0;
  if (value >= 1e12) return inRange(value / 1000);
  if (value >= 1e9) return inRange(value);
  const year = Math.floor(value / 10_000);
  const month = Math.floor(value / 100) % 100;
  const day = value % 100;
  return isDay(year, month, day) ? inRange((daysBefore(year, month) + day - 1) * 86_400) : 0;
}

const inRange = (seconds: number): number => (seconds > 0 && seconds < 2 ** 32 ? Math.floor(seconds) : 0);
