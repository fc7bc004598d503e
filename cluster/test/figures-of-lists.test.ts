import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { groupingBy, totalsOf } from '../src/lists/grouping-choice.ts';
import { readLists } from '../src/lists/read-lists.ts';
import { dataFile, dataFolder, sum, testWithData } from './support/lists.ts';
import { sourceOf } from './support/workbooks.ts';

// The figures of every real list, recomputed from its bytes by a reader that shares no code with the product. The trees of
// real hierarchies are recomputed in `pack/test/figures-of-files.test.ts`.

/** What the columns of a file are; those with other names are of no account here. */
type Known = {
  readonly keyword: string;
  readonly delimiter?: string;
  readonly isQuoted?: boolean;
  /** Lines above the header. */
  readonly titles?: number;
  readonly volume?: string;
  /** Of several rows of a keyword, the volume of the one with the latest date counts. */
  readonly date?: string;
  readonly clicks?: string;
  readonly impressions?: string;
  readonly traffic?: string;
  readonly groups?: readonly string[];
};

const magic: Known = { keyword: 'Keyword', volume: 'Volume' };
const clustered: Known = { ...magic, groups: ['GROUP', 'CLUSTER'] };
const plain: Known = { keyword: 'text', delimiter: '\t', isQuoted: false };
const tiers = (count: number) => Array.from({ length: count }, (_, at) => `Tier ${at + 1}`);
const iab: Known = { keyword: 'Name', delimiter: '\t', isQuoted: false };
const files: Readonly<Record<string, Known>> = {
  'clustering-gold/banking77-test.csv': { keyword: 'text', groups: ['category'] },
  'clustering-gold/hwu64-sample.tsv': plain,
  'clustering-gold/xsid-da.tsv': plain,
  'clustering-gold/xsid-de.tsv': plain,
  'clustering-gold/xsid-en.tsv': plain,
  'iab-taxonomies/ad-product-taxonomy-2.0.tsv': { ...iab, groups: tiers(3) },
  'iab-taxonomies/audience-taxonomy-1.1.tsv': {
    ...iab,
    keyword: 'Condensed Name (1st, 2nd, Last Tier)',
    groups: tiers(4),
  },
  'iab-taxonomies/content-taxonomy-3.1.tsv': { ...iab, titles: 1, groups: tiers(4) },
  'search-console/page-weekly.csv': { keyword: 'query', clicks: 'clicks', impressions: 'impressions' },
  'semrush-clustered/500-error_webmaster_clustered_v2_us_2026-04-22.csv': clustered,
  'semrush-clustered/add-to-website_cluster_summary_us_2026-04-22.csv': {
    keyword: 'TOP_KEYWORD',
    groups: ['GROUP', 'CLUSTER'],
  },
  'semrush-clustered/add-to-website_clustered_full_us_2026-04-22.csv': clustered,
  'semrush-keyword-magic/discourse_broad-match_us_2026-05-01.csv': magic,
  'semrush-keyword-magic/drupal_broad-match_us_2026-04-30.csv': magic,
  'semrush-keyword-magic/joomla_broad-match_us_2026-04-30.csv': magic,
  'semrush-keyword-magic/redmine_broad-match_us_2026-05-01.csv': magic,
  'semrush-keyword-magic/shop-script_broad-match_ru_2026-04-30.csv': magic,
  'semrush-organic-positions/marker.io-organic.Positions-us-20260417.csv': {
    keyword: 'Keyword',
    volume: 'Search Volume',
    date: 'Timestamp',
    traffic: 'Traffic',
  },
};

// Shows P20.3.
testWithData('every list of the folder is recomputed', () => {
  const found = readdirSync(dataFolder, { recursive: true, encoding: 'utf8' });
  const lists = found.filter((path) => /\.[ct]sv$/u.test(path) && !path.startsWith('list-faults'));
  expect(lists.sort()).toEqual(Object.keys(files));
});

for (const [path, known] of Object.entries(files)) {
  testWithData(`${path} has the rows, keywords, totals and groups that are in it`, async () => {
    const bytes = dataFile(path);
    const lists = await readLists([{ name: path.split('/').at(-1)!, source: sourceOf(bytes) }]);
    if ('refusal' in lists) expect.fail(JSON.stringify(lists));
    const { keywords, report } = lists;
    const levels = groupingBy(lists, 'columns')?.levels ?? [];
    const traffic = known.traffic !== undefined && { traffic: sum(keywords.figures.traffic) };
    expect({
      rows: report.rows,
      keywords: report.keywords,
      totals: { ...totalsOf(keywords), ...traffic },
      groups: levels.map(({ name, values }) => [name, values.length]),
    }).toEqual(recomputed(new TextDecoder().decode(bytes), known));
  });
}

function recomputed(text: string, known: Known) {
  const { keyword, delimiter = ',', isQuoted = true, titles = 0, volume, date, groups = [] } = known;
  const [header, ...records] = recordsOf(text.replace(/^\ufeff/u, ''), delimiter, isQuoted).slice(titles);
  const at = (name: string | undefined) => header!.findIndex((cell) => cell.trim() === name);
  // The last lines of an export that was cut are sentences.
  const rows = records.filter((cells) => cells.length >= header!.length - 1 && cells.length > 1);
  const byKey = Map.groupBy(rows, (cells) =>
    cells[at(keyword)]!.normalize('NFC').toLowerCase().trim().split(/\s+/u).join(' '),
  );
  const total = (name: string) => rows.reduce((added, cells) => added + Number(cells[at(name)] || 0), 0);
  const newest = (own: string[][]) =>
    own
      .filter((cells) => cells[at(volume)] !== '')
      .reduce<string[] | undefined>(
        (best, cells) => (best && date && cells[at(date)]! < best[at(date)]! ? best : cells),
        undefined,
      );
  return {
    rows: rows.length,
    keywords: byKey.size,
    totals: {
      ...(volume && {
        volume: [...byKey.values()].reduce((added, own) => added + Number(newest(own)?.[at(volume)] ?? 0), 0),
      }),
      ...(known.clicks && { clicks: total(known.clicks) }),
      ...(known.impressions && { impressions: total(known.impressions) }),
      ...(known.traffic && { traffic: total(known.traffic) }),
    },
    groups: groups.map((name) => [name, new Set(rows.map((cells) => cells[at(name)]!.trim()).filter(Boolean)).size]),
  };
}

/** The records of a text, one character after the other. */
function recordsOf(text: string, delimiter: string, isQuoted: boolean): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isInQuotes = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (isInQuotes) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[at++];
      else isInQuotes = false;
    } else if (isQuoted && sign === '"') isInQuotes = true;
    else if (sign === delimiter) {
      cells.push(cell);
      cell = '';
    } else if (sign === '\n') {
      records.push([...cells, cell]);
      cells = [];
      cell = '';
    } else if (sign !== '\r') cell += sign;
  }
  return cell === '' && cells.length === 0 ? records : [...records, [...cells, cell]];
}
