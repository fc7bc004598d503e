import { describe, expect, test } from 'vitest';
import { type ReadLists, readLists } from '../src/lists/read-lists.ts';
import { JsonRows } from '../src/read/json-rows.ts';
import type { Corrections, Rows } from '../src/read/reading.ts';
import { recogniseText } from '../src/read/recognise.ts';
import { utf8 } from './support/lists.ts';
import { sourceOf } from './support/workbooks.ts';

async function read(text: string, corrections: Corrections = {}): Promise<ReadLists> {
  const lists = await readLists([{ name: 'rows.json', source: sourceOf(utf8(text)), corrections }]);
  if ('refusal' in lists) expect.fail(JSON.stringify(lists));
  return lists;
}

const rows = [
  { keyword: 'oak desk', keyword_info: { search_volume: 100, cpc: 1.5 }, tags: ['a', 'b'], note: null },
  { keyword: 'pine "desk" {1}', keyword_info: { search_volume: 20, cpc: null }, tags: [], later: true },
];

// Shows P20.2.
test.each([
  ['a list', JSON.stringify(rows)],
  ['a list on several lines, behind a byte order mark', `\ufeff${JSON.stringify(rows, undefined, 2)}`],
  ['one object a line', rows.map((row) => JSON.stringify(row)).join('\n')],
  ['the rows of an answer', JSON.stringify({ rows, responseAggregationType: 'byPage', totals: { rows: 2 } })],
])('members of objects are columns: %s', async (_what, text) => {
  const { keywords, files } = await read(text);
  expect(keywords.text).toEqual(['oak desk', 'pine "desk" {1}']);
  expect([...keywords.figures.volume!]).toEqual([100, 20]);
  expect([...keywords.figures.cpc!]).toEqual([1.5, Number.NaN]);
  const [{ reading, report }] = files as [ReadLists['files'][number]];
  expect(reading).toMatchObject({ format: 'json', vendor: 'table', notes: [] });
  expect(reading.columns.map(({ name, meaning }) => [name, meaning])).toEqual([
    ['keyword', 'keyword'],
    ['keyword_info.search_volume', 'volume'],
    ['keyword_info.cpc', 'cpc'],
    ['tags', 'keep'],
    ['note', 'keep'],
    ['later', 'keep'],
  ]);
  expect(reading.columns.map(({ sample }) => sample)).toEqual(['oak desk', '100', '1.5', 'a, b', undefined, 'true']);
  expect(report).toMatchObject({ rows: 2, unreadable: 0 });
});

test('ideas of the interface of Google Ads are read, with their months', async () => {
  const ideaOf = (text: string, volume: string, bid: string) => ({
    text,
    keywordIdeaMetrics: {
      competition: 'LOW',
      monthlySearchVolumes: [
        { month: 'JUNE', year: '2025', monthlySearches: '110' },
        { month: 'MAY', year: '2025', monthlySearches: volume },
      ],
      avgMonthlySearches: volume,
      competitionIndex: '12',
      lowTopOfPageBidMicros: bid,
    },
  });
  const results = [ideaOf('oak desk', '1000', '1110000'), ideaOf('pine desk', '90', '500000')];
  for (const answer of [{ results, totalSize: '2' }, { totalSize: '2', isWhole: true, results }, results]) {
    const { keywords, files } = await read(JSON.stringify(answer));
    expect(keywords.text).toEqual(['oak desk', 'pine desk']);
    const { volume, cpc, competition } = keywords.figures;
    expect([volume, cpc, competition].map((figure) => [...figure!])).toEqual([
      [1000, 90],
      [1.11, 0.5],
      [0.12, 0.12],
    ]);
    expect(keywords.trend!.values).toEqual([',,,,,,,,,,1000,110', ',,,,,,,,,,90,110']);
    expect(files[0]!.reading.notes).toEqual([]);
  }
});

test.each([
  ['the query and its page', ['oak desk', 'https://example.com/oak'], ['pine desk', 'https://example.com/pine']],
  ['the day and the query', ['2026-04-01', 'oak desk'], ['2026-04-02', 'pine desk']],
])('keys of an answer of Search Console are columns: %s', async (_what, ...keys) => {
  const answer = { rows: keys.map((key, at) => ({ keys: key, clicks: at + 1, impressions: 90 })) };
  const { keywords } = await read(JSON.stringify(answer));
  expect(keywords.text).toEqual(['oak desk', 'pine desk']);
  expect([...keywords.figures.clicks!]).toEqual([1, 2]);
  const pages = keys.flat().filter((key) => key.startsWith('https:'));
  expect(keywords.urls?.names ?? []).toEqual(pages);
});

describe('answers of DataForSEO with keywords', () => {
  const keyword = (text: string, volume: number | null) => ({
    se_type: 'google',
    keyword: text,
    location_code: 2276,
    language_code: 'de',
    keyword_info: {
      last_updated_time: '2026-04-02 10:00:00 +00:00',
      competition: 0.25,
      competition_level: 'LOW',
      cpc: 1.5,
      search_volume: volume,
      low_top_of_page_bid: 1,
      categories: [10_004],
      monthly_searches: [
        { year: 2026, month: 4, search_volume: 90 },
        { year: 2026, month: 3, search_volume: 110 },
        { year: 2025, month: 5, search_volume: 70 },
      ],
    },
    clickstream_keyword_info: { search_volume: 4 },
    keyword_properties: { core_keyword: null, keyword_difficulty: 12 },
    serp_info: { check_url: 'https://www.google.de/search?q=x', serp_item_types: ['organic', 'images'] },
    search_intent_info: { main_intent: 'commercial', foreign_intent: ['informational'] },
  });
  const answer = (items: unknown) => ({
    status_code: 20_000,
    tasks: [
      { status_code: 40_501, status_message: 'Invalid Field', data: { keyword: 'ash desk' }, result: null },
      { status_code: 20_000, data: { keywords: ['desk'] }, result: [{ seed_keyword: 'desk', items_count: 2, items }] },
      { status_code: 20_000, data: {}, result: [{ seed_keyword: 'elm', items_count: 0, items: null }] },
    ],
  });
  const items = [keyword('eichentisch', 100), keyword('kieferntisch', null)];
  const whole = answer(items);

  test.each([
    ['as they are', JSON.stringify(whole), 1],
    ['on several lines', JSON.stringify(whole, undefined, 2), 1],
    ['one task', JSON.stringify(whole.tasks[1]), 0],
    ['its results alone', JSON.stringify(whole.tasks[1]!.result), 0],
    ['its items alone', JSON.stringify(items), 0],
    ['its items, one a line', items.map((item) => JSON.stringify(item)).join('\n'), 0],
    [
      'of related keywords',
      JSON.stringify(answer(items.map((item) => ({ keyword_data: item, depth: 1, related_keywords: ['x'] })))),
      1,
    ],
  ])('have those: %s', async (_what, text, unreadable) => {
    const { keywords, files, report } = await read(text);
    expect(keywords.text).toEqual(['eichentisch', 'kieferntisch']);
    const { volume, cpc, competition, difficulty } = keywords.figures;
    expect([volume, cpc, competition, difficulty].map((figure) => [...figure!])).toEqual([
      [100, Number.NaN],
      [1.5, 1.5],
      [0.25, 0.25],
      [12, 12],
    ]);
    expect(keywords.trend).toMatchObject({ values: ['70,,,,,,,,,,110,90'] });
    expect(keywords.intents).toEqual(Uint8Array.of(4, 4));
    expect(report.markets).toEqual(['de']);
    const [{ reading, report: rows }] = files as [ReadLists['files'][number]];
    expect(reading.notes).toEqual([]);
    expect(rows.problems.map(({ reason, text: shown }) => [reason, shown])).toEqual(
      unreadable === 0 ? [] : [['not-answered', 'ash desk: 40501 Invalid Field']],
    );
  });

  test('have positions, pages and traffic of a site', async () => {
    const serpItem = { type: 'organic', rank_group: 3, rank_absolute: 5, url: 'https://example.com/', etv: 12.5 };
    const paid = { ...serpItem, type: 'paid', rank_group: 1 };
    const ranked = items.map((item, at) => ({
      keyword_data: item,
      ranked_serp_element: { serp_item: [serpItem, paid][at] },
    }));
    const { keywords } = await read(JSON.stringify(answer(ranked)));
    expect([...keywords.figures.position!]).toEqual([3, Number.NaN]);
    expect([...keywords.figures.traffic!]).toEqual([12.5, 12.5]);
  });

  test('have keywords as results, in the Keywords Data API', async () => {
    const result = ['eichentisch', 'kieferntisch'].map((text) => ({
      keyword: text,
      location_code: 2276,
      competition: 'HIGH',
      competition_index: 90,
      search_volume: 1300,
      cpc: null,
      monthly_searches: null,
    }));
    const task = { status_code: 20_000, data: { keywords: ['eichentisch', 'kieferntisch'] }, result };
    const { keywords } = await read(JSON.stringify({ tasks: [task] }));
    expect(keywords.text).toEqual(['eichentisch', 'kieferntisch']);
    expect([...keywords.figures.volume!, ...keywords.figures.competition!]).toEqual([1300, 1300, 0.9, 0.9]);
  });
});

test('keys of an answer of Search Console that are countries or devices are no keywords', async () => {
  const answer = (...keys: string[][]) => ({ rows: keys.map((key) => ({ keys: key, clicks: 2, impressions: 90 })) });
  const one = await read(
    JSON.stringify(answer(['oak desk', 'deu'], ['oak desk', 'usa'], ['pine desk', 'gbr'], ['pine desk', 'zzz'])),
  );
  expect(one.keywords.text).toEqual(['oak desk', 'pine desk']);
  expect(one.report.markets).toEqual(['de', 'us', 'uk']);
  const other = await read(
    JSON.stringify(answer(['MOBILE', 'oak desk'], ['DESKTOP', 'oak desk'], ['TABLET', 'oak desk'])),
  );
  expect(other.keywords.text).toEqual(['oak desk']);
  expect([...other.keywords.figures.clicks!]).toEqual([6]);
});

test('objects that cannot be read are named with their lines, and the others are read', async () => {
  const { keywords, files } = await read(
    '[{"keyword":"oak desk","n":1},\n{"keyword":oops},\n{"keyword":"","n":2},\n{"keyword":"pine desk","n":3},\n{"keyword":"ash',
  );
  expect(keywords.text).toEqual(['oak desk', 'pine desk']);
  expect(files[0]!.report.problems.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'answer-broken'],
    [5, 'answer-cut'],
    [3, 'no-keyword'],
  ]);
});

test('columns can be corrected by their numbers, and a header cannot', async () => {
  const text = '[{"term":"oak","phrase":"oak desk","n":3},{"term":"oak","phrase":"oak bed","n":4}]';
  const { keywords } = await read(text, { header: 7, meanings: { 0: 'keep', 1: 'keyword', 2: 'volume' } });
  expect(keywords.text).toEqual(['oak desk', 'oak bed']);
  expect([...keywords.figures.volume!]).toEqual([3, 4]);
});

test('blanks around the name of a member do not matter', async () => {
  const { keywords } = await read('[{"keyword":"oak desk"," volume ":7},{"keyword":"ash desk"," volume ":8}]');
  expect([...keywords.figures.volume!]).toEqual([7, 8]);
});

test('rows are the same in pieces of any size', () => {
  const text = JSON.stringify(rows);
  const reading = recogniseText({ name: 'rows.json', head: utf8(text), isWhole: true });
  if ('code' in reading) expect.fail(reading.code);
  const inPieces = (size: number) => {
    const found: string[] = [];
    const list = new JsonRows(reading, text, ({ cells }: Rows) => found.push(...cells.map((row) => row.join('|'))));
    for (let at = 0; at < text.length; at += size) list.write(text.slice(at, at + size));
    list.end();
    return found;
  };
  const whole = inPieces(text.length);
  expect(whole).toEqual(['oak desk|100|1.5|a, b||', 'pine "desk" {1}|20||||true']);
  for (const size of [1, 2, 7]) expect(inPieces(size)).toEqual(whole);
});

test.each([
  ['a map', '{"keywords":[],"hierarchy":{"name":"a"}}'],
  ['nodes of a map', '[{"name":"a","children":[{"name":"b"}]}]'],
  ['one object', '{"keyword":"oak desk"}'],
])('%s is no list of rows', (_what, text) => {
  expect(recogniseText({ name: 'x.json', head: utf8(text), isWhole: true })).toEqual({ code: 'json' });
});

describe('members that only objects beyond the beginning of a file have', () => {
  const note = 'x'.repeat(1000);
  /** More than the beginning of a file, of which all objects are looked at. */
  const first = Array.from({ length: 1200 }, (_, at) => ({ keyword: `oak desk ${at}`, searches: at + 1, note }));
  const readRows = (rows: readonly object[]) => read(JSON.stringify(rows));

  // Shows P20.2.
  test('are columns, too: meanings go by their names and values', async () => {
    const later = [
      { keyword: 'pine desk', searches: 7, cpc: '1,5', url: 'https://example.com/pine', brand: 'Acme' },
      { keyword: 'ash desk', searches: 8, cpc: '2,25' },
    ];
    const { keywords, files } = await readRows([...first, ...later]);
    expect(files[0]!.reading.columns.map(({ name, meaning, sample }) => [name, meaning, sample]).slice(3)).toEqual([
      ['cpc', 'cpc', '1,5'],
      ['url', 'url', 'https://example.com/pine'],
      ['brand', 'keep', 'Acme'],
    ]);
    expect(files[0]!.report.known).toEqual([1202, 1202, 1200, 2, 1, 1]);
    expect([...keywords.figures.cpc!.slice(1199)]).toEqual([Number.NaN, 1.5, 2.25]);
    expect(keywords.figures.volume![1201]).toBe(8);
  });

  test('take no meaning from a member that the beginning has', async () => {
    const later = [{ keyword: 'pine desk', searches: 7, search_volume: 70, query: 'pine', phrase: 'desk of pine' }];
    const { keywords, files } = await readRows([...first, ...later]);
    expect(files[0]!.reading.columns.map(({ name, meaning }) => [name, meaning])).toEqual([
      ['keyword', 'keyword'],
      ['searches', 'volume'],
      ['note', 'keep'],
      ['search_volume', 'keep'],
      ['query', 'keep'],
      ['phrase', 'keep'],
    ]);
    expect(files[0]!.reading.notes).toEqual([{ code: 'unread-figures', columns: ['search_volume'] }]);
    expect(keywords.figures.volume![1200]).toBe(7);
  });

  test('count for the number of columns that a list may have', async () => {
    const wide = Array.from({ length: 1200 }, (_, at) => ({ keyword: `ash ${at}`, [`m${at}`]: at }));
    const source = sourceOf(utf8(JSON.stringify([...first, ...wide])));
    expect(await readLists([{ name: 'rows.json', source }])).toEqual({
      file: 'rows.json',
      refusal: { code: 'too-many-columns', columns: 1001 },
    });
  });
});

test('objects without members, and more members than columns can be', () => {
  const of = (text: string) => recogniseText({ name: 'x.json', head: utf8(text), isWhole: true });
  expect(of('[{},{}]')).toMatchObject({ columns: [], notes: [{ code: 'no-keyword-column' }] });
  expect(of('[{"a":')).toEqual({ code: 'no-rows' });
  const wide = Object.fromEntries(Array.from({ length: 1200 }, (_, at) => [`m${at}`, at]));
  expect(of(JSON.stringify([wide]))).toEqual({ code: 'too-many-columns', columns: 1001 });
});
