import { parse } from 'csv-parse/sync';
import { describe, expect } from 'vitest';
import { dataFile, keywordsOf, knownCount, meanings, named, sum, testWithData, utf8, utf16 } from './support/lists.ts';

const magic = 'semrush-keyword-magic/';
const drupal = `${magic}drupal_broad-match_us_2026-04-30.csv`;
const redmine = `${magic}redmine_broad-match_us_2026-05-01.csv`;
const clustered = 'semrush-clustered/add-to-website_clustered_full_us_2026-04-22.csv';

/** The rows of a file as an independent reader sees them: the whole file at once. */
function rowsOf(path: string, options: { delimiter?: string; quote?: '"' | false } = {}): Record<string, string>[] {
  const text = new TextDecoder().decode(dataFile(path));
  return parse(text, { columns: true, relax_column_count: true, bom: true, ...options }) as Record<string, string>[];
}

const key = (text: string) => text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
const numberOf = (text: string | undefined) => (text === undefined || text === '' ? Number.NaN : Number(text));

// The lists of 30,000 rows, which are of the kind of the others, are compared by `npm run prove -- real-lists`.
const longest = process.env.PROVE_RUNS
  ? ['discourse_broad-match_us_2026-05-01', 'drupal_broad-match_us_2026-04-30', 'joomla_broad-match_us_2026-04-30']
  : [];

// Shows P20.3.
describe('figures equal those of a reader of the whole file', () => {
  const figures = {
    volume: 'Volume',
    difficulty: 'Keyword Difficulty',
    cpc: 'CPC (USD)',
    competition: 'Competitive Density',
  } as const;
  for (const path of [...longest, ...['redmine_broad-match_us_2026-05-01', 'shop-script_broad-match_ru_2026-04-30']]
    .map((name) => `${magic}${name}.csv`)
    .concat(clustered, 'semrush-clustered/500-error_webmaster_clustered_v2_us_2026-04-22.csv')) {
    testWithData(path, () => {
      const { keywords, report } = keywordsOf([named(path)]);
      const rows = rowsOf(path).filter((row) => row.Volume !== undefined);
      expect(report).toMatchObject({ rows: rows.length, keywords: rows.length, repeats: 0 });
      expect(keywords.text).toEqual(rows.map((row) => row.Keyword!.replace(/\s+/gu, ' ').trim()));
      for (const [figure, column] of Object.entries(figures)) {
        const expected = column in rows[0]! ? rows.map((row) => numberOf(row[column])) : undefined;
        expect(keywords.figures[figure as keyof typeof figures], figure).toEqual(
          expected && Float64Array.from(expected),
        );
      }
      const intent = { Informational: 1, Navigational: 2, Commercial: 4, Transactional: 8 } as Record<string, number>;
      const intents = rows.map((row) => row.Intent!.split(', ').reduce((bits, name) => bits | (intent[name] ?? 0), 0));
      expect(keywords.intents).toEqual(Uint8Array.from(intents));
      const features = keywords.serpFeatures!;
      expect([...features.codes].map((code) => features.values[code] ?? '')).toEqual(
        rows.map((row) => row['SERP Features']),
      );
      if (!('Trend' in rows[0]!)) return;
      expect([...keywords.trend!.codes].map((code) => keywords.trend!.values[code] ?? '')).toEqual(
        rows.map((row) => row.Trend),
      );
    });
  }
});

testWithData('drupal: an export that was cut, with its market, day and footers', () => {
  const { keywords, report, readings, rows } = keywordsOf([named(drupal)]);
  expect(readings[0]).toMatchObject({
    encoding: 'utf-8',
    delimiter: ',',
    header: { line: 1 },
    vendor: 'semrush-keyword-magic',
    market: 'us',
    exported: '2026-04-30',
  });
  expect(readings[0]!.columns).toHaveLength(6);
  expect(rows[0]).toMatchObject({ rows: 30_000, unreadable: 0, cutAfter: 30_000 });
  expect(rows[0]!.footers.map(({ line }) => line)).toEqual([30_002, 30_003, 30_004]);
  expect(report).toMatchObject({ rows: 30_000, keywords: 30_000, repeats: 0, markets: ['us'] });
  const { volume, difficulty } = keywords.figures;
  expect([knownCount(volume), sum(volume), volume!.filter((value) => value === 0).length]).toEqual([
    30_000, 387_070, 13_283,
  ]);
  expect(knownCount(difficulty)).toBe(1049);
  expect(keywords.intents.filter(Boolean)).toHaveLength(1072);
  expect(keywords.serpFeatures!.codes.filter((code) => code >= 0)).toHaveLength(1070);
  // Intent, difficulty and SERP features are known for a few of the first rows and for none of the others.
  const columns = ['Keyword', 'Intent', 'Volume', 'Keyword Difficulty', 'CPC (USD)', 'SERP Features'];
  const expected = columns.map((name) => rowsOf(drupal).filter((row) => row.Volume && row[name]).length);
  expect(readings[0]!.columns.map(({ name }) => name)).toEqual(columns);
  expect(rows[0]!.known).toEqual(expected);
  expect(expected).toEqual([30_000, 1_072, 30_000, 1_049, 30_000, 1_070]);
});

// Shows P20.2.
testWithData('redmine: UTF-16, TAB, all quoted and CRLF give the same keywords', () => {
  const plain = keywordsOf([named(redmine)]);
  expect([plain.report.rows, plain.readings[0]!.columns.length, sum(plain.keywords.figures.volume)]).toEqual([
    17_585, 9, 34_680,
  ]);
  const records = parse(new TextDecoder().decode(dataFile(redmine))) as string[][];
  const quoted = records.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\t')).join('\r\n');
  for (const mark of ['\ufeff', '']) {
    for (const isLittle of [true, false]) {
      const { keywords, readings } = keywordsOf([
        { name: named(redmine).name, bytes: utf16(`${mark}${quoted}\r\n`, isLittle) },
      ]);
      expect(readings[0]).toMatchObject({ encoding: isLittle ? 'utf-16le' : 'utf-16be', delimiter: '\t' });
      expect(keywords).toEqual(plain.keywords);
    }
  }
});

testWithData('add-to-website: GROUP above CLUSTER', () => {
  const { keywords, readings } = keywordsOf([named(clustered)]);
  expect(meanings(readings[0]!)).toMatchObject({ GROUP: 'level1', CLUSTER: 'level2', 'Number of Results': 'keep' });
  expect(sum(keywords.figures.volume)).toBe(165_830);
  const [group] = keywords.texts.filter(({ name }) => name === 'GROUP');
  expect(group!.values).toHaveLength(17);
  expect(group!.values).toContain('_UserAction');
});

testWithData('a summary of clusters is no list: its counts are not keywords', () => {
  const { keywords, readings } = keywordsOf([
    named('semrush-clustered/add-to-website_cluster_summary_us_2026-04-22.csv'),
  ]);
  expect(readings[0]!.notes).toEqual([{ code: 'summary-of-clusters', column: 'KEYWORDS' }]);
  expect(meanings(readings[0]!)).toMatchObject({ TOP_KEYWORD: 'keyword', KEYWORDS: 'keep' });
  expect(new Set(keywords.text).size).toBe(116);
});

testWithData('IAB content: a title line, a header in line 2, four tiers, and numbers that are no level', () => {
  const { report, readings, keywords } = keywordsOf([named('iab-taxonomies/content-taxonomy-3.1.tsv')]);
  const [reading] = readings;
  expect(reading).toMatchObject({ delimiter: '\t', header: { line: 2 }, skipped: 2 });
  expect(reading!.titles).toEqual(['Relational ID System Content Taxonomy v3.1 Tiered Categories Extension']);
  expect(report.rows).toBe(704);
  expect(meanings(reading!)).toMatchObject({ Name: 'keyword', Parent: 'keep', 'Tier 1': 'level1', 'Tier 4': 'level4' });
  const tiers = keywords.texts.filter(({ meaning }) => meaning.startsWith('level'));
  expect(tiers.map(({ values }) => values.length)).toEqual([37, 323, 275, 69]);
});

testWithData('IAB audience: the first header is empty', () => {
  const { report, readings } = keywordsOf([named('iab-taxonomies/audience-taxonomy-1.1.tsv')]);
  expect(report.rows).toBe(1558);
  expect(readings[0]!.columns[0]).toMatchObject({ name: 'Column 1', meaning: 'leaveOut' });
});

testWithData('banking77: line breaks inside values, and a column found by its content', () => {
  const path = 'clustering-gold/banking77-test.csv';
  const { keywords, report, readings, rows } = keywordsOf([named(path)]);
  expect(meanings(readings[0]!)).toEqual({ text: 'keyword', category: 'level1' });
  expect(report).toMatchObject({ rows: 3080, keywords: 3079, mostRepeated: [{ rows: 2 }] });
  expect(report.mostRepeated[0]!.keyword.toLowerCase()).toBe('which atms accept this card?');
  expect(rows[0]!.unreadable).toBe(0);
  const independent = rowsOf(path);
  expect(keywords.text.map(key)).toEqual([...new Set(independent.map((row) => key(row.text!)))]);
  expect(keywords.texts[0]!.values).toHaveLength(77);
});

testWithData('hwu64: a column that is called intent holds no search intents', () => {
  const { keywords, report, readings } = keywordsOf([named('clustering-gold/hwu64-sample.tsv')]);
  expect(readings[0]!.delimiter).toBe('\t');
  expect(meanings(readings[0]!)).toEqual({ text: 'keyword', intent: 'keep', scenario: 'keep' });
  expect(report.rows).toBe(5000);
  expect(keywords.texts.map(({ values }) => values.length)).toEqual([64, 18]);
  const [intent, scenario] = keywords.texts.map(({ codes }) => [...codes]);
  expect(new Set(intent!.map((code, row) => `${code} ${scenario![row]}`)).size).toBe(64);
  expect(keywords.intents.some(Boolean)).toBe(false);
});

testWithData('Organic Positions: repeated keywords keep every URL with its position', () => {
  const path = 'semrush-organic-positions/marker.io-organic.Positions-us-20260417.csv';
  const { keywords, report, readings } = keywordsOf([named(path)]);
  expect(readings[0]).toMatchObject({ vendor: 'semrush-organic-positions', market: 'us', exported: '2026-04-17' });
  const byKey = Map.groupBy(rowsOf(path), (row) => key(row.Keyword!));
  expect(report).toMatchObject({ rows: 4431, keywords: byKey.size });
  const urls = keywords.urls!;
  [...byKey.values()].forEach((rows, at) => {
    const total = (column: string) => rows.reduce((added, row) => added + Number(row[column]), 0);
    expect(keywords.figures.traffic![at]).toBe(total('Traffic'));
    expect(keywords.figures.trafficCost![at]).toBeCloseTo(total('Traffic Cost'), 6);
    // An image pack at 1 is no first place.
    const organic = rows.filter((row) => row['Position Type'] === 'Organic').map(({ Position }) => Number(Position));
    expect(keywords.figures.position![at]).toBe(organic.length > 0 ? Math.min(...organic) : Number.NaN);
    const newest = rows.toSorted((one, other) => one.Timestamp!.localeCompare(other.Timestamp!)).at(-1)!;
    expect(keywords.figures.volume![at]).toBe(Number(newest['Search Volume']));
    const own = [...urls.url.subarray(urls.start[at], urls.start[at + 1])].map((url) => urls.names[url]);
    expect(own).toEqual([...new Set(rows.map((row) => row.URL))]);
  });
  const previous = rowsOf(path).filter((row) => row['Previous position'] === '0').length;
  expect(previous).toBeGreaterThan(0);
});

testWithData('Search Console by week: clicks and impressions are summed, positions weighted', () => {
  const path = 'search-console/page-weekly.csv';
  const { keywords, report, readings } = keywordsOf([named(path)]);
  expect(readings[0]!.vendor).toBe('search-console');
  const byKey = Map.groupBy(rowsOf(path), (row) => key(row.query!));
  expect(report).toMatchObject({ rows: 3227, keywords: 831, repeats: 3227 - 831 });
  [...byKey.values()].forEach((rows, at) => {
    const total = (value: (row: Record<string, string>) => number) =>
      rows.reduce((added, row) => added + value(row), 0);
    const impressions = total((row) => Number(row.impressions));
    expect(keywords.figures.clicks![at]).toBe(total((row) => Number(row.clicks)));
    expect(keywords.figures.impressions![at]).toBe(impressions);
    expect(keywords.figures.ctr![at]).toBeCloseTo(total((row) => Number(row.clicks)) / impressions, 9);
    const weighted = total((row) => Number(row.position) * Number(row.impressions)) / impressions;
    expect(keywords.figures.position![at]).toBeCloseTo(weighted, 9);
    expect(keywords.entries[at]).toBe(rows.length);
  });
});

testWithData('search results: hosts become result URLs, and their rank is set by hand', () => {
  const rankings = JSON.parse(new TextDecoder().decode(dataFile('serp-rankings/rankings.json'))) as {
    keyword: string;
    prominence: number;
    competitor: string;
  }[];
  const lines = rankings.map(({ keyword, prominence, competitor }) => `${keyword},${prominence},${competitor}`);
  const bytes = utf8(`keyword,prominence,competitor\n${lines.join('\n')}\n`);
  const { keywords, report, readings } = keywordsOf([
    { name: 'ranks.csv', bytes, corrections: { meanings: { 1: 'resultRank' } } },
  ]);
  expect(meanings(readings[0]!)).toEqual({ keyword: 'keyword', prominence: 'resultRank', competitor: 'resultUrl' });
  expect(report).toMatchObject({ rows: 734, keywords: 37 });
  const results = keywords.results!;
  expect(results.names).toHaveLength(435);
  keywords.text.forEach((text, at) => {
    const hosts = new Set(
      rankings.filter(({ keyword }) => key(keyword) === key(text)).map(({ competitor }) => competitor),
    );
    expect(results.start[at + 1]! - results.start[at]!, text).toBe(hosts.size);
  });
  expect(sum(results.position)).toBeGreaterThan(0);
});
