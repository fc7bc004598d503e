import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { groupingBy, totalsOf } from '../src/lists/grouping-choice.ts';
import { type ReadLists, readLists } from '../src/lists/read-lists.ts';
import type { Corrections } from '../src/read/reading.ts';
import { rightReadings, unreadableFile } from './support/list-faults.ts';
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

const footersOf = async (name: string) => (await read(name)).files[0]!.report.footers.map(({ line }) => line);

// Shows P20.11.
test.each(rightReadings)('$file is read right', async (right) => {
  const { file, rows, keywords, unreadable = 0, footers = 0, totals = {}, columns, notes = [], grouping } = right;
  const lists = await read(file);
  const [{ reading, report }] = lists.files as [ReadLists['files'][number]];
  expect(lists.report).toMatchObject({ rows, keywords });
  if (right.first !== undefined) expect(lists.keywords.text[0]).toBe(right.first);
  expect([report.unreadable, report.footers.length]).toEqual([unreadable, footers]);
  expect(totalsOf(lists.keywords)).toEqual(totals);
  expect(reading.columns.map(({ name, meaning }) => [name, meaning])).toEqual(columns);
  expect(reading.notes.map(({ code }) => code)).toEqual(notes);
  expect(groupingBy(lists, 'columns')?.levels.map((level) => level.name)).toEqual(grouping);
});

test('every file but the one that cannot be read has its line in the table', () => {
  const files = readdirSync(folder).filter((name) => name !== unreadableFile);
  expect(rightReadings.map(({ file }) => file)).toEqual(files.sort());
});

describe('totals', () => {
  // Shows P20.11.
  test('of an ads report, with a dash in one cell, are no keywords', async () => {
    expect(await footersOf('01-ads-terms-totals.csv')).toEqual([36, 37, 38, 39]);
    expect((await read('01-ads-terms-totals.csv')).files[0]!.reading.vendor).toBe('table');
  });
  test.each([
    ...[
      'Всего по кампаниям',
      'Total de la cuenta',
      'Gesamt (Konto)',
      'アカウントの合計',
      'Total sum',
      'Celkový součet',
    ],
    ...[
      'Summe aller Keywords',
      'Total volume',
      'Gesamt Suchvolumen',
      'Total search terms: 8',
      'Totaal zoekwoorden',
      '전체 합계',
      'Toplam: hesap',
      'Totalsumme',
    ],
  ])('of a scope, of any size, are no keywords: %s', async (name) => {
    const rows = Array.from({ length: 8 }, (_, row) => `word ${row},${row + 1}`).join('\n');
    const lists = await readLists([
      { name: 'x.csv', source: sourceOf(utf8(`Keyword,Clicks\n${rows}\n"${name}",5000\n`)) },
    ]);
    expect(lists).toMatchObject({ report: { keywords: 8 }, files: [{ report: { footers: [{ line: 10 }] } }] });
  });
  test.each([
    ['below one another', 'Min,5,1\nMax,20,4\nCount,4,4\nAverage,12.5,2.5\nMedian,13,2.5\nTotal,50,10', 6],
    ['with colons', 'Maximum:,20,4\nMinimum:,5,1', 2],
    ['of a few', 'Gesamt,50,\nDurchschnitt,12.5,2.5\nMedian,13,2.5\nStandardabweichung,6,1', 4],
    ['that are wrong', 'Min,6,1\nMax,20,4', 0],
    ['alone, which are also words', 'max,20,4', 0],
    ['of formulas', 'median,20,4\ncount,5,1', 0],
  ])('and least, largest and middle figures are no keywords: %s', async (_what, rows, footers) => {
    const text = `Keyword,Volume,KD\nhose,20,4\nspade,15,3\nrake,10,2\nhoe,5,1\n${rows}\n`;
    const lists = await readLists([{ name: 'x.csv', source: sourceOf(utf8(text)) }]);
    if ('refusal' in lists) expect.fail('refused');
    expect(lists.files[0]!.report.footers).toHaveLength(footers);
    expect(lists.report.keywords).toBe(4 + rows.split('\n').length - footers);
  });
  test.each([
    ['the only keyword', 'Keyword,Volume\ntotal,100\n', 1],
    ['of no known volume', 'Keyword,Volume\nhose,10\nspade,5\ntotal,\n', 3],
    ['of less volume than others', 'Keyword,Volume\nhose,10\nspade,5\ntotal,7\n', 3],
    ['in the name of a game', 'Keyword,Volume\ntotal war,900\ntotal: war,9\nhose,5\nspade,4\ntotal war 2,800\n', 5],
    ['of an average', 'Keyword,Volume\nhose,10\nspade,5\nrake,9\nhoe,4\naverage,90\n', 5],
    ['of more volume than each other, and less than all', 'Keyword,Volume\nsum formula,5\nsum if,8\nsum,12\n', 3],
    ['in a first row with the most volume', 'Keyword,Volume\noverall,40\noverall kids,30\noverall red,20\n', 3],
  ])('a keyword that is the word "total" stays one: %s', async (_what, text, keywords) => {
    const lists = await readLists([{ name: 'x.csv', source: sourceOf(utf8(text)) }]);
    expect(lists).toMatchObject({ report: { keywords } });
  });
  test.each([
    ['first', 'Keyword,Volume\ndesk,90\noak desk,40\npine desk,30\nash desk,10\nelm desk,10\n'],
    ['last', 'Keyword,Volume\noak desk,10\npine desk,10\nash desk,20\nelm desk,30\ndesk,70\n'],
  ])('a keyword with the volume of a few others together stays one: the %s', async (_where, text) => {
    const lists = await readLists([{ name: 'x.csv', source: sourceOf(utf8(text)) }]);
    expect(lists).toMatchObject({ report: { keywords: 5 }, files: [{ report: { footers: [] } }] });
    const unnamed = text.replace(/^desk,/mu, ',');
    expect(await readLists([{ name: 'x.csv', source: sourceOf(utf8(unnamed)) }])).toMatchObject({
      report: { keywords: 4 },
    });
  });
});

test('more first rows that are called totals than a table can have are keywords, in their order', async () => {
  const names = Array.from({ length: 50 }, (_, row) => `total: ${row}`);
  const rows = names.map((name) => `${name},5\n`).join('');
  const lists = await readLists([{ name: 'x.csv', source: sourceOf(utf8(`Keyword,Volume\n${rows}spade,4\n`)) }]);
  expect(lists).toMatchObject({ keywords: { text: [...names, 'spade'] }, files: [{ report: { footers: [] } }] });
});

test('groups in merged cells count for all of their rows', async () => {
  const lists = await read('08-merged-group-cells.xlsx');
  const [group] = groupingBy(lists, 'columns')!.levels;
  expect(group!.values.map((_, at) => group!.codes.filter((code) => code === at).length)).toEqual([8, 8, 8, 8]);
});

describe('the keyword column', () => {
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
  test.each(['Traffic (%)', 'Trafic (%)', 'SEO Traffic, %', 'Volume %', 'Clicks (％)'])(
    'a share of a figure is not the figure: %s',
    async (name) => {
      const text = `Keyword,Position,"${name}"\noak desk,3,12\npine desk,4,7\noak chair,3,2\npine chair,4,1\n`;
      const lists = await readLists([{ name: 'x.csv', source: sourceOf(utf8(text)) }]);
      expect(lists).toMatchObject({ files: [{ reading: { columns: [{}, {}, { name, meaning: 'keep' }] } }] });
    },
  );
  test('of Search Console in Spanish', async () => {
    expect((await read('11-search-console-es.csv')).keywords.figures.position![0]).toBe(3.5);
  });
  test('of Keyword Planner in Spanish, with ranges in words', async () => {
    const { figures } = (await read('13-planner-es.tsv')).keywords;
    expect([...new Set(figures.volume)].sort((one, other) => one - other)).toEqual([55, 550, 5500, 55_000]);
    expect([...new Set(figures.competition)]).toEqual([0.1]);
  });
  test('of Ahrefs comparing two months', async () => {
    expect(sum((await read('14-ahrefs-organic-compare.tsv')).keywords.figures.traffic)).toBe(96);
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
  test('a position beyond those that were looked at is unknown', async () => {
    const text = 'Keyword,Position\nhose,3\nrake,>100\nspade,100+\nhoe,0\naxe,"4,5"\n';
    const lists = await readLists([{ name: 'x.csv', source: sourceOf(utf8(text)) }]);
    if ('refusal' in lists) expect.fail(JSON.stringify(lists));
    expect([...lists.keywords.figures.position!]).toEqual([3, Number.NaN, Number.NaN, Number.NaN, 4.5]);
  });
  test('costs of 0 are counted in all rows, also behind those that the reading is guessed from', async () => {
    const rows = Array.from({ length: 60_000 }, (_, row) => `word number ${row},${row < 59_998 ? '0.00' : '0.50'}`);
    const lists = await readLists([{ name: 'x.csv', source: sourceOf(utf8(`Keyword,CPC\n${rows.join('\n')}\n`)) }]);
    expect(lists).toMatchObject({ files: [{ report: { known: [60_000, 60_000], zeroCosts: 59_998 } }] });
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
    const bytes = new Uint8Array(readFileSync(new URL(unreadableFile, folder)));
    expect(await readLists([{ name: 'x.csv', source: sourceOf(bytes) }])).toMatchObject({
      refusal: { code: 'all-unreadable', rows: 2, problems: [{ line: 2, reason: 'too-many-cells' }, { line: 3 }] },
    });
  });
});

describe('workbooks', () => {
  // Shows P20.11.
  test('a hidden sheet is not read', async () => {
    const { keywords, files } = await read('31-hidden-first-sheet.xlsx');
    expect(keywords.text).toHaveLength(32);
    expect(files[0]!.reading.sheets).not.toContain('old');
  });
  test('cells are read as they are shown', async () => {
    expect((await read('32-number-formats.xlsx')).keywords.text).toContain('007');
  });
  test('notes below a table are footers', async () => {
    expect(await footersOf('33-notes-below.xlsx')).toEqual([35, 36]);
  });
});
