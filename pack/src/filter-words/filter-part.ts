import type { Filter, Range } from '../filter/filter.ts';

/** One condition of a filter: its label, and the filter without it. */
export type FilterPart = { readonly text: string; readonly without: Filter; readonly place?: string };

/** "Volume 100 – 1,000", "Volume at least 100", "Volume at most 1,000" */
export function namedRange(name: string, { from, to }: Range): string {
  if (from === undefined) return `${name} at most ${endText(to)}`;
  if (to === undefined) return `${name} at least ${endText(from)}`;
  return from === to ? `${name} ${endText(from)}` : `${name} ${endText(from)} – ${endText(to)}`;
}

/** With the precision of the condition, so that the label states exactly what is kept. */
export function endText(end: number | undefined): string {
  precisely ??= new Intl.NumberFormat('en', { maximumSignificantDigits: 17 });
  return end === undefined ? '' : precisely.format(end);
}

/** The first format of a page costs more than ten milliseconds, so it is made when it is needed. */
let precisely: Intl.NumberFormat | undefined;

/** "a, b, or c" */
export function anyOf(texts: readonly string[]): string {
  either ??= new Intl.ListFormat('en', { type: 'disjunction' });
  return either.format(texts);
}

let either: Intl.ListFormat | undefined;
