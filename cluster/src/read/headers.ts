import { isKeywordName, isKnownName } from './names.ts';
import { hasLetter, isAddress, numberOfCell } from './values.ts';

/** A header is among the first records. */
const searched = 30;
/** The values of this many rows are compared with a header whose names are unknown. */
const comparedRows = 2000;
/** This many records after such a header must have its width. */
const alikeRows = 20;

type Records = readonly (readonly string[])[];

/** The index of the header among the first records of a file; undefined if it has none. */
export function headerOf(records: Records): number | undefined {
  const first = records.slice(0, searched);
  if (records.every((record) => record.length === 1)) return isKeywordName(first[0]?.[0] ?? '') ? 0 : undefined;
  const known = first.findIndex(hasKnownNames);
  if (known >= 0) return known;
  // Title lines have other widths, or leave most cells empty; what follows the first full record is data.
  const full = first.findIndex((record) => record.length > 1 && 2 * record.filter(isFilled).length > record.length);
  return full >= 0 && isUnlikeItsColumns(records, full) ? full : undefined;
}

const isFilled = (cell: string): boolean => cell.trim() !== '';

/** A keyword column and one more known field, or three known fields. */
function hasKnownNames(record: readonly string[]): boolean {
  const known = knownNames(record);
  return known >= 3 || (known === 2 && record.some(isKeywordName));
}

/** The number of cells that name a field. */
export const knownNames = (record: readonly string[]): number => record.filter(isKnownName).length;

/** Texts that differ from each other and from all values below them. */
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
