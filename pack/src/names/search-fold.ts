/**
 * Text as search sees it: compatible letters as one, accents off, case folded.
 *
 * Accents are the combining marks that any script shares, and the vowel signs and points that people leave out in Arabic,
 * Hebrew and Syriac. The marks of other scripts are letters of a word, as the vowels of Devanagari and Thai, and stay.
 */
export function foldForSearch(text: string): string {
  const plain = text.normalize('NFKD').replace(accents, '');
  // Only at the end of a word, which a text that is typed may not have reached.
  return foldCase(plain).replaceAll('ς', 'σ').normalize('NFC');
}

const accents =
  /(?=\p{M})[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/gu;

/** Up and down again, so that letters with several lower-case forms (ß and ss, σ and ς) become one. */
export const foldCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();
