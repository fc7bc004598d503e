import type { ChangeMark, Figure, Filter, Intent, PlanMark, StepRange } from '@kc/pack/filter/filter';
import { type TextQuery, trimmed, wordsOf } from '@kc/pack/find/text-query';
import type { MatchMode } from '@kc/pack/vocabulary/choices';
import type { Metric } from '../tree-data/figures.ts';

/** The value of a legend entry: one value, or one range. */
export type LegendValue =
  | { readonly kind: 'type'; readonly value: string }
  | { readonly kind: 'intent'; readonly value: Intent }
  | { readonly kind: 'category'; readonly field: string; readonly value: string }
  /** A branch, by its node ID. */
  | { readonly kind: 'place'; readonly value: string }
  | { readonly kind: 'plan'; readonly value: PlanMark }
  | { readonly kind: 'change'; readonly value: ChangeMark }
  | { readonly kind: 'level'; readonly value: number }
  | { readonly kind: 'range'; readonly figure: Figure; readonly range: StepRange };

/** Whether a filter names the value of a legend entry to keep it. */
export function isIsolated(filter: Filter, entry: LegendValue): boolean {
  switch (entry.kind) {
    case 'type':
      return filter.types.includes(entry.value);
    case 'intent':
      return filter.intents.includes(entry.value);
    case 'category':
      return valuesOf(filter, entry.field).includes(entry.value);
    case 'place':
      return filter.within.includes(entry.value);
    case 'plan':
      return filter.plan.includes(entry.value);
    case 'change':
      return filter.changes.includes(entry.value);
    case 'level':
      return includes(filter.depth, { from: entry.value, to: entry.value });
    case 'range':
      return includes(rangeOf(filter, entry.figure), entry.range);
  }
}

/**
 * The filter that keeps only this entry of the legend, or everything of its kind if it already does. With `add` the
 * entry is added to those already kept, or removed from them.
 */
export function isolate(filter: Filter, entry: LegendValue, add: boolean): Filter {
  switch (entry.kind) {
    case 'type':
      return { ...filter, types: valuesAfter(filter.types, entry.value, add) };
    case 'intent':
      return { ...filter, intents: valuesAfter(filter.intents, entry.value, add) };
    case 'category':
      return withCategory(filter, entry.field, valuesAfter(valuesOf(filter, entry.field), entry.value, add));
    case 'place': {
      const outside = filter.outside.filter((place) => place !== entry.value);
      return { ...filter, within: valuesAfter(filter.within, entry.value, add), outside };
    }
    case 'plan':
      return { ...filter, plan: valuesAfter(filter.plan, entry.value, add) };
    case 'change':
      return { ...filter, changes: valuesAfter(filter.changes, entry.value, add) };
    case 'level':
      return { ...filter, depth: extendedRange(filter.depth, { from: entry.value, to: entry.value }, add) };
    case 'range':
      return withRange(filter, entry.figure, extendedRange(rangeOf(filter, entry.figure), entry.range, add));
  }
}

/** The filter that also excludes a branch. */
export function hide(filter: Filter, place: string): Filter {
  const within = filter.within.filter((other) => other !== place);
  return { ...filter, within, outside: [...filter.outside, place] };
}

function valuesAfter<T extends string>(values: readonly T[], value: T, add: boolean): readonly T[] {
  if (add) return toggled(values, value);
  return values.length === 1 && values[0] === value ? [] : [value];
}

/** A range has no holes: adding one extends it from the first to the last value. */
function extendedRange(current: StepRange | undefined, range: StepRange, add: boolean): StepRange | undefined {
  if (current && current.from === range.from && current.to === range.to && current.isBelow === range.isBelow)
    return undefined;
  if (!add || !current) return range;
  const from = current.from === undefined || range.from === undefined ? undefined : Math.min(current.from, range.from);
  const { to, isBelow } = endsBefore(current, range) ? range : current;
  return from === undefined && to === undefined ? undefined : { from, to, ...(isBelow && { isBelow }) };
}

function includes(current: StepRange | undefined, range: StepRange): boolean {
  const first = Number.NEGATIVE_INFINITY;
  return current !== undefined && (current.from ?? first) <= (range.from ?? first) && !endsBefore(current, range);
}

/** Whether a range ends before another one does; one without its last value ends before one with it. */
function endsBefore(one: StepRange, other: StepRange): boolean {
  const last = Number.POSITIVE_INFINITY;
  const [end, otherEnd] = [one.to ?? last, other.to ?? last];
  return end === otherEnd ? one.isBelow === true && other.isBelow !== true : end < otherEnd;
}

export function toggled<T>(values: readonly T[], value: T): readonly T[] {
  return values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
}

export const rangeOf = (filter: Filter, figure: Figure): StepRange | undefined =>
  filter.ranges.find((range) => range.of === figure);

/** A range without ends is no range, and one that ends where it begins has its end inside. */
export function withRange(filter: Filter, figure: Figure, range: StepRange | undefined): Filter {
  const others = filter.ranges.filter((other) => other.of !== figure);
  if (!range || (range.from === undefined && range.to === undefined)) return { ...filter, ranges: others };
  const { from, to } = range;
  const isBelow = range.isBelow && to !== undefined && from !== to;
  return { ...filter, ranges: [...others, { of: figure, from, to, ...(isBelow && { isBelow }) }] };
}

export const valuesOf = (filter: Filter, field: string): readonly string[] =>
  filter.categories.find((part) => part.field === field)?.values ?? [];

export function withCategory(filter: Filter, field: string, values: readonly string[]): Filter {
  const others = filter.categories.filter((part) => part.field !== field);
  return { ...filter, categories: values.length === 0 ? others : [...others, { field, values }] };
}

/**
 * The texts of a filter that a field can show in one match mode. A single word means the same in every mode and is
 * stored as a phrase. Several single words, each of them required, are not what the mode `any` means.
 */
export function textsOfMode(filter: Filter, isIn: boolean, mode: MatchMode): readonly string[] {
  const phrases = isIn ? filter.contains : filter.excludes;
  if (mode === 'phrase') return phrases;
  const own = filter.texts.filter((part) => part.isIn === isIn && part.mode === mode).map(({ text }) => text);
  if (mode === 'regex') return own;
  const words = phrases.filter((text) => wordsOf(text).length === 1);
  return mode === 'any' && words.length + own.length > 1 ? own : [...words, ...own];
}

/** The filter with other texts instead of {@link textsOfMode}. */
export function withTextsOfMode(filter: Filter, isIn: boolean, mode: MatchMode, texts: readonly string[]): Filter {
  const before = textsOfMode(filter, isIn, mode);
  const list = isIn ? 'contains' : 'excludes';
  const isOwn = (part: TextQuery & { readonly isIn: boolean }) => part.isIn === isIn && part.mode === mode;
  const rest: Filter = {
    ...filter,
    [list]: mode === 'regex' ? filter[list] : filter[list].filter((text) => !before.includes(text)),
    texts: filter.texts.filter((part) => !isOwn(part) || !before.includes(part.text)),
  };
  return texts.reduce<Filter>((changed, text) => withText(changed, { mode, text }, isIn), rest);
}

/** The mode in which a field shows most of a filter; the first one if there are no texts. */
export function modeOf(filter: Filter, isIn: boolean): MatchMode {
  const phrases = isIn ? filter.contains : filter.excludes;
  if (phrases.some((text) => wordsOf(text).length > 1)) return 'phrase';
  return filter.texts.find((part) => part.isIn === isIn)?.mode ?? 'all';
}

/**
 * The texts written in a field, without duplicates. Commas separate texts that are each required, except in mode `any`,
 * where they act like blanks, and in a regular expression, where they are part of it.
 */
export function textsIn(input: string, mode: MatchMode): readonly string[] {
  const parts = mode === 'regex' ? [input] : mode === 'any' ? [input.replaceAll(',', ' ')] : input.split(',');
  return [...new Set(parts.map((text) => trimmed({ mode, text })).filter((text) => text.trim() !== ''))];
}

/** The filter that also requires a text, or excludes what matches it. */
export function withText(filter: Filter, { mode, text }: TextQuery, isIn = true): Filter {
  if (mode !== 'phrase') return { ...filter, texts: [...filter.texts, { mode, text, isIn }] };
  const list = isIn ? 'contains' : 'excludes';
  return { ...filter, [list]: [...filter[list], text] };
}

/** The figure by which a metric of the charts is filtered; undefined if single keywords do not have it. */
export function figureOf(metric: Metric): Figure | undefined {
  if (metric === 'keywords') return undefined;
  if (metric === 'field:competition') return 'competition';
  return metric === 'field:position' ? 'position' : metric;
}

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
