import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Expected,
  expectedUnder,
  type PlainEntry,
  type PlainNode,
  type Total,
} from '../../test/support/filter-oracle.ts';
import { entries, few, filter, optional, packOf, root, rowsInFile } from '../../test/support/filter-trees.ts';
import { anyAddress } from '../../test/support/filters.ts';
import { searchPack } from '../../test/support/search-pack.ts';
import { describeNode, type Measure } from '../detail/node-detail.ts';
import { type Filter, noFilter } from '../filter/filter.ts';
import { readFilter, writeFilter } from '../filter/filter-text.ts';
import { phrase } from '../find/text-query.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { formatAddress } from '../names/path-hash.ts';
import type { Slice } from '../slice/slice.ts';
import { takeSlice } from '../slice/take-slice.ts';
import type { FilteredPack } from './filtered-pack.ts';

// A short version of `npm run prove -- filter`, which runs twenty thousand cases.
const { PROVE_RUNS } = process.env;
const runs = Number(PROVE_RUNS ?? 100);

/** Nodes by their index in file order, and IDs of nodes that do not exist. */
const branches = few(fc.oneof(fc.nat({ max: 12 }), anyAddress), 2);
const places = fc.record({ within: optional(branches), outside: optional(branches) });

/** A field that the file does not have is unknown for every keyword. */
const fieldOfNobody: [PlainNode, PlainEntry[], Filter, { within: undefined; outside: undefined }] = [
  { name: 'root', children: [{ name: 'abc', children: [{ name: 'b' }] }] },
  [{ keyword: 'b', volume: 1 }],
  { ...noFilter, categories: [{ field: 'Stage', values: [''] }] },
  { within: undefined, outside: undefined },
];

// Shows P15.1, P15.24.
test(
  'every figure of every branch equals a naive recomputation of the same filter, for random trees and filters',
  async () => {
    let kept = 0;
    let gone = 0;
    await fc.assert(
      fc.asyncProperty(root, entries, filter, places, async (hierarchy, keywords, parts, { within, outside }) => {
        const { pack, original } = await packOf(hierarchy, keywords);
        const rows = await rowsInFile(pack);
        const halves = await pack.column('address');
        const addressOf = (place: number) => formatAddress(halves[2 * rows[place]! + 1]!, halves[2 * rows[place]!]!);
        const addresses = (places: readonly (number | string)[] = []) =>
          places.map((place) => (typeof place === 'string' ? place : addressOf(place % rows.length)));
        const asked = { ...parts, within: addresses(within), outside: addresses(outside) };
        const filtered = await filterPack(pack, readFilter(writeFilter(asked))!);
        const expected = expectedUnder(hierarchy, keywords, asked, addressOf);
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
        if (rows.length % 4 === 0) await expectRest(filtered, slice);
        await expectParts(filtered, slice);
        const hits = await searchPack(filtered, phrase('b'), 1000);
        const isFound = (row: number) => foldedName(slice, held.indexOf(row)).includes('b');
        expect([...hits.rows].sort((one, other) => one - other)).toEqual(held.filter(isFound));
        expect(hits.total).toBe(hits.rows.length);
      }),
      { numRuns: runs, endOnFailure: true, examples: [fieldOfNobody], ...(PROVE_RUNS ? {} : { seed: 6 }) },
    );
    // The test proves something only if neither is rare.
    expect(Math.min(kept, gone)).toBeGreaterThan(runs);
  },
  PROVE_RUNS ? 7_200_000 : 300_000,
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
    // A root of which nothing is kept has no leaves; all other branches have some.
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
    if (field.kind === 'set') {
      const { most, counts, known } = node.tags;
      expect([field.count[at], field.known[at]]).toEqual([most ? counts.get(most) : 0, known]);
      const bits = field.value[2 * at]!;
      const shown = field.values.filter((_, value) => value > 0 && (bits & (1 << (value - 1))) !== 0);
      const own = [...counts].flatMap(([tag, count]) => (count > 0 ? [tag] : []));
      expect(shown.sort()).toEqual(node.isLeaf ? own.sort() : most ? [most] : []);
      continue;
    }
    if (['date', 'Branded', 'YoY change'].includes(field.name)) continue;
    if (field.kind === 'category') {
      const { value, count, known } = node.stage;
      expect([field.values[field.value[at]!] || undefined, field.count[at], field.known[at]]).toEqual([
        value,
        count,
        known,
      ]);
      continue;
    }
    const total = {
      Visits: node.visits,
      Clicks: node.clicks,
      Impressions: node.impressions,
      CTR: node.ctr,
      competition: node.competition,
      position: node.position,
    }[field.name]!;
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

/**
 * A slice with the excluded rows has the same figures for what is kept, the order of a slice without a filter, and no
 * figures for the excluded rows.
 */
async function expectRest(pack: FilteredPack, kept: Slice): Promise<void> {
  const query = { node: 0, budget: 100_000, skip: 0, fields: fieldsOf(pack) };
  const whole = await takeSlice(pack.whole, query);
  const rest = await takeSlice(pack, { ...query, filter: pack.filter, rest: true });
  const said = ({ fields, ...slice }: Slice, at: number) => ({
    leaves: slice.leaves[at],
    keywords: slice.keywords[at],
    ofKeywords: slice.ofKeywords[at],
    known: [slice.volumeKnown[at], slice.difficultyKnown[at], slice.cpcKnown[at]],
    figures: [slice.volume[at], slice.difficulty[at], slice.cpc[at]],
    children: [slice.childKeywords[at], slice.childVolume[at]],
    intent: Array.from(slice.intent.subarray(4 * at, 4 * at + 4)),
    fields: fields.map((field) => {
      const wide = field.kind === 'set' ? 2 : 1;
      const value = Array.from(field.value.subarray(wide * at, wide * (at + 1)));
      return field.known[at] === 0 ? [0] : [field.known[at], ...value];
    }),
  });
  const nothing = {
    leaves: 0,
    keywords: 0,
    known: [0, 0, 0],
    figures: [Number.NaN, Number.NaN, Number.NaN],
    children: [0, 0],
    intent: [0, 0, 0, 0],
    fields: query.fields.map(() => [0]),
  };
  for (const column of ['node', 'parent', 'depth', 'type', 'childCount', 'address', 'names'] as const)
    expect(rest[column]).toEqual(whole[column]);
  for (const [at, node] of rest.node.entries()) {
    const keptAt = kept.node.indexOf(node);
    expect(said(rest, at)).toEqual(keptAt < 0 ? { ...nothing, ofKeywords: whole.keywords[at] } : said(kept, keptAt));
    const isSecond = (other: number) => at > 0 && rest.parent[other] === rest.parent[at] && other > at;
    for (let other = at + 1; isSecond(other); other++)
      expect(rest.order[at]! < rest.order[other]!).toBe(keptAt >= 0 || !kept.node.includes(rest.node[other]!));
  }
}

/** A smaller slice has the first children of each branch, with the same values in each row. */
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
