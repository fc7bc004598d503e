import { type Filter, noFilter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { anyFilter } from '@kc/pack/test/support/filters';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partsOf, rangeText } from './filter-parts.ts';

const names: Readonly<Record<string, string>> = { a: 'shoes', b: 'hats', c: 'trail shoes' };
const textsOf = (filter: Partial<Filter>) =>
  partsOf({ ...noFilter, ...filter }, (address) => names[address]!).map((part) => part.text);

test('every chip names its criterion', () => {
  expect(
    textsOf({
      contains: ['trail shoes'],
      excludes: ['kids'],
      types: ['pillar_topic', ''],
      intents: ['commercial', 'transactional'],
      categories: [{ field: 'SERP features', values: ['Video', ''] }],
      ranges: [{ of: 'volume', from: 100, to: 1000 }],
      known: ['intent', 'cpc'],
      within: ['a', 'b'],
      outside: ['c', 'a'],
      depth: { from: 2, to: 2 },
      hasChildren: false,
    }),
  ).toEqual([
    'Contains “trail shoes”',
    'Without “kids”',
    'Type: pillar topic or no type',
    'Intent: commercial or transactional',
    'SERP features: Video or unknown',
    'Volume 100 – 1,000',
    'Intent known',
    'CPC known',
    'Only in: shoes or hats',
    'Hidden: trail shoes',
    'Hidden: shoes',
    'Level 2',
    'Without children',
  ]);
});

test('an open bound is named, and numbers keep their precision', () => {
  expect(rangeText('volume', { from: 2500, to: undefined })).toBe('Volume at least 2,500');
  expect(rangeText('difficulty', { from: undefined, to: 37.125 })).toBe('Difficulty at most 37.125');
  expect(rangeText('position', { from: 3, to: 3 })).toBe('Position 3');
  expect(rangeText('field:Traffic', { from: -1, to: 0.1 })).toBe('Traffic -1 – 0.1');
  expect(textsOf({ depth: { from: undefined, to: 3 } })).toEqual(['Down to level 3']);
  expect(textsOf({ depth: { from: 2, to: undefined } })).toEqual(['Level 2 and deeper']);
  expect(textsOf({ depth: { from: 2, to: 4 } })).toEqual(['Levels 2 – 4']);
  expect(textsOf({ hasChildren: true })).toEqual(['With children']);
});

test('removing the criteria one by one leaves an empty filter, and all criteria differ', () => {
  fc.assert(
    fc.property(anyFilter(), (any) => {
      let filter = readFilter(writeFilter(any))!;
      if (!filter) return;
      const texts = partsOf(filter, (address) => address).map((part) => part.text);
      expect(new Set(texts).size).toBe(texts.length);
      for (let left = texts.length; left > 0; left--) {
        expect(partsOf(filter)).toHaveLength(left);
        filter = partsOf(filter)[left >> 1]!.without;
      }
      expect(writeFilter(filter)).toBe('');
    }),
  );
});

test('the chip of a text contains its match mode', () => {
  const filter = readFilter('all-red shoes*notany-kids baby*regex-^a.b*notregex-x$')!;
  expect(partsOf(filter).map(({ text }) => text)).toEqual([
    'Contains all of “red shoes”',
    'Without any of “kids baby”',
    'Does not match /x$/',
    'Matches /^a.b/',
  ]);
  expect(writeFilter(partsOf(filter)[1]!.without)).toBe('all-red shoes*notregex-x$*regex-^a.b');
});
