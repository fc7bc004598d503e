import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ChosenGrouping, groupingBy } from '../src/lists/grouping-choice.ts';
import { readLists } from '../src/lists/read-lists.ts';
import type { Corrections } from '../src/read/reading.ts';
import { knownCount, sum, utf8 } from './support/lists.ts';
import { sourceOf } from './support/workbooks.ts';

/** Lists that were once misread without a word: what the names say is what is right. */
const folder = new URL('../../fixtures/list-faults/', import.meta.url);

async function read(name: string, corrections: Corrections = {}) {
  const bytes = new Uint8Array(readFileSync(new URL(name, folder)));
  const lists = await readLists([{ name, source: sourceOf(bytes), corrections }]);
  if ('refusal' in lists) expect.fail(`refused: ${JSON.stringify(lists)}`);
  return lists;
}

/** What a list holds: its number of keywords, the sums of its figures and the grouping that it would get. */
async function held(name: string, chosen: ChosenGrouping = 'columns') {
  const lists = await read(name);
  const { figures, text } = lists.keywords;
  const grouping = groupingBy(lists, chosen)?.levels.map((level) => level.name);
  const sums = Object.fromEntries(
    Object.entries(figures).flatMap(([figure, values]) => (knownCount(values) > 0 ? [[figure, sum(values)]] : [])),
  );
  return { keywords: text.length, ...sums, ...(grouping && { grouping }) };
}

const footersOf = async (name: string) => (await read(name)).files[0]!.report.footers.map(({ line }) => line);

describe('totals', () => {
  test('of an ads report, with a dash in one cell, are no keywords', async () => {
    expect(await held('01-ads-terms-totals.csv')).toMatchObject({ keywords: 32, clicks: 64, impressions: 640 });
    expect(await footersOf('01-ads-terms-totals.csv')).toHaveLength(4);
    expect((await read('01-ads-terms-totals.csv')).files[0]!.reading.vendor).toBe('table');
  });
  test.each([
    ['the only keyword', 'Keyword,Volume\ntotal,100\n', 1],
    ['of no known volume', 'Keyword,Volume\nhose,10\nspade,5\ntotal,\n', 3],
    ['of less volume than others', 'Keyword,Volume\nhose,10\nspade,5\ntotal,7\n', 3],
  ])('a keyword that is the word "total" stays one: %s', async (_what, text, keywords) => {
    const lists = await readLists([{ name: 'x.csv', source: sourceOf(utf8(text)) }]);
    expect(lists).toMatchObject({ report: { keywords } });
  });
  test('in the last row', async () => {
    expect(await held('02-total-grand.csv')).toMatchObject({ keywords: 32, volume: 320 });
  });
  test('in the first row', async () => {
    expect(await held('03-total-first-row.csv')).toEqual({ keywords: 32, clicks: 64, impressions: 640 });
  });
});

describe('columns that are no grouping', () => {
  test('SERP features', async () => {
    expect(await held('04-serp-features-as-groups.csv')).toEqual({ keywords: 32, volume: 320 });
  });
  test('true and false', async () => {
    expect(await held('05-true-false-as-groups.csv')).toEqual({ keywords: 32, volume: 320 });
  });
  test('types of rankings', async () => {
    expect(await held('06-ranking-type-sparse.csv')).toMatchObject({ keywords: 32, volume: 320 });
    expect(await held('06-ranking-type-sparse.csv')).not.toHaveProperty('grouping');
  });
  test('figures with words in them', async () => {
    expect(await held('07-metric-words-as-groups.csv')).toEqual({ keywords: 32, volume: 320, difficulty: 192, cpc: 8 });
  });
});

test('groups in merged cells count for all of their rows', async () => {
  const lists = await read('08-merged-group-cells.xlsx');
  const [group] = groupingBy(lists, 'columns')!.levels;
  expect(group!.values.map((_, at) => group!.codes.filter((code) => code === at).length)).toEqual([8, 8, 8, 8]);
});

describe('the keyword column', () => {
  test('is that of the search terms, not of what was bid on', async () => {
    expect(await held('09-search-term-and-keyword.csv')).toMatchObject({ keywords: 32, clicks: 64, impressions: 640 });
  });
  test('may consist of digits', async () => {
    const { keywords } = await read('10-numeric-keywords.csv');
    expect(keywords.text).toEqual(['74080', '0402', '30131', '2026', '1e5', 'wd 40']);
    expect(sum(keywords.figures.volume)).toBe(210);
  });
  test('has no signs of match types', async () => {
    const { keywords } = await read('29-match-types.csv');
    expect(keywords.text).toHaveLength(8);
    expect(keywords.text.join('')).not.toMatch(/["[\]+]/u);
  });
});

describe('headers', () => {
  test('of Search Console in Spanish', async () => {
    expect(await held('11-search-console-es.csv')).toMatchObject({ keywords: 32, clicks: 64, impressions: 640 });
    expect((await read('11-search-console-es.csv')).keywords.figures.position![0]).toBe(3.5);
  });
  test('of Search Console in Japanese', async () => {
    expect(await held('12-search-console-ja.csv')).toMatchObject({ keywords: 6, clicks: 12, impressions: 120 });
  });
  test('of Keyword Planner in Spanish, with ranges in words', async () => {
    const { figures } = (await read('13-planner-es.tsv')).keywords;
    expect([...new Set(figures.volume)].sort((one, other) => one - other)).toEqual([55, 550, 5500, 55_000]);
    expect([...new Set(figures.competition)]).toEqual([0.1]);
  });
  test('of Ahrefs comparing two months', async () => {
    expect(await held('14-ahrefs-organic-compare.tsv')).toMatchObject({ traffic: 96 });
  });
  test('"Search vol."', async () => {
    expect(await held('15-search-vol.csv')).toMatchObject({ volume: 320 });
  });
  test('of Wordstat', async () => {
    expect(await held('16-wordstat.csv')).toMatchObject({ keywords: 6, volume: 215 });
  });
  test('of the volume in all countries, if there is no other', async () => {
    expect(await held('17-global-volume-only.csv')).toMatchObject({ keywords: 32, volume: 320 });
    const [file] = (await read('17-global-volume-only.csv')).files;
    expect(file!.reading.notes).toContainEqual({ code: 'global-figures', columns: expect.any(Array) });
  });
  test('after a column without a name that numbers the rows', async () => {
    expect((await read('24-index-column.csv')).keywords.text).toHaveLength(32);
  });
  test('of one column, in another language', async () => {
    expect((await read('25-one-column-header.txt')).keywords.text).toEqual([
      'mesa de roble',
      'mesa blanca',
      'silla blanca',
    ]);
  });
});

describe('encodings', () => {
  test('Windows-1251', async () => {
    const { keywords, files } = await read('18-windows-1251.csv');
    expect(files[0]!.reading.encoding).toBe('windows-1251');
    expect(keywords.text[0]).toBe('стол дубовый');
    expect(sum(keywords.figures.impressions)).toBe(160);
  });
  test('Shift-JIS', async () => {
    const { keywords, files } = await read('19-shift-jis.csv');
    expect(files[0]!.reading.encoding).toBe('shift_jis');
    expect(keywords.text[0]).toBe('木の机');
    expect(sum(keywords.figures.volume)).toBe(160);
  });
});

describe('values', () => {
  test('ranges in words of several languages', async () => {
    const { figures } = (await read('20-ranges-in-words.csv')).keywords;
    expect([...figures.volume!]).toEqual([55_000, 5500, 5500, 5500, 55_000, 5500, 5500, 5500]);
  });
  test('words that mean "unknown"', async () => {
    const { figures } = (await read('21-unknown-words.csv')).keywords;
    expect([knownCount(figures.ctr), knownCount(figures.cpc), knownCount(figures.position)]).toEqual([8, 8, 8]);
    expect([figures.ctr![0], figures.cpc![0], figures.position![0]]).toEqual([0.1, 0.5, 3]);
  });
  test('dates with the day first: the newest row counts', async () => {
    const { text, figures } = (await read('22-dates-dmy.csv')).keywords;
    expect([text, [...figures.volume!]]).toEqual([
      ['oak desk', 'pine desk'],
      [10, 5],
    ]);
  });
});

describe('texts', () => {
  test('invisible characters are no part of a keyword', async () => {
    expect((await read('23-invisible-characters.csv')).keywords.text).toEqual(['oak desk']);
  });
  test('commas in one line separate keywords', async () => {
    const { keywords } = await read('26-comma-list.txt');
    expect(keywords.text).toEqual(['oak desk', 'pine desk', 'steel desk', 'round desk', 'small desk', 'white desk']);
  });
  test('headings between the rows of Trends are no keywords', async () => {
    const { keywords } = await read('27-trends-top-rising.csv');
    expect(keywords.text).toEqual(['oak desk', 'pine desk', 'steel desk', 'round desk', 'small desk']);
  });
  test('where no row can be read, the reason and the first rows are named', async () => {
    const bytes = new Uint8Array(readFileSync(new URL('28-all-rows-unreadable.csv', folder)));
    expect(await readLists([{ name: 'x.csv', source: sourceOf(bytes) }])).toMatchObject({
      refusal: { code: 'all-unreadable', rows: 2, problems: [{ line: 2, reason: 'too-many-cells' }, { line: 3 }] },
    });
  });
});

describe('workbooks', () => {
  test('sheets with the same header are read as one', async () => {
    expect(await held('30-two-equal-sheets.xlsx')).toMatchObject({ keywords: 32 });
  });
  test('a hidden sheet is not read', async () => {
    const { keywords, files } = await read('31-hidden-first-sheet.xlsx');
    expect(keywords.text).toHaveLength(32);
    expect(files[0]!.reading.sheets).not.toContain('old');
  });
  test('cells are read as they are shown', async () => {
    expect((await read('32-number-formats.xlsx')).keywords.text).toContain('007');
  });
  test('notes below a table are footers', async () => {
    expect((await read('33-notes-below.xlsx')).keywords.text).toHaveLength(32);
    expect(await footersOf('33-notes-below.xlsx')).toHaveLength(2);
  });
});
