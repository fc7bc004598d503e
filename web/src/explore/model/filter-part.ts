import type { Filter, Range } from '@kc/pack/filter/filter';
import { lazily } from '../../ui/lazily.ts';

/** One condition of a filter: its label, and the filter without it. */
export type FilterPart = { readonly text: string; readonly without: Filter; readonly place?: string };

/** "Volume 100 – 1,000", "Volume at least 100", "Volume at most 1,000" */
export function namedRange(name: string, { from, to }: Range): string {
  if (from === undefined) return `${name} at most ${endText(to)}`;
  if (to === undefined) return `${name} at least ${endText(from)}`;
  return from === to ? `${name} ${endText(from)}` : `${name} ${endText(from)} – ${endText(to)}`;
}

/** With the precision of the condition, so that the label states exactly what is kept. */
export const endText = (end: number | undefined): string => (end === undefined ? '' : precisely().format(end));
const precisely = lazily(() => new Intl.NumberFormat('en', { maximumSignificantDigits: 17 }));
