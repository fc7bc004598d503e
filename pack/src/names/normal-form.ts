/** Scripts use a few combining marks on a letter. Unicode's stream-safe format allows 30. */
const maxMarks = 64;
/** Combining marks, and the two half-width signs that become such marks. */
const mark = String.raw`\p{M}\uff9e\uff9f`;
const longRun = new RegExp(`[${mark}]{${maxMarks}}`, 'u');
const pieces = new RegExp(`[^${mark}]+[${mark}]{0,${maxMarks}}|[${mark}]{1,${maxMarks}}`, 'gu');

/**
 * A text in a normal form of Unicode, in linear time. Engines sort the marks on a letter by insertion, so that 60,000 marks
 * in the wrong order would take a second. Only the first 64 in a row are sorted together, then the next 64.
 *
 * Source: https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  if (text.length <= maxMarks || !longRun.test(text)) return text.normalize(form);
  return text.replace(pieces, (piece) => piece.normalize(form));
}

/**
 * Folds text for search: compatibility normalization, accents removed, case folded.
 *
 * Accents are the combining marks shared by all scripts, and the vowel signs and points that people omit in Arabic,
 * Hebrew and Syriac. Marks of other scripts, such as the vowels of Devanagari and Thai, are part of the word and stay.
 */
export function foldForSearch(text: string): string {
  const plain = normalForm(text, 'NFKD').replace(accents, '');
  // ς occurs only at the end of a word, and a partly typed word may not have reached it.
  return normalForm(foldCase(plain).replaceAll('ς', 'σ'), 'NFC');
}

const accents =
  /(?=\p{M})[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/gu;

/**
 * Lower, upper and lower case again, so that letters with several lower-case forms (ß and ss, σ and ς) become equal.
 */
export const foldCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();
