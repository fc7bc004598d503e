import type { MatchMode } from '@kc/pack/find/text-query';

/** Labels of the match modes. */
export const matchOptions = [
  { value: 'all', label: 'All words' },
  { value: 'any', label: 'Any word' },
  { value: 'phrase', label: 'Exact phrase' },
  { value: 'regex', label: 'Regex' },
] as const satisfies readonly { readonly value: MatchMode; readonly label: string }[];
