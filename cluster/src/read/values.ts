import { isUnknown } from '../../../pack/src/upload/field-texts.ts';
import { countOfBytes, numberOfBytes } from '../../../pack/src/upload/numbers.ts';
import type { ListMarks } from './reading.ts';

/** Whether a cell says anything: not empty, "n/a", "-" or the like. */
export const isKnown = (text: string): boolean => !isUnknown(text.trim());

/** Whether a known figure is 0, as "0.00" and "0,00" are. */
export const isZero = (text: string): boolean => /^0+(?:[.,]0*)?$/u.test(text.trim());

/**
 * The text of a keyword in a cell, without invisible characters and without Excel's `="…"`. Joiners inside a word stay,
 * because Persian and many signs need them.
 *
 * @param notation what is no part of the text, as `Reading` says it
 */
export function keywordText(cell: string, { hasMatchTypes, listMarks }: KeywordNotation): string {
  if (!listMarks && isPlain.test(cell)) return cell;
  const visible = (listMarks ? cell.replace(marksOfLists[listMarks], '') : cell)
    .replace(invisible, '')
    .replace(/[\u200c\u200d]/gu, joinerInWord)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const text = /^="(.+)"$/u.exec(visible)?.[1] ?? visible;
  if (!hasMatchTypes) return text;
  return (exactOrPhrase.exec(text)?.slice(1).join('') ?? text.replace(broadMatch, '$1')).trim();
}

type KeywordNotation = {
  readonly hasMatchTypes?: true | undefined;
  readonly listMarks?: ListMarks | undefined;
};

/** A row that only draws a line below a header: "---", ":---:", "====". */
export function isRule(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length > 0 && filled.every((cell) => /^[:+]?[-=_+]{3,}[:+]?$/u.test(cell.trim()));
}

/** What stands before the items of a list: "iv. ", "1. ", "2) ", "(3)", "4 - ", "⑤", "f) ", "- ", "• ", "✓". */
export const marksOfLists = {
  numbers:
    /^\s*(?:\((\d{1,5})\)\s*|[#№]\s?(\d{1,5})\s+|(\d{1,5})\s?[.):、．：](?!\d)\s*|(\d{1,5})\s+[-–—]\s+|([①-⑳])\s*|([a-z])[.)]\s+)(?=\S)/u,
  roman: /^\s*\(?([ivxlc]{1,9})[.):]\s+(?=\S)/iu,
  bullets: /^\s*(?:[\p{Pd}·*+>\p{So}\p{Co}→•▪◦‣・]\s+|[•▪◦‣・\p{Co}✓✔➤●○■▸►])(?=\S)/u,
} as const;

/** The place in a list that a roman number before an item says; undefined without one. */
export function romanOfMark(text: string): number | undefined {
  const digits = marksOfLists.roman.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined || !/^(?:x[cl]|l?x{0,3})?(?:i[xv]|v?i{0,3})$/u.test(digits.replace(/^c{1,3}/u, '')))
    return undefined;
  const values = [...digits].map((digit) => romanDigits[digit]!);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

/** The place in a list that a mark before an item says; undefined without one. */
export function numberOfMark(text: string): number | undefined {
  const mark = marksOfLists.numbers
    .exec(text)
    ?.slice(1)
    .find((found) => found !== undefined);
  if (mark === undefined) return undefined;
  return /\d/u.test(mark) ? Number(mark) : mark.charCodeAt(0);
}

const exactOrPhrase = /^\[([^[\]]+)\]$|^"([^"]+)"$/u;
const broadMatch = /(^| )\+(?=\p{L})/gu;

/** Whether a keyword is written like those in the accounts of ads. */
export const hasMatchType = (text: string): boolean => exactOrPhrase.test(text) || / \+\p{L}/u.test(` ${text}`);

/** Most keywords are words of ASCII with single blanks between them. */
const isPlain = /^[!#-*,-Z\\^-~]+(?: [!#-*,-Z\\^-~]+)*$/u;
/** Zero width spaces and word joiners, soft hyphens, fillers, marks of direction and byte order, selectors behind letters. */
const invisible =
  /\u034f|\u180b|\u180c|\u180d|[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\uffa0\ufeff\ufff9-\ufffb]|(?<=[\p{L}\s])[\ufe00-\ufe0f]/gu;

/** A joiner if it stands between letters or signs, otherwise nothing. */
function joinerInWord(joiner: string, at: number, text: string): string {
  const joins = /[\p{L}\p{M}\p{S}\p{Cs}\u200c\u200d]/u;
  return joins.test(text[at - 1] ?? '') && joins.test(text[at + 1] ?? '') ? joiner : '';
}

export const hasLetter = (text: string): boolean => /\p{L}/u.test(text);

/** Whether a text is an address, or a host as in "example.com". */
export const isAddress = (text: string): boolean =>
  /^https?:\/\/\S+$/iu.test(text) || /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?(?:\/\S*)?$/u.test(text);

/** How the numbers of a column are written. */
type NumberStyle = {
  readonly hasDecimalComma: boolean;
  /** Counts have no thousandths: "1.300" is 1300. */
  readonly isCount: boolean;
};

/** The number in a cell; NaN if it holds none. */
export function numberOfCell(text: string, { hasDecimalComma, isCount }: NumberStyle): number {
  const shown = text.startsWith('="') ? text.replace(/^="([^"]*)"$/u, '$1') : text;
  const plain = hasDecimalComma ? shown.replaceAll('.', '').replace(',', '.') : shown;
  if (plain.length > longest) return Number.NaN;
  const { written } = encoder.encodeInto(plain.trim(), bytes);
  return isCount ? countOfBytes(bytes, 0, written) : numberOfBytes(bytes, 0, written);
}

/** A number is not longer, in characters. */
const longest = 64;
const bytes = new Uint8Array(3 * longest);
const encoder = new TextEncoder();

/**
 * Whether a column writes decimals with a comma. "1,300" alone does not tell; "0,45" and "1.300,5" do, unless another
 * value has a decimal point.
 */
export function hasDecimalComma(values: readonly string[]): boolean {
  const isComma = (text: string) => /^\D*\d+,(?:\d{1,2}|\d{4,})\D*$/u.test(text) || /\d\.\d{3},\d/u.test(text);
  const isPoint = (text: string) => /^\D*\d+\.(?:\d{1,2}|\d{4,})\D*$/u.test(text) || /\d,\d{3}\.\d/u.test(text);
  return values.some(isComma) && !values.some(isPoint);
}

/** Share of the texts for which something holds; 1 if there are none. */
export function shareOf(texts: readonly string[], holds: (text: string) => boolean): number {
  if (texts.length === 0) return 1;
  let count = 0;
  for (const text of texts) if (holds(text)) count++;
  return count / texts.length;
}
