import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyFilter } from '../../test/support/filters.ts';
import { type Filter, noFilter } from '../filter/filter.ts';
import { readFilter, writeFilter } from '../filter/filter-text.ts';
import { partsOf, quickText, rangeText } from './filter-parts.ts';

const names: Readonly<Record<string, string>> = { a: 'shoes', b: 'hats', c: 'trail shoes' };
const textsOf = (filter: Partial<Filter>) =>
  partsOf({ ...noFilter, ...filter }, (address) => names[address]!).map((part) => part.text);

// Shows P15.2.
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

test('the parts of one-click chips and of branches state their numbers', () => {
  expect(
    textsOf({
      words: { from: 4, to: undefined },
      questions: ['en', 'de'],
      quick: { volume: 50, difficulty: 30 },
      rising: { percent: 20, volume: 50 },
      brand: { isIn: false, terms: ['wix', 'godaddy'] },
      branches: [
        { level: 'cluster', of: 'volume', from: 500, to: undefined },
        { level: 'cluster', of: 'known.difficulty', from: 20, to: undefined },
        { level: 'pillar', of: 'cpc', from: 0.5, to: 2 },
        { level: 'pillar', of: 'known.cpc', from: 10, to: 90 },
        { level: 'cluster', of: 'covered', from: 50, to: undefined },
        { level: 'pillar', of: 'covered', from: undefined, to: 0 },
      ],
    }),
  ).toEqual([
    'Words at least 4',
    'Questions: English and German',
    'Quick wins: volume ≥ 50, difficulty ≤ 30',
    'Rising: growth ≥ 20 %, volume ≥ 50',
    'Non-brand: wix, godaddy',
    'Cluster volume at least 500',
    'Cluster difficulty known for at least 20 %',
    'Pillar CPC 0.5 – 2',
    'Pillar CPC known for at least 10 % and at most 90 %',
    'Cluster covered at least 50 %',
    'Pillar covered at most 0 %',
  ]);
  expect(textsOf({ brand: { isIn: true, terms: [] } })).toEqual(['Brand']);
});

test('an open bound is named, and numbers keep their precision', () => {
  expect(rangeText('volume', { from: 2500, to: undefined })).toBe('Volume at least 2,500');
  expect(rangeText('difficulty', { from: undefined, to: 37.125 })).toBe('Difficulty at most 37.125');
  expect(rangeText('position', { from: 3, to: 3 })).toBe('Position 3');
  expect(rangeText('volume', { from: 100, to: 1000, isBelow: true })).toBe('Volume 100 to below 1,000');
  expect(rangeText('volume', { from: undefined, to: 1000, isBelow: true })).toBe('Volume below 1,000');
  expect(rangeText('field:Traffic', { from: -1, to: 0.1 })).toBe('Traffic -1 – 0.1');
  expect(textsOf({ depth: { from: undefined, to: 3 } })).toEqual(['Down to level 3']);
  expect(textsOf({ depth: { from: 2, to: undefined } })).toEqual(['Level 2 and deeper']);
  expect(textsOf({ depth: { from: 2, to: 4 } })).toEqual(['Levels 2 – 4']);
  expect(textsOf({ hasChildren: true })).toEqual(['With children']);
});

test('fields of the plan have a chip each, and what is not set has words of its own', () => {
  const filter = readFilter('owner-Lena*owner-*content-Guide*tag-*due-2026-12_2027-02*due-')!;
  const parts = partsOf(filter);
  expect(parts.map(({ text }) => text)).toEqual([
    'Plan owner: Nobody or Lena',
    'Plan content type: Guide',
    'Plan tag: None',
    'Plan due: No month or December 2026 – February 2027',
  ]);
  expect(writeFilter(parts[0]!.without)).toBe('content-Guide*tag-*due-*due-2026-12_2027-02');
  const dues = ['_2027-01', '2026-12_', '2026-12_2026-12'].map((range) =>
    textsOf({ planned: [{ of: 'due', value: range }] }),
  );
  expect(dues.flat()).toEqual([
    'Plan due: until January 2027',
    'Plan due: from December 2026',
    'Plan due: December 2026',
  ]);
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

test('areas and scores name their level and their figures', () => {
  const texts = (text: string) => partsOf(readFilter(text)!).map((part) => part.text);
  expect(
    texts('area-clusters-difficulty-field:Traffic-even.log-0_5_26.700000762939453_5_26.700000762939453_900_0_900'),
  ).toEqual(['Clusters with difficulty 0 – 26.7 and Traffic 5 – 900']);
  expect(texts('area-clusters-field:ctr-volume-even.log-0.025_5_0.1_5_0.1_900_0.025_900')).toEqual([
    'Clusters with CTR 2.5 – 10 % and volume 5 – 900',
  ]);
  expect(texts('area-keywords-volume-cpc-even.even-0_0_5_1_9_0')).toEqual(['Keywords in an area of volume and CPC']);
  const children = readFilter('area-children.0123456789abcdef-volume-cpc-even.even-0_0_5_1_9_0')!;
  expect(partsOf(children, () => 'Shoes').map(({ text }) => text)).toEqual([
    'Children of Shoes in an area of volume and CPC',
  ]);
  expect(texts('score-clusters-40_-branch.volume')).toEqual(['Cluster score at least 40']);
});

test('quick wins say what belongs together', () => {
  const part = { volume: 50, difficulty: 30.5 };
  expect(quickText(part)).toBe('volume ≥ 50, difficulty ≤ 30.5');
  expect(quickText(part, true)).toBe('volume ≥ 50 and (difficulty ≤ 30.5 or position 4–20)');
});
