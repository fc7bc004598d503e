/**
 * A text as a spreadsheet's cell that no program takes for a formula. Used for every table that leaves the product, as a
 * file or through the clipboard.
 *
 * An apostrophe is put before every place where a formula could begin: the start of the text, and what follows a comma,
 * a semicolon, a tab or a line end. A program that separates cells by another character than the file's ignores the
 * quotes around a cell, so `a;=1+1` would become two cells. Blanks, quotes and characters that show nothing are no
 * protection: many programs drop them first. A text that begins with a tab or a carriage return gets one, too.
 *
 * Numbers are not for this function: a cell that is a number stays one.
 *
 * Source: security T49; https://owasp.org/www-community/attacks/CSV_Injection
 */
export const harmlessCell = (text: string): string => (hasSign.test(text) ? text.replace(formulaStart, "'") : text);

/** With `|` a program may be asked for data (DDE); the wide signs are turned into plain ones by some programs. */
const signs = String.raw`=+\-@|\uff1d\uff0b\uff0d\uff20`;
const unseen = String.raw`\s"\p{Cc}\p{Cf}`;
const hasSign = new RegExp(`[${signs}]|^[\\t\\r]`, 'u');
const formulaStart = new RegExp(
  `^(?=[\\t\\r]|[${unseen},;]*[${signs}])|(?<=[,;\\t\\r\\n])(?=[${unseen}]*[${signs}])`,
  'gu',
);
