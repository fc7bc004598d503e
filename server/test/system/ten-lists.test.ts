import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { namesAt } from '@kc/pack/format/names-at';
import { createIngest } from '@kc/pack/ingest';
import { takeSlice } from '@kc/pack/slice/take-slice';
import { arraySink, arraySource } from '@kc/pack/test/support/trees';
import { summariseMembers } from '@kc/pack/upload/member-summary';
import { checkPack } from '@kc/pack/write/pack-check';
import { writePack } from '@kc/pack/write/pack-writer';
import { say } from '@kc/rules/all-messages';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leavesOf, mapAt, runCluster, type TreeNode } from '../support/cluster-command.ts';
import { isLong } from '../support/proof.ts';

// Ten real lists, from the file to the map, as a person sees them. The figures were read from the files with another
// reader. `cluster/test/real-lists.test.ts` compares every keyword of these files with that one. A test run makes maps of two:
// one that is grouped by wording, one by its columns. `npm run prove -- ten-lists` makes all.
const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const isHere = existsSync(data);
if (!isHere) console.log(`The ten lists are skipped: there is no ${data}`);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kc-ten-lists-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Reading = {
  readonly vendor: string;
  readonly encoding: string;
  readonly delimiter: string;
  readonly header: { readonly line: number } | undefined;
  readonly market?: string;
  readonly exported?: string;
  readonly columns: readonly { readonly name: string; readonly meaning: string }[];
};
type Report = {
  readonly rows: number;
  readonly keywords: number;
  readonly merged: number;
  readonly files: readonly {
    readonly reading: Reading;
    readonly report: {
      readonly rows: number;
      readonly unreadable: number;
      readonly known: readonly number[];
      readonly footers: readonly { readonly line: number }[];
    };
  }[];
  readonly warnings: readonly { readonly text: string }[];
};
type Map = Awaited<ReturnType<typeof mapAt>>;
type Made = {
  readonly map: Map;
  readonly path: string;
  readonly report: Report;
  readonly summary: Readonly<Record<string, unknown>>;
};

let made = 0;
/** A map of lists, as the command makes it. */
async function mapOf(files: readonly string[], ...options: readonly string[]): Promise<Made> {
  const path = join(folder, `${++made}.json`);
  const report = join(folder, `${made}.report.json`);
  const paths = files.map((file) => (file.startsWith('/') ? file : data + file));
  const { code, stdout, stderr } = await runCluster(...paths, path, '--quiet', '--report', report, ...options);
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  return {
    map: await mapAt(path),
    path,
    report: JSON.parse(await readFile(report, 'utf8')),
    summary: JSON.parse(stdout),
  };
}

/** Grouping by wording alone is quicker, where it does not matter how keywords are grouped. */
const quick = ['--model', 'none'] as const;

const sumOf = ({ keywords }: Map, member = 'search_volume') =>
  keywords.reduce((sum, entry) => sum + ((entry[member] as number | undefined) ?? 0), 0);
const known = ({ keywords }: Map, member: string) => keywords.filter((entry) => entry[member] !== undefined).length;
const zero = ({ keywords }: Map) => keywords.filter((entry) => entry.search_volume === 0).length;
const meanings = (report: Report) =>
  Object.fromEntries(report.files[0]!.reading.columns.map(({ name, meaning }) => [name, meaning]));
const lines = async (file: string): Promise<number> =>
  (await readFile(data + file, 'utf8')).split('\n').filter((line, at, all) => line !== '' || at < all.length - 1)
    .length;
const namesOf = ({ children = [] }: TreeNode) => children.map(({ name }) => name);
const clustersOf = ({ hierarchy }: Map) => hierarchy.children!.flatMap(({ children = [] }) => children);
const written = async (name: string, bytes: Uint8Array | string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
};

/** What a published map says of its root and of the branches below that. */
async function shown(path: string) {
  const ingest = createIngest({ hashKey: [1, 2] });
  ingest.push(new Uint8Array(await readFile(path)));
  const result = ingest.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  const pack = await checkPack(arraySource(sink.bytes()));
  const slice = await takeSlice(pack, { node: 0, budget: pack.metadata.nodes, skip: 0 });
  const names = await namesAt(pack, slice.node);
  const figures = (row: number) => ({ keywords: slice.keywords[row], volume: slice.volume[row] });
  const branches = Array.from(slice.parent.keys()).filter((row) => row > 0 && slice.parent[row] === 0);
  return { ...figures(0), branches: new Map(branches.map((row) => [names[row], figures(row)])) };
}

describe.skipIf(!isHere)('ten lists', () => {
  const magic = 'semrush-keyword-magic/';
  const drupal = `${magic}drupal_broad-match_us_2026-04-30.csv`;
  const joomla = `${magic}joomla_broad-match_us_2026-04-30.csv`;
  const redmine = `${magic}redmine_broad-match_us_2026-05-01.csv`;
  const full = 'semrush-clustered/add-to-website_clustered_full_us_2026-04-22.csv';
  const summary = 'semrush-clustered/add-to-website_cluster_summary_us_2026-04-22.csv';

  test.runIf(isLong)('1: drupal, an export that was cut', async () => {
    const { map, report, path } = await mapOf([drupal], ...quick);
    const { reading, report: rows } = report.files[0]!;
    expect(await lines(drupal)).toBe(30_004);
    expect(reading).toMatchObject({
      vendor: 'semrush-keyword-magic',
      encoding: 'utf-8',
      delimiter: ',',
      header: { line: 1 },
      market: 'us',
      exported: '2026-04-30',
    });
    expect(reading.columns).toHaveLength(6);
    expect(rows.footers.map(({ line }) => line)).toEqual([30_002, 30_003, 30_004]);
    expect(report).toMatchObject({ rows: 30_000, keywords: 30_000, merged: 0 });
    expect([known(map, 'search_volume'), zero(map), sumOf(map)]).toEqual([30_000, 13_283, 387_070]);
    expect(['keyword_difficulty', 'intent', 'serp_features'].map((member) => known(map, member))).toEqual([
      1_049, 1_072, 1_070,
    ]);
    expect(report.warnings[0]!.text).toContain('30,000');
    expect(await shown(path)).toMatchObject({ keywords: 30_000, volume: 387_070 });
  });

  test.runIf(isLong)('2: drupal and joomla, which share keywords', async () => {
    const { map, report, path } = await mapOf([drupal, joomla], ...quick);
    expect(report).toMatchObject({ rows: 60_000, keywords: 59_858, merged: 142 });
    expect(report.files.flatMap(({ report: { footers } }) => footers)).toHaveLength(6);
    expect(sumOf(map)).toBe(546_140);
    const [one, other] = [drupal, joomla].map((file) => {
      const rows = parse(readCsv(file), { columns: true, relax_column_count: true }) as Record<string, string>[];
      // Footers have a first cell only.
      return new Map(rows.flatMap(({ Keyword, Volume }) => (Volume === undefined ? [] : [[Keyword!, Number(Volume)]])));
    });
    const both = [...one!].filter(([keyword]) => other!.has(keyword));
    expect(both).toHaveLength(142);
    expect(both.every(([keyword, volume]) => other!.get(keyword) === volume)).toBe(true);
    const added = [one!, other!].flatMap((all) => [...all.values()]).reduce((sum, volume) => sum + volume, 0);
    expect(added).toBe(547_790);
    expect(await shown(path)).toMatchObject({ keywords: 59_858, volume: 546_140 });
  });

  // Shows P23.13.
  test('3: shop-script, a Russian list without a language model for it', async () => {
    const { map, report, summary: made } = await mapOf([`${magic}shop-script_broad-match_ru_2026-04-30.csv`]);
    expect(report.files[0]).toMatchObject({ reading: { market: 'ru' }, report: { rows: 1_213, footers: [] } });
    expect([sumOf(map), zero(map), known(map, 'keyword_difficulty')]).toEqual([2_020, 1_127, 13]);
    expect(map.keywords.filter(({ keyword }) => /\p{Script=Cyrillic}/u.test(keyword as string))).toHaveLength(873);
    expect(made).toMatchObject({ language: 'ru', method: 'text' });
    expect(map.clustering.settings).toMatchObject({ language: 'ru' });
    expect(report.warnings.map(({ text }) => text)).toEqual([
      'CPC (USD) is 0 in over 99 % of the rows. Some tools write 0 if the price is unknown.',
      'Most of these keywords are Russian. There is no language model for Russian here, so they are grouped by wording.',
    ]);
  });

  let whole: Promise<Made> | undefined;
  const redmineMap = () => {
    whole ??= mapOf([redmine], ...quick);
    return whole;
  };

  test.runIf(isLong)('4: redmine, with trends', async () => {
    const { map, report } = await redmineMap();
    expect(report.rows).toBe(17_585);
    expect(report.files[0]!.reading.columns).toHaveLength(9);
    expect(sumOf(map)).toBe(34_680);
    const trends = map.keywords.flatMap(({ trend }) => (trend === undefined ? [] : [(trend as unknown[]).length]));
    expect([Math.min(...trends), Math.max(...trends)]).toEqual([1, 12]);
  });

  test.runIf(isLong).each([
    ['with', '\ufeff'],
    ['without', ''],
  ])('4: redmine, the same in UTF-16 %s a byte order mark', async (_, mark) => {
    const records = parse(readCsv(redmine)) as string[][];
    const quoted = records
      .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\t'))
      .join('\r\n');
    const other = await written(basename(redmine), Buffer.from(`${mark}${quoted}\r\n`, 'utf16le'));
    const again = await mapOf([other], ...quick);
    expect(again.report.files[0]!.reading).toMatchObject({ encoding: 'utf-16le', delimiter: '\t' });
    const partOf = async (file: string) => (await readFile(file, 'utf8')).split(',"clustering":')[0];
    expect(await partOf(again.path)).toBe(await partOf((await redmineMap()).path));
  });

  test.runIf(isLong)('4: redmine, the first 15,000 rows as last month’s and the other way round', async () => {
    const [head, ...rows] = readCsv(redmine).split('\n');
    const april = await written('redmine_us_2026-04-01.csv', [head, ...rows.slice(0, 15_000)].join('\n'));
    const may = data + redmine;
    const [first, second] = [await mapOf([april], ...quick), await redmineMap()];
    const forward = await mapOf([may], '--update', first.path, ...quick);
    expect(forward.summary).toMatchObject({ kept: 15_000, new: 2_585, gone: 0 });
    expect([sumOf(first.map), sumOf(forward.map)]).toEqual([34_680, 34_680]);
    const back = await mapOf([april], '--update', second.path, ...quick);
    expect(back.summary).toMatchObject({ kept: 15_000, new: 0, gone: 2_585 });
    expect(sumOf(back.map)).toBe(34_680);
  });

  // Shows P23.13.
  test('5: add-to-website, which has groups of its own', async () => {
    const { map, report, summary: counts, path } = await mapOf([full], '--memory', '100');
    expect((await readFile(data + full, 'utf8')).match(/\r\n/gu)).toHaveLength(27_641);
    expect(report.rows).toBe(27_640);
    expect(report.files[0]!.reading.columns).toHaveLength(11);
    expect(counts).toMatchObject({ method: 'columns', pillars: 17, clusters: 116, strays: 0 });
    // No model ran.
    expect(map.clustering).toMatchObject({ levels: ['GROUP', 'CLUSTER'] });
    expect(map.clustering).not.toHaveProperty('model');
    expect(await shown(path)).toMatchObject({ keywords: 27_640, volume: 165_830 });
    expect(namesOf(map.hierarchy)).toContain('_UserAction');
    const volumes = new Map(map.keywords.map(({ keyword, search_volume }) => [keyword, search_volume as number]));
    const counted = clustersOf(map).map((cluster) => {
      const members = leavesOf(cluster);
      return [cluster.name, members.length, members.reduce((sum, keyword) => sum + volumes.get(keyword)!, 0)].join();
    });
    const expected = parse(readCsv(summary), { columns: true }) as Record<string, string>[];
    expect(expected).toHaveLength(116);
    expect(counted.toSorted()).toEqual(
      expected.map(({ CLUSTER, KEYWORDS, VOLUME_MO }) => [CLUSTER, KEYWORDS, VOLUME_MO].join()).toSorted(),
    );
    expect(clustersOf(map).find(({ name }) => name === 'Other')!.children).toHaveLength(12_586);
  });

  test.runIf(isLong)('6: headers that mislead', async () => {
    const counts = await mapOf([summary], ...quick);
    expect(counts.report.warnings.map(({ text }) => text)).toEqual([
      'This looks like a summary of clusters: KEYWORDS holds counts, not keywords.',
    ]);
    expect(meanings(counts.report)).toMatchObject({ TOP_KEYWORD: 'keyword', KEYWORDS: 'keep' });
    expect(counts.map.keywords).toHaveLength(116);

    const content = await mapOf(['iab-taxonomies/content-taxonomy-3.1.tsv'], ...quick);
    expect(content.report.files[0]!.reading).toMatchObject({ header: { line: 2 } });
    expect(content.report.rows).toBe(704);
    expect(meanings(content.report)).toMatchObject({ Name: 'keyword', Parent: 'keep' });
    expect(content.map.clustering.levels).toEqual(['Tier 1', 'Tier 2', 'Tier 3', 'Tier 4']);
    const tiers = parse(readCsv('iab-taxonomies/content-taxonomy-3.1.tsv'), {
      ...{ columns: true, delimiter: '\t', from_line: 2, quote: false },
    }) as Record<string, string>[];
    const values = [1, 2, 3, 4].map(
      (tier) => new Set(tiers.map((row) => row[`Tier ${tier}`]!.trim()).filter(Boolean)).size,
    );
    expect(values).toEqual([37, 323, 275, 69]);

    const audience = await mapOf(['iab-taxonomies/audience-taxonomy-1.1.tsv'], ...quick);
    expect(audience.report.rows).toBe(1_558);
    expect(audience.report.files[0]!.reading.columns[0]).toMatchObject({ name: 'Column 1', meaning: 'leaveOut' });
  });

  test.runIf(isLong)('7: banking77, of which the keyword column is found by its content', async () => {
    const path = 'clustering-gold/banking77-test.csv';
    const { map, report, summary: counts } = await mapOf([path], ...quick);
    expect(await lines(path)).toBe(3_085);
    expect((await readFile(data + path, 'utf8')).includes('\r\n')).toBe(true);
    expect(report).toMatchObject({ rows: 3_080, keywords: 3_079, merged: 1 });
    const rows = parse(readCsv(path), { columns: true, info: true }) as unknown as {
      info: { lines: number };
      record: Record<string, string>;
    }[];
    const long = rows.filter(({ record }) => record.text!.includes('\n'));
    expect(long.map(({ info }) => info.lines)).toEqual([562, 981, 1_467]);
    const repeated = rows.filter(({ record }) => record.text!.trim().toLowerCase() === 'which atms accept this card?');
    expect(repeated.map(({ record }) => record.category)).toEqual(['atm_support', 'atm_support']);
    expect(meanings(report)).toEqual({ text: 'keyword', category: 'level1' });
    expect(counts).toMatchObject({ method: 'columns', clusters: 77 });
    expect(Number(counts.pillars)).toBeGreaterThan(1);
    expect(new Set(clustersOf(map).map(({ name }) => name))).toEqual(
      new Set(rows.map(({ record }) => record.category)),
    );
  });

  test.runIf(isLong)('8: hwu64, whose column intent holds no search intents', async () => {
    const {
      map,
      report,
      summary: counts,
    } = await mapOf(['clustering-gold/hwu64-sample.tsv'], ...quick, '--group', 'scenario,intent');
    expect(report.rows).toBe(5_000);
    expect(report.files[0]!.reading.delimiter).toBe('\t');
    expect(map.clustering.levels).toEqual(['scenario', 'intent']);
    expect(counts).toMatchObject({ method: 'columns', pillars: 18, clusters: 64 });
    expect(known(map, 'intent')).toBe(0);
    // Each intent is in one scenario.
    const names = clustersOf(map).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test.runIf(isLong)('9: rankings, grouped by the search results that keywords share', async () => {
    const raw = await readFile(`${data}serp-rankings/rankings.json`, 'utf8');
    const rows: { keyword: string; prominence: number; competitor: string }[] = JSON.parse(raw);
    const dropped = createIngest({ hashKey: [1, 2] });
    dropped.push(Buffer.from(raw));
    const refused = dropped.finish();
    if (refused.ok) expect.fail('It is no upload');
    expect(say('upload/invalid-json', refused.problem)).toMatch(/^Invalid JSON file: /);
    expect([rows.length, new Set(rows.map(({ competitor }) => competitor)).size]).toEqual([734, 435]);
    const list = rows.map(({ keyword, prominence, competitor }) => `${keyword},${prominence},${competitor}\n`);
    const path = await written('rankings.csv', `keyword,prominence,competitor\n${list.join('')}`);
    const grouped = async (type: string, least: number) => {
      const options = [
        '--map',
        'prominence=resultRank',
        '--type',
        type,
        '--min-shared',
        String(least),
        '--results',
        '10',
      ];
      const { map, report, summary: counts } = await mapOf([path], '--lang', 'en', ...options, ...quick);
      expect(meanings(report)).toMatchObject({ competitor: 'resultUrl', prominence: 'resultRank' });
      expect(counts).toMatchObject({ rows: 734, keywords: 37, method: 'results' });
      const strays = map.hierarchy.children!.find((one) => one.type === 'stray')!;
      // With eight clusters there are pillar topics above them.
      const groups = counts.clusters === 0 ? [map.hierarchy] : map.hierarchy.children!;
      const clusters = groups.flatMap(({ children = [] }) => children).filter((one) => one.children && one !== strays);
      const sizes = clusters.map((one) => leavesOf(one).length);
      return [sizes.toSorted((a, b) => b - a), strays.children!.length];
    };
    expect(await grouped('moderate', 3)).toEqual([[8, 6, 5, 2, 2, 2], 12]);
    expect(await grouped('soft', 3)).toEqual([[7, 6, 5, 2, 2, 2], 13]);
    expect(await grouped('hard', 3)).toEqual([[6, 4, 4, 2, 2, 2, 2, 2], 13]);
  });

  test.runIf(isLong)('10: add-to-website as JSON, of which "Other" is split', async () => {
    const path = `${data}seed-shape-real/add-to-website.json`;
    const bytes = await readFile(path);
    const { members } = summariseMembers(bytes, true);
    expect(members).toHaveLength(7);
    expect(members.every(({ meaning }) => meaning !== 'keep')).toBe(true);
    expect(Object.fromEntries(members.map(({ name, known: count }) => [name, count]))).toMatchObject({
      search_volume: 27_640,
      keyword_difficulty: 487,
      intent: 503,
      serp_features: 503,
    });
    const before = await shown(path);
    expect(before.branches.get('Other')).toEqual({ keywords: 12_586, volume: 36_440 });

    const out = join(folder, 'split.json');
    const { code, stdout } = await runCluster(path, out, '--split', 'Other', '--quiet');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { keywords: 27_640, divided: 12_586, pillars: 17 }]);
    const after = await shown(out);
    expect(after).toMatchObject({ keywords: 27_640, volume: 165_830 });
    expect(after.branches).toEqual(before.branches);
    // The other 16 are as they were, byte for byte and in their order.
    const whole = bytes.toString();
    const start = whole.indexOf('{"name":"Other","type":"pillar_topic"');
    const end = whole.indexOf('{"name":"SEO","type":"pillar_topic"');
    const json = await readFile(out, 'utf8');
    expect(json).toContain(whole.slice(whole.indexOf('"hierarchy":'), start));
    expect(json).toContain(`,${whole.slice(end, whole.lastIndexOf(']}}'))}`);
    const divided = (JSON.parse(json) as Map).hierarchy.children!.find(({ name }) => name === 'Other')!;
    expect(divided.children!.length).toBeGreaterThan(1);
    expect(leavesOf(divided)).toHaveLength(12_586);
  });
});

/** The text of a file of the data, without a byte order mark. */
function readCsv(path: string): string {
  return new TextDecoder().decode(readFileSync(data + path));
}
