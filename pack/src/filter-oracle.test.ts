import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Figure, type Filter, intents, type Known, noFilter, type Range } from './filter.ts';
import { readFilter, writeFilter } from './filter-text.ts';
import { type FilteredPack, filterPack } from './filtered-pack.ts';
import { createIngest } from './ingest.ts';
import { describeNode, type Measure } from './node-detail.ts';
import { checkPack } from './pack-check.ts';
import type { PackReader } from './pack-reader.ts';
import { writePack } from './pack-writer.ts';
import { searchPack } from './search.ts';
import type { Slice } from './slice.ts';
import { takeSlice } from './take-slice.ts';
import { arraySink, arraySource } from './testing.ts';
import {
  type Expected,
  expectedUnder,
  type PlainEntry,
  type PlainFigures,
  type PlainNode,
  type Total,
} from './testing-filter-oracle.ts';

// A taste of `npm run prove -- filter`, which takes twenty thousand.
const { PROVE_RUNS } = process.env;
const runs = Number(PROVE_RUNS ?? 1000);

const words = ['ab', 'Ab', 'äb', 'b c', 'B  C', 'abc', 'ß', 'ss', '靴', 'cd', 'de', 'ef', 'x*y'];
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const figures: fc.Arbitrary<PlainFigures> = fc.record({
  volume: optional(fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant(0.5))),
  difficulty: optional(fc.integer({ min: 0, max: 8 }).map((n) => n / 4)),
  cpc: optional(fc.integer({ min: 0, max: 8 }).map((n) => n / 4)),
  competition: optional(fc.integer({ min: 0, max: 4 }).map((n) => n / 4)),
  position: optional(fc.integer({ min: 1, max: 9 })),
  intent: optional(fc.subarray([...intents], { minLength: 1 }).map((some) => some.join(', '))),
  Visits: optional(fc.integer({ min: 0, max: 9 })),
  Stage: optional(fc.constantFrom('new', 'old', 'odd')),
}) as fc.Arbitrary<PlainFigures>;
const known = (given: PlainFigures): PlainFigures =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
const name = fc.constantFrom(...words);
const type = fc.constantFrom(undefined, undefined, 'keyword', 'cluster', 'pillar', 'other');
/** A node with so many levels below it at most. */
const treeOf = (levels: number): fc.Arbitrary<PlainNode> =>
  fc
    .tuple(name, type, figures, levels === 0 ? fc.constant([]) : fc.array(treeOf(levels - 1), { maxLength: 4 }))
    .map(([name, type, figures, children]) => ({
      name,
      ...(type !== undefined && { type }),
      ...known(figures),
      ...(children.length > 0 && { children }),
    }));
const root = fc
  .tuple(fc.array(treeOf(3), { minLength: 1, maxLength: 5 }), type, figures)
  .map(
    ([children, type, figures]): PlainNode => ({ name: 'root', ...(type && { type }), ...known(figures), children }),
  );
const entries: fc.Arbitrary<PlainEntry[]> = fc.array(
  fc.tuple(name, figures).map(([keyword, figures]) => ({ keyword, ...known(figures) })),
  { maxLength: 6 },
);

const range = (max: number): fc.Arbitrary<Range> =>
  fc
    .tuple(optional(fc.integer({ min: 0, max: 8 * max })), optional(fc.integer({ min: 0, max: 8 * max })))
    .filter(([from, to]) => (from ?? to) !== undefined && (from ?? 0) <= (to ?? Number.POSITIVE_INFINITY))
    .map(([from, to]) => ({ from: from && from / 8, to: to && to / 8 }));
const figure = fc.constantFrom<Figure>('volume', 'difficulty', 'cpc', 'competition', 'position', 'field:Visits');
const few = <T>(value: fc.Arbitrary<T>, maxLength: number) => fc.array(value, { minLength: 1, maxLength });
const part: fc.Arbitrary<Partial<Filter>> = fc.oneof(
  few(fc.constantFrom('a', 'B', 'Ä', 'c', 'b c', 'S', '靴', '*'), 2).map((contains) => ({ contains })),
  few(fc.constantFrom('a', 'BC', 'ss', 'e'), 2).map((excludes) => ({ excludes })),
  few(fc.constantFrom('keyword', 'cluster', 'pillar', '', 'none'), 3).map((types) => ({ types })),
  few(fc.constantFrom(...intents), 2).map((wanted) => ({ intents: wanted })),
  few(fc.constantFrom('new', 'old', ''), 2).map((values) => ({ categories: [{ field: 'Stage', values }] })),
  fc.tuple(figure, range(10)).map(([of, ends]) => ({ ranges: [{ of, ...ends }] })),
  few(fc.oneof(figure, fc.constantFrom<Known>('intent', 'field:Stage')), 2).map((names) => ({ known: names })),
  range(1).map(({ from, to }) => ({ depth: { from: from && 4 * from, to: to && 4 * to } })),
  fc.boolean().map((hasChildren) => ({ hasChildren })),
);
const filter = fc.array(part, { maxLength: 3 }).map((parts) => Object.assign({}, noFilter, ...parts) as Filter);

async function packOf(hierarchy: PlainNode, keywords: readonly PlainEntry[]) {
  const bytes = new TextEncoder().encode(JSON.stringify({ keywords, hierarchy }));
  const reading = createIngest({ hashKey: [3, 4] });
  reading.push(bytes);
  const result = reading.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  return { pack: await checkPack(arraySource(sink.bytes())), original: arraySource(bytes) };
}

/** Rows of the pack in the order of the file. */
async function rowsInFile(pack: PackReader): Promise<number[]> {
  const start = await pack.column('node_start');
  return Array.from({ length: pack.metadata.nodes }, (_, row) => row).sort((one, other) => start[one]! - start[other]!);
}

test(
  'every figure of every branch is what a naive recomputation of the same filter says, for random trees and filters',
  async () => {
    let kept = 0;
    let gone = 0;
    await fc.assert(
      fc.asyncProperty(root, entries, filter, async (hierarchy, keywords, asked) => {
        const { pack, original } = await packOf(hierarchy, keywords);
        const filtered = await filterPack(pack, readFilter(writeFilter(asked))!);
        const rows = await rowsInFile(pack);
        const expected = expectedUnder(hierarchy, keywords, asked);
        const slice = await wholeOf(filtered);
        const held = Array.from(slice.node);
        expect(held).toEqual(
          expected.flatMap(({ isKept, place }) => (isKept ? [rows[place]!] : [])).sort((one, other) => one - other),
        );
        for (const node of expected) {
          expect(filtered.keeps(rows[node.place]!)).toBe(node.isKept);
          if (!node.isKept) {
            gone++;
            continue;
          }
          kept++;
          const at = held.indexOf(rows[node.place]!);
          expectRow(slice, at, node, rows);
          if (node.place % 4 === keywords.length % 4) {
            expectDetail(await describeNode(filtered, rows[node.place]!, original), node, rows);
          }
        }
        await expectParts(filtered, slice);
        const hits = await searchPack(filtered, 'b', 1000);
        const isFound = (row: number) => foldedName(slice, held.indexOf(row)).includes('b');
        expect([...hits.rows].sort((one, other) => one - other)).toEqual(held.filter(isFound));
        expect(hits.total).toBe(hits.rows.length);
      }),
      { numRuns: runs, endOnFailure: true, ...(PROVE_RUNS ? {} : { seed: 6 }) },
    );
    // Neither is rare, or this would say little.
    expect(Math.min(kept, gone)).toBeGreaterThan(runs);
  },
  PROVE_RUNS ? 7_200_000 : 120_000,
);

const wholeOf = (pack: FilteredPack) =>
  takeSlice(pack, { node: 0, budget: 100_000, skip: 0, filter: pack.filter, fields: fieldsOf(pack) });
const fieldsOf = (pack: PackReader) => [
  ...pack.metadata.fields.map((field) => field.name),
  ...(['competition', 'position'] as const).filter((one) => pack.metadata.optional.includes(`own_${one}`)),
];

function foldedName(slice: Slice, at: number): string {
  const bytes = slice.names.subarray(slice.nameStart[at], slice.nameStart[at + 1]);
  return new TextDecoder().decode(bytes).normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();
}

function expectRow(slice: Slice, at: number, node: Expected, rows: readonly number[]): void {
  expect({
    childCount: slice.childCount[at],
    leaves: slice.leaves[at],
    keywords: slice.keywords[at],
    ofKeywords: slice.ofKeywords[at],
    volumeKnown: slice.volumeKnown[at],
    difficultyKnown: slice.difficultyKnown[at],
    cpcKnown: slice.cpcKnown[at],
    childKeywords: slice.childKeywords[at],
    intent: Array.from(slice.intent.subarray(4 * at, 4 * at + 4)),
  }).toEqual({
    childCount: node.children.length,
    // A root of which nothing is kept has no leaves; so has no other.
    leaves: node.leaves,
    keywords: node.keywords,
    ofKeywords: node.ofKeywords,
    volumeKnown: node.volume.known,
    difficultyKnown: node.difficulty.known,
    cpcKnown: node.cpc.known,
    childKeywords: node.childKeywords,
    intent: node.intents,
  });
  expectNumber(slice.volume[at], node.volume.sum);
  expectNumber(slice.childVolume[at], node.childVolume);
  expectNumber(slice.difficulty[at], node.difficulty.mean);
  expectNumber(slice.cpc[at], node.cpc.mean);
  for (const field of slice.fields) {
    if (field.kind === 'category') {
      const { value, count, known } = node.stage;
      expect([field.values[field.value[at]!] || undefined, field.count[at], field.known[at]]).toEqual([
        value,
        count,
        known,
      ]);
      continue;
    }
    const total = { Visits: node.visits, competition: node.competition, position: node.position }[field.name]!;
    expect(field.known[at]).toBe(total.known);
    expectNumber(field.value[at], field.rollUp === 'sum' ? total.sum : total.mean);
  }
  const children = Array.from(slice.node.keys())
    .filter((child) => child > 0 && slice.parent[child] === at)
    .sort((one, other) => slice.order[one]! - slice.order[other]!);
  expect(children.map((child) => slice.node[child]!).sort()).toEqual(node.children.map((place) => rows[place]!).sort());
  for (const [nth, child] of children.entries()) {
    expect(slice.order[child]).toBe(nth);
    if (nth > 0) expect(isBefore(slice, children[nth - 1]!, child)).toBe(true);
  }
}

function isBefore(slice: Slice, one: number, other: number): boolean {
  const by = [
    (at: number) => slice.volume[at]! || 0,
    (at: number) => slice.keywords[at]!,
    (at: number) => slice.leaves[at]!,
  ];
  for (const weight of by) if (weight(one) !== weight(other)) return weight(one) > weight(other);
  return slice.node[one]! < slice.node[other]!;
}

function expectDetail(detail: Awaited<ReturnType<typeof describeNode>>, node: Expected, rows: readonly number[]): void {
  expect({
    branchNodes: detail.branchNodes,
    children: detail.children,
    repeats: detail.repeats,
    intents: detail.intent.known,
    top: detail.topKeyword?.node,
  }).toEqual({
    branchNodes: node.nodes,
    children: node.children.length,
    repeats: node.repeats,
    intents: node.intentKnown,
    top: node.top === undefined ? undefined : rows[node.top],
  });
  const same = (measure: Measure, total: Total, value: number | undefined) => {
    expect(measure.known).toBe(total.known);
    expectNumber(measure.value, value);
    if (measure === detail.difficulty || measure === detail.cpc) expectNumber(measure.weighted, total.weighted);
  };
  same(detail.volume, node.volume, node.volume.sum);
  for (const name of ['difficulty', 'cpc', 'competition', 'position'] as const)
    same(detail[name], node[name], node[name].mean);
}

function expectNumber(found: number | undefined, expected: number | undefined): void {
  if (expected === undefined) expect(found ?? Number.NaN).toBeNaN();
  else
    expect(Math.abs(found! - expected), `${found} is not ${expected}`).toBeLessThanOrEqual(
      1e-6 * Math.max(1, expected),
    );
}

/** A part of the whole has of each branch the first ones of its children, and says of each row what the whole does. */
async function expectParts(pack: FilteredPack, whole: Slice): Promise<void> {
  for (const node of whole.node.slice(0, 4)) {
    const from = whole.node.indexOf(node);
    for (const [budget, skip] of [
      [1, 0],
      [3, 0],
      [4, 1],
    ] as const) {
      const part = await takeSlice(pack, { node, budget, skip, filter: pack.filter });
      expect(part.rows).toBeLessThanOrEqual(budget);
      expect(part.node[0]).toBe(node);
      for (let row = 0; row < part.rows; row++) {
        const at = whole.node.indexOf(part.node[row]!);
        expect(part.keywords[row]).toBe(whole.keywords[at]);
        expect(part.order[row]).toBe(row === 0 ? 0 : whole.order[at]);
        const shown = Array.from(part.node.keys()).filter((child) => child > 0 && part.parent[child] === row);
        const first = row === 0 ? skip : 0;
        expect(shown.map((child) => part.order[child]!).sort()).toEqual(shown.map((_, nth) => first + nth).sort());
        if (row > 0) expect(whole.node[whole.parent[at]!]).toBe(part.node[part.parent[row]!]);
      }
      const children = Array.from(whole.node.keys()).filter((child) => child > 0 && whole.parent[child] === from);
      const last = children.find((child) => whole.order[child] === children.length - 1);
      if (last === undefined) continue;
      const to = await takeSlice(pack, { node, budget: 2, skip: 0, child: whole.node[last]!, filter: pack.filter });
      expect(Array.from(to.node)).toContain(whole.node[last]!);
    }
  }
}
