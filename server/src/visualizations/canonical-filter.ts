import { readFilter, writeFilter } from '@kc/pack/filter-text';
import { asError } from '../http/refusals.ts';

/** The text of a filter as it is kept by; empty for none. @throws the refusal of what cannot be read as one */
export function canonicalFilter(given: unknown): string {
  const filter = readFilter(typeof given === 'string' ? given : given === undefined ? '' : '*');
  if (!filter) throw asError({ code: 'visualization/filter-invalid' });
  return writeFilter(filter);
}
