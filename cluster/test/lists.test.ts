import { expect, test } from 'vitest';
import { applyOperation } from '../src/draft/operations.ts';
import { makeMap, planMap } from '../src/lists/make-map.ts';
import { previewLists } from '../src/lists/preview-lists.ts';
import { type ListFile, readLists } from '../src/lists/read-lists.ts';
import { productNeighbours } from '../src/neighbours/product-search.ts';
import type { ClusterProgress } from '../src/pipeline/cluster.ts';
import { headBytes } from '../src/read/recognise.ts';
import { utf8 } from './support/lists.ts';
import { madeEncoder, madeKeywords } from './support/made-keywords.ts';
import { sheetOf, sourceOf, tableWorkbook, workbookOf } from './support/workbooks.ts';

const file = (name: string, bytes: Uint8Array): ListFile => ({ name, source: sourceOf(bytes) });

async function read(...files: readonly ListFile[]) {
  const lists = await readLists(files);
  if ('refusal' in lists) expect.fail(JSON.stringify(lists));
  return lists;
}

/** For lists that have all groups. */
const noTools = () => Promise.reject(new Error('Nothing has to be clustered'));

test('a file that only proves to be Windows-1252 after its beginning is read as that', async () => {
  const plain = Array.from({ length: headBytes / 8 }, (_, row) => `word ${row},${row}`);
  const text = ['Keyword,Volume', ...plain, ...Array.from({ length: 2000 }, (_, row) => `café ${row},7`)].join('\n');
  const { keywords, files } = await read(
    file(
      'list.csv',
      Uint8Array.from(text, (one) => one.charCodeAt(0)),
    ),
  );
  expect(files[0]).toMatchObject({ reading: { encoding: 'windows-1252' }, report: { unreadable: 0 } });
  expect(keywords.text.at(-1)).toBe('café 1999');
});

test('text and a spreadsheet are merged by keyword', async () => {
  const { keywords, report } = await read(
    file('april_us_2026-04-01.csv', utf8('Keyword,Volume\nhose,100\nspade,50\n')),
    file(
      'may_us_2026-05-01.xlsx',
      tableWorkbook([
        ['Keyword', 'Volume'],
        ['Hose', 120],
        ['rake', 10],
      ]),
    ),
  );
  expect(report).toMatchObject({ rows: 4, keywords: 3, repeats: 1 });
  expect([...keywords.text]).toEqual(['hose', 'spade', 'rake']);
  expect([...keywords.figures.volume!]).toEqual([120, 50, 10]);
});

/** A workbook of tables of keywords and volumes, by the names of their sheets. */
function volumesBySheet(tables: Readonly<Record<string, readonly (readonly [string, number])[]>>): Uint8Array {
  const shared: string[] = [];
  const sheets = Object.entries(tables).map(([name, rows]) => [
    name,
    sheetOf([['Keyword', 'Volume'], ...rows], shared),
  ]);
  return workbookOf({
    sheets: Object.fromEntries(sheets),
    shared: shared.map((text) => `<si><t>${text}</t></si>`).join(''),
  });
}

test.each(['US', 'United States'])('sheets that are named after countries are of several markets: %s', async (us) => {
  const book = volumesBySheet({ [us]: [['hose', 100]], Germany: [['hose', 30]], FR: [['tuyau', 5]] });
  const { keywords, report } = await read(file('list.xlsx', book));
  expect(report.markets).toEqual(['us', 'de', 'fr']);
  expect([...keywords.figures.volume!]).toEqual([130, 5]);
  const german = await readLists([file('list.xlsx', book)], { market: 'de' });
  expect(german).toMatchObject({ report: { rows: 1, markets: ['us', 'de', 'fr'] } });
  const corrected = { ...file('list.xlsx', book), corrections: { market: 'at' } };
  expect(await readLists([corrected])).toMatchObject({ report: { markets: ['at'] } });
});

test('rows of other markets show how the rates of the chosen one are written', async () => {
  const text = 'Keyword,Country,Volume,CTR,Competition\nhose,us,10,0.5,1\nspade,us,20,0.25,0.5\nhose,de,30,3,80\n';
  const lists = await readLists([file('list.csv', utf8(text))], { market: 'us' });
  expect(lists).toMatchObject({
    keywords: {
      text: ['hose', 'spade'],
      figures: { ctr: Float64Array.of(0.005, 0.0025), competition: Float64Array.of(0.01, 0.005) },
    },
  });
});

test.each([
  ['desks_us.csv', 'desks_de.csv'],
  ['US.csv', 'DE.csv'],
  ['desks - United States (May).csv', 'desks - Germany (May).csv'],
])('files whose names differ in their countries alone are of several markets: %s, %s', async (us, de) => {
  const files = [file(us, utf8('Keyword,Volume\nhose,100\n')), file(de, utf8('Keyword,Volume\nhose,30\n'))];
  const { keywords, report } = await read(...files);
  expect([report.markets, [...keywords.figures.volume!]]).toEqual([['us', 'de'], [130]]);
  expect(await readLists(files, { market: 'de' })).toMatchObject({ report: { rows: 1 } });
  // A file that was added twice has the market of its copy in the name.
  const twice = [...files, { ...files[0]!, name: us.replace(/\.csv$/u, ' (1).csv') }];
  for (const all of [files, twice]) {
    const previewed = await previewLists(all, () => undefined);
    expect(previewed?.report.markets).toEqual(['us', 'de']);
    expect(previewed).toEqual(await readLists(all));
  }
});

test.each([
  ['desks_us.csv', 'chairs_us.csv'],
  ['desks_en.csv', 'desks_de.csv'],
  ['desks_v1.csv', 'desks_v2.csv'],
  ['desks_us.csv', 'desks_us (1).csv'],
])('other files are of no market by their names: %s, %s', async (one, other) => {
  const { report } = await read(
    file(one, utf8('Keyword,Volume\nhose,1\n')),
    file(other, utf8('Keyword,Volume\nhose,2\n')),
  );
  expect(report.markets).toEqual([]);
});

test('of sheets that are named after months the newest counts, and of others the last', async () => {
  const volume = async (...names: readonly [string, string]) => {
    const book = volumesBySheet({ [names[0]]: [['hose', 100]], [names[1]]: [['hose', 30]] });
    return (await read(file('list.xlsx', book))).keywords.figures.volume![0];
  };
  expect(await volume('April 2026', 'March 2026')).toBe(100);
  expect(await volume('2026-03', '2026-04')).toBe(30);
  expect(await volume('New', 'Old')).toBe(30);
});

test('a file that was added twice is used once, whatever its name', async () => {
  const april = utf8('Keyword,Volume,Clicks\nhose,100,3\nspade,50,1\n');
  const other = utf8('Keyword,Volume,Clicks\nhose,100,3\nspade,50,2\n');
  const { keywords, report, files, repeated } = await read(
    file('april.csv', april),
    file('other.csv', other),
    file('april (1).csv', april.slice()),
  );
  expect([files.map(({ name }) => name), repeated]).toEqual([['april.csv', 'other.csv'], ['april (1).csv']]);
  expect([report.rows, [...keywords.figures.clicks!]]).toEqual([4, [6, 3]]);
});

test('two files of one name are two files', async () => {
  const lists = await read(file('list.csv', utf8('Keyword\nhose\n')), file('list.csv', utf8('Keyword\nrake\n')));
  expect([lists.keywords.text, lists.repeated, lists.files.length]).toEqual([['hose', 'rake'], [], 2]);
});

test('a file that cannot be read refuses all, and is named', async () => {
  const lists = await readLists([file('good.csv', utf8('Keyword\nhose\n')), file('counts.csv', utf8('1,2\n3,4\n'))]);
  expect(lists).toEqual({ file: 'counts.csv', refusal: { code: 'no-keyword-column' } });
});

test('with groups and search results, clusters inside a group come from the texts', async () => {
  const rows = ['water hose', 'garden hose', 'water hoses', 'cat food', 'cats food', 'food cat'].flatMap(
    (keyword, row) =>
      [1, 2, 3].map((rank) => `${keyword},${row < 3 ? 'Garden' : 'Pets'},https://site-${rank}.example/,${rank}`),
  );
  const lists = await read(file('list.csv', utf8(['Keyword,Group,Competitor,Rank', ...rows].join('\n'))));
  const map = await makeMap(lists, { name: 'x', grouping: ['Group'] }, async () => ({
    neighbours: productNeighbours(),
  }));
  expect(map).toMatchObject({ method: 'columns', pillars: 2, strays: 0 });
});

test('a group that is called like the strays is another topic than the strays', async () => {
  const rows = 'Keyword,Group\nhose,Garden\nrake,Garden\ncat,Stray keywords\ndog,Stray keywords\nsun,\nmoon,Garden\n';
  const { state } = await planMap(await read(file('list.csv', utf8(rows))), { grouping: ['Group'] }, async () => ({
    neighbours: productNeighbours(),
  }));
  expect(state.topics.filter(({ parent }) => parent < 0).map(({ name, kind }) => [name, kind])).toEqual([
    ['Garden', 'pillar_topic'],
    ['Stray keywords', 'pillar_topic'],
    ['Stray keywords (2)', 'stray'],
  ]);
});

test('a planned map has decided about its levels, whatever its granularity becomes', async () => {
  const lists = await read(file('list.csv', utf8('Keyword\nwater hose\ngarden hose\nwater hoses\ncat food\n')));
  const planned = async (choices: { pillars?: number }) =>
    (await planMap(lists, { grouping: 'none', ...choices }, async () => ({ neighbours: productNeighbours() })))
      .settings;
  expect(await planned({})).toMatchObject({ shape: 'pages', hasPillars: false });
  expect(await planned({ pillars: 1 })).toMatchObject({ shape: 'pages', hasPillars: true });
});

test('the keywords of "Other" are clustered inside it, if that is wanted', async () => {
  const others = [
    ...['red', 'blue', 'long', 'short', 'green'].map((word) => `${word} garden hose`),
    ...['dry', 'wet', 'kitten', 'senior', 'organic'].map((word) => `${word} cat food`),
  ];
  const rows = [...others.map((keyword) => `${keyword},Other,Other`), 'chess board,Games,Chess'];
  const lists = await read(file('list.csv', utf8(['Keyword,Group,Cluster', ...rows].join('\n'))));
  const choices = { grouping: ['Group', 'Cluster'], language: 'en' } as const;
  const tools = async () => ({ neighbours: productNeighbours() });
  const { state } = await planMap(lists, { ...choices, splitsOther: true, smallestCluster: 2 }, tools);
  const namesIn = (name: string) => {
    const branch = state.topics.findIndex((topic) => topic.name === name && topic.parent < 0);
    return state.topics.filter(({ parent }) => parent === branch).map((topic) => topic.name);
  };
  expect(namesIn('Other')).not.toContain('Other');
  expect(namesIn('Other').length).toBeGreaterThan(1);
  expect(namesIn('Games')).toEqual(['Chess']);
  expect(state.topics.some(({ isLocked }) => isLocked)).toBe(false);
  const plain = await planMap(lists, choices, noTools);
  expect(plain.state.topics.map(({ name }) => name)).toEqual(['Other', 'Other', 'Games', 'Chess']);
});

test('clusters inside groups have granularity, and their progress never goes back', async () => {
  const made = madeKeywords();
  const rows = made.texts.map((text, row) => `${text},Kind ${made.kind[row]}`);
  const lists = await read(file('list.csv', utf8(['Keyword,Group', ...rows].join('\n'))));
  const heard: ClusterProgress[] = [];
  const planned = await planMap(lists, { grouping: 'columns', language: 'en', smallestCluster: 2 }, async () => ({
    encoder: madeEncoder,
    neighbours: productNeighbours(),
    onProgress: (progress) => heard.push(progress),
  }));
  expect(planned.state.stop).toBe(4);
  const finer = applyOperation(planned, planned.state, { kind: 'granularity', stop: 9 }, 'x');
  if ('refusal' in finer) expect.fail(finer.refusal);
  for (const { topics } of [planned.state, finer.state])
    expect(
      topics
        .filter(({ parent }) => parent < 0)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([0, 1, 2, 3, 4, 5].map((kind) => `Kind ${kind}`));
  const stages = ['variants', 'meaning', 'neighbours', 'clusters', 'names'];
  const places = heard.map(({ stage, done = 0, total = 1 }) => stages.indexOf(stage) + done / (total + 1));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(heard.filter(({ stage }) => stage === 'meaning').at(-1)).toEqual({ stage: 'meaning', done: 288, total: 288 });
});
