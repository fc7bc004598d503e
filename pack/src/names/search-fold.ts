import { normalForm } from './normal-form.ts';

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
