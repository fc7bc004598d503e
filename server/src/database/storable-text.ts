/**
 * A text that PostgreSQL can store: it accepts neither NUL nor half of a surrogate pair, in `text` or `jsonb`, although
 * JSON has both. Each becomes U+FFFD, the replacement character.
 *
 * For texts from uploaded files. The files themselves, and packs, keep every character.
 */
export const storableText = (text: string): string => Buffer.from(text).toString().replaceAll('\0', '\ufffd');

/** Applies {@link storableText} to every text within a value that is stored as JSON. */
export const storableJson = (value: object): string =>
  JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'string' ? storableText(inner) : inner));
