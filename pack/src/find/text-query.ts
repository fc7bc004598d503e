import type { MatchMode } from '../vocabulary/choices.ts';

export type TextQuery = { readonly mode: MatchMode; readonly text: string };

/** A query for a text as a whole. */
export const phrase = (text: string): TextQuery => ({ mode: 'phrase', text });

/** The maximum length of a pattern, in characters. */
export const maxPatternLength = 200;

/** The distinct words of a text. */
export const wordsOf = (text: string): readonly string[] => [
  ...new Set(text.split(/\s+/u).filter((word) => word !== '')),
];

/** The text without what has no meaning in its mode: surrounding or repeated white space, and repeated words. */
export function trimmed({ mode, text }: TextQuery): string {
  if (mode === 'regex') return text;
  return mode === 'phrase' ? text.trim() : wordsOf(text).join(' ');
}
