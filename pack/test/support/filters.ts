import fc from 'fast-check';
import {
  branchFigures,
  branchLevels,
  type Figure,
  type Filter,
  filterMetrics,
  intents,
  type Known,
  planMarks,
  questionLanguages,
  type Range,
  type TextPart,
  warningMarkKinds,
} from '../../src/filter/filter.ts';
import { changeNames } from '../../src/vocabulary/changes.ts';
import { levels } from '../../src/vocabulary/choices.ts';

/** Field names and texts in any script, with every character that has a meaning in the text of a filter. */
export const anyText: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
    fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('*', '-', '.', '_', ' ', ',', '"', 'a', 'ß', '靴') }),
  )
  .filter((text) => !/\p{Surrogate}/u.test(text));

/** 16 hex digits: a possible node ID. */
export const anyAddress = fc.string({ minLength: 16, maxLength: 16, unit: fc.constantFrom(...'0123456789abcdef') });

/** Patterns that mean the same in every engine. */
export const anyPattern = fc.constantFrom('a.*b', '^a', 'b$', '[ab]c?', 'a{2}', '^.b', '(b|靴)', ' ', '^\\S+$');

/** Texts of one or several words, and patterns. */
const anyTextPart = (texts: fc.Arbitrary<string>): fc.Arbitrary<TextPart> =>
  fc.oneof(
    fc.record({
      mode: fc.constantFrom('all' as const, 'any' as const),
      text: fc.array(texts, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
      isIn: fc.boolean(),
    }),
    fc.record({ mode: fc.constant('regex' as const), text: anyPattern, isIn: fc.boolean() }),
  );

/** Filters of any kind, in any order and with duplicate parts. */
export function anyFilter(texts: fc.Arbitrary<string> = anyText): fc.Arbitrary<Filter> {
  const list = <T>(value: fc.Arbitrary<T>) => fc.array(value, { maxLength: 3 });
  const field = texts.map((name): Figure => `field:${name}`);
  const figure = fc.oneof(fc.constantFrom<Figure>(...filterMetrics), field);
  const end = fc.oneof(fc.integer({ min: -1000, max: 1_000_000 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
  const range = fc
    .tuple(fc.option(end, { nil: undefined }), fc.option(end, { nil: undefined }))
    .filter(([from, to]) => from !== undefined || to !== undefined)
    .map(([one, other]): Range => {
      const isTurned = one !== undefined && other !== undefined && one > other;
      return isTurned ? { from: other, to: one } : { from: one, to: other };
    });
  return fc.record<Filter>({
    contains: list(texts),
    excludes: list(texts),
    texts: list(anyTextPart(texts)),
    types: list(fc.oneof(texts, fc.constant(''))),
    intents: list(fc.constantFrom(...intents)),
    categories: fc.uniqueArray(fc.record({ field: texts, values: fc.array(texts, { minLength: 1, maxLength: 3 }) }), {
      maxLength: 2,
      selector: ({ field }) => field,
    }),
    ranges: fc.uniqueArray(
      fc.record({ of: figure, range, isBelow: fc.boolean() }).map(({ of, range, isBelow }) => ({
        of,
        ...range,
        ...(isBelow && range.to !== undefined && range.to !== range.from && { isBelow }),
      })),
      { maxLength: 3, selector: ({ of }) => of },
    ),
    known: list(fc.oneof(fc.constant<Known>('intent'), figure)),
    within: list(anyAddress),
    outside: list(anyAddress),
    depth: fc.option(range, { nil: undefined }),
    hasChildren: fc.option(fc.boolean(), { nil: undefined }),
    words: fc.option(range, { nil: undefined }),
    questions: list(fc.constantFrom(...questionLanguages)),
    quick: fc.option(fc.record({ volume: end, difficulty: end }), { nil: undefined }),
    rising: fc.option(fc.record({ percent: end, volume: end }), { nil: undefined }),
    brand: fc.option(fc.record({ isIn: fc.boolean(), terms: list(texts) }), { nil: undefined }),
    plan: list(fc.constantFrom(...planMarks)),
    planned: list(
      fc.oneof(
        fc.record({ of: fc.constantFrom('owner', 'content', 'tag'), value: fc.oneof(fc.constant(''), texts) }),
        fc.record({ of: fc.constant('due'), value: fc.constantFrom('', '2026-12_', '_2027-01', '2026-11_2027-02') }),
      ),
    ),
    changes: list(fc.constantFrom(...changeNames)),
    warnings: list(fc.constantFrom(...warningMarkKinds)),
    seen: fc.oneof(fc.constant(''), texts),
    branches: fc.uniqueArray(
      fc
        .record({ level: fc.constantFrom(...branchLevels), of: fc.constantFrom(...branchFigures), range })
        .map(({ range, ...part }) => ({ ...part, ...range })),
      { maxLength: 3, selector: ({ level, of }) => `${level} ${of}` },
    ),
    areas: list(
      fc.record({
        level: fc.constantFrom(...levels, 'children.0123456789abcdef' as const),
        x: fc.oneof(fc.constantFrom('volume', 'known:difficulty'), field),
        y: fc.oneof(fc.constantFrom('keywords', 'difficulty'), field),
        isLog: fc.record({ x: fc.boolean(), y: fc.boolean() }),
        corners: fc.array(fc.tuple(end, end), { minLength: 3, maxLength: 5 }),
      }),
    ),
    scores: fc.uniqueArray(
      fc
        .record({
          level: fc.constantFrom(...levels),
          score: fc.constantFrom('branch.volume*(1-difficulty/100)', 'sum.volume-cpc', 'max.field("a-b*c")'),
          range,
        })
        .map(({ range, ...part }) => ({ ...part, ...range })),
      { maxLength: 2, selector: ({ level }) => level },
    ),
  });
}
