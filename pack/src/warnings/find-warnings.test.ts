import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlainNode } from '../../test/support/filter-oracle.ts';
import { entries, filter, optional, packOf, root } from '../../test/support/filter-trees.ts';
import { plainNodes } from '../../test/support/levels-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import {
  type EntryWithUrl,
  expectedWarnings,
  type PlainWarning,
  plainUrl,
  type UrlsOf,
  urlsOfEntries,
} from '../../test/support/warnings-oracle.ts';
import { noFilter } from '../filter/filter.ts';
import { noPause } from '../format/in-pieces.ts';
import { filterPack } from '../levels/filter-pack.ts';
import type { FilteredPack } from '../sums/filtered-pack.ts';
import { defaultThresholds, type WarningThresholds, warningKinds } from '../vocabulary/warnings.ts';
import { type AllWarnings, findWarnings } from './find-warnings.ts';
import { rankedUrls } from './ranked-urls.ts';
import type { FoundWarnings } from './warning-list.ts';

const address = fc.constantFrom(
  'https://a.test/x',
  'http://www.a.test/x/',
  'https://a.test/x?utm_source=x',
  '/b',
  '/b#d',
);
const withUrls = fc
  .tuple(entries, fc.array(optional(address), { minLength: 6, maxLength: 6 }))
  .map(([list, urls]) => list.map((entry, at): EntryWithUrl => ({ ...entry, ...(urls[at] && { URL: urls[at] }) })));
/** Twice as many entries, so that many keywords have several. */
const manyEntries = fc.tuple(withUrls, withUrls).map((lists) => lists.flat());
/** A leaf may have an address of its own. */
const ownAddresses = fc.array(optional(address), { minLength: 1, maxLength: 3 });
const thresholds: fc.Arbitrary<WarningThresholds> = fc.record({
  mixedKeywords: fc.integer({ min: 1, max: 3 }),
  mixedShare: fc.constantFrom(40, 50, 60, 75, 100),
  position: fc.integer({ min: 4, max: 9 }),
  urlKeywords: fc.constantFrom(2, 2, 2, 3),
  secondShare: fc.constantFrom(0, 20, 50),
  oversized: fc.integer({ min: 1, max: 4 }),
  unknownShare: fc.constantFrom(0, 20, 50, 100),
  sharedUrls: fc.constantFrom(1, 2, 3),
});

function addressed(node: PlainNode, urls: readonly (string | undefined)[]): PlainNode {
  let at = 0;
  const copy = (one: PlainNode): PlainNode => {
    if (one.children) return { ...one, children: one.children.map(copy) };
    const url = urls[at++ % urls.length];
    return url === undefined ? one : ({ ...one, URL: url } as PlainNode);
  };
  return copy(node);
}

// Shows P15.26.
test('every kind finds what its definition says, for random trees, filters and thresholds', async () => {
  const found: Record<string, number> = {};
  const missing = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      root,
      manyEntries,
      ownAddresses,
      filter.map((asked) => ({ ...asked, branches: [] })),
      thresholds,
      async (hierarchy, keywords, own, asked, limits) => {
        const { pack, original } = await packOf(addressed(hierarchy, own), keywords);
        for (const kept of [noFilter, asked]) {
          const filtered = await filterPack(pack, kept);
          const urls = await naiveUrls(filtered, original, keywords);
          const all = await findWarnings(filtered, limits, original);
          const expected = await expectedWarnings(filtered, urls, limits);
          for (const kind of warningKinds) {
            if (kind === 'unplaced') continue;
            const list = plain(all, kind);
            expect(list, kind).toEqual(expected[kind]);
            if (typeof list === 'string') missing.add(list);
            else found[kind] = (found[kind] ?? 0) + list.length;
          }
        }
      },
    ),
    { numRuns: 100, endOnFailure: true, seed: 21 },
  );
  for (const kind of ['mixed', 'oversized', 'single', 'repeated', 'unknown'])
    expect(found[kind], kind).toBeGreaterThan(50);
  expect([...missing]).toContain('no-urls');
}, 300_000);

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const clusters = fc.array(fc.array(word, { minLength: 1, maxLength: 7 }), { minLength: 2, maxLength: 4 });
const ranking = fc.array(
  fc
    .tuple(word, address, fc.integer({ min: 1, max: 6 }), optional(fc.nat({ max: 3 })), optional(fc.nat(9)))
    .map(([keyword, URL, position, Impressions, volume]) => ({
      keyword,
      URL,
      position,
      ...(Impressions !== undefined && { Impressions }),
      ...(volume !== undefined && { volume }),
    })),
  { minLength: 10, maxLength: 20 },
);

test('URLs compete as their definitions say, for random clusters and rankings', async () => {
  const found = { 'url-clusters': 0, 'cluster-urls': 0 };
  await fc.assert(
    fc.asyncProperty(clusters, ranking, thresholds, async (lists, keywords, limits) => {
      const children = lists.map((names, at) => ({
        name: `cluster ${at}`,
        type: 'cluster',
        children: names.map((name) => ({ name })),
      }));
      const { pack, original } = await packOf({ name: 'root', children }, keywords);
      const filtered = await filterPack(pack, noFilter);
      const expected = await expectedWarnings(filtered, await naiveUrls(filtered, original, keywords), limits);
      const all = await findWarnings(filtered, limits, original);
      for (const kind of ['url-clusters', 'cluster-urls'] as const) {
        const list = plain(all, kind);
        expect(list, kind).toEqual(expected[kind]);
        found[kind] += typeof list === 'string' ? 0 : list.length;
      }
    }),
    { numRuns: sampled(300), endOnFailure: true, seed: 23 },
  );
  expect(Math.min(...Object.values(found))).toBeGreaterThan(sampled(40));
});

test('warnings are found once for a filter and thresholds, and the URLs once for a pack', async () => {
  const { pack, original } = await packOf({ name: 'root', children: [{ name: 'a' }] }, [
    { keyword: 'a', URL: '/x', position: 1 } as EntryWithUrl,
  ]);
  const filtered = await filterPack(pack, noFilter);
  const other = { ...defaultThresholds, oversized: 1 };
  const first = await findWarnings(filtered, defaultThresholds, original);
  expect(await findWarnings(filtered, { ...defaultThresholds }, original)).toBe(first);
  expect(await findWarnings(filtered, other, original)).not.toBe(first);
  const urls = await rankedUrls(pack, original, noPause);
  expect(await rankedUrls((await filterPack(pack, noFilter)).whole, original, noPause)).toBe(urls);
});

test('keywords that no node names are one warning with their volume, whatever the filter', async () => {
  const { pack, original } = await packOf({ name: 'root', children: [{ name: 'a' }] }, [
    { keyword: 'b', volume: 3 },
    { keyword: 'c' },
  ]);
  for (const contains of [[], ['nothing']]) {
    const filtered = await filterPack(pack, { ...noFilter, contains });
    const { unplaced } = (await findWarnings(filtered, defaultThresholds, original)).lists;
    expect(unplaced).toMatchObject({ count: 1, keywords: Uint32Array.of(2), volumes: Float64Array.of(3) });
  }
});

/** The URLs by node, read from the bytes of the file. */
async function naiveUrls(
  pack: FilteredPack,
  original: { read(offset: number, length: number): Promise<Uint8Array> },
  keywords: readonly EntryWithUrl[],
): Promise<UrlsOf> {
  const nodes = await plainNodes(pack);
  const [starts, ends, branch, position, isKeyword] = [
    await pack.whole.column('node_start'),
    await pack.whole.column('node_end'),
    await pack.whole.column('branch'),
    await pack.whole.column('own_position'),
    await pack.whole.column('is_keyword'),
  ];
  const lists = await Promise.all(
    nodes.map(async ({ row, key }) => {
      if (isKeyword[row] === 0) return [];
      const isLeaf = branch[row] === branch[row + 1];
      const bytes = await original.read(starts[row]!, ends[row]! - starts[row]!);
      const own = (JSON.parse(new TextDecoder().decode(bytes)) as { URL?: string }).URL;
      const urls = isLeaf && own ? [{ url: plainUrl(own), position: 0 }] : urlsOfEntries(keywords, key);
      if (urls.length !== 1) return urls;
      return [{ url: urls[0]!.url, position: position?.[row] ?? Number.NaN }];
    }),
  );
  return (row) => lists[row]!;
}

function plain({ lists, urls }: AllWarnings, kind: keyof AllWarnings['lists']): readonly PlainWarning[] | string {
  const list: FoundWarnings = lists[kind];
  if ('missing' in list) return list.missing;
  const names = Object.keys(list.figures).filter((name) => name !== 'firstUrl' && name !== 'secondUrl');
  const all = Array.from(list.rows, (row, at): PlainWarning => {
    const volume = list.volumes[at]!;
    const places = list.places;
    return {
      row,
      volume: Number.isNaN(volume) ? undefined : volume,
      keywords: list.keywords[at]!,
      figures: names.map((name) => {
        const value = list.figures[name]![at]!;
        return Number.isNaN(value) ? undefined : Math.round(value * 1e6) / 1e6;
      }),
      ...(list.urls && { url: urls[list.urls[at]!]! }),
      ...(places && { places: [...places.rows.subarray(places.starts[at]!, places.starts[at + 1]!)] }),
    };
  });
  expectOrder(all);
  return all.sort(
    (one, other) =>
      ((one.url ?? '') < (other.url ?? '') ? -1 : 1) * Number(one.url !== other.url) || one.row - other.row,
  );
}

/** Most volume first. */
function expectOrder(all: readonly PlainWarning[]): void {
  const weights = all.map(({ volume }) => volume ?? -1);
  expect(weights).toEqual(weights.toSorted((one, other) => other - one));
}
