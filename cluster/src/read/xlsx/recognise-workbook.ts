import type { ByteSource } from '../../../../pack/src/format/byte-source.ts';
import { marketOf } from '../markets.ts';
import { isKeywordName, isSameName, monthOfColumn } from '../names.ts';
import {
  type Corrections,
  maxColumns,
  type Note,
  type Reading,
  type Refusal,
  type Rows,
  type SheetAlike,
} from '../reading.ts';
import { readingOfRows } from '../recognise.ts';
import { openWorkbook, type Workbook } from './workbook.ts';
import { WorkbookError } from './zip.ts';

/** The rows of a sheet that are looked at. */
const sampledRows = 5000;
/** Characters of those rows that are kept, or a few more. */
const sampledCharacters = 1 << 24;

/** A workbook, and how to read it. */
type RecognisedWorkbook = { readonly workbook: Workbook; readonly reading: Reading };

/**
 * How to read an XLSX file: its first visible sheet with a keyword column, if any with one that is called so, and all with
 * the same header, or the one that a person chose. Sheets that are all named after countries are of these markets.
 */
export async function recogniseWorkbook(
  source: ByteSource,
  name: string,
  corrections: Corrections = {},
): Promise<RecognisedWorkbook | Refusal> {
  try {
    const workbook = await openWorkbook(source);
    const reading = await readingOf(workbook, name, corrections);
    if ('code' in reading) return reading;
    return { workbook, reading: await withMarket(workbook, reading) };
  } catch (error) {
    if (error instanceof WorkbookError) return { code: 'workbook', what: error.what };
    throw error;
  }
}

/** The sheets that are read: those that are named after months in their order, so that the newest row of a keyword is the last. */
export function sheetsInOrder({ sheet, skipped, sheetMarket, alike = [] }: Reading): SheetAlike[] {
  const sheets = [{ sheet: sheet!, skipped, ...(sheetMarket !== undefined && { market: sheetMarket }) }, ...alike];
  const months = new Map(sheets.map((one) => [one, monthOfColumn(one.sheet)]));
  if ([...months.values()].includes(undefined)) return sheets;
  const monthOf = (one: SheetAlike) => 12 * months.get(one)!.year + months.get(one)!.month;
  return sheets.sort((one, other) => monthOf(one) - monthOf(other));
}

/** Search Console names the country on a sheet of its own. What a person corrected, or a column says, wins. */
async function withMarket(workbook: Workbook, reading: Reading): Promise<Reading> {
  if (reading.vendor !== 'search-console' || reading.market !== undefined) return reading;
  return { ...reading, market: await countryFilter(workbook) };
}

async function readingOf(workbook: Workbook, name: string, corrections: Corrections): Promise<Reading | Refusal> {
  const { sheets } = workbook;
  const candidates = sheets.filter((sheet) => corrections.sheet === undefined || sheet === corrections.sheet);
  if (corrections.sheet !== undefined && candidates.length === 0)
    return { code: 'no-such-sheet', sheet: corrections.sheet, sheets };
  let failed: Reading | Refusal = { code: 'no-rows' };
  const readings: Reading[] = [];
  const hidden = new Set<string>();
  for (const sheet of candidates) {
    const { rows, someHidden } = await firstRows(workbook, sheet);
    const known = { name, format: 'workbook', encoding: 'utf-8', delimiter: undefined, sheet, sheets } as const;
    const reading = readingOfRows(rows, known, corrections);
    if (someHidden && !('code' in reading)) hidden.add(sheet);
    if (!('code' in reading) && hasKeywords(reading)) readings.push(reading);
    else if ('code' in failed) failed = reading;
  }
  const found = readings.find(callsKeywords) ?? readings[0];
  if (!found) return failed;
  const others = readings.filter((reading) => reading !== found && !haveSameHeader(found, reading));
  const read = [found, ...readings.filter((reading) => reading !== found && !others.includes(reading))];
  const markets = corrections.market === undefined && read.length > 1 ? read.map(({ sheet }) => marketOf(sheet!)) : [];
  const areMarkets = markets.length > 0 && !markets.includes(undefined);
  const [first, ...alike] = read.map(
    ({ sheet, skipped }, at): SheetAlike => ({ sheet: sheet!, skipped, ...(areMarkets && { market: markets[at]! }) }),
  );
  const notes: Note[] = others.length > 0 ? [{ code: 'other-sheets', sheets: others.map(({ sheet }) => sheet!) }] : [];
  if ([found, ...alike].some(({ sheet }) => hidden.has(sheet!))) notes.push({ code: 'hidden-rows' });
  return {
    ...found,
    ...(alike.length > 0 && { alike }),
    ...(areMarkets && { sheetMarket: first!.market! }),
    notes: [...found.notes, ...notes],
  };
}

const haveSameHeader = (one: Reading, other: Reading): boolean =>
  one.header!.names.length === other.header!.names.length &&
  one.header!.names.every((name, at) => isSameName(name, other.header!.names[at]!));

/** Whether the keyword column has a name that says so, and was not found by its texts. */
const callsKeywords = ({ columns }: Reading): boolean =>
  columns.some(({ meaning, name }) => meaning === 'keyword' && isKeywordName(name));

/** Whether a sheet has a header with a keyword column. */
const hasKeywords = ({ header, columns }: Reading): boolean =>
  header !== undefined && columns.some(({ meaning }) => meaning === 'keyword');

/** Rows of equal width: a sheet does not store empty cells at the end of a row. */
async function firstRows(workbook: Workbook, sheet: string): Promise<{ rows: Rows; someHidden: boolean }> {
  const line: number[] = [];
  const cells: (readonly string[])[] = [];
  let width = 0;
  let characters = 0;
  const sink = {
    rows(rows: Rows) {
      // One row that is too wide is enough to refuse the sheet.
      if (width > maxColumns || characters > sampledCharacters) return;
      line.push(...rows.line);
      cells.push(...rows.cells);
      for (const record of rows.cells) {
        width = Math.max(width, record.length);
        for (const cell of record) characters += cell.length;
      }
    },
  };
  const someHidden = await workbook.read(sheet, sink, sampledRows);
  if (width > maxColumns) return { rows: { line, cells }, someHidden };
  const full = cells.map((record) => [...record, ...Array.from({ length: width - record.length }, () => '')]);
  return { rows: { line, cells: full }, someHidden };
}

/** The sheet of Search Console's exports that says how their rows were filtered, and its row for the country. */
const filterSheets = /^(?:filters?|filtres|filtros|filtri|фильтры|bộ lọc|フィルタ|筛选器)$/iu;
const countryLabels = /^(?:country|land|pays|país|paese|страна|quốc gia|国|国家\/地区)$/iu;
/** A sheet of filters has a handful of rows. */
const searchedRows = 50;
/** The market of a Search Console workbook, from the sheet that names its filters; undefined if it covers all countries. */
async function countryFilter(workbook: Workbook): Promise<string | undefined> {
  const sheet = workbook.sheets.find((name) => filterSheets.test(name.trim()));
  if (sheet === undefined) return undefined;
  let country: string | undefined;
  const rows = ({ cells }: Rows) => {
    const found = cells.find(([label]) => countryLabels.test(label?.trim() ?? ''));
    country ??= found?.[1]?.trim();
  };
  await workbook.read(sheet, { rows }, searchedRows);
  return marketOf(country ?? '');
}
