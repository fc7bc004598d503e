import { columnsOf } from './columns.ts';
import { delimiterOf, firstRecords, statedDelimiter } from './delimiters.ts';
import { encodingOf } from './encodings.ts';
import { headerOf } from './headers.ts';
import { kindOf } from './kinds.ts';
import { marketOf, originOfName, originOfTitles } from './markets.ts';
import { isKeywordName } from './names.ts';
import { type Corrections, maxColumns, type Reading, type Refusal, type Rows } from './reading.ts';
import { vendorOf } from './vendors.ts';

/** As many first bytes as are worth reading; the more, the surer. */
export const headBytes = 1 << 20;
/** Of very short records, so many of these bytes: records take far more memory than their text. */
const headRecords = 1 << 15;

/** The beginning of a file. */
export type FileHead = {
  readonly name: string;
  readonly head: Uint8Array;
  /** Whether `head` is the whole file. */
  readonly isWhole: boolean;
};

/**
 * How to read a text file, by its beginning and its name. A person's corrections win over what is recognised.
 *
 * Spreadsheets are recognised by their rows: see {@link readingOfRows}.
 */
export function recogniseText(file: FileHead, corrections: Corrections = {}): Reading | Refusal {
  const kind = kindOf(file.head);
  if (typeof kind === 'object') return kind;
  const encoding = corrections.encoding ?? encodingOf(file.head, file.isWhole);
  if (!encoding || kind === 'workbook') return { code: 'not-text' };
  const delimiter =
    corrections.delimiter === 'lines'
      ? undefined
      : (corrections.delimiter ?? delimiterOf(file.head, encoding, file.isWhole));
  const rows = firstRecords(file.head, { encoding, delimiter }, file.isWhole, headRecords);
  return readingOfRows(rows, { name: file.name, format: 'text', encoding, delimiter }, corrections);
}

type Format = Pick<Reading, 'format' | 'encoding' | 'delimiter' | 'sheet' | 'sheets'>;

/** How to read a table whose first rows are given. */
export function readingOfRows(
  { line, cells }: Rows,
  { name, ...known }: Format & { readonly name: string },
  corrections: Corrections = {},
): Reading | Refusal {
  if (cells.length === 0) return { code: 'no-rows' };
  const columns = cells.reduce((most, record) => Math.max(most, record.length), 0);
  if (columns > maxColumns) return { code: 'too-many-columns', columns };
  const stated = known.format === 'text' && isStated(cells[0]!, known.delimiter) ? 1 : 0;
  const header = headerIndex({ line: line.slice(stated), cells: cells.slice(stated) }, known, corrections);
  const skipped = stated + (header === undefined ? 0 : header + 1);
  const titles = cells.slice(stated, Math.max(skipped - 1, stated)).map((record) => record.filter(Boolean).join(' '));
  const names = header === undefined ? undefined : cells[skipped - 1]!;
  const vendor = vendorOfFile(known, names);
  const table = { header: names, cells: cells.slice(skipped), vendor, corrections: corrections.meanings ?? {} };
  const recognised = columnsOf(table);
  const origins = [originOfName(name), originOfTitles(titles)];
  const country = recognised.columns.findIndex(({ meaning }) => meaning === 'country');
  return {
    ...known,
    header: names && { line: line[skipped - 1]!, names: recognised.columns.map((column) => column.name) },
    skipped,
    titles,
    ...recognised,
    vendor,
    market: corrections.market ?? origins[0]!.market ?? onlyMarket(table.cells, country),
    exported: origins[0]!.exported ?? origins[1]!.exported,
  };
}

/** "sep=;" in the first line, as it reads when split by its own delimiter. */
const isStated = (record: readonly string[], delimiter: Reading['delimiter']): boolean =>
  statedDelimiter({ line: [1], cells: [[record.join(delimiter ?? '')]] }) !== undefined;

function headerIndex(
  { line, cells }: Rows,
  { delimiter, format }: Format,
  corrections: Corrections,
): number | undefined {
  if (corrections.header === 0) return undefined;
  if (corrections.header !== undefined) {
    const index = line.indexOf(corrections.header);
    return index < 0 ? undefined : index;
  }
  if (format === 'text' && delimiter === undefined) return isKeywordName(cells[0]?.[0] ?? '') ? 0 : undefined;
  return headerOf(cells);
}

function vendorOfFile({ delimiter, format }: Format, names: readonly string[] | undefined): Reading['vendor'] {
  if (format === 'text' && delimiter === undefined) return 'plain-list';
  return names ? vendorOf(names, delimiter) : 'table';
}

/** The market that a country column names in every row, if it is only one. */
function onlyMarket(cells: Rows['cells'], column: number): string | undefined {
  const markets = new Set(column < 0 ? [] : cells.map((record) => marketOf(record[column] ?? '')));
  return markets.size === 1 ? [...markets][0] : undefined;
}
