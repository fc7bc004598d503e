import { isQuotedLine, TextReader, type TextSyntax } from './csv.ts';
import { headerOf, knownNames } from './headers.ts';
import { type Delimiter, delimiters, type Encoding, type Rows } from './reading.ts';
import { hasLetter, shareOf } from './values.ts';

const sampledRecords = 200;
const minShare = 0.6;
const minShareOfFigures = 0.4;

/** The delimiter of a text file by its first bytes; undefined if each line is one keyword. */
export function delimiterOf(
  head: Uint8Array,
  syntax: Pick<TextSyntax, 'encoding' | 'isQuotedWhole'>,
  isWhole: boolean,
): Delimiter | undefined {
  const { encoding } = syntax;
  const stated = statedDelimiter(firstRecords(head, { encoding, delimiter: undefined }, isWhole, 1));
  if (stated) return stated;
  let best: { delimiter: Delimiter; score: number } | undefined;
  for (const delimiter of delimiters) {
    const { cells } = firstRecords(head, { ...syntax, delimiter }, isWhole, sampledRecords);
    const score = scoreOf(cells);
    if (score > (best?.score ?? 0)) best = { delimiter, score };
  }
  return best?.delimiter;
}

/** The delimiter of "sep=;", a line that Excel understands. */
export function statedDelimiter({ cells }: Rows): Delimiter | undefined {
  const stated = /^sep=(.)$/iu.exec(cells[0]?.[0]?.trimStart() ?? '')?.[1];
  return delimiters.find((delimiter) => delimiter === stated);
}

/** More than any number of fields: cells may hold as many commas each as a table has columns. */
const scoreOfNames = 100;

/** How well a delimiter explains the records: how many agree on how many fields, and whether they have known names. */
function scoreOf(cells: Rows['cells']): number {
  const header = headerOf(cells);
  const hasNames = header !== undefined && knownNames(cells[header]!) >= 2;
  // The lines above a header have another form.
  const records = hasNames ? cells.slice(header) : cells;
  const counts = new Map<number, number>();
  for (const record of records) counts.set(record.length, (counts.get(record.length) ?? 0) + 1);
  const [fields, alike] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), [0, 0]);
  const share = alike / records.length;
  if (fields < 2 || share < (endsInFigures(records, fields) ? minShareOfFigures : minShare)) return 0;
  return share * Math.log2(fields) + (hasNames ? scoreOfNames : 0);
}

/** Signs that keywords have themselves: "c++", "24/7", "q&a", "under $100", "what is seo?". */
const ordinarySigns = /[\p{L}\p{M}\p{N}\s'’"“”.,;|_&+#/@$€£%()?!¿¡-]/gu;
const unsplitShare = 0.9;
/** Each is looked for in all lines, and a line may consist of different signs. */
const maxSigns = 16;

/**
 * A sign that most lines have equally often, as one would that stands between fields and is no delimiter of ours.
 *
 * @param chosen a delimiter that somebody said, which divides none of the lines: then the others are such signs
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
      // Before the first one stands the keyword: a sign that begins lines marks the items of a list.
      if (parts.length > 1 && parts[0] !== '') alike.set(parts.length, (alike.get(parts.length) ?? 0) + 1);
    }
    return Math.max(0, ...alike.values()) >= unsplitShare * lines.length;
  });
}

/** Whether most lines end in a number behind a blank, which may be a figure rather than a part of the keyword. */
export function endInNumbers({ cells }: Rows): boolean {
  const endsInNumber = (line: string) => {
    const text = line.trim();
    const blank = text.lastIndexOf(' ');
    return hasLetter(text.slice(0, Math.max(0, blank))) && /^[\d.,]+[km]?$/iu.test(text.slice(blank + 1));
  };
  const lines = cells.map(([line]) => line!);
  return lines.length >= minLines && shareOf(lines, endsInNumber) >= unsplitShare;
}

/** Whether the header of records names two fields. */
export function hasNames(records: Rows['cells']): boolean {
  const header = headerOf(records);
  return header !== undefined && knownNames(records[header]!) >= 2;
}

/** Whether records are those of a table: they name fields, or most of them end in a number. */
export function isTable(records: Rows['cells']): boolean {
  if (hasNames(records)) return true;
  const width = records.reduce((most, { length }) => Math.max(most, length), 0);
  return width > 1 && endsInFigures(records, width);
}

/** The share of lines that must be quoted as a whole. */
const quotedShare = 0.95;
const minLines = 3;

/**
 * The delimiter within lines that are each quoted as a whole, as a spreadsheet writes the lines of a file that it took for
 * one column; undefined for other files. Quoted keywords have commas, too: what is inside must be a table.
 */
export function delimiterInQuotes(head: Uint8Array, encoding: Encoding, isWhole: boolean): Delimiter | undefined {
  const syntax = { encoding, isQuotedWhole: true } as const;
  // No character but a quote may stand at both ends, and none within that is not doubled.
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
  // Tools write no blanks behind delimiters, unlike people behind the commas of a keyword: "iphone, 13".
  const isWritten = records.some((record) => record.slice(1).some((cell) => /^\S/u.test(cell)));
  return isWritten && isTable(records) ? delimiter : undefined;
}

/** Of the lines of a file with padded columns, so many have two blanks in a row; titles and notes have none. */
const paddedShare = 0.6;
/** In so many of them, two blanks are between two columns. */
const gapShare = 0.5;
/** So many beside the header are too long for their column, and will be reported; of few lines, one. */
const misfitShare = 0.02;
const minForMisfit = 10;

/**
 * Where the columns begin of lines that are padded with blanks: behind those that the lines have in the same place. Undefined
 * if there are no such columns.
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
 * Where a column begins in a gap between two: a long number, or the name in the header, begins before the others, but behind
 * what is blank in all lines. Lines that are too long for the column before have no gap there.
 */
function startIn(lines: readonly string[], from: number, end: number): number {
  const gaps = lines.map((line) => line.slice(from, end)).filter((gap) => gap.trim() === '' || gap.includes('  '));
  for (let at = end; at > from; at--) if (gaps.every((gap) => (gap[at - 1 - from] ?? ' ') === ' ')) return at;
  return end;
}

/** Whether most records of a width end in a number: headings may stand between them. */
function endsInFigures(records: Rows['cells'], width: number): boolean {
  const last = records.filter(({ length }) => length === width).map((record) => record.at(-1)!);
  return shareOf(last, (cell) => /^[+-]?[\d.,]+ ?%?$/u.test(cell.trim())) > 0.5;
}

/** The first records of a file. A record that may go on after `head` is left out. */
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
  // What the end of a cut file completes would be a guess.
  if (isWhole && at >= head.length) reader.end();
  else reader.passOn();
  return { line: line.slice(0, limit), cells: cells.slice(0, limit) };
}
