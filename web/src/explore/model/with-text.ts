import type { Filter } from '@kc/pack/filter/filter';
import type { TextQuery } from '@kc/pack/find/text-query';

/** The filter that also requires a text, or excludes what matches it. */
export function withText(filter: Filter, { mode, text }: TextQuery, isIn = true): Filter {
  if (mode !== 'phrase') return { ...filter, texts: [...filter.texts, { mode, text, isIn }] };
  const list = isIn ? 'contains' : 'excludes';
  return { ...filter, [list]: [...filter[list], text] };
}
