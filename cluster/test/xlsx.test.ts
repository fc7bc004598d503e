import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { Merger } from '../src/merge/merge.ts';
import { DataRows } from '../src/read/data-rows.ts';
import type { Corrections, Rows } from '../src/read/reading.ts';
import { recogniseWorkbook } from '../src/read/xlsx/recognise-workbook.ts';
import { SharedTexts } from '../src/read/xlsx/shared-texts.ts';
import { openWorkbook } from '../src/read/xlsx/workbook.ts';
import { WorkbookError } from '../src/read/xlsx/zip.ts';
import { dataFile, keywordsOf, named, testWithData } from './support/lists.ts';
import { randomNumbers } from './support/random-numbers.ts';
import { sheetOf, sourceOf, tableWorkbook, workbookOf } from './support/workbooks.ts';

/** The rows of a sheet, the first one if none is named. */
async function rowsOf(
  bytes: Uint8Array,
  sheet?: string,
): Promise<{ line: number[]; cells: string[][]; largest: number }> {
  const read = { line: [] as number[], cells: [] as string[][], largest: 0 };
  const workbook = await openWorkbook(sourceOf(bytes));
  await workbook.read(sheet ?? workbook.sheets[0]!, {
    rows({ line, cells }: Rows) {
      read.line.push(...line);
      read.cells.push(...cells.map((row) => [...row]));
      read.largest = Math.max(read.largest, line.length);
    },
  });
  return read;
}

async function recognised(bytes: Uint8Array, corrections: Corrections = {}) {
  const found = await recogniseWorkbook(sourceOf(bytes), 'drupal_us_2026-04-30.xlsx', corrections);
  if ('code' in found) expect.fail(JSON.stringify(found));
  return found;
}

async function keywordsIn(bytes: Uint8Array) {
  const { workbook, reading } = await recognised(bytes);
  const merger = new Merger();
  const rows = new DataRows(reading, merger.file(reading));
  await workbook.read(reading.sheet!, rows);
  rows.end();
  return { reading, rows: rows.report, ...merger.finish() };
}

const refusal = (bytes: Uint8Array) => recogniseWorkbook(sourceOf(bytes), 'x.xlsx');
const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;

describe('cells', () => {
  test('are texts, numbers as people write them, truth values, and empty for errors', async () => {
    const shared =
      '<si><t>red</t></si><si><r><t>rich </t></r><r><rPr/><t xml:space="preserve">text &amp; more</t></r><rPh><t>kana</t></rPh></si>';
    const cells = [
      '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>9</v></c>',
      '<c r="D1" t="inlineStr"><is><t>in</t><t>line</t></is></c><c r="E1" t="str"><f>A1</f><v>red</v></c>',
      '<c r="F1"><v>4.0000000000000001E-2</v></c><c r="G1" t="n"><v>1300</v></c><c r="H1" t="b"><v>1</v></c>',
      '<c r="I1" t="e"><v>#N/A</v></c><c r="J1"><f>1+1</f></c><c r="K1"><f>HYPERLINK("http://x")</f><v>7</v></c>',
      '<c r="L1"><v>1E-7</v></c><c r="M1"><v>1e22</v></c><c r="N1" s="3"/>',
    ];
    const { cells: rows } = await rowsOf(
      workbookOf({ sheets: { One: sheet(`<row r="1">${cells.join('')}</row>`) }, shared }),
    );
    expect(rows).toEqual([
      [
        'red',
        'rich text & more',
        '',
        'inline',
        'red',
        '0.04',
        '1300',
        'TRUE',
        '',
        '',
        '7',
        '0.000000100000',
        '10000000000000000000000',
        '',
      ],
    ]);
  });

  test('stand where their references say, and empty rows are left out', async () => {
    const rows =
      '<row r="2"><c r="C2"><v>1</v></c></row><row r="5"><c r="A5"/></row><row r="9"><c r="AA9"><v>2</v></c></row><row><c><v>3</v></c><c><v>4</v></c></row>';
    const { line, cells } = await rowsOf(workbookOf({ sheets: { One: sheet(rows) } }));
    expect(line).toEqual([2, 9, 10]);
    expect(cells[0]).toEqual(['', '', '1']);
    expect(cells[1]).toHaveLength(27);
    expect(cells[2]).toEqual(['3', '4']);
  });

  test('may have prefixed names, and parts may be named absolutely', async () => {
    const one =
      '<x:worksheet xmlns:x="m"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>5</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    const parts = {
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Type="t/worksheet" Target="/xl/worksheets/sheet1.xml"/></Relationships>',
    };
    expect((await rowsOf(workbookOf({ sheets: { One: one }, parts }))).cells).toEqual([['5']]);
  });

  test('arrive in batches of bounded size', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => [`keyword ${at}`, at]);
    const { cells, largest } = await rowsOf(tableWorkbook(rows));
    expect(cells).toEqual(rows.map(([text, number]) => [text, String(number)]));
    expect(largest).toBeLessThanOrEqual(4096);
  });
});

describe('a workbook', () => {
  const rows = [
    ['Keyword', 'Volume', 'Keyword Difficulty', 'SERP Features'],
    ['drupal', 14_800, 94.5, 'Video, Sitelinks'],
    ['drupal views', '', '', ''],
    ['Drupal', '1,300', 12, ''],
    ['You can export only first 3 rows available', '', '', ''],
  ];

  // Shows P20.2.
  test('becomes keywords; empty cells are unknown, and a row of one cell is a row', async () => {
    const { reading, rows: read, keywords } = await keywordsIn(tableWorkbook(rows));
    expect(reading).toMatchObject({
      format: 'workbook',
      sheet: 'Keywords',
      vendor: 'semrush-keyword-magic',
      market: 'us',
      header: { line: 1 },
    });
    expect(read).toMatchObject({ rows: 3, unreadable: 0, cutAfter: 3, footers: [{ line: 5 }] });
    expect(keywords.text).toEqual(['drupal', 'drupal views']);
    expect(keywords.figures).toMatchObject({
      volume: Float64Array.of(1300, Number.NaN),
      difficulty: Float64Array.of(12, Number.NaN),
    });
  });

  test('has days as numbers, which tell the newest row', async () => {
    const days = [
      ['Keyword', 'Volume', 'Updated'],
      ['a', 1, 46_100],
      ['a', 2, 46_113],
      ['a', 3, 46_112.5],
    ];
    expect((await keywordsIn(tableWorkbook(days))).keywords.figures.volume).toEqual(Float64Array.of(2));
  });

  test('is read from its first sheet with a keyword header, or from the one that was chosen', async () => {
    const shared: string[] = [];
    const [chart, queries, pages] = [
      [
        ['Date', 'Clicks'],
        [46_000, 3],
      ],
      [
        ['Top queries', 'Clicks', 'Impressions'],
        ['red shoes', 3, 50],
      ],
      [
        ['Top pages', 'Clicks', 'Impressions'],
        ['https://x.com/', 3, 50],
      ],
    ].map((table) => sheetOf(table, shared));
    const bytes = workbookOf({
      sheets: { Chart: chart!, Queries: queries!, Pages: pages! },
      shared: shared.map((text) => `<si><t>${text}</t></si>`).join(''),
    });
    const { reading } = await recognised(bytes);
    expect(reading).toMatchObject({
      sheet: 'Queries',
      sheets: ['Chart', 'Queries', 'Pages'],
      vendor: 'search-console',
    });
    expect((await recognised(bytes, { sheet: 'Pages' })).reading.sheet).toBe('Pages');
    expect(await recogniseWorkbook(sourceOf(bytes), 'x.xlsx', { sheet: 'None' })).toMatchObject({
      code: 'no-such-sheet',
      sheet: 'None',
    });
  });
});

test('rows that a filter hides are read, which is said', async () => {
  const shared: string[] = [];
  const table = sheetOf(
    [
      ['Keyword', 'Volume'],
      ['oak desk', 3],
      ['pine desk', 4],
    ],
    shared,
  );
  const notesOf = async (sheets: Record<string, string>) => {
    const bytes = workbookOf({ sheets, shared: shared.map((text) => `<si><t>${text}</t></si>`).join('') });
    return (await recognised(bytes)).reading.notes.map(({ code }) => code);
  };
  const filtered = table.replace('<row r="3">', '<row r="3" hidden="1">');
  expect(await notesOf({ Keywords: table })).toEqual([]);
  expect(await notesOf({ Keywords: filtered })).toEqual(['hidden-rows']);
  expect(await notesOf({ Keywords: table, Others: filtered })).toEqual(['hidden-rows']);
  // A sheet that is not read.
  const notes = sheetOf([['Note'], ['check prices']], shared).replace('<row r="2">', '<row r="2" hidden="1">');
  expect(await notesOf({ Keywords: table, Notes: notes })).toEqual([]);
});

describe('an export of Search Console', () => {
  const exported = async (sheets: Record<string, (string | number)[][]>, name = 'x.xlsx') => {
    const shared: string[] = [];
    const parts = Object.entries(sheets).map(([sheet, table]) => [sheet, sheetOf(table, shared)]);
    const texts = shared.map((text) => `<si><t>${text}</t></si>`).join('');
    const found = await recogniseWorkbook(
      sourceOf(workbookOf({ sheets: Object.fromEntries(parts), shared: texts })),
      name,
    );
    if ('code' in found) expect.fail(found.code);
    return found.reading;
  };
  const english = {
    Queries: [
      ['Top queries', 'Clicks', 'Impressions', 'CTR', 'Position'],
      ['hose', 3, 50, 0.06, 2.5],
    ],
  };

  test.each([
    ['us', 'Filters', 'Country', 'United States'],
    ['uk', 'Filters', 'Country', 'United Kingdom'],
    ['vn', 'Filters', 'Country', 'Vietnam'],
    ['hk', 'Filters', 'Country', 'Hong Kong'],
    [undefined, 'Filters', 'Country', 'Atlantis'],
    [undefined, 'Filters', 'Date', 'Last 3 months'],
  ])('has the market %s if its sheet %s says %s: %s', async (market, sheet, label, country) => {
    const filters = [
      ['Filter', 'Value'],
      ['Search type', 'Web'],
      [label, country],
    ];
    expect(await exported({ ...english, [sheet]: filters })).toMatchObject({ vendor: 'search-console', market });
  });

  test('has none without the sheet, and that of its name before all', async () => {
    expect((await exported(english)).market).toBeUndefined();
    const filters = [
      ['Filter', 'Value'],
      ['Country', 'France'],
    ];
    expect((await exported({ ...english, Filters: filters }, 'shop_us_2026-05-01.xlsx')).market).toBe('us');
  });

  test('is read in German and in Russian', async () => {
    const german = await exported({
      Diagramm: [
        ['Datum', 'Klicks'],
        [46_000, 3],
      ],
      Suchanfragen: [
        ['Häufigste Suchanfragen', 'Klicks', 'Impressionen', 'CTR', 'Position'],
        ['schlauch', 3, 50, 0.06, 2],
      ],
      Filter: [
        ['Filter', 'Wert'],
        ['Suchtyp', 'Web'],
        ['Land', 'Österreich'],
      ],
    });
    expect(german).toMatchObject({ vendor: 'search-console', sheet: 'Suchanfragen', market: 'at' });
    const russian = await exported({
      Запросы: [
        ['Популярные запросы', 'Клики', 'Показы', 'CTR', 'Позиция'],
        ['шланг', 3, 50, 0.06, 2],
      ],
      Фильтры: [
        ['Фильтр', 'Значение'],
        ['Страна', 'Россия'],
      ],
    });
    expect(russian).toMatchObject({ vendor: 'search-console', market: 'ru' });
    expect(russian.columns.map(({ meaning }) => meaning)).toEqual([
      'keyword',
      'clicks',
      'impressions',
      'ctr',
      'position',
    ]);
  });

  test('of another tool is not asked for filters', async () => {
    const table = {
      Sheet1: [
        ['Keyword', 'Volume'],
        ['hose', 3],
      ],
      Filters: [
        ['Filter', 'Value'],
        ['Country', 'France'],
      ],
    };
    expect((await exported(table)).market).toBeUndefined();
  });
});

describe('a hostile workbook', () => {
  const good = () =>
    tableWorkbook([
      ['Keyword', 'Volume'],
      ['a', 1],
      ['b', 2],
    ]);

  test.each([
    ['an external entity', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>', '&e;'],
    ['entities that multiply', '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>', '&b;'],
  ])('with %s is refused', async (_, type, text) => {
    const row = `<row r="1"><c t="inlineStr"><is><t>${text}</t></is></c></row>`;
    const bytes = workbookOf({ sheets: { One: `<?xml version="1.0"?>${type}${sheet(row)}` } });
    expect(await refusal(bytes)).toEqual({ code: 'workbook', what: 'doctype' });
    expect(await refusal(workbookOf({ sheets: { One: sheet(row) } }))).toEqual({ code: 'workbook', what: 'damaged' });
  });

  // Shows P20.4.
  test('that unpacks to far more than it is stops early', async () => {
    const bytes = workbookOf({ sheets: { One: `<worksheet>${' '.repeat(1 << 26)}</worksheet>` } });
    expect(bytes.length).toBeLessThan(1 << 17);
    expect(await refusal(bytes)).toEqual({ code: 'workbook', what: 'ratio' });
    // The directory may also lie about the size.
    const lying = bytes.slice();
    const view = new DataView(lying.buffer);
    for (let at = 0; at + 46 < lying.length; at++)
      if (view.getUint32(at, true) === 0x02014b50 && view.getUint32(at + 24, true) > 1 << 25)
        view.setUint32(at + 24, 4000, true);
    expect(await refusal(lying)).toEqual({ code: 'workbook', what: 'damaged' });
    for (let at = 0; at + 46 < lying.length; at++)
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 2 ** 31, true);
    expect(await refusal(lying)).toEqual({ code: 'workbook', what: 'size' });
  });

  test('with too many parts is refused before they are read', async () => {
    const parts = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`x/${at}`, 'x']));
    const bytes = workbookOf({ sheets: { One: sheet('') }, parts });
    const source = sourceOf(bytes);
    expect(await recogniseWorkbook(source, 'x.xlsx')).toEqual({ code: 'workbook', what: 'entries' });
    expect(source.taken()).toBeLessThan(bytes.length);
  });

  test('with too many shared texts is refused, and long ones are kept whole', () => {
    const texts = new SharedTexts(8 << 20);
    const long = 'ä'.repeat(700_000);
    texts.add('a');
    texts.add(long);
    texts.add('');
    texts.add('b');
    expect([texts.get(0), texts.get(1) === long, texts.get(2), texts.get(3), texts.get(4), texts.get(-1)]).toEqual([
      'a',
      true,
      '',
      'b',
      undefined,
      undefined,
    ]);
    expect(() => {
      for (let added = 0; added < 100; added++) texts.add(long);
    }).toThrow(new WorkbookError('texts'));
  });

  test('with an endless text or a column that no sheet has is refused', async () => {
    const noise = randomNumbers(7);
    const text = Array.from({ length: 5 << 20 }, () => String.fromCharCode(97 + noise(26))).join('');
    const endless = workbookOf({ sheets: { One: sheet(`<row r="1"><c t="inlineStr"><is><t>${text}`) }, level: 0 });
    expect(await refusal(endless)).toEqual({ code: 'workbook', what: 'damaged' });
    const far = workbookOf({ sheets: { One: sheet('<row r="1"><c r="ZZZ1"><v>1</v></c></row>') } });
    expect(await refusal(far)).toEqual({ code: 'workbook', what: 'damaged' });
  });

  test('with far columns has batches of few rows, and is refused for its columns', async () => {
    const rows = Array.from({ length: 600 }, (_, at) => `<row r="${at + 1}"><c r="XFD${at + 1}"><v>1</v></c></row>`);
    const bytes = workbookOf({ sheets: { One: sheet(rows.join('')) } });
    const workbook = await openWorkbook(sourceOf(bytes));
    let most = 0;
    await workbook.read('One', { rows: ({ cells }) => (most = Math.max(most, cells.flat().length)) });
    expect(most).toBeLessThan(100_000);
    expect(await refusal(bytes)).toEqual({ code: 'too-many-columns', columns: 16_384 });
  });

  test('that is cut off anywhere is refused', async () => {
    const bytes = good();
    for (let length = 0; length < bytes.length; length++)
      expect(await refusal(bytes.subarray(0, length)), `${length}`).toEqual({ code: 'workbook', what: 'damaged' });
  });

  test('with changed bytes is read or refused, never anything else', async () => {
    const random = randomNumbers(3);
    let refused = 0;
    for (let number = 0; number < 600; number++) {
      const bytes = good();
      for (let change = 1 + random(3); change > 0; change--) bytes[random(bytes.length)] = random(256);
      const found = await refusal(bytes);
      if ('code' in found) refused++;
      else
        await found.workbook
          .read(found.reading.sheet!, { rows: () => undefined })
          .catch((error) => expect(error).toBeInstanceOf(WorkbookError));
    }
    expect(refused).toBeGreaterThan(100);
  });

  test('without sheets is refused', async () => {
    expect(await refusal(workbookOf({ sheets: {} }))).toEqual({ code: 'workbook', what: 'no-sheet' });
  });
});

testWithData('a real list as a workbook has the keywords of its text file', async () => {
  const path = 'semrush-keyword-magic/shop-script_broad-match_ru_2026-04-30.csv';
  const records = parse(new TextDecoder().decode(dataFile(path))) as string[][];
  const isFigure = (text: string, column: number) => column > 1 && /^\d+(?:\.\d+)?$/u.test(text);
  const rows = records.map((cells, at) =>
    cells.map((cell, column) => (at > 0 && isFigure(cell, column) ? Number(cell) : cell)),
  );
  const { keywords, reading } = await keywordsIn(tableWorkbook(rows));
  const text = keywordsOf([named(path)]);
  expect(keywords).toEqual(text.keywords);
  expect(reading.columns.map(({ meaning }) => meaning)).toEqual(
    text.readings[0]!.columns.map(({ meaning }) => meaning),
  );
});
