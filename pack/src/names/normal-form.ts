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
