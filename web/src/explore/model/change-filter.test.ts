import { noFilter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { matchModes } from '@kc/pack/vocabulary/choices';
import { expect, test } from 'vitest';
import {
  hide,
  isIsolated,
  isolate,
  type LegendValue,
  modeOf,
  textsIn,
  textsOfMode,
  withRange,
  withTextsOfMode,
} from './change-filter.ts';

const type = (value: string): LegendValue => ({ kind: 'type', value });
const step = (from: number | undefined, to: number | undefined): LegendValue => ({
  kind: 'range',
  figure: 'difficulty',
  range: { from, to },
});

// Shows P15.3.
test('clicking a legend entry keeps only it, and clicking it again keeps all of its kind', () => {
  const products = isolate({ ...noFilter, contains: ['x'] }, type('product'), false);
  expect(products).toMatchObject({ contains: ['x'], types: ['product'] });
  expect(isIsolated(products, type('product'))).toBe(true);
  expect(isolate(products, type('guide'), false).types).toEqual(['guide']);
  expect(isolate(products, type('product'), false).types).toEqual([]);
});

test('entries can be added to those kept, and removed one by one', () => {
  const both = isolate(isolate(noFilter, type('product'), true), type('guide'), true);
  expect(both.types).toEqual(['product', 'guide']);
  expect(isolate(both, type('product'), true).types).toEqual(['guide']);
  expect(isolate(both, type('product'), false).types).toEqual(['product']);
  const stage: LegendValue = { kind: 'category', field: 'Stage', value: '' };
  const unknown = isolate(noFilter, stage, false);
  expect(unknown.categories).toEqual([{ field: 'Stage', values: [''] }]);
  expect(isolate(unknown, stage, true).categories).toEqual([]);
});

test('adding a range extends the kept range to cover both, because a range has no gaps', () => {
  const low = isolate(noFilter, step(undefined, 15), false);
  expect(low.ranges).toEqual([{ of: 'difficulty', from: undefined, to: 15 }]);
  const reached = isolate(low, step(30, 45), true);
  expect(reached.ranges).toEqual([{ of: 'difficulty', from: undefined, to: 45 }]);
  expect(isIsolated(reached, step(15, 30))).toBe(true);
  expect(isIsolated(reached, step(45, 60))).toBe(false);
  expect(isolate(reached, step(90, undefined), true).ranges).toEqual([]);
  expect(isolate(low, step(undefined, 15), false).ranges).toEqual([]);
  const level: LegendValue = { kind: 'level', value: 2 };
  expect(isolate(noFilter, level, false).depth).toEqual({ from: 2, to: 2 });
  expect(isIsolated({ ...noFilter, depth: { from: 1, to: undefined } }, level)).toBe(true);
});

test('steps without their upper limits join, and a limit is lost with the step that begins with it', () => {
  const below = (from: number | undefined, to: number): LegendValue => ({
    kind: 'range',
    figure: 'difficulty',
    range: { from, to, isBelow: true },
  });
  const first = isolate(noFilter, below(undefined, 15), false);
  expect(first.ranges).toEqual([{ of: 'difficulty', from: undefined, to: 15, isBelow: true }]);
  const two = isolate(first, below(15, 30), true);
  expect(two.ranges).toEqual([{ of: 'difficulty', from: undefined, to: 30, isBelow: true }]);
  expect(isIsolated(two, below(15, 30))).toBe(true);
  expect(isIsolated(two, step(15, 30))).toBe(false);
  expect(isolate(two, step(15, 30), true).ranges).toEqual([{ of: 'difficulty', from: undefined, to: 30 }]);
  expect(isolate(two, step(30, undefined), true).ranges).toEqual([]);
  expect(isolate(first, below(undefined, 15), false).ranges).toEqual([]);
  // Whoever raises the lower end up to the upper one keeps that value.
  expect(withRange(two, 'difficulty', { from: 30, to: 30, isBelow: true }).ranges).toEqual([
    { of: 'difficulty', from: 30, to: 30 },
  ]);
});

test('a branch can be kept alone, kept with others or hidden; keeping and hiding exclude each other', () => {
  const place = (value: string): LegendValue => ({ kind: 'place', value });
  const both = isolate(isolate(noFilter, place('a'), false), place('b'), true);
  expect(both.within).toEqual(['a', 'b']);
  expect(isIsolated(both, place('b'))).toBe(true);
  const hidden = hide(hide(both, 'b'), 'c');
  expect(hidden).toEqual({ ...noFilter, within: ['a'], outside: ['b', 'c'] });
  expect(isolate(hidden, place('c'), true)).toEqual({ ...noFilter, within: ['a', 'c'], outside: ['b'] });
  expect(isolate(isolate(noFilter, place('a'), false), place('a'), false)).toEqual(noFilter);
});

test('a range without bounds is removed', () => {
  const filter = withRange(noFilter, 'volume', { from: 1, to: undefined });
  expect(withRange(filter, 'volume', { from: undefined, to: undefined })).toEqual(noFilter);
  expect(withRange(filter, 'cpc', { from: 2, to: 3 }).ranges).toHaveLength(2);
});

test('commas separate texts', () => {
  expect(textsIn(' trail shoes, ,靴,trail shoes ,', 'phrase')).toEqual(['trail shoes', '靴']);
});

test('a comma acts as a space if any word is enough, and is literal in a regular expression', () => {
  expect(textsIn('red, blue', 'any')).toEqual(['red blue']);
  expect(textsIn('a{1,2}', 'regex')).toEqual(['a{1,2}']);
  expect(textsIn('red shoes, boots', 'all')).toEqual(['red shoes', 'boots']);
});

test('changing the mode of a field replaces its texts and leaves everything else alone', () => {
  const before = readFilter('has-trail shoes*not-kids*any-red blue*regex-^a')!;
  expect(modeOf(before, true)).toBe('phrase');
  const none = withTextsOfMode(before, true, 'phrase', []);
  expect(writeFilter(withTextsOfMode(none, true, 'all', ['trail shoes']))).toBe(
    'not-kids*all-trail shoes*any-red blue*regex-^a',
  );
});

test('a single word is shown in every word mode; several required words are not shown as any of them', () => {
  const filter = readFilter('has-trail')!;
  expect(matchModes.map((mode) => textsOfMode(filter, true, mode))).toEqual([['trail'], ['trail'], ['trail'], []]);
  const two = readFilter('has-shoes*has-trail')!;
  expect(textsOfMode(two, true, 'any')).toEqual([]);
  expect(textsOfMode(two, true, 'all')).toEqual(['shoes', 'trail']);
});
