import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyFilter } from '../../test/support/filters.ts';
import { sampled } from '../../test/support/sampled.ts';
import { type Filter, noFilter, type TextPart } from './filter.ts';
import { maxFilterLength, readFilter, writeFilter } from './filter-text.ts';

const some: Filter = {
  contains: ['running shoes', 'Über'],
  excludes: ['k*ds'],
  texts: [
    { mode: 'all', text: 'red shoes', isIn: true },
    { mode: 'any', text: 'kids baby', isIn: false },
    { mode: 'regex', text: '^a.*b$ ', isIn: true },
    { mode: 'any', text: 'trail', isIn: true },
  ],
  types: ['pillar_topic', ''],
  intents: ['transactional', 'commercial'],
  categories: [{ field: 'SERP features - all.', values: ['video', 'ai-overview'] }],
  ranges: [
    { of: 'field:Traffic', from: 10.5, to: undefined },
    { of: 'volume', from: 100, to: 5000 },
    { of: 'position', from: undefined, to: -1 },
    { of: 'field:Rank', from: 0.5, to: 2, isBelow: true },
  ],
  known: ['volume', 'cpc', 'field:Traffic', 'field:Trend', 'intent'],
  within: ['0123456789abcdef'],
  outside: ['fedcba9876543210', '00000000000000ff'],
  depth: { from: 2, to: 4 },
  hasChildren: false,
  words: { from: 1, to: 3 },
  questions: ['en', 'de', 'en'],
  quick: { volume: 50, difficulty: 30.5 },
  rising: { percent: 20, volume: 50 },
  brand: { isIn: false, terms: ['wix', ' go  daddy', 'wix', ''] },
  branches: [
    { level: 'pillar', of: 'volume', from: 500, to: undefined },
    { level: 'cluster', of: 'known.difficulty', from: 20, to: undefined },
    { level: 'cluster', of: 'difficulty', from: undefined, to: 30 },
  ],
  areas: [
    {
      level: 'children.0123456789abcdef',
      x: 'volume',
      y: 'difficulty',
      isLog: { x: false, y: false },
      corners: [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    },
    {
      level: 'clusters',
      x: 'difficulty',
      y: 'field:Visits-a',
      isLog: { x: false, y: true },
      corners: [
        [0, 500],
        [30.5, 500],
        [30.5, 9000],
      ],
    },
  ],
  scores: [{ level: 'pillars', from: 40, to: undefined, score: 'sum.volume-cpc' }],
  plan: ['none', 'planned', 'planned'],
  planned: [
    { of: 'tag', value: 'spring' },
    { of: 'owner', value: 'Le*na' },
    { of: 'due', value: '2026-12_' },
    { of: 'owner', value: '' },
    { of: 'content', value: 'Guide' },
    { of: 'tag', value: 'spring' },
  ],
  changes: ['volume-up', 'new'],
  warnings: ['single'],
  seen: 'vs=old',
};

test('a filter is readable text that needs little escaping in a URL', () => {
  const text = writeFilter(some);
  expect(text.split(/(?<!\*)\*(?!\*)/)).toEqual([
    'has-running shoes',
    'has-trail',
    'has-Über',
    'not-k**ds',
    'all-red shoes',
    'notany-kids baby',
    'regex-^a.**b$ ',
    'type-',
    'type-pillar_topic',
    'intent-commercial',
    'intent-transactional',
    'is-SERP features .- all..-ai-overview',
    'is-SERP features .- all..-video',
    'volume-100_5000',
    'position-_-1',
    'in-Rank-0.5__2',
    'in-Traffic-10.5_',
    'known-intent',
    'known-cpc',
    'knows-Trend',
    'within-0123456789abcdef',
    'outside-00000000000000ff',
    'outside-fedcba9876543210',
    'depth-2_4',
    'branch-no',
    'words-1_3',
    'ask-de.en',
    'quick-50_30.5',
    'rising-20_50',
    'nonbrand-go daddy,wix',
    'cluster-difficulty-_30',
    'cluster-known.difficulty-20_',
    'pillar-volume-500_',
    'area-children.0123456789abcdef-volume-difficulty-even.even-1_2_3_4_5_6',
    'area-clusters-difficulty-field:Visits.-a-even.log-0_500_30.5_500_30.5_9000',
    'score-pillars-40_-sum.volume-cpc',
    'plan-planned',
    'plan-none',
    'owner-',
    'owner-Le**na',
    'content-Guide',
    'tag-spring',
    'due-2026-12_',
    'change-new',
    'change-volume-up',
    'warn-single',
    'seen-vs=old',
  ]);
  const { contains, texts, ...rest } = some;
  const plain = writeFilter({
    ...rest,
    // Links say it with parameters of their own.
    seen: '',
    contains: ['running shoes'],
    texts: texts.filter(({ mode }) => mode !== 'regex'),
    brand: { isIn: true, terms: ['wix'] },
    areas: some.areas.map((area) => ({ ...area, y: 'volume' })),
  });
  expect(new URLSearchParams({ f: plain }).toString()).toBe(`f=${plain.replaceAll(' ', '+')}`);
});

test('parsing the text of a filter and writing it again gives the same text', () => {
  fc.assert(
    fc.property(anyFilter(), (filter) => {
      const text = writeFilter(filter);
      const read = readFilter(text);
      expect(read).toBeDefined();
      expect(writeFilter(read!)).toBe(text);
      expect(readFilter(writeFilter(read!))).toEqual(read);
    }),
    { numRuns: sampled(1000) },
  );
});

// Shows P15.2.
test('the text of a filter contains every part of it', () => {
  fc.assert(
    fc.property(anyFilter(), (filter) => {
      const read = readFilter(writeFilter(filter))!;
      const trimmed = (texts: readonly string[]) => new Set(texts.map((text) => text.trim()).filter((text) => text));
      // A single word means the same in every mode, and becomes a phrase.
      const wordsIn = (text: string) => [...new Set(text.split(/\s+/u).filter((word) => word))];
      const isWord = ({ mode, text }: TextPart) => mode !== 'regex' && wordsIn(text).length < 2;
      const words = (isIn: boolean) => filter.texts.filter((part) => isWord(part) && part.isIn === isIn);
      const textsOf = (parts: readonly TextPart[]) => parts.flatMap(({ text }) => wordsIn(text));
      expect(new Set(read.contains)).toEqual(trimmed([...filter.contains, ...textsOf(words(true))]));
      expect(new Set(read.excludes)).toEqual(trimmed([...filter.excludes, ...textsOf(words(false))]));
      const several = filter.texts.filter((part) => !isWord(part));
      expect(new Set(read.texts.map((part) => JSON.stringify(part)))).toEqual(
        new Set(
          several.map(({ mode, text, isIn }) =>
            JSON.stringify({ mode, text: mode === 'regex' ? text : wordsIn(text).join(' '), isIn }),
          ),
        ),
      );
      expect(new Set(read.types)).toEqual(new Set(filter.types));
      expect(new Set(read.intents)).toEqual(new Set(filter.intents));
      expect(new Map(read.categories.map(({ field, values }) => [field, new Set(values)]))).toEqual(
        new Map(filter.categories.map(({ field, values }) => [field, new Set(values)])),
      );
      expect(new Map(read.ranges.map((range) => [range.of, range]))).toEqual(
        new Map(
          filter.ranges.map(({ of, from, to, ...rest }) => [of, { of, from: plus0(from), to: plus0(to), ...rest }]),
        ),
      );
      const asked = [...filter.known, ...filter.ranges.map(({ of }) => of)];
      expect(new Set([...read.known, ...read.ranges.map(({ of }) => of)])).toEqual(new Set(asked));
      expect(new Set(read.within)).toEqual(new Set(filter.within));
      expect(new Set(read.outside)).toEqual(new Set(filter.outside));
      expect(read.depth).toEqual(filter.depth && { from: plus0(filter.depth.from), to: plus0(filter.depth.to) });
      expect(read.hasChildren).toBe(filter.hasChildren);
      expect(read.words).toEqual(filter.words && { from: plus0(filter.words.from), to: plus0(filter.words.to) });
      expect(new Set(read.questions)).toEqual(new Set(filter.questions));
      expect(read.quick).toEqual(
        filter.quick && { volume: filter.quick.volume + 0, difficulty: filter.quick.difficulty + 0 },
      );
      expect(read.rising).toEqual(
        filter.rising && { percent: filter.rising.percent + 0, volume: filter.rising.volume + 0 },
      );
      const termsOf = (terms: readonly string[]) =>
        new Set(terms.flatMap((term) => wordsIn(term.replaceAll(',', ' '))));
      expect(read.brand?.isIn).toBe(filter.brand?.isIn);
      expect(termsOf(read.brand?.terms ?? [])).toEqual(termsOf(filter.brand?.terms ?? []));
      expect(new Map(read.branches.map((part) => [`${part.level} ${part.of}`, part]))).toEqual(
        new Map(
          filter.branches.map((part) => [
            `${part.level} ${part.of}`,
            { ...part, from: plus0(part.from), to: plus0(part.to) },
          ]),
        ),
      );
    }),
    { numRuns: sampled(1000) },
  );
});

/** Converts -0 to 0. */
const plus0 = (end: number | undefined) => (end === undefined ? undefined : end + 0);

test('words of one kind are the same word, however often they are written', () => {
  const texts: readonly TextPart[] = [
    { mode: 'all', text: ' red  red ', isIn: false },
    { mode: 'any', text: 'hose', isIn: true },
    { mode: 'all', text: ' ', isIn: true },
  ];
  expect(writeFilter({ ...noFilter, texts })).toBe('has-hose*not-red');
});

test('parts may be in any order and repeated', () => {
  expect(readFilter('volume-1_*has-b*intent-commercial*has-a*has-b')).toEqual(
    readFilter('has-a*has-b*intent-commercial*volume-1_'),
  );
});

test('an empty filter is written as the empty text', () => {
  expect(writeFilter(noFilter)).toBe('');
  expect(readFilter('')).toEqual(noFilter);
});

test.each([
  'has',
  'has-',
  'has- ',
  'has-a*',
  '*has-a',
  'shoes',
  'shoes-10_',
  'volume-',
  'volume-_',
  'volume-10',
  'volume-10_5',
  'volume-10__10',
  'volume-10__',
  'volume-__',
  'volume-10___20',
  'words-1__3',
  'volume-a_b',
  'volume-1_2_3',
  'volume-1e999_',
  'volume-1.2.3_',
  'volume-1_*volume-2_',
  'intent-buying',
  'known-keywords',
  'knows-',
  'is-Country',
  'is--US',
  'in-Traffic',
  'in-Traffic-x',
  'within-',
  'within-shoes',
  'outside-0123456789ABCDEF',
  'outside-0123456789abcde',
  'depth-1_2*depth-1_2',
  'branch-maybe',
  'branch-yes*branch-no',
  'words-',
  'words-1_2*words-1_3',
  'ask-',
  'ask-xx',
  'ask-en.',
  'quick-50',
  'quick-50_',
  'quick-_30',
  'quick-50_30_1',
  'quick-50_30*quick-50_30',
  'rising-20_x',
  'brand-a*nonbrand-a',
  'brand-a*brand-b',
  `brand-${Array.from({ length: 51 }, (_, term) => `t${term}`).join(',')}`,
  'cluster-volume-',
  'cluster-volume-5_1',
  'cluster-traffic-1_',
  'cluster-volume-1_*cluster-volume-2_',
  'pillar-known.volume-1_',
  'pillar-1_',
  'has-\ud800',
])('invalid text is not a filter: %j', (text) => {
  expect(readFilter(text)).toBeUndefined();
});

test('a text longer than a URL allows is not a filter', () => {
  const longest = `has-${'a'.repeat(maxFilterLength - 4)}`;
  expect(readFilter(longest)).toBeDefined();
  expect(readFilter(`${longest}a`)).toBeUndefined();
});

test('any text is either a valid filter or rejected', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (one, other) => {
      for (const text of [one, other, `has-${one}`, `is-${other}`]) {
        const read = readFilter(text);
        if (read) expect(readFilter(writeFilter(read))).toEqual(read);
      }
    }),
  );
});

test('a pattern that is too long is rejected', () => {
  expect(readFilter(`regex-${'a'.repeat(200)}`)).toBeDefined();
  expect(readFilter(`regex-${'a'.repeat(201)}`)).toBeUndefined();
});
