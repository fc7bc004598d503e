/**
 * A text that PostgreSQL can store: it accepts neither NUL nor half of a surrogate pair, in `text` or `jsonb`, although
 * JSON has both. Each becomes U+FFFD, the replacement character, so the length stays.
 */
export const toStorable = (text: string): string => text.replace(/[\0\p{Cs}]/gu, '\ufffd');

/** The first or, for a negative number, the last UTF-16 code units of a text, without halves of surrogate pairs. */
export const cutText = (text: string, units: number): string =>
  (units < 0 ? text.slice(units) : text.slice(0, units)).replace(/\p{Cs}/gu, '');
