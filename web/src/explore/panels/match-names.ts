import type { MatchMode } from '@kc/pack/find/text-query';

/** What the ways to match a text are called. */
export const matchOptions = [
  { value: 'all', label: 'All words' },
  { value: 'any', label: 'Any word' },
  { value: 'phrase', label: 'Phrase' },
  { value: 'regex', label: 'Regex' },
] as const satisfies readonly { readonly value: MatchMode; readonly label: string }[];
