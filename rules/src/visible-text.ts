/**
 * Whether a text shows anything. Zero-width characters, fillers, blanks and combining marks without a base letter do
 * not. Some of them are needed between letters (U+200C in Persian, U+200D in emoji), so they are not removed.
 *
 * Source: Unicode `Default_Ignorable_Code_Point`; U+2800 is a Braille cell without a dot.
 */
export function isVisible(text: string): boolean {
  return /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/**
 * A name of a file as it is shown: in place of one that shows nothing there is a text, as in a pivot table, so that its row
 * can be read and its mark be named. The name itself identifies the node, so it stays as it is wherever it is sent or
 * compared.
 */
export const shownName = (name: string): string => (isVisible(name) ? name : '(blank)');
