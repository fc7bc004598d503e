import type { ByteSource } from '../../../../pack/src/format/byte-source.ts';
import type { RowSink } from '../reading.ts';
import type { SharedTexts } from './shared-texts.ts';
import { parseXml } from './xml.ts';
import { WorkbookError, type ZipEntry } from './zip.ts';

/** Excel's own limit. */
const maxColumns = 16_384;
/** In characters, like a record of a text file. */
const longestRow = 1 << 20;
/**
 * The maximum length of all cells together, in characters. Texts that cells share are stored once, so that a small file may contain any amount: up to
 * a hundred times the bytes of the file are allowed, and somewhat more for a small one.
 */
const longestOfByte = 100;
const minLongest = 1 << 26;
const maxLongest = 2 ** 31;
const batchRows = 4096;
/** A batch is passed on earlier if its cells take about this much memory, in bytes. */
const batchBytes = 1 << 19;
/** What an empty cell takes in memory, in bytes. */
const cellBytes = 8;

type Cell = { column: number; type: string; style: number; value: string };

type SheetOptions = {
  /** Reads no more rows than this, or a few more. */
  readonly limit?: number;
  readonly formats?: CellFormats;
};

/**
 * Reads the rows of a sheet that have a value. Formulas are not evaluated: the values they last had are read. Errors are read as empty. Numbers are
 * read as they are shown.
 *
 * @returns whether some of the rows are hidden, for example by a filter
 */
export async function readSheet(
  source: ByteSource,
  entry: ZipEntry,
  texts: SharedTexts,
  sink: Pick<RowSink, 'rows'>,
  { limit = Number.POSITIVE_INFINITY, formats = plainFormats }: SheetOptions = {},
): Promise<boolean> {
  const batch = new RowBatch(sink);
  const longestSheet = Math.min(maxLongest, Math.max(minLongest, longestOfByte * source.size));
  let row = 0;
  let isHidden = false;
  let someHidden = false;
  let cells: string[] = [];
  /** Characters of the row, and of the sheet. */
  let length = 0;
  let total = 0;
  let cell: Cell | undefined;
  let isValue = false;
  let phonetic = 0;
  await parseXml(source, entry, {
    open(name, attributes) {
      isValue = false;
      if (name === 'row') {
        row = attributes.r === undefined ? row + 1 : Number(attributes.r);
        isHidden = attributes.hidden === '1' || attributes.hidden === 'true';
        cells = [];
        length = 0;
      } else if (name === 'c') {
        cell = {
          column: columnOf(attributes.r) ?? cells.length,
          type: attributes.t ?? 'n',
          style: Number(attributes.s ?? 0),
          value: '',
        };
        if (cell.column >= maxColumns) throw new WorkbookError('damaged');
      } else if (name === 'rPh') phonetic++;
      else isValue = name === 'v' || (name === 't' && phonetic === 0);
    },
    text(text) {
      if (!(isValue && cell)) return;
      cell.value += text;
      if (cell.value.length > longestRow) throw new WorkbookError('damaged');
    },
    close(name) {
      isValue = false;
      if (name === 'rPh') phonetic--;
      else if (name === 'c' && cell) {
        while (cells.length < cell.column) cells.push('');
        const text = textOf(cell, texts, formats);
        cells[cell.column] = text;
        length += text.length;
        total += text.length;
        if (length > longestRow) throw new WorkbookError('damaged');
        if (total > longestSheet) throw new WorkbookError('repeats');
        cell = undefined;
      } else if (name === 'row' && cells.some((text) => text !== '')) {
        batch.add(row, cells);
        someHidden ||= isHidden;
      }
    },
    isDone: () => batch.rows >= limit,
  });
  batch.flush();
  return someHidden;
}

class RowBatch {
  rows = 0;
  readonly #sink: Pick<RowSink, 'rows'>;
  #line: number[] = [];
  #cells: string[][] = [];
  #bytes = 0;

  constructor(sink: Pick<RowSink, 'rows'>) {
    this.#sink = sink;
  }

  add(row: number, cells: string[]): void {
    this.rows++;
    this.#line.push(row);
    this.#cells.push(cells);
    for (const cell of cells) this.#bytes += cellBytes + 2 * cell.length;
    if (this.#line.length === batchRows || this.#bytes > batchBytes) this.flush();
  }

  flush(): void {
    if (this.#line.length === 0) return;
    this.#sink.rows({ line: this.#line, cells: this.#cells });
    this.#line = [];
    this.#cells = [];
    this.#bytes = 0;
  }
}

/** The column of "AB12", from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,3})\d+$/u.exec(reference ?? '')?.[1];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = 26 * column + letter.charCodeAt(0) - 0x40;
  return column - 1;
}

function textOf({ type, style, value }: Cell, texts: SharedTexts, formats: CellFormats): string {
  switch (type) {
    case 's':
      return value === '' ? '' : (texts.get(Number(value)) ?? '');
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE';
    case 'e':
      return '';
    case 'n':
      return (value !== '' && shownNumber(Number(value), formats.byStyle[style], formats.epoch)) || decimalText(value);
    case 'd':
      return value.replace('T', ' ');
    default:
      return value;
  }
}

/** A number as people write it: 0.04 for the "4.0000000000000001E-2" that Excel stores. */
function decimalText(value: string): string {
  const number = value === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) return '';
  const text = String(number);
  if (!text.includes('e')) return text;
  return Math.abs(number) < 1 ? number.toFixed(12) : String(BigInt(number));
}

/** How the numbers of cells are shown, as far as that changes what they say. */
export type NumberFormat =
  | { readonly kind: 'number' | 'percent' | 'date' }
  /** Padded with zeros: "000" shows 7 as 007. */
  | { readonly kind: 'digits'; readonly digits: number };

/** The formats of a workbook's cells, by the number of the style that a cell names. */
type CellFormats = {
  readonly byStyle: readonly NumberFormat[];
  /** The serial number of 1 January 1970. */
  readonly epoch: number;
};

export const plainFormats: CellFormats = { byStyle: [], epoch: 25_569 };

/** A workbook has at most about 65,000 styles. */
const maxStyles = 1 << 16;
const number: NumberFormat = { kind: 'number' };

/**
 * Reads the formats of cells from the part with the styles.
 *
 * Source: ECMA-376, part 1, sections 18.8.10, 18.8.30 and 18.8.31.
 * @throws WorkbookError
 */
export async function readFormats(source: ByteSource, entry: ZipEntry): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  const byStyle: NumberFormat[] = [];
  let isInCells = false;
  await parseXml(source, entry, {
    open(name, { numFmtId, formatCode }) {
      if (name === 'numFmt' && formatCode !== undefined && codes.size < maxStyles)
        codes.set(Number(numFmtId), formatCode);
      else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells && byStyle.length < maxStyles)
        byStyle.push(formatOf(Number(numFmtId ?? 0), codes.get(Number(numFmtId ?? 0))));
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return byStyle;
}

/** @param code of a format that the workbook defines; built-in formats are known by their numbers */
function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) {
    if (id === 9 || id === 10) return { kind: 'percent' };
    return (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
      ? { kind: 'date' }
      : number;
  }
  // Only the section for positive numbers; colours, texts and escaped signs do not matter.
  const plain = code
    .split(';', 1)[0]!
    .slice(0, longestCode)
    .replaceAll(/\[[^\]]*\]|"[^"]*"|\\.|_./gu, '');
  if (plain.includes('%')) return { kind: 'percent' };
  if (/y/iu.test(plain) || /d/iu.test(plain)) return { kind: 'date' };
  return /^0{2,}$/u.test(plain) ? { kind: 'digits', digits: plain.length } : number;
}

/** Excel's own limit. */
const longestCode = 255;

/** A number as its cell shows it, without the separators and rounding of the format: "007", "10%", "2026-04-15". */
function shownNumber(value: number, format: NumberFormat | undefined, epoch: number): string | undefined {
  switch (format?.kind) {
    case 'percent':
      return `${Number((100 * value).toPrecision(15))}%`;
    case 'digits':
      return Number.isInteger(value) && value >= 0 ? String(value).padStart(format.digits, '0') : undefined;
    case 'date': {
      const day = new Date(Math.round((value - epoch) * 86_400) * 1000);
      // Numbers outside of the calendar are no dates.
      return value >= 1 && value < lastSerial
        ? day.toISOString().slice(0, 19).replace('T', ' ').replace(' 00:00:00', '')
        : undefined;
    }
    default:
      return undefined;
  }
}

/** 31 December 9999. */
const lastSerial = 2_958_466;
