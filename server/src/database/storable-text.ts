/**
 * A text as PostgreSQL can keep it: it takes neither NUL nor half of a surrogate pair, in `text` or in `jsonb`, though
 * JSON has both. Each becomes U+FFFD, which says that a character stood there.
 *
 * For what comes out of uploaded files. The files themselves, and packs, keep every character.
 */
export const storableText = (text: string): string => Buffer.from(text).toString().replaceAll('\0', '\ufffd');

/** As {@link storableText}, for every text within a value that is kept as JSON. */
export const storableJson = (value: object): string =>
  JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'string' ? storableText(inner) : inner));
