import { expect, test } from 'vitest';
import type { Keywords } from '../src/merge/keywords.ts';
import { keywordsOf, meanings, type NamedFile, readingOf, utf8, utf16 } from './support/lists.ts';

// Files as the tools write them, by the headers of real exports where there are any, and of public parsers elsewhere.

const read = (name: string, bytes: Uint8Array, corrections?: NamedFile['corrections']) => {
  const { keywords, readings, rows, report } = keywordsOf([{ name, bytes, ...(corrections && { corrections }) }]);
  return { keywords, reading: readings[0]!, rows: rows[0]!, report };
};

const figures = ({ figures: known }: Keywords): Record<string, number[]> =>
  Object.fromEntries(Object.entries(known).map(([name, values]) => [name, [...values!]]));

const quoted = (rows: readonly (readonly string[])[]): string =>
  `${rows.map((row) => row.map((cell) => `"${cell}"`).join('\t')).join('\r\n')}\r\n`;

test.each([true, false])('Ahrefs Keywords Explorer: UTF-16 (little endian: %s), TAB, all quoted', (isLittle) => {
  const header = [
    ...['#', 'Keyword', 'Country', 'Difficulty', 'Volume', 'CPC', 'CPS', 'Parent Keyword', 'Last Update'],
    ...['SERP Features', 'Global volume', 'Traffic potential', 'Global traffic potential', 'First seen', 'Intents'],
  ];
  const row = (
    number: string,
    keyword: string,
    difficulty: string,
    volume: string,
    parent: string,
    intents: string,
  ) => [
    ...[number, keyword, 'gb', difficulty, volume, '1.20', '0.9', parent, '2026-04-02 07:11:13'],
    ...['Sitelinks, Thumbnail', '99000', '700', '9900', '2015-09-01', intents],
  ];
  const text = quoted([
    header,
    row('1', 'garden hose', '12', '8100', 'garden hose', 'Commercial'),
    row('2', 'hose reel', '', '2400', 'garden hose', 'Informational, Commercial'),
    row('3', 'cat food', '55', '0', 'cat food', ''),
    row('4', 'wet cat food', '31', '90', 'cat food', ''),
  ]);
  const { keywords, reading, rows } = read('google_gb_garden_2026-04-03.csv', utf16(`\ufeff${text}`, isLittle));
  expect(reading).toMatchObject({
    vendor: 'ahrefs-keywords-explorer',
    encoding: isLittle ? 'utf-16le' : 'utf-16be',
    delimiter: '\t',
    market: 'uk',
    exported: '2026-04-03',
  });
  expect(meanings(reading)).toMatchObject({
    '#': 'leaveOut',
    'Parent Keyword': 'level1',
    // The volume in all countries is not the volume in this one.
    'Global volume': 'keep',
    'Global traffic potential': 'keep',
    'Traffic potential': 'trafficPotential',
  });
  expect(rows).toMatchObject({ rows: 4, unreadable: 0 });
  expect(figures(keywords)).toMatchObject({
    volume: [8100, 2400, 0, 90],
    difficulty: [12, Number.NaN, 55, 31],
    cpc: [1.2, 1.2, 1.2, 1.2],
    trafficPotential: [700, 700, 700, 700],
  });
  expect([...keywords.intents]).toEqual([4, 5, 0, 0]);
});

test('Ahrefs Organic keywords: intents of four columns, and the address with its position', () => {
  const text = quoted([
    ['Keyword', 'Country code', 'Volume', 'KD', 'CPC', 'Organic traffic', 'Current position', 'Current URL'].concat([
      'Updated',
      'Navigational',
      'Informational',
      'Commercial',
      'Transactional',
      'Branded',
      'Local',
    ]),
    ['garden hose', 'US', '8100', '12', '1.20', '310', '4', 'https://x.com/hose', '2026-04-02'].concat([
      'false',
      'false',
      'true',
      'true',
      'false',
      'false',
    ]),
    ['hose reel', 'US', '', '', '', '', '', '', '2026-04-02', 'false', 'true', 'false', 'false', 'true', 'false'],
  ]);
  const { keywords, reading } = read('x.com-organic-keywords.csv', utf16(`\ufeff${text}`, true));
  expect(reading).toMatchObject({ vendor: 'ahrefs-organic-keywords', market: 'us' });
  expect([...keywords.intents]).toEqual([12, 1]);
  expect(figures(keywords)).toMatchObject({ position: [4, Number.NaN], traffic: [310, Number.NaN] });
  expect(keywords.urls!.names).toEqual(['https://x.com/hose']);
});

test.each([
  ['English', 'Top queries,Clicks,Impressions,CTR,Position', '5.5%,2.5', '0%,71'],
  ['German', 'Häufigste Suchanfragen,Klicks,Impressionen,CTR,Position', '"5,5 %","2,5"', '"0 %",71'],
  ['Russian', 'Популярные запросы,Клики,Показы,CTR,Позиция', '"5,5%","2,5"', '"0%",71'],
])('Search Console in %s', (_, header, hose, reel) => {
  const { keywords, reading } = read('Queries.csv', utf8(`${header}\nhose,11,200,${hose}\nreel,0,40,${reel}\n`));
  expect(reading).toMatchObject({ vendor: 'search-console', delimiter: ',' });
  expect(figures(keywords)).toEqual({
    clicks: [11, 0],
    impressions: [200, 40],
    ctr: [0.055, 0],
    position: [2.5, 71],
  });
});

test('Search Console, two periods compared: the newer one counts, the older position is the previous one', () => {
  const header =
    'Query,Last 28 days Clicks,Previous 28 days Clicks,Last 28 days Impressions,Previous 28 days Impressions,' +
    'Last 28 days CTR,Previous 28 days CTR,Last 28 days Position,Previous 28 days Position';
  const { keywords, reading } = read(
    'Queries.csv',
    utf8(`${header}\nhose,11,7,200,140,5.5%,5%,2.5,3\nreel,0,1,40,9,0%,11%,7,0\n`),
  );
  expect(reading.vendor).toBe('search-console');
  expect(figures(keywords)).toMatchObject({
    clicks: [11, 0],
    impressions: [200, 40],
    ctr: [0.055, 0],
    position: [2.5, 7],
    previousPosition: [3, Number.NaN],
  });
});

const planner = (volumes: readonly [string, string, string]) => {
  const lines = [
    ['Keyword Stats 2026-05-02 at 10_11_12'],
    ['May 1, 2025 - April 30, 2026'],
    ['Keyword', 'Currency', 'Avg. monthly searches', 'Three month change', 'YoY change', 'Competition'].concat(
      ['Competition (indexed value)', 'Top of page bid (low range)', 'Top of page bid (high range)'],
      ['Ad impression share', 'Searches: Mar 2026', 'Searches: Apr 2026'],
    ),
    ['garden hose', 'USD', volumes[0], '0%', '-90%', 'High', '88', '0.40', '1.60', '', '400', '600'],
    ['hose reel', 'USD', volumes[1], '', '', 'Low', '9', '', '', '', '', ''],
    ['reel', 'USD', volumes[2], '', '', 'Medium', '40', '0.20', '', '', '0', '10'],
  ];
  return utf16(`\ufeff${lines.map((line) => line.join('\t')).join('\n')}\n`, true);
};

test.each([
  ['Device,Clicks,Impressions,CTR,Position\nMobile,1,10,10%,3.5\nDesktop,2,20,10%,4\n'],
  ['Gerät;Klicks;Impressionen;CTR;Position\nMobil;1;10;10 %;3,5\nComputer;2;20;10 %;4\n'],
  ['Search Appearance,Clicks,Impressions,CTR,Position\nTranslated results,1,10,10%,3.5\nVideos,2,20,10%,4\n'],
  ['Filter,Value\nSearch type,Web\nDate,Last 3 months\n'],
])('Search Console: another file of the export has no keywords: %s', (text) => {
  expect(readingOf({ name: 'x.csv', bytes: utf8(text) }).notes).toEqual([{ code: 'no-keyword-column' }]);
});

test('Screaming Frog: its address is the page of a query', () => {
  const text =
    '"Address","Query","Clicks","Impressions"\n"https://a.test/x","hose","3","50"\n"https://a.test/y","reel","1","9"\n';
  const { columns } = readingOf({ name: 'x.csv', bytes: utf8(text) });
  expect(columns.map(({ meaning }) => meaning)).toEqual(['url', 'keyword', 'clicks', 'impressions']);
  const houses = readingOf({ name: 'x.csv', bytes: utf8('Keyword,Address\nhose,1 Main Street\nreel,2 Main Street\n') });
  expect(houses.columns.map(({ meaning }) => meaning)).toEqual(['keyword', 'keep']);
});

test('a column of devices beside keywords of unknown name is none of them', () => {
  const text = 'Ausdruck,Device,Clicks\nhose,mobile,3\nreel,desktop,4\nhose reel,mobile,5\n';
  const { columns } = readingOf({ name: 'x.csv', bytes: utf8(text) });
  expect(columns.map(({ meaning }) => meaning)).toEqual(['keyword', 'keep', 'clicks']);
});

test('Keyword Planner: two title lines, which name the day, and figures of all columns', () => {
  const { keywords, reading, rows } = read('Keyword Stats.csv', planner(['500', '50', '']));
  expect(reading).toMatchObject({ vendor: 'keyword-planner', header: { line: 3 }, exported: '2026-04-30' });
  expect(reading.titles).toHaveLength(2);
  expect(rows).toMatchObject({ rows: 3, unreadable: 0 });
  expect(figures(keywords)).toMatchObject({ volume: [500, 50, Number.NaN], competition: [0.88, 0.09, 0.4] });
  // The mean of the bounds that are known.
  expect(figures(keywords).cpc).toEqual([1, Number.NaN, 0.2]);
  expect(keywords.trend).toMatchObject({ name: 'Trend (05-2025 - 04-2026)' });
  expect(keywords.trend!.values).toEqual([',,,,,,,,,,400,600', ',,,,,,,,,,0,10']);
});

test('Keyword Planner: ranges become their middle', () => {
  const { keywords } = read('Keyword Stats.csv', planner(['1K – 10K', '10 – 100', '0']));
  expect(figures(keywords).volume).toEqual([5500, 55, 0]);
});

test.each([
  ['of the list', 'No,Keyword,Search Volume,CPC,Paid Difficulty,SEO Difficulty', '1,garden hose,"8,100",1.2,88,40'],
  [
    'of a page',
    'Keyword,Volume,Position,Estimated Visits,CPC,PD,SD,URL',
    'garden hose,8100,4,310,1.2,88,40,https://x.com/h',
  ],
])('Ubersuggest, export %s: paid difficulty is competition', (_, header, row) => {
  const { keywords, reading } = read('ubersuggest.csv', utf8(`${header}\n${row}\n`));
  expect(reading.vendor).toBe('ubersuggest');
  expect(figures(keywords)).toMatchObject({ volume: [8100], difficulty: [40], competition: [0.88], cpc: [1.2] });
});

test('a semicolon file with decimal commas and points for thousands', () => {
  const text =
    'Keyword;Search Volume;Keyword Difficulty Index;CPC;Competition\nschlauch;12.100;45,5;1,20;0,88\nrolle;90;7;;\n';
  const { keywords, reading } = read('liste_de_2026-05-01.csv', utf8(text));
  expect(reading).toMatchObject({ vendor: 'semrush-api', delimiter: ';', market: 'de' });
  expect(figures(keywords)).toEqual({
    volume: [12_100, 90],
    difficulty: [45.5, 7],
    cpc: [1.2, Number.NaN],
    competition: [0.88, Number.NaN],
  });
});
