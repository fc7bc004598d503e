import fc from 'fast-check';
import {
  type BranchFigure,
  type BranchPart,
  branchLevels,
  type Figure,
  type Filter,
  intents,
  type Known,
  noFilter,
  questionLanguages,
  type Range,
  type TextPart,
} from '../../src/filter/filter.ts';
import type { PackReader } from '../../src/format/pack-reader.ts';
import { createIngest } from '../../src/ingest.ts';
import { checkPack } from '../../src/write/pack-check.ts';
import { writePack } from '../../src/write/pack-writer.ts';
import type { PlainEntry, PlainFigures, PlainNode } from './filter-oracle.ts';
import { anyPattern } from './filters.ts';
import { arraySink, arraySource } from './trees.ts';

// Small files with repeats and gaps, and filters that keep a part of them, for tests against `expectedUnder`.

/** Names, so short that many are equal or contain each other. */
const words = ['ab', 'Ab', 'äb', 'b c', 'B  C', 'abc', 'ß', 'ss', '靴', 'cd', 'de', 'ef', 'x*y'];
/** Questions, and what looks like one. */
const questions = ['how ab', 'Why', 'howab', 'b c?', 'ab how', '¿Por  qué c', '靴とは', '靴ab', 'why-not', "how's"];
export const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const figures: fc.Arbitrary<PlainFigures> = fc.record({
  volume: optional(fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant(0.5))),
  difficulty: optional(fc.integer({ min: 0, max: 8 }).map((n) => n / 4)),
  cpc: optional(fc.integer({ min: 0, max: 8 }).map((n) => n / 4)),
  competition: optional(fc.integer({ min: 0, max: 4 }).map((n) => n / 4)),
  position: optional(fc.integer({ min: 1, max: 9 })),
  intent: optional(fc.subarray([...intents], { minLength: 1 }).map((some) => some.join(', '))),
  Visits: optional(fc.integer({ min: 0, max: 9 })),
  Clicks: optional(fc.integer({ min: 0, max: 3 })),
  Impressions: optional(fc.integer({ min: 0, max: 4 })),
  CTR: optional(fc.integer({ min: 0, max: 8 }).map((n) => n / 8)),
  date: optional(fc.constantFrom('2026-04-01', '2026-04-02', '2026-05-01')),
  Stage: optional(fc.constantFrom('new', 'old', 'odd')),
  Tags: optional(fc.subarray(['p', 'q', 'r'], { minLength: 1 })),
  trend: optional(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 12, maxLength: 12 })),
  'YoY change': fc.option(
    fc.integer({ min: -4, max: 20 }).map((tens) => 10 * tens),
    { nil: undefined, freq: 1 },
  ),
  Branded: optional(fc.constantFrom('true', 'false')),
}) as fc.Arbitrary<PlainFigures>;
const known = (given: PlainFigures): PlainFigures =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
const name = fc.constantFrom(...words, ...questions);
const type = fc.constantFrom(undefined, undefined, 'keyword', 'cluster', 'pillar', 'other', 'subtopic', 'stray');
/** A node with at most this many levels below it. */
const treeOf = (levels: number): fc.Arbitrary<PlainNode> =>
  fc
    .tuple(name, type, figures, levels === 0 ? fc.constant([]) : fc.array(treeOf(levels - 1), { maxLength: 4 }))
    .map(([name, type, figures, children]) => ({
      name,
      ...(type !== undefined && { type }),
      ...known(figures),
      ...(children.length > 0 && { children }),
    }));
export const root = fc
  .tuple(fc.array(treeOf(3), { minLength: 1, maxLength: 5 }), type, figures)
  .map(
    ([children, type, figures]): PlainNode => ({ name: 'root', ...(type && { type }), ...known(figures), children }),
  );
export const entries: fc.Arbitrary<PlainEntry[]> = fc.array(
  fc.tuple(name, figures).map(([keyword, figures]) => ({ keyword, ...known(figures) })),
  { maxLength: 6 },
);

const range = (max: number): fc.Arbitrary<Range> =>
  fc
    .tuple(optional(fc.integer({ min: 0, max: 8 * max })), optional(fc.integer({ min: 0, max: 8 * max })))
    .filter(([from, to]) => (from ?? to) !== undefined && (from ?? 0) <= (to ?? Number.POSITIVE_INFINITY))
    .map(([from, to]) => ({ from: from && from / 8, to: to && to / 8 }));
const figure = fc.constantFrom<Figure>('volume', 'difficulty', 'cpc', 'competition', 'position', 'field:Visits');
export const few = <T>(value: fc.Arbitrary<T>, maxLength: number) => fc.array(value, { minLength: 1, maxLength });
const textPart: fc.Arbitrary<TextPart> = fc.oneof(
  fc.record({
    mode: fc.constantFrom('all' as const, 'any' as const),
    text: few(fc.constantFrom('a', 'B', 'Ä', 'c', 'S', '靴'), 3).map((words) => words.join(' ')),
    isIn: fc.boolean(),
  }),
  fc.record({ mode: fc.constant('regex' as const), text: anyPattern, isIn: fc.boolean() }),
);
const branches = fc
  .uniqueArray(
    fc
      .tuple(
        fc.constantFrom(...branchLevels),
        fc.oneof(
          fc.tuple(fc.constantFrom<BranchFigure>('volume', 'keywords'), range(5)),
          fc.tuple(fc.constantFrom<BranchFigure>('difficulty', 'cpc'), range(2)),
          fc.tuple(fc.constantFrom<BranchFigure>('known.difficulty', 'known.cpc'), range(100)),
        ),
      )
      .map(([level, [of, ends]]): BranchPart => ({ level, of, ...ends })),
    { minLength: 1, maxLength: 3, selector: ({ level, of }) => `${level} ${of}` },
  )
  .map((parts) => ({ branches: parts }));
const part: fc.Arbitrary<Partial<Filter>> = fc.oneof(
  few(fc.constantFrom('a', 'B', 'Ä', 'c', 'b c', 'S', '靴', '*'), 2).map((contains) => ({ contains })),
  few(fc.constantFrom('a', 'BC', 'ss', 'e'), 2).map((excludes) => ({ excludes })),
  few(textPart, 2).map((texts) => ({ texts })),
  few(fc.constantFrom('keyword', 'cluster', 'pillar', '', 'none'), 3).map((types) => ({ types })),
  few(fc.constantFrom(...intents), 2).map((wanted) => ({ intents: wanted })),
  few(fc.constantFrom('new', 'old', ''), 2).map((values) => ({ categories: [{ field: 'Stage', values }] })),
  few(fc.constantFrom('p', 'r', ''), 2).map((values) => ({ categories: [{ field: 'Tags', values }] })),
  fc.tuple(figure, range(10), fc.boolean()).map(([of, ends, isBelow]) => ({
    ranges: [{ of, ...ends, ...(isBelow && ends.to !== undefined && ends.to !== ends.from && { isBelow }) }],
  })),
  few(fc.oneof(figure, fc.constantFrom<Known>('intent', 'field:Stage', 'field:Tags')), 2).map((names) => ({
    known: names,
  })),
  range(1).map(({ from, to }) => ({ depth: { from: from && 4 * from, to: to && 4 * to } })),
  fc.boolean().map((hasChildren) => ({ hasChildren })),
  fc
    .constantFrom({ from: 1, to: 1 }, { from: 2, to: undefined }, { from: undefined, to: 2 })
    .map((words) => ({ words })),
  few(fc.constantFrom(...questionLanguages.filter((one) => ['en', 'es', 'ja', 'de'].includes(one))), 2).map(
    (languages) => ({
      questions: languages,
    }),
  ),
  fc
    .record({ volume: fc.nat({ max: 12 }), difficulty: fc.integer({ min: 0, max: 8 }).map((n) => n / 4) })
    .map((quick) => ({
      quick,
    })),
  fc.record({ percent: fc.constantFrom(-50, 0, 20, 50), volume: fc.nat({ max: 8 }) }).map((rising) => ({ rising })),
  fc.record({ isIn: fc.boolean(), terms: fc.subarray(['ab', 'b c', '靴', 'SS', 'x*y']) }).map((brand) => ({ brand })),
  branches,
  branches,
);
export const filter = fc.array(part, { maxLength: 3 }).map((parts) => Object.assign({}, noFilter, ...parts) as Filter);

/** The pack of a file, and the file. */
export async function packOf(hierarchy: PlainNode, keywords: readonly PlainEntry[]) {
  const bytes = new TextEncoder().encode(JSON.stringify({ keywords, hierarchy }));
  const reading = createIngest({ hashKey: [3, 4] });
  reading.push(bytes);
  const result = reading.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  return { pack: await checkPack(arraySource(sink.bytes())), original: arraySource(bytes) };
}

/** The rows of a pack in file order. */
export async function rowsInFile(pack: PackReader): Promise<number[]> {
  const start = await pack.column('node_start');
  return Array.from({ length: pack.metadata.nodes }, (_, row) => row).sort((one, other) => start[one]! - start[other]!);
}
