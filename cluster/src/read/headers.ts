import { isNumbering } from '../../../pack/src/upload/unrecognised.ts';
import { isoDate } from '../../../pack/src/upload/written-dates.ts';
import { isKeywordName, isKnownName, isListTitle, suggestionOf } from './names.ts';
import { isFigure } from './reading.ts';
import { hasLetter, isAddress, isKnown, numberOfCell } from './values.ts';

/** A header is among this many first records. */
const searched = 30;
/** The values of this many rows are compared with a header whose names are unknown. */
const comparedRows = 2000;
/** This many records after such a header must have the same number of cells. */
const alikeRows = 20;

type Records = readonly (readonly string[])[];

/** The index of the header among the first records of a file; undefined if it has none. */
export function headerOf(records: Records): number | undefined {
  const first = records.slice(0, searched);
  if (records.every((record) => record.length === 1)) return isListTitle(first[0]?.[0] ?? '') ? 0 : undefined;
  const known = first.findIndex(hasKnownNames);
  if (known >= 0) return known;
  // Title lines leave most cells empty, or have fewer cells than all that follow. Everything after the first other record is data.
  const full = first.findIndex(
    (record, at) => record.length > 1 && 2 * record.filter(isFilled).length > record.length && !isTitle(records, at),
  );
  return full >= 0 && isUnlikeItsColumns(records, full) ? full : undefined;
}

/** Whether all records below this one have more cells. */
function isTitle(records: Records, at: number): boolean {
  const below = records.slice(at + 1, at + 1 + alikeRows);
  return below.length > 1 && below.every(({ length }) => length > records[at]!.length);
}

const isFilled = (cell: string): boolean => cell.trim() !== '';

/**
 * Whether a record names a keyword column and another known field, or nothing else but the numbers of rows, or days and years;
 * or any three known fields.
 */
function hasKnownNames(record: readonly string[]): boolean {
  const known = knownNames(record);
  if (known >= 3) return true;
  const others = record.filter((cell) => !isKeywordName(cell));
  if (others.length === record.length) return false;
  return known >= 2 || (others.length > 0 && (others.every(isNumbering) || others.every(isPeriod)));
}

/** Whether a cell is a day or a year, as above the figures of a tracker. */
const isPeriod = (cell: string): boolean => /^(?:(?:19|20)\d\d|\d{4}-\d{2}.*)$/u.test(isoDate(cell.trim(), true));

/** The number of cells that name a field. */
export const knownNames = (record: readonly string[]): number => record.filter(isKnownName).length;

/** Whether nothing but its place makes a record a header: no name is known, and there are only texts below, too. */
export const isLikeRows = (header: readonly string[], below: Records): boolean =>
  header.filter(isFilled).length > 1 &&
  knownNames(header) === 0 &&
  !header.some(isNumbering) &&
  below.every((record) => record.every((cell) => !isFilled(cell) || isText(cell)));

/** A header of two rows: their places among the records, and the names that they make together. */
type TwoRowHeader = { readonly first: number; readonly last: number; readonly names: readonly string[] };

/**
 * The header that a row of names makes together with its neighbour, where one of the two groups the columns: "Position"
 * over "Desktop" and "Mobile", or "This month" over "Clicks" and "Impressions". Undefined for a header of one row.
 *
 * @param top the first row that may be part of it
 */
export function headerOfTwoRows(records: Records, index: number, top: number): TwoRowHeader | undefined {
  const header = records[index]!;
  const below = records[index + 1];
  const gaps = header.flatMap((cell, at) => (isFilled(cell) ? [] : [at]));
  if (below && gaps.some((at) => isText(below[at] ?? '')) && belongsToHeader(header, below))
    return { first: index, last: index + 1, names: joinedNames(toTheRight(header, below), below) };
  const above = index > top ? records[index - 1]! : undefined;
  const isRepeated = new Set(header.filter(isFilled)).size < header.filter(isFilled).length;
  if (
    above &&
    isRepeated &&
    above.filter(isFilled).length >= 2 &&
    above.every((cell) => !isFilled(cell) || isText(cell))
  )
    return { first: index - 1, last: index, names: joinedNames(toTheRight(above, header), header) };
  return undefined;
}

/** Whether the row below names parts of columns: only texts, and none below the keyword or another name that stands alone. */
function belongsToHeader(header: readonly string[], below: readonly string[]): boolean {
  const keyword = header.findIndex(isKeywordName);
  return keyword >= 0 && !isFilled(below[keyword] ?? '') && below.every((cell) => !isFilled(cell) || isText(cell));
}

/** Repeats the name of each group over the empty cells to its right that have a name below. */
function toTheRight(groups: readonly string[], names: readonly string[]): string[] {
  let group = '';
  return Array.from({ length: Math.max(groups.length, names.length) }, (_, at) => {
    if (isFilled(groups[at] ?? '')) group = groups[at]!.trim();
    return isFilled(names[at] ?? '') || isFilled(groups[at] ?? '') ? group : '';
  });
}

/** "Position (Desktop)": the known name comes first, because a remark in parentheses does not change its meaning. */
const joinedNames = (groups: readonly string[], names: readonly string[]): string[] =>
  groups.map((group, at) => {
    const name = names[at]?.trim() ?? '';
    if (name === '' || group === '') return name || group;
    return isKnownName(name) ? `${name} (${group})` : `${group} (${name})`;
  });

/**
 * Whether the row below a header explains it: "Monthly searches" below "Volume", or "integer". It has words below at least two names of
 * figures, where the next row has numbers, and no other row has the same words: these say that a figure is unknown.
 */
export function isLegend(header: readonly string[], [below = [], next = [], ...others]: Records): boolean {
  const isWord = (cell: string) => isText(cell) && isKnown(cell) && !/\d/u.test(cell);
  const explained = header.filter(
    (name, at) =>
      isFigure(suggestionOf(name)?.meaning ?? 'keep') &&
      isWord(below[at] ?? '') &&
      isFilled(next[at] ?? '') &&
      !isText(next[at]!) &&
      others.every((record) => record[at] !== below[at]),
  );
  return explained.length >= 2;
}

/**
 * Whether the names of fields stand below one another, each before the values of its row, so that the keywords are in one row:
 * a table whose rows and columns are swapped.
 */
export function isTransposed(records: Records): boolean {
  const keywords =
    records
      .find(([name = '']) => isKeywordName(name))
      ?.slice(1)
      .filter(isFilled) ?? [];
  return (
    records.length >= 2 &&
    records.length <= searched &&
    keywords.length >= 2 &&
    records.every(([name = '']) => isKnownName(name)) &&
    keywords.every((cell) => isText(cell) && !isKnownName(cell))
  );
}

/** Whether a record is a header by its cells: texts that differ from each other and from all values below them. */
function isUnlikeItsColumns(records: Records, index: number): boolean {
  const header = records[index]!;
  const names = header.filter(isFilled);
  const below = records.slice(index + 1, index + 1 + alikeRows);
  if (names.length < 2 || !names.every(isText) || new Set(names).size < names.length) return false;
  if (below.length === 0 || !below.every((record) => record.length === header.length)) return false;
  const compared = records.slice(index + 1, index + 1 + comparedRows);
  return header.every((name, column) => !isFilled(name) || compared.every((record) => record[column] !== name));
}

const isText = (text: string): boolean =>
  hasLetter(text) && !isAddress(text) && Number.isNaN(numberOfCell(text, { hasDecimalComma: false, isCount: false }));
