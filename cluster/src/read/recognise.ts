import { fieldOf } from '../../../pack/src/upload/fields.ts';
import { fold } from '../../../pack/src/upload/spelling.ts';
import { columnsOf } from './columns.ts';
import {
  areSingleQuoted,
  areSpaced,
  delimiterInQuotes,
  delimiterOf,
  firstRecords,
  hasNames,
  isTable,
  paddedColumns,
  statedDelimiter,
  unreadDelimiter,
} from './delimiters.ts';
import { encodingOf, type FoundEncoding } from './encodings.ts';
import { figuresIn } from './figures-in-lines.ts';
import { groupNames, groupRowsIn, intoGroups, treeHeader } from './group-rows.ts';
import { headerOf, headerOfTwoRows, isLegend, isLikeRows, isTransposed } from './headers.ts';
import { holdsRows } from './json-objects.ts';
import { JsonMembers, type ObjectTable } from './json-rows.ts';
import { holdsKeywordAnswers } from './keyword-answers.ts';
import { notationOf } from './keyword-notation.ts';
import { dayOfTitles, marketOf, originOfName } from './markets.ts';
import { insideBrackets, isKeywordName, isKnownName, isListTitle, keywordsOnLine } from './names.ts';
import { type FoundOutline, indentsIn, outlineIn, outlineRows, separatorBehindTitles, titledRows } from './outlines.ts';
import {
  type Corrections,
  type Delimiter,
  delimiters,
  type Encoding,
  maxColumns,
  type Note,
  type Reading,
  type Refusal,
  type Rows,
  type Separator,
  separators,
  type Vendor,
} from './reading.ts';
import { holdsResults, readingOfResults } from './search-results.ts';
import { hasLetter, isAddress, shareOf } from './values.ts';

/** As many first bytes as are worth reading; the more, the surer. */
export const headBytes = 1 << 20;
/** Of very short records, so many of these bytes: records take far more memory than their text. */
const headRecords = 1 << 15;

/** The beginning of a file. */
type FileHead = {
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
  if (kind === 'results') return readingOfResults(file.name, new TextDecoder().decode(file.head), corrections);
  if (kind === 'rows')
    return readingOfObjects(file.name, new JsonMembers(new TextDecoder().decode(file.head)).table, corrections);
  const found = encodingOf(file.head, file.isWhole);
  const encoding = corrections.encoding ?? found?.encoding;
  if (!encoding || kind === 'workbook') return { code: 'not-text' };
  // The other guesses stay on offer.
  return recogniseEncoded(file, { ...found, encoding }, corrections);
}

/** How to read a list of objects, whose names are the header. */
export function readingOfObjects(
  name: string,
  { rows, early }: ObjectTable,
  corrections: Corrections,
): Reading | Refusal {
  const { header: _, ...others } = corrections;
  const known = { name, format: 'json', encoding: 'utf-8', delimiter: undefined, headerAt: 0, early } as const;
  return readingOfRows(rows, known, others);
}

/** The same for a text whose encoding is known, or was guessed from a part of it that is not in `head`. */
export function recogniseEncoded(
  file: FileHead,
  { encoding, guessedFrom }: FoundEncoding,
  corrections: Corrections,
): Reading | Refusal {
  const lines = firstRecords(file.head, { encoding, delimiter: undefined }, file.isWhole, headRecords);
  const { rows, ...syntax } = syntaxOf(file, lines, encoding, corrections);
  const reading = readingOfRows(
    rows ?? firstRecords(file.head, { encoding, ...syntax }, file.isWhole, headRecords),
    { name: file.name, format: 'text', encoding, ...syntax },
    corrections,
  );
  if ('code' in reading) return reading;
  const notes: Note[] = [...reading.notes];
  const sign = unsplitBy(reading, lines, corrections.delimiter);
  if (sign !== undefined) notes.push({ code: 'unsplit', sign });
  if (guessedFrom) notes.push({ code: 'encoding-guess', encoding, samples: guessedFrom });
  return { ...reading, notes };
}

/** A sign that may stand between fields of a file that is read as one keyword per line, unless somebody said that it is one. */
function unsplitBy(
  { columns, separator, columnsAt, signs, outline }: Reading,
  all: Rows,
  chosen: Corrections['delimiter'],
): string | undefined {
  const lines = outline ? outlineRows(all, outline) : all;
  if (
    (columns.length !== 1 && !outline) ||
    separator !== undefined ||
    columnsAt ||
    signs === 'tags' ||
    chosen === 'lines'
  )
    return undefined;
  if (areCellsPerLine(lines)) return '\n';
  const sign = unreadDelimiter(
    lines,
    delimiters.find((delimiter) => delimiter === chosen),
  );
  return sign ?? (figuresBeside(lines) ? ' ' : haveRemarks(lines) ? ' - ' : undefined);
}

/** Whether nearly all lines have a dash between words, as a chat writes remarks: "oak desk - made of oak". */
const haveRemarks = ({ cells }: Rows): boolean =>
  cells.length >= minCells - 1 &&
  shareOf(cells.flat(), (line) => line.split(' - ').filter(hasLetter).length > 1) >= withRemarks;

const withRemarks = 0.9;

/** So many of the lines are numbers where each cell of a table has a line; elsewhere, hardly any keyword is a number. */
const numberLines = 0.25;

/** Whether the cells of a table stand below one another, as some pages give them when they are copied: "oak desk", "1,300", "pine desk", "90". */
function areCellsPerLine({ cells }: Rows): boolean {
  const lines = cells.map(([line]) => line!.trim());
  const numbers = shareOf(lines, (line) => /^[$€£]?\d[\d.,\s]*[km%]?$/iu.test(line));
  return (
    lines.length >= minCells && numbers >= numberLines && hasLetter(lines[0]!) && lines.some((line) => !hasLetter(line))
  );
}

const minCells = 4;

/** The numbers that most lines begin or end with, unless they count the items of a list. */
function figuresBeside(lines: Rows): ReturnType<typeof figuresIn> {
  const figures = figuresIn(lines);
  const areMarks = figures?.place === 'start' && notationOf(lines.cells.flat(), []).listMarks !== undefined;
  return areMarks ? undefined : figures;
}

type Syntax = Pick<
  Reading,
  'delimiter' | 'separator' | 'columnsAt' | 'figureAt' | 'isQuotedWhole' | 'isSpaced' | 'isSingleQuoted'
>;

/** What separates the fields of a text, or the keywords of a line. @param rows as they are read then, if they are read already */
function syntaxOf(
  { head, isWhole }: FileHead,
  lines: Rows,
  encoding: Encoding,
  { delimiter: chosen, fillsDown }: Corrections,
): Syntax & Pick<Format, 'hasTitles'> & { readonly rows?: Rows } {
  const style = {
    ...(areSpaced(lines) && ({ isSpaced: true } as const)),
    ...(areSingleQuoted(lines) && ({ isSingleQuoted: true } as const)),
  };
  const asLines = { delimiter: undefined, ...(style.isSingleQuoted ? style : { rows: lines }) };
  if (chosen === 'lines') return asLines;
  if (chosen === 'figures') return { delimiter: undefined, figureAt: figuresIn(lines)?.place ?? 'end' };
  const columnsAt = paddedColumns(lines.cells.map(([line]) => line!));
  if (chosen === 'columns') return columnsAt ? { delimiter: undefined, columnsAt } : asLines;
  const inQuotes = delimiterInQuotes(head, encoding, isWhole);
  if (inQuotes !== undefined && (chosen ?? inQuotes) === inQuotes) return { delimiter: inQuotes, isQuotedWhole: true };
  if (chosen !== undefined) return { delimiter: chosen, ...style };
  const delimiter = delimiterOf(head, { encoding, ...style }, isWhole);
  const fields = (syntax: Syntax) => firstRecords(head, { encoding, ...syntax }, isWhole, headRecords);
  const isNamed = delimiter !== undefined && hasNames(fields({ delimiter, ...style }).cells);
  if (columnsAt && !isNamed) {
    const rows = fields({ delimiter: undefined, columnsAt });
    if (isTable(rows.cells)) return { delimiter: undefined, columnsAt, rows };
  }
  // Its cells may hold lists.
  if (isNamed) return { delimiter, ...style };
  const isText = isRunningText(lines, delimiter);
  const behindTitles = separatorBehindTitles(lines);
  if (behindTitles !== undefined) return { delimiter: undefined, ...titledList(lines, behindTitles, fillsDown) };
  if ((isText || delimiter === undefined || delimiter === '\t') && areIndented(lines)) return asLines;
  const list = listOf(lines, isText ? undefined : delimiter);
  if (list) return { delimiter: undefined, ...list };
  if (!isText && delimiter !== undefined) return { delimiter, ...style };
  const figures = figuresBeside(lines);
  return figures?.isSure ? { delimiter: undefined, figureAt: figures.place } : asLines;
}

/**
 * Whether commas are punctuation rather than delimiters: a blank follows each of them, and there are neither names of fields
 * nor figures. Tools write no blanks behind delimiters.
 */
function isRunningText({ cells }: Rows, delimiter: Delimiter | undefined): boolean {
  if (delimiter === undefined || delimiter === '\t' || cells.length === 0) return false;
  const lines = cells.map(([line]) => line!.trim());
  const parts = lines.flatMap((line) => line.split(delimiter));
  return (
    lines.every((line) => line.split(delimiter).every((part, at) => at === 0 || part === '' || /^\s/u.test(part))) &&
    parts.every((part) => part.trim() === '' || (hasLetter(part) && !isAddress(part.trim()))) &&
    !lines[0]!.split(delimiter).some((part) => isKnownName(part))
  );
}

/** The keywords of lines such as "Desks: oak desk, pine desk", each with its title, unless somebody said that these are no groups. */
function titledList({ line, cells }: Rows, separator: Separator, areGroups = true) {
  const rows = cells.map(([text]) =>
    areGroups ? titledRows(text!, separator) : keywordsOnLine(text!, separator).map((keyword) => [keyword]),
  );
  return {
    rows: { line: rows.flatMap((all, row) => all.map(() => line[row]!)), cells: rows.flat() },
    separator,
    hasTitles: true as const,
  };
}

/** Whether lines have headings, and no tabs but those that indent them. */
const areIndented = (lines: Rows): boolean =>
  lines.cells.every(([line]) => !line!.trim().includes('\t')) && indentsIn(lines) !== undefined;

/** On each line, at least so many keywords stand on average. */
const minOnLine = 3;
/** Signs with blanks around them also stand between the levels of a path, which repeat: "Garden / Hoses / Reels". */
const mostlyDifferent = 0.9;

/**
 * The keywords of lines such as "oak desk, pine desk, steel desk", one per row, and what separates them; undefined for a
 * table: its rows are of one width, or have a header or figures.
 */
function listOf(
  { line, cells }: Rows,
  delimiter: Delimiter | undefined,
): { readonly rows: Rows; readonly separator: Separator } | undefined {
  if (cells.length === 0) return undefined;
  for (const separator of separators) {
    const parts = cells.map(([text]) => keywordsOnLine(text!, separator));
    const widths = new Set(parts.map(({ length }) => length));
    const words = parts.flat().filter((part) => part !== '');
    // A program's list of two.
    const isLiteral = cells.length === 1 && words.length > 1 && insideBrackets(cells[0]![0]!.trim()) !== undefined;
    const isEnded = delimiter === undefined && endLines(cells, separator);
    const isList =
      (isEnded || isLiteral || words.length >= minOnLine * cells.length) &&
      parts[0]!.length <= maxColumns &&
      (delimiter === undefined || cells.length === 1 || widths.size > 1) &&
      words.every((word) => (hasLetter(word) && !isAddress(word)) || (isEnded && /^[[\]()]$/u.test(word))) &&
      (separator !== ' #' || words.every((word) => /^#[^\s#]+$/u.test(word))) &&
      !(separator.startsWith(' ') && new Set(words).size < mostlyDifferent * words.length) &&
      !parts[0]!.some(isKnownName);
    if (!isList) continue;
    const rows = {
      line: parts.flatMap((all, row) => all.map(() => line[row]!)),
      cells: parts.flat().map((word) => [word]),
    };
    return { rows, separator };
  }
  return undefined;
}

/** Whether all lines but the last end with the sign between keywords, as lists in programs and in sentences do. */
function endLines(cells: Rows['cells'], separator: Separator): boolean {
  const lines = cells.map(([text]) => text!.trim()).filter((line) => /[\p{L}\p{N}]/u.test(line) && !isListTitle(line));
  return lines.length > 1 && lines.slice(0, -1).every((line) => line.endsWith(separator));
}

type Format = Pick<Reading, 'format' | 'encoding' | 'sheet' | 'sheets'> &
  Syntax & {
    /** Whether the lines of a list each have a title before a colon. */
    readonly hasTitles?: true | undefined;
    /** The place of the header, where that is known. */
    readonly headerAt?: number;
    /** The number of columns that the first rows have, if others follow. */
    readonly early?: number;
  };

/** How to read a table whose first rows are given. */
export function readingOfRows(
  { line, cells }: Rows,
  { name, headerAt, early, hasTitles, ...known }: Format & { readonly name: string },
  corrections: Corrections = {},
): Reading | Refusal {
  if (cells.length === 0) return { code: 'no-rows' };
  const columns = cells.reduce((most, record) => Math.max(most, record.length), 0);
  if (columns > maxColumns) return { code: 'too-many-columns', columns };
  if (corrections.header === undefined && headerAt === undefined && isTransposed(cells)) return { code: 'transposed' };
  const stated = known.format === 'text' && isStated(cells[0]!, known.delimiter) ? 1 : 0;
  const { header: chosen = 0, meanings = {} } = corrections;
  if (chosen > 0 && (chosen > line.at(-1)! || chosen < line[stated]!)) return { code: 'no-such-line', line: chosen };
  const header = headerAt ?? headerIndex({ line: line.slice(stated), cells: cells.slice(stated) }, known, corrections);
  const at = header === undefined ? -1 : stated + header;
  const { names, skipped, titles } = topOf(cells, at, stated, headerAt !== undefined);
  const below = { line: line.slice(skipped), cells: cells.slice(skipped) };
  const { read, note, levels = 0, ...rows } = dataBelow(names, below, { ...known, hasTitles }, corrections);
  // The columns of groups keep their numbers, whether they are read or not.
  const width = Math.max(columns, (names?.length ?? 1) + levels);
  const beyond = Object.keys(meanings)
    .map(Number)
    .find((number) => number >= width);
  if (beyond !== undefined) return { code: 'no-such-number', column: beyond + 1, columns: width };
  const vendor = vendorOfFile(known, names);
  const isFound = corrections.header === undefined && headerAt === undefined;
  const isHeaderGuess = isFound && names !== undefined && isLikeRows(names, rows.cells);
  const { format, delimiter } = known;
  const hasTypes = format !== 'text';
  const recognised = columnsOf({ ...rows, vendor, delimiter, hasTypes, corrections, early });
  const { market, exported } = originOfName(name);
  const country = recognised.columns.findIndex(({ meaning }) => meaning === 'country');
  return {
    ...known,
    header: names && { line: line[at]!, names: recognised.columns.map((column) => column.name) },
    skipped,
    titles,
    ...recognised,
    notes: [
      ...(isHeaderGuess && recognised.columns.some(({ meaning }) => meaning === 'keyword')
        ? [{ code: 'header-guess', line: line[at]! } as const]
        : []),
      ...recognised.notes.filter(({ code }) => !(read?.outline && code === 'no-volume')),
      ...(note ? [note] : []),
    ],
    ...read,
    vendor,
    market: corrections.market ?? market ?? onlyMarket(rows.cells, country),
    exported: exported ?? dayOfTitles(titles),
  };
}

/**
 * The names of columns, in one row or two, how many records are above the data, and the titles above the names.
 *
 * @param at the place of the header; −1 for none
 * @param stated the number of records that say how the file is written
 * @param isMade whether the header was made of the names of members, and is one row
 */
function topOf(cells: Rows['cells'], at: number, stated: number, isMade: boolean) {
  if (at < 0) return { names: undefined, skipped: stated, titles: [] };
  const joined = isMade ? undefined : headerOfTwoRows(cells, at, stated);
  const names = joined?.names ?? cells[at]!;
  const next = (joined?.last ?? at) + 1;
  const hasLegend = !isMade && isLegend(names, cells.slice(next));
  const titles = cells.slice(stated, joined?.first ?? at).map((record) => record.filter(Boolean).join(' '));
  return { names, skipped: next + Number(hasLegend), titles };
}

/** Rows of data, in their groups if these have rows or lines of their own. */
type Data = {
  /** With the columns of groups. */
  readonly header: readonly string[] | undefined;
  readonly cells: Rows['cells'];
  readonly read?: Pick<Reading, 'groupRows' | 'outline'>;
  /** That there are groups, and how many columns they get, whether they are read or not. */
  readonly note?: Note;
  readonly levels?: number;
};

function dataBelow(names: readonly string[] | undefined, below: Rows, known: Format, { fillsDown }: Corrections): Data {
  if (areLines(known) || (known.format === 'workbook' && below.cells.every(({ length }) => length <= 1)))
    return linesBelow(names, below, known, fillsDown);
  const cells = below.cells.filter((record) => !names?.every((name, at) => name === (record[at] ?? '')));
  const found = groupRowsIn(names, cells);
  if (!found) return { header: names ?? treeHeader(cells), cells };
  const { groupRows, areLikely } = found;
  const levels = groupRows.isNested ? 2 : 1;
  const asked = { note: { code: 'group-rows', column: names![groupRows.names]! }, levels } as const;
  if (!(fillsDown ?? areLikely)) return { header: names, cells, ...asked };
  const grouped = cells.map(intoGroups(groupRows)).filter((record) => record !== undefined);
  return { header: [...names!, ...groupNames(levels)], cells: grouped, read: { groupRows }, ...asked };
}

function linesBelow(
  names: readonly string[] | undefined,
  { line, cells }: Rows,
  { hasTitles, separator }: Format,
  fillsDown: boolean | undefined,
): Data {
  const found = hasTitles ? titlesFound : separator === undefined ? outlineIn({ line, cells }) : undefined;
  if (!found) return { header: names, cells };
  const { outline, areLikely } = found;
  const asked = { note: { code: 'group-lines' }, levels: outline.levels } as const;
  if (!(fillsDown ?? areLikely)) return { header: names, cells, ...asked };
  const header = [names?.[0] ?? 'Keyword', ...groupNames(outline.levels)];
  return { header, cells: outlineRows({ line, cells }, outline).cells, read: { outline }, ...asked };
}

const titlesFound: FoundOutline = { outline: { kind: 'titles', levels: 1 }, areLikely: true };

/** "sep=;" in the first line, as it reads when split by its own delimiter. */
const isStated = (record: readonly string[], delimiter: Reading['delimiter']): boolean =>
  statedDelimiter({ line: [1], cells: [[record.join(delimiter ?? '')]] }) !== undefined;

/** Whether each line of a text is one keyword, or several. */
const areLines = ({ delimiter, columnsAt, figureAt, format }: Format): boolean =>
  format === 'text' && delimiter === undefined && !columnsAt && !figureAt;

function headerIndex({ line, cells }: Rows, known: Format, corrections: Corrections): number | undefined {
  if (corrections.header === 0) return undefined;
  const { header: chosen } = corrections;
  // A row may have several lines.
  if (chosen !== undefined) return line.findLastIndex((from) => from <= chosen);
  if (areLines(known)) return isListTitle(cells[0]?.[0] ?? '') ? 0 : undefined;
  return headerOf(cells);
}

function vendorOfFile(known: Format, names: readonly string[] | undefined): Reading['vendor'] {
  if (areLines(known)) return 'plain-list';
  return names ? vendorOf(names, known.delimiter) : 'table';
}

/** The market that a country column names in every row, if it is only one. */
function onlyMarket(cells: Rows['cells'], column: number): string | undefined {
  const markets = new Set(column < 0 ? [] : cells.map((record) => marketOf(record[column] ?? '')));
  return markets.size === 1 ? [...markets][0] : undefined;
}

const startsWith = (head: Uint8Array, ...bytes: number[]): boolean => bytes.every((byte, at) => head[at] === byte);

/** Whether a file is a spreadsheet, text, or JSON with search results or rows, by its first bytes; or why it is none. */
export function kindOf(head: Uint8Array): 'workbook' | 'text' | 'results' | 'rows' | Refusal {
  if (startsWith(head, 0x50, 0x4b, 0x03, 0x04)) return holdsParts(head) ? 'workbook' : { code: 'zip' };
  // An empty archive, or one in several parts.
  if (startsWith(head, 0x50, 0x4b, 0x05, 0x06) || startsWith(head, 0x50, 0x4b, 0x07, 0x08)) return { code: 'zip' };
  if (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0)) return { code: 'old-excel' };
  const text = latin.decode(head.subarray(0, 512)).replace(/^ï»¿/u, '').trimStart().toLowerCase();
  if (/^<(?:html|head|body|table|thead|tbody|tr|!doctype html|meta)/u.test(text)) return { code: 'web-page' };
  if (/^<\?xml[^>]*>\s*<\?mso-application/u.test(text)) return { code: 'old-excel' };
  if (/^(?:%pdf|<!doctype|<\?xml)/u.test(text)) return { code: 'not-text' };
  if (/^(?:\{|\[\s*\{)/u.test(text)) {
    const json = latin.decode(head.subarray(0, resultsHead));
    if (!holdsKeywordAnswers(json) && holdsResults(json)) return 'results';
    return holdsRows(json.replace(/^ï»¿/u, '')) ? 'rows' : { code: 'json' };
  }
  return rowsInBrackets.test(text) || haveNames(text) ? { code: 'rows-in-brackets' } : 'text';
}

/** Whether values stand behind their names: "- keyword: oak desk" and "volume: 100", or both on a line. "Keywords: oak desk, pine desk" is a list. */
function haveNames(text: string): boolean {
  const named = [...text.matchAll(/(?:^|[\n,;|]) *(?:- +)?["']?(\p{L}[\p{L} _]{0,40})["']?[:：] ?\S/gu)];
  const names = named.map(([, name]) => name!.trim()).filter(isKnownName);
  const ofKeywords = names.filter(isKeywordName);
  return ofKeywords.length > 1 && (names.length > ofKeywords.length || !text.includes(','));
}

/** Two brackets before a quoted text, or one before a quoted text and a number. A list of texts has one. */
const rowsInBrackets = /^insert into |^[[(]\s*(?:[[(]\s*["']|(["'])(?:(?!\1).)+\1\s*,\s*-?[\d.]+\s*[\]),])/u;

/** So many bytes tell what JSON holds. */
const resultsHead = 1 << 16;

/** Whether an archive names a part that only Office files have. Its name stands near the start, or in the last bytes. */
function holdsParts(bytes: Uint8Array): boolean {
  return /\[Content_Types\]\.xml|_rels\/|xl\//u.test(latin.decode(bytes));
}

const latin = new TextDecoder('windows-1252');

/** The columns that an export has, by name. Source: headers of real exports, and of public parsers. */
const signatures: readonly (readonly [Vendor, readonly string[], without?: string])[] = [
  ['semrush-keyword-strategy-builder', ['Keyword', 'Page', 'Topic', 'Page type']],
  ['semrush-organic-positions', ['Keyword', 'Position', 'Search Volume', 'Traffic (%)']],
  ['semrush-keyword-magic', ['Keyword', 'Volume', 'Keyword Difficulty', 'SERP Features'], 'Position'],
  ['semrush-api', ['Search Volume', 'Keyword Difficulty Index']],
  ['ahrefs-keywords-explorer', ['Keyword', 'Difficulty', 'Parent Keyword']],
  ['ahrefs-keywords-explorer', ['Keyword', 'Difficulty', 'Parent topic']],
  ['ahrefs-organic-keywords', ['Keyword', 'KD', 'Current position', 'Current URL']],
  ['keyword-planner', ['Keyword', 'Avg. monthly searches', 'Competition (indexed value)']],
  ['ubersuggest', ['Keyword', 'SD', 'PD']],
  ['ubersuggest', ['Keyword', 'SEO Difficulty', 'Paid Difficulty']],
];

/** The tool that wrote a file, by its columns; `table` if no tool is known for them. */
function vendorOf(names: readonly string[], delimiter: Delimiter | undefined): Vendor {
  const spellings = new Set(names.flatMap((name) => [plain(name), plain(name.replace(/\([^()]*\)\s*$/u, ''))]));
  const has = (name: string) => spellings.has(plain(name));
  for (const [vendor, needed, without] of signatures) {
    if (vendor === 'semrush-api' && delimiter !== ';') continue;
    if (needed.every(has) && !(without !== undefined && has(without))) return vendor;
  }
  const fields = new Set(names.map((name) => fieldOf(name)?.name));
  // Reports of ads have the same figures, and what was bid.
  const isOfAds = ['Match type', 'Campaign', 'Ad group', 'Cost'].some(has);
  if (!isOfAds && fields.has('keyword') && fields.has('clicks') && fields.has('impressions')) return 'search-console';
  return 'table';
}

const plain = (name: string): string => fold(name).replaceAll('.', '');
