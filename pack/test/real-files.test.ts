import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { describeNode } from '../src/detail/node-detail.ts';
import { describeUnplaced, unplacedRows } from '../src/detail/not-in-hierarchy.ts';
import { phrase } from '../src/find/text-query.ts';
import type { ByteSource } from '../src/format/byte-source.ts';
import { namesAt } from '../src/format/names-at.ts';
import type { PackReader } from '../src/format/pack-reader.ts';
import { createIngest } from '../src/ingest.ts';
import { takeSlice } from '../src/slice/take-slice.ts';
import { rollUpsOf } from '../src/sums/roll-ups.ts';
import { checkPack } from '../src/write/pack-check.ts';
import { writePack } from '../src/write/pack-writer.ts';
import { arraySink, arraySource } from './support/trees.ts';

// Real research files, which are too large for this repository and not ours to publish: see PROVENANCE.md beside them.
const data = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const seedShape = `${data}seed-shape-real/add-to-website.json`;
const summary = `${data}semrush-clustered/add-to-website_cluster_summary_us_2026-04-22.csv`;
const wordnet = `${data}wordnet-nouns/wordnet-3.1-nouns.hierarchy.json`;

type RealPack = { readonly pack: PackReader; readonly original: ByteSource };
const packs = new Map<string, Promise<RealPack>>();

/** The pack of a file, which is read once. */
function packOf(file: string): Promise<RealPack> {
  const made = packs.get(file) ?? makePack(file);
  packs.set(file, made);
  return made;
}

async function makePack(file: string): Promise<RealPack> {
  const bytes = await readFile(file);
  const ingest = createIngest({ hashKey: [1, 2] });
  for (let at = 0; at < bytes.length; at += 65_537) ingest.push(bytes.subarray(at, at + 65_537));
  const result = ingest.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  return { pack: await checkPack(arraySource(sink.bytes())), original: arraySource(new Uint8Array(bytes)) };
}

/** A test with real files; skipped with a message if their folder is missing. */
function testWith(files: readonly string[], name: string, run: () => Promise<void>): void {
  const missing = files.filter((file) => !existsSync(file));
  test(name, async (context) => {
    if (!existsSync(data)) context.skip(`not on this machine: ${data}`);
    expect(missing).toEqual([]);
    await run();
  });
}

type Group = { group: string; name: string; keywords: number; volume: number; top: string; topVolume: number };

async function clustersOf(pack: PackReader): Promise<Group[]> {
  const slice = await takeSlice(pack, { node: 0, budget: pack.metadata.nodes, skip: 0 });
  const names = await namesAt(pack, slice.node);
  const tops = await (await rollUpsOf(pack, slice.node)).column('top_keyword');
  return [...slice.node].flatMap((node) => {
    if (slice.types[slice.type[node]!] !== 'cluster') return [];
    return {
      group: names[slice.parent[node]!]!,
      name: names[node]!,
      keywords: slice.keywords[node]!,
      volume: slice.volume[node]!,
      top: names[tops[node]!]!,
      topVolume: slice.volume[tops[node]!]!,
    };
  });
}

testWith(
  [seedShape, summary],
  "every cluster of the real file has its author's count, volume and top keyword",
  async () => {
    const { pack } = await packOf(seedShape);
    const rows: Record<string, string>[] = parse(await readFile(summary), { columns: true, bom: true });
    const expected = rows.map((row) => ({
      group: row.GROUP!.replace(/^_/, ''),
      name: row.CLUSTER!,
      keywords: Number(row.KEYWORDS),
      volume: Number(row.VOLUME_MO),
      top: row.TOP_KEYWORD!,
      topVolume: Number(row.TOP_VOLUME),
    }));
    const byName = (one: Group, other: Group) => (`${one.group}/${one.name}` < `${other.group}/${other.name}` ? -1 : 1);
    expect(expected).toHaveLength(116);
    expect((await clustersOf(pack)).sort(byName)).toEqual(expected.sort(byName));
  },
);

testWith([seedShape], 'the real file has 17 pillar topics, 27,640 keywords and a volume of 165,830', async () => {
  const { pack, original } = await packOf(seedShape);
  expect(pack.metadata).toMatchObject({
    nodes: 27_774,
    keywords: 27_640,
    distinct: 27_640,
    notInHierarchy: 0,
    depth: 3,
  });
  const root = await describeNode(pack, 0, original);
  expect(root).toMatchObject({
    children: 17,
    keywords: 27_640,
    repeats: 0,
    volume: { value: 165_830, known: 27_640 },
  });
  const top = await describeNode(pack, root.topKeyword!.node, original);
  expect(top).toMatchObject({ name: 'how to add website to home screen', difficulty: { value: 37, known: 1 } });
  expect(top.original.keyword).toMatchObject({ search_volume: 1900, intent: ['informational'] });
});

testWith(
  [seedShape],
  'the first 2,000 rows of the real file show nearly every cluster, and of the largest some hundreds',
  async () => {
    const { pack } = await packOf(seedShape);
    const slice = await takeSlice(pack, { node: 0, budget: 2000, skip: 0 });
    const shown = new Uint32Array(slice.rows);
    for (let row = 1; row < slice.rows; row++) shown[slice.parent[row]!]!++;
    const clusters = [...shown.keys()].filter((row) => slice.types[slice.type[row]!] === 'cluster');
    expect(clusters.length).toBeGreaterThan(90);
    const largest = clusters.reduce((best, row) => (slice.childCount[row]! > slice.childCount[best]! ? row : best));
    expect(slice.childCount[largest]).toBe(12_586);
    expect(shown[largest]).toBeGreaterThan(150);
    expect(shown[largest]).toBeLessThan(1000);
  },
);

testWith(
  [wordnet],
  'WordNet, a hierarchy without keywords, is 194,913 nodes, its synsets 19 levels deep and their synonyms one below',
  async () => {
    const { pack } = await packOf(wordnet);
    expect(pack.metadata).toMatchObject({
      nodes: 194_913,
      keywords: 0,
      notInHierarchy: 0,
      depth: 20,
      rootName: 'entity',
    });
    const [leaves] = await pack.gather('leaves', Uint32Array.of(0));
    expect(leaves).toBe(146_547);
    const depth = await pack.column('depth');
    const branch = await pack.column('branch');
    const branches = depth.filter((_, row) => branch[row + 1]! > branch[row]!);
    expect(branches.reduce((deepest, level) => Math.max(deepest, level), 0)).toBe(19);
  },
);

type Row = Readonly<Record<string, string>>;

/**
 * Uses the rows of a real table as the entries of an upload. Its hierarchy names all keywords except those left out.
 */
async function packOfRows(keywords: readonly object[], names: readonly string[]) {
  const hierarchy = { name: 'all', children: names.map((name) => ({ name })) };
  const bytes = new TextEncoder().encode(JSON.stringify({ keywords, hierarchy }));
  const ingest = createIngest({ hashKey: [1, 2] });
  ingest.push(bytes);
  const result = ingest.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  return { pack: await checkPack(arraySource(sink.bytes())), original: arraySource(bytes) };
}

const sumOf = <T>(items: readonly T[], value: (item: T) => number) => items.reduce((sum, item) => sum + value(item), 0);

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const searchConsole = `${data}search-console/page-weekly.csv`;

testWith(
  [searchConsole],
  'Search Console by week keeps every click and impression, and weights positions and rates by impressions',
  async () => {
    const rows: Row[] = parse(await readFile(searchConsole), { columns: true, bom: true });
    const entries = rows.map(({ query, clicks, impressions, ctr, position, ...dates }) => ({
      query,
      ...dates,
      clicks: Number(clicks),
      impressions: Number(impressions),
      ctr: Number(ctr),
      position: Number(position),
    }));
    const queries = grouped(entries, ({ query }) => query!.trim().toLowerCase().replace(/\s+/g, ' '));
    // No node names a fifth of the queries.
    const names = [...queries.keys()].filter((_, at) => at % 5 > 0);
    const { pack, original } = await packOfRows(entries, names);
    expect(pack.metadata).toMatchObject({
      keywords: entries.length,
      merged: entries.length - queries.size,
      notInHierarchy: queries.size - names.length,
    });
    const slice = await takeSlice(pack, {
      node: 0,
      budget: pack.rows,
      skip: 0,
      fields: ['clicks', 'impressions', 'ctr'],
    });
    const [clicks, impressions, ctr] = slice.fields as readonly { value: Float64Array; known: Uint32Array }[];
    const placed = names.flatMap((name) => queries.get(name)!);
    expect([clicks!.value[0], impressions!.value[0]]).toEqual([
      sumOf(placed, (one) => one.clicks),
      sumOf(placed, (one) => one.impressions),
    ]);
    const shown = sumOf(placed, (one) => one.impressions);
    expect(ctr!.value[0]).toBeCloseTo(sumOf(placed, (one) => one.clicks) / shown, 10);
    const root = await describeNode(pack, 0, original);
    expect(root.position.value).toBeCloseTo(sumOf(placed, (one) => one.position * one.impressions) / shown, 3);
    expect(root.position.byImpressions).toBe(root.position.known);
    const titles = await namesAt(pack, slice.node);
    for (const [at, name] of titles.entries()) {
      if (at === 0) continue;
      const weeks = queries.get(name)!;
      const seen = sumOf(weeks, (one) => one.impressions);
      expect([clicks!.value[at], impressions!.value[at]]).toEqual([sumOf(weeks, (one) => one.clicks), seen]);
      const [position] = (await pack.gather('own_position', slice.node.subarray(at, at + 1)))!;
      expect(position).toBeCloseTo(sumOf(weeks, (one) => one.position * one.impressions) / seen, 3);
    }
    const unplaced = await unplacedRows(pack, phrase(''));
    const listed = await describeUnplaced(pack, unplaced);
    expect(listed.map(({ name }) => name).sort()).toEqual(
      [...queries.keys()].filter((name) => !names.includes(name)).sort(),
    );
  },
);

const organicPositions = `${data}semrush-organic-positions/marker.io-organic.Positions-us-20260417.csv`;

testWith(
  [organicPositions],
  'Organic Positions lists every address of a keyword with its position, and adds the traffic up',
  async () => {
    const rows: Row[] = parse(await readFile(organicPositions), { columns: true, bom: true });
    const entries = rows.map((row) => ({ ...row, Traffic: Number(row.Traffic), Position: Number(row.Position) }));
    const keywords = grouped(rows, (row) => row.Keyword!.toLowerCase().replace(/\s+/g, ' '));
    const { pack, original } = await packOfRows(entries, [...keywords.keys()]);
    expect(pack.metadata).toMatchObject({
      keywords: rows.length,
      merged: rows.length - keywords.size,
      notInHierarchy: 0,
    });
    const slice = await takeSlice(pack, { node: 0, budget: pack.rows, skip: 0, fields: ['Traffic'] });
    const [traffic] = slice.fields as readonly { value: Float64Array }[];
    expect(traffic!.value[0]).toBe(sumOf(rows, (row) => Number(row.Traffic)));
    const names = await namesAt(pack, slice.node);
    let repeated = 0;
    for (const [at, name] of names.entries()) {
      const lines = keywords.get(name) ?? [];
      if (lines.length < 2) continue;
      repeated++;
      expect(traffic!.value[at]).toBe(sumOf(lines, (row) => Number(row.Traffic)));
      const { merged } = await describeNode(pack, slice.node[at]!, original);
      expect(merged?.entries).toBe(lines.length);
      const ranks = grouped(lines, (row) => row.URL!);
      for (const { url, position, entries: count } of merged!.urls) {
        const known = ranks
          .get(url)!
          .map((row) => Number(row.Position))
          .filter((value) => value >= 1);
        expect(count).toBe(ranks.get(url)!.length);
        if (known.length > 0) expect(position).toBe(Math.min(...known));
      }
      expect(merged!.urls).toHaveLength(ranks.size);
    }
    expect(repeated).toBeGreaterThan(10);
  },
);
