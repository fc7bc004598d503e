import { isQuotedLine, TextReader, type TextSyntax } from './csv.ts';
import { headerOf, knownNames } from './headers.ts';
import { type Delimiter, delimiters, type Encoding, type Rows } from './reading.ts';
import { shareOf } from './values.ts';

const sampledRecords = 200;
const minShare = 0.6;
const minShareOfFigures = 0.4;

/** Finds the delimiter of a text file from its first bytes; undefined if each line is one keyword. */
export function delimiterOf(
  head: Uint8Array,
  syntax: Pick<TextSyntax, 'encoding' | 'isQuotedWhole' | 'isSpaced' | 'isSingleQuoted'>,
  isWhole: boolean,
): Delimiter | undefined {
  const { encoding } = syntax;
  const stated = statedDelimiter(firstRecords(head, { encoding, delimiter: undefined }, isWhole, 1));
  if (stated) return stated;
  let best: { delimiter: Delimiter; score: number } | undefined;
  for (const delimiter of delimiters) {
    if (
      delimiter === ';' &&
      endReferences(firstRecords(head, { encoding, delimiter: undefined }, isWhole, sampledRecords))
    )
      continue;
    const { cells } = firstRecords(head, { ...syntax, delimiter }, isWhole, sampledRecords);
    const score = scoreOf(cells);
    if (score > (best?.score ?? 0)) best = { delimiter, score };
  }
  return best?.delimiter;
}

/** Whether each semicolon ends the name of a sign, as in web pages: "&amp;". */
function endReferences({ cells }: Rows): boolean {
  const text = cells.flat().join('\n');
  return text.includes(';') && !text.replace(/&(?:#\d{2,7}|#x[\da-f]{2,6}|[a-z]{2,6}\d{0,2});/giu, '').includes(';');
}

/** The minimum share of lines with a blank between a delimiter and a quote, if that is how a file is written: `oak desk, "1,300"`. */
const spacedShare = 0.5;

/** Whether cells are in single quotes, as some programs write them: `'oak desk','1,300'`. */
export const areSingleQuoted = ({ cells }: Rows): boolean =>
  cells.length >= minLines &&
  shareOf(
    cells.map(([line]) => line!),
    (line) => /(?:^|[,;|\t]) ?'(?:[^']|'')*'\s*(?:[,;|\t]|$)/u.test(line),
  ) >= singleQuotedShare;

/** The header may have no quotes. */
const singleQuotedShare = 0.6;

/** Whether blanks may stand between delimiters and quotes. */
export const areSpaced = ({ cells }: Rows): boolean =>
  cells.length >= minLines &&
  shareOf(
    cells.map(([line]) => line!),
    (line) => /[,;|] +(["'])(?:(?!\1).)*\1\s*(?:[,;|]|$)/u.test(line),
  ) >= spacedShare;

/** The delimiter that the first line states as "sep=;", which Excel understands. */
export function statedDelimiter({ cells }: Rows): Delimiter | undefined {
  const stated = /^sep=(.)$/iu.exec(cells[0]?.[0]?.trimStart() ?? '')?.[1];
  return delimiters.find((delimiter) => delimiter === stated);
}

/** Known names count more than any number of fields, because cells may have as many commas each as a table has columns. */
const scoreOfNames = 100;

/** How well a delimiter explains the records: how many agree on how many fields, and whether they have known names. */
function scoreOf(cells: Rows['cells']): number {
  const header = headerOf(cells);
  const hasNames = header !== undefined && knownNames(cells[header]!) >= 2;
  // The lines above a header may have any number of fields.
  const records = hasNames ? cells.slice(header) : cells;
  const counts = new Map<number, number>();
  for (const record of records) counts.set(record.length, (counts.get(record.length) ?? 0) + 1);
  const [fields, alike] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), [0, 0]);
  const share = alike / records.length;
  if (fields < 2 || share < (endsInFigures(records, fields) ? minShareOfFigures : minShare)) return 0;
  return share * Math.log2(fields) + (hasNames ? scoreOfNames : 0);
}

/** Signs that keywords may contain: "c++", "24/7", "q&a", "under $100", "what is seo?". */
const ordinarySigns = /[\p{L}\p{M}\p{N}\s'’"“”.,;|_&+#/@$€£%()?!¿¡-]/gu;
const unsplitShare = 0.9;
/** The maximum number of signs that are tried, because each is searched for in all lines, and a line may have many different ones. */
const maxSigns = 16;

/**
 * Finds a sign that most lines have equally often: probably a delimiter that is not supported.
 *
 * @param chosen the delimiter that a person chose, although it divides none of the lines: then the supported ones are tried, too
 */
export function unreadDelimiter({ cells }: Rows, chosen: Delimiter | undefined): string | undefined {
  const lines = cells.map(([line]) => line!.trim()).filter((line) => line !== '');
  if (lines.length < minLines) return undefined;
  const others = chosen === undefined ? [] : delimiters.filter((delimiter) => delimiter !== chosen);
  const signs = new Set([...others, ...lines.slice(0, minLines).join('').replace(ordinarySigns, '')]);
  return [...signs].slice(0, maxSigns).find((sign) => {
    const alike = new Map<number, number>();
    for (const line of lines) {
      const parts = line.split(sign);
      // The keyword comes before the first one. A sign at the start of lines marks the items of a list.
      if (parts.length > 1 && parts[0] !== '') alike.set(parts.length, (alike.get(parts.length) ?? 0) + 1);
    }
    return Math.max(0, ...alike.values()) >= unsplitShare * lines.length;
  });
}

/** Whether records have a header that names at least two fields. */
export function hasNames(records: Rows['cells']): boolean {
  const header = headerOf(records);
  return header !== undefined && knownNames(records[header]!) >= 2;
}

/** Whether records are those of a table: a header names fields, or most records end in a number. */
export function isTable(records: Rows['cells']): boolean {
  if (hasNames(records)) return true;
  const width = records.reduce((most, { length }) => Math.max(most, length), 0);
  return width > 1 && endsInFigures(records, width);
}

/** The minimum share of lines that are quoted as a whole. */
const quotedShare = 0.95;
const minLines = 3;

/**
 * Finds the delimiter within lines that are each quoted as a whole, as a spreadsheet writes them if it took them for one column; undefined for other
 * files. Quoted keywords have commas, too, so what is inside must be a table.
 */
export function delimiterInQuotes(head: Uint8Array, encoding: Encoding, isWhole: boolean): Delimiter | undefined {
  const syntax = { encoding, isQuotedWhole: true } as const;
  // Each line must begin and end with a quote, and quotes within it must be doubled.
  const { cells } = firstRecords(head, { encoding, delimiter: undefined, keepsQuotes: true }, isWhole, sampledRecords);
  if (
    cells.length < minLines ||
    shareOf(
      cells.map(([line]) => line!),
      isQuotedLine,
    ) < quotedShare
  )
    return undefined;
  const delimiter = delimiterOf(head, syntax, isWhole);
  if (delimiter === undefined) return undefined;
  const records = firstRecords(head, { ...syntax, delimiter }, isWhole, sampledRecords).cells;
  // Tools write no spaces after delimiters, unlike people after the commas of a keyword: "iphone, 13".
  const isWritten = records.some((record) => record.slice(1).some((cell) => /^\S/u.test(cell)));
  return isWritten && isTable(records) ? delimiter : undefined;
}

/** The minimum share of lines of a padded file that have two spaces in a row. Titles and notes have none. */
const paddedShare = 0.6;
/** The minimum share of these that have two spaces between two columns. */
const gapShare = 0.5;
/** The share of these, besides the header, that may be too long for their column and will be reported; at least one of ten or more. */
const misfitShare = 0.02;
const minForMisfit = 10;

/**
 * Finds where the columns of lines that are padded with spaces begin: after the spaces that the lines have in the same places. Undefined if there are
 * no such columns.
 */
export function paddedColumns(lines: readonly string[]): readonly number[] | undefined {
  const padded = lines.filter((line) => /\S {2,}\S/u.test(line));
  if (padded.length < minLines || padded.length < paddedShare * lines.length) return undefined;
  const filled: number[] = [];
  for (const line of padded)
    for (let at = 0; at < line.length; at++) filled[at] = (filled[at] ?? 0) + Number(line[at] !== ' ');
  const misfits = padded.length < minForMisfit ? 0 : 1 + Math.max(1, misfitShare * padded.length);
  const first = filled.findIndex((count) => count > misfits);
  const starts: number[] = [0];
  let end = first;
  for (let at = first + 1; at < filled.length; at++) {
    if (filled[at]! <= misfits) continue;
    const hasGap = (line: string) => line.slice(0, at).endsWith('  ') || line[at] === ' ';
    if (at > end + 1 && shareOf(padded, hasGap) >= gapShare) starts.push(startIn(padded, end + 1, at));
    end = at;
  }
  return starts.length > 1 ? starts : undefined;
}

/**
 * Finds where a column begins in the gap before it: after the last place that is blank in all lines, because a long number, or the name in the
 * header, may begin before the other values. Lines that are too long for the previous column have no gap there and do not count.
 */
function startIn(lines: readonly string[], from: number, end: number): number {
  const gaps = lines.map((line) => line.slice(from, end)).filter((gap) => gap.trim() === '' || gap.includes('  '));
  for (let at = end; at > from; at--) if (gaps.every((gap) => (gap[at - 1 - from] ?? ' ') === ' ')) return at;
  return end;
}

/** Whether most records with this number of fields end in a number. Headings between them have another number of fields. */
function endsInFigures(records: Rows['cells'], width: number): boolean {
  const last = records.filter(({ length }) => length === width).map((record) => record.at(-1)!);
  return shareOf(last, (cell) => /^[+-]?[\d.,]+ ?%?$/u.test(cell.trim())) > 0.5;
}

/** Reads the first records of a file. A record that may continue after `head` is left out. */
export function firstRecords(
  head: Uint8Array,
  syntax: Omit<TextSyntax, 'blockBytes'>,
  isWhole: boolean,
  limit = Number.POSITIVE_INFINITY,
): Rows {
  const line: number[] = [];
  const cells: (readonly string[])[] = [];
  const reader = new TextReader(
    { ...syntax, blockBytes: 1 << 12 },
    {
      rows(rows) {
        line.push(...rows.line);
        cells.push(...rows.cells);
      },
      problem: () => undefined,
    },
  );
  const step = 1 << 14;
  let at = 0;
  for (; at < head.length && cells.length < limit; at += step) reader.write(head.subarray(at, at + step));
  // The last record of a file that was cut off may be incomplete.
  if (isWhole && at >= head.length) reader.end();
  else reader.passOn();
  return { line: line.slice(0, limit), cells: cells.slice(0, limit) };
}
