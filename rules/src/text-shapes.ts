import * as z from 'zod/mini';
import { toStorable } from './storable-text.ts';

/**
 * A text of a request that may reach the database, made storable while it is read. Every text of every call is one of
 * these, or {@link unstoredText}, or of a fixed form; `text-shapes.test.ts` refuses any other.
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
export const queryText = unstoredText({ max: maxFieldLength });
