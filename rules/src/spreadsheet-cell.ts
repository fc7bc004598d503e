/**
 * Escapes a text so that no spreadsheet reads it as a formula. Used for every table that leaves the product, as a file
 * or through the clipboard.
 *
 * An apostrophe goes before every place where a formula could begin: the start of the text, and after a comma,
 * semicolon, tab or line end. A program with a different cell separator ignores the quotes around a cell, so `a;=1+1`
 * would become two cells. Blanks, quotes and invisible characters give no protection, because many programs drop them
 * first. A text that begins with a tab or a carriage return also gets an apostrophe.
 *
 * Numeric cells do not need this function.
 *
 * Source: https://owasp.org/www-community/attacks/CSV_Injection; SECURITY.md, T49.
 */
export function harmlessCell(text: string): string {
  if (!hasSign.test(text)) return text;
  const escaped = text.replace(
    beforeSign,
    (unseen, at: number) => (/[,;\t\r\n]/.test(text.charAt(at - 1)) ? "'" : '') + unseen.replace(/[\t\r\n]/g, "$&'"),
  );
  return formulaAtStart.test(text) ? `'${escaped}` : escaped;
}

/** The note for people who download or copy such a table. Workbooks need no apostrophe: their cells are marked as texts. */
export const apostropheNote =
  'In CSV and copied lists, an apostrophe stands before what a spreadsheet would run as a formula.';

/** `|` can trigger a data request (DDE) in some programs; some convert full-width signs to ASCII. */
const signs = String.raw`=+\-@|\uff1d\uff0b\uff0d\uff20`;
const unseen = String.raw`\s"\p{Cc}\p{Cf}`;
const hasSign = new RegExp(`[${signs}]|^[\\t\\r]`, 'u');
const formulaAtStart = new RegExp(`^(?:[\\t\\r]|[${unseen},;]*[${signs}])`, 'u');
/** All that is unseen before a sign, perhaps nothing. A match begins where a run begins: 60,000 blanks are read once. */
const beforeSign = new RegExp(`(?<![${unseen}])[${unseen}]*(?=[${signs}])`, 'gu');
