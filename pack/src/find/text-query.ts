/**
 * How a text is matched with a name, after both are folded (see `foldForSearch`).
 *
 * - `all`: the name contains each word of the text, in any order; `any`: it contains at least one of them. Words are
 *   separated by white space, and each may be a part of a longer word.
 * - `phrase`: the name contains the text as it stands.
 * - `regex`: the text is an RE2 regular expression that matches a part of the name. Case is ignored.
 */
export const matchModes = ['all', 'any', 'phrase', 'regex'] as const;
export type MatchMode = (typeof matchModes)[number];
export type TextQuery = { readonly mode: MatchMode; readonly text: string };

/** The text as it stands. */
export const phrase = (text: string): TextQuery => ({ mode: 'phrase', text });

/** In characters. Longer patterns are refused. */
export const maxPatternLength = 200;

/** The words of a text, none twice. */
export const wordsOf = (text: string): readonly string[] => [
  ...new Set(text.split(/\s+/u).filter((word) => word !== '')),
];

/** The text without what has no meaning in its mode: white space around it, repeated words and wide gaps. */
export function trimmed({ mode, text }: TextQuery): string {
  if (mode === 'regex') return text;
  return mode === 'phrase' ? text.trim() : wordsOf(text).join(' ');
}
