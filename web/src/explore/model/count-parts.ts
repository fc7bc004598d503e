import type { Filter } from '@kc/pack/filter/filter';

/** The number of chips of a filter, without their words: see `partsOf`. */
export function countParts(filter: Filter): number {
  const { contains, excludes, texts, categories, ranges, known, outside, branches, areas, scores } = filter;
  const each = [contains, excludes, texts, categories, ranges, known, outside, branches, areas, scores];
  const { types, intents, within, questions, plan, planned, changes, warnings } = filter;
  const together = [types, intents, within, questions, plan, changes, warnings];
  const { depth, hasChildren, words, quick, rising, brand } = filter;
  const single = [depth, hasChildren, words, quick, rising, brand];
  return (
    each.reduce((sum, { length }) => sum + length, 0) +
    together.filter(({ length }) => length > 0).length +
    new Set(planned.map(({ of }) => of)).size +
    single.filter((part) => part !== undefined).length
  );
}
