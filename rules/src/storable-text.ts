import * as z from 'zod/mini';

/**
 * A text that PostgreSQL can store: it accepts neither NUL nor half of a surrogate pair, in `text` or `jsonb`, although
 * JSON has both. Each becomes U+FFFD, the replacement character, so the length stays.
 */
export const toStorable = (text: string): string => text.replace(/[\0\p{Cs}]/gu, '\ufffd');

/** The first or, for a negative number, the last UTF-16 code units of a text, without halves of surrogate pairs. */
export const cutText = (text: string, units: number): string =>
  (units < 0 ? text.slice(units) : text.slice(0, units)).replace(/\p{Cs}/gu, '');

/**
 * A text of a request that may reach the database, made storable while it is read. Every text of every call is one of
 * these, or {@link unstoredText}, or of a fixed form; `storable-text.test.ts` refuses any other.
 *
 * @param max in UTF-16 code units
 */
export const storableText = ({ min = 0, max }: { readonly min?: number; readonly max: number }) =>
  z.string().check(z.overwrite(toStorable), z.minLength(min), z.maxLength(max));

const unstored = new WeakSet<object>();
/** Whether a schema was made by {@link unstoredText}. */
export const isUnstored = (schema: object): boolean => unstored.has(schema);

/** A text that is used as it was sent, and never stored: a password, a token, a filter. */
export function unstoredText({ min = 0, max }: { readonly min?: number; readonly max: number }) {
  const schema = z.string().check(z.minLength(min), z.maxLength(max));
  unstored.add(schema);
  return schema;
}

/** Longer than any text whose rule has a refusal of its own for what is too long. */
const maxFieldLength = 16 * 1024;
export const fieldText = storableText({ max: maxFieldLength });
export const secretText = unstoredText({ max: maxFieldLength });
export const askedText = unstoredText({ max: maxFieldLength });
