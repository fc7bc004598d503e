import type { MatchMode } from '../vocabulary/choices.ts';

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
