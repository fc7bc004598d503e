import { codedNote, codedRefusal, codeOfProblem } from '@kc/cluster/lists/list-refusal';
import { type ReadLists, readLists } from '@kc/cluster/lists/read-lists';
import type { Corrections } from '@kc/cluster/read/reading';
import { say, sayRefusal } from '@kc/rules/all-messages';
import { expect, test } from 'vitest';
import { listQuestions, listWarnings, readingNotes, resultsAdded, updateWarnings } from './list-warnings.ts';

test.each([
  ['zip', 'This is a ZIP file. Unpack it and choose the CSV files in it.'],
  ['old-excel', 'This is an old Excel file (.xls), or one with a password. Save it as XLSX or CSV without a password.'],
  [
    'web-page',
    'This is a web page, even if its name ends in .xls. Open it in a spreadsheet and save it as XLSX or CSV.',
  ],
  ['not-text', 'This is not a text file or a spreadsheet.'],
  ['json', 'This file holds JSON. Rename it to .json to upload it.'],
  [
    'rows-in-brackets',
    'The rows of this file are in brackets, or have names before their values, as programs write them. Save it as CSV, or as JSON with a list of objects.',
  ],
  [
    'transposed',
    'The keywords of this table are side by side in one row. Swap rows and columns in a spreadsheet (Paste Special, Transpose) and save it again.',
  ],
  ['no-rows', 'This file has no rows.'],
  ['no-keyword-column', 'No column with keywords was found. Choose the column that holds them.'],
] as const)('%s says "%s"', (code, text) => {
  expect(sayRefusal(codedRefusal({ code }))).toBe(text);
});

test('what is a guess or missing in a reading is said', () => {
  const texts = (
    [
      { code: 'no-volume' },
      { code: 'unread-figures', columns: ['Score', 'Weight'] },
      { code: 'global-figures', columns: ['Volume (Global)'] },
      { code: 'other-lists', columns: ['Column 4'] },
      { code: 'words-in-figures', column: 'KD', words: ['tbd', 'soon'] },
      { code: 'groups-in-rows', column: 'Row Labels' },
      { code: 'keywords-in-cells', column: 'Keywords' },
      { code: 'filled-down', columns: ['Group'] },
      { code: 'group-rows', column: 'Keyword' },
      { code: 'group-lines' },
      { code: 'in-millions', column: 'Volume (M)' },
      { code: 'counts-rows', column: 'Rank' },
      { code: 'header-guess', line: 1 },
      { code: 'several-volumes', column: 'Volume' },
      { code: 'volume-of-year', column: 'Volume (12 months)' },
      { code: 'volume-of-year-divided', column: 'Total volume (12 months)' },
      { code: 'zero-cpc', column: 'CPC (USD)', share: 0.961 },
      { code: 'ctr-scale', column: 'CTR', sample: 0.07 },
      { code: 'thousands-guess', column: 'Traffic', sample: '1.234', are: true },
      { code: 'thousands-guess', column: 'CPC', sample: '1,234 €', are: false },
      { code: 'date-order', column: 'Date' },
      { code: 'month-order', column: 'Month 1', isNewest: false },
      { code: 'encoding-guess', encoding: 'windows-1252', samples: [] },
      { code: 'results-guess', column: 'URL' },
      { code: 'hidden-rows' },
      { code: 'other-sheets', sheets: ['May', 'June'] },
    ] as const
  ).map((note) => sayRefusal(codedNote(note)));
  expect(texts).toEqual([
    'This list has no search volumes.',
    'These numbers are not recognised and kept as they are: Score, Weight.',
    'Figures of all countries are used, because the list has none of one country: Volume (Global).',
    'These columns seem to be other lists beside the first one, and are not read as keywords: Column 4. Put each list into its own file.',
    'In KD, these words count as unknown: tbd, soon.',
    'Some rows of Row Labels seem to be groups: their figures are the sums of the rows below them. They count as keywords. Show the pivot table in tabular form and export it again.',
    'Cells of Keywords hold several keywords each. Each becomes a separate keyword, without the figures of its row.',
    'Groups are written once, so empty cells get the value above them: Group.',
    'Some rows hold only a name in Keyword. They may be the groups of the keywords below them, or keywords without figures.',
    'Some lines seem to be headings: the groups of the keywords below them, or after them on the same line.',
    'The numbers of Volume (M) have decimals, so they are read as millions. If they are monthly searches, rename the column.',
    'Rank only counts the rows, so it is left out. If it holds positions, say so below.',
    'Line 1 is read as the column names, but may be an ordinary row. If it is one, set the header line to 0.',
    'Some keywords have several rows with different numbers in Volume; the last one counts. If they are parts of a total, such as devices, add them up first.',
    'Volume (12 months) may contain the searches of a whole year. It is read as monthly searches. If it contains totals, add “total” to its name.',
    'Total volume (12 months) seems to contain the searches of a whole year, so its numbers are divided by 12.',
    'CPC (USD) is 0 in 96 % of the rows. Some tools write 0 if the price is unknown.',
    'In CTR, 0.07 may mean 7 % or 0.07 %, because no number is above 1. It is read as 7 %.',
    'In Traffic, 1.234 may be a number of thousands or have decimals, because all numbers have three digits after their only separator. It is read as 1234.',
    'In CPC, 1,234 € may be a number of thousands or have decimals, because all numbers have three digits after their only separator. It is read as 1.234.',
    'Date: day and month cannot be told apart. The day is read first.',
    'Months have no dates. Month 1 may be the oldest or the newest, and is read as the oldest.',
    'The encoding of this file is a guess: windows-1252.',
    'URL has pages of several sites for one keyword. They may be search results, or pages of your own.',
    'Rows that are hidden in the spreadsheet, for example by a filter, are also read. Delete them there if they do not belong to the list.',
    'Other sheets are not read, because their headers differ: May, June.',
  ]);
});

test('nearly all rows are not called all, and once all rows are read their number counts', () => {
  const note = { code: 'zero-cpc', column: 'CPC', share: 1 } as const;
  const column = { meaning: 'keep', hasDecimalComma: false, sample: undefined, known: 1 } as const;
  const columns = [
    { ...column, name: 'Keyword' },
    { ...column, name: 'CPC' },
  ];
  const share = (known: number, zeroCosts: number) =>
    codedNote(note, columns, { known: [27_640, known], zeroCosts }).params?.share;
  expect([share(27_640, 27_638), share(27_640, 27_640), share(27_640, 13_820)]).toEqual(['over 99 %', '100 %', '50 %']);
  expect(codedNote({ ...note, share: 0.9975 }).params?.share).toBe('over 99 %');
});

test('the scale of click rates is asked unless somebody said it, or rows behind the first ones tell', async () => {
  const read = async (last: string, corrections: Pick<Corrections, 'isCtrPercent'> = {}) => {
    const rows = Array.from({ length: 60_000 }, (_, row) => `word number ${row},10,0.5\n`).join('');
    const bytes = new TextEncoder().encode(`Keyword,Volume,CTR\n${rows}oak desk,20,${last}\n`);
    const source = { size: bytes.length, read: async (at: number, length: number) => bytes.slice(at, at + length) };
    const lists = await readLists([{ name: 'list.csv', source, corrections }]);
    if ('refusal' in lists) throw new Error(JSON.stringify(lists));
    const said = { market: undefined, guessed: undefined, ofUpdate: [] };
    return {
      questions: listQuestions(lists, [corrections], said).map(({ about, text }) => [about, sayRefusal(text)]),
      notes: readingNotes(lists).map(({ warning }) => warning.code),
    };
  };
  const text = (as: string) => `In CTR, 0.5 may mean 50 % or 0.5 %, because no number is above 1. It is read as ${as}.`;
  expect(await read('0.25')).toEqual({ questions: [['ctr-scale', text('50 %')]], notes: ['list/ctr-scale'] });
  expect(await read('0.25', { isCtrPercent: true })).toEqual({ questions: [], notes: ['list/ctr-scale'] });
  expect(await read('3')).toEqual({ questions: [], notes: [] });
});

test('a filter says what it leaves out, and that it leaves nothing', () => {
  expect(say('list/filtered', { kept: '16,717', volume: '13,283', words: '0' })).toBe(
    '16,717 keywords are kept. Left out: 13,283 by volume, 0 by words.',
  );
  expect(say('list/filtered', { kept: '1', volume: '0', words: '2' })).toBe(
    '1 keyword is kept. Left out: 0 by volume, 2 by words.',
  );
  expect(sayRefusal(codedRefusal({ code: 'all-left-out' }))).toBe(
    'The filter leaves out every keyword. Lower the minimum volume or remove words.',
  );
});

test('where no row can be read, the first ones are shown', () => {
  const problems = [{ line: 2, reason: 'too-many-cells' as const, text: 'oak desk,1,900,12' }];
  expect(sayRefusal(codedRefusal({ code: 'all-unreadable', rows: 1234, problems }))).toBe(
    'None of the 1,234 rows of this file could be read. Check the header line and the delimiter. The first are line 2: oak desk,1,900,12',
  );
});

test('where no answer has search results, the first ones are shown', () => {
  const problems = [{ line: 1, reason: 'not-answered' as const, text: 'oak desk: 40501 Invalid Field.' }];
  expect(sayRefusal(codedRefusal({ code: 'no-answers', rows: 12, problems }))).toBe(
    'None of the 12 responses in this file has search results. Save whole responses of DataForSEO (Google Organic, regular or advanced) or of SerpApi (Google). The first are line 1: oak desk: 40501 Invalid Field.',
  );
});

test('search results that are added say what was matched, and why they are not', () => {
  const said = (added: number, unmatched: number, without: number) =>
    sayRefusal(resultsAdded({ added, unmatched, without }));
  expect(said(1200, 2, 0)).toBe(
    '1,200 keywords got search results. 2 keywords of the list are not in the map and were left out; 0 keywords of the map have no search results.',
  );
  expect(said(1, 1, 1)).toBe(
    '1 keyword got search results. 1 keyword of the list is not in the map and was left out; 1 keyword of the map has no search results.',
  );
  expect(say('list/no-results')).toBe(
    'These files have no search results. Choose a file with several result URLs for each keyword.',
  );
  expect(say('list/no-results-of-map')).toBe(
    'None of these search results is for a keyword of this map. Is it the right one?',
  );
});

test('a line, a column and a sheet that are not there are named', () => {
  expect(sayRefusal(codedRefusal({ code: 'no-such-line', line: 7 }))).toBe(
    'The header cannot be in line 7: none of the first rows is there.',
  );
  expect(sayRefusal(codedRefusal({ code: 'no-such-number', column: 9, columns: 4 }))).toBe(
    'This file has no column 9. It has 4.',
  );
  expect(sayRefusal(codedRefusal({ code: 'no-such-sheet', sheet: 'May', sheets: ['April', 'Notes'] }))).toBe(
    'This file has no sheet May. Its sheets are: April, Notes.',
  );
});

test('too many columns and a damaged spreadsheet name what is wrong', () => {
  expect(sayRefusal(codedRefusal({ code: 'too-many-columns', columns: 1200 }))).toBe(
    'This file has 1,200 columns. At most 1,000 can be read.',
  );
  expect(sayRefusal(codedRefusal({ code: 'workbook', what: 'ratio' }))).toBe(
    'This spreadsheet is too large or damaged (packed more than 200 times). Save it as CSV: CSV files up to 3072 MB are read.',
  );
});

test.each([
  ['quote-not-closed', 'a quote opens here and is never closed'],
  ['field-too-long', 'a value is longer than 64 KiB'],
  ['record-too-long', 'the row is longer than 1 MiB'],
  ['not-in-encoding', 'the text is not valid in the encoding of the file'],
  ['one-cell', 'the row has one cell only'],
  ['heading', 'the row is a heading or a comment'],
  ['other-table', 'the row belongs to another table, or repeats the header'],
  ['too-many-cells', 'the row has more cells than the header'],
  ['no-keyword', 'the row has no keyword'],
  ['answer-broken', 'the response is not valid JSON'],
  ['answer-cut', 'the file ends within this response; save the whole file again'],
  ['answer-too-long', 'the response is longer than 16 MiB'],
  ['no-answer', 'this is not a response of DataForSEO or SerpApi with search results'],
  ['not-answered', 'the search was not performed; request this keyword again'],
  ['other-place', 'the results are for another place, language or device than the first ones; import these separately'],
  ['keyword-too-long', 'the keyword is longer than 2,000 characters'],
] as const)('a row with the problem %s says "%s"', (reason, text) => {
  expect(sayRefusal({ code: codeOfProblem(reason) })).toBe(text);
});

test('a machine without the language model says what follows', () => {
  expect(say('list/no-model')).toBe(
    'The language model is not available on this server. Keywords are grouped by wording.',
  );
});

test('a file that was added twice and a column that was left out say so', async () => {
  const source = (text: string) => {
    const bytes = new TextEncoder().encode(text);
    return { size: bytes.length, read: async (at: number, length: number) => bytes.slice(at, at + length) };
  };
  const files = ['april.csv', 'copy.csv'].map((name) => ({
    name,
    source: source('Keyword,Volume,Remark\nhose,1,x\n'),
  }));
  const lists = await readLists(files);
  if ('refusal' in lists) expect.fail('refused');
  const lines = listWarnings({ ...lists, report: { ...lists.report, leftOut: ['Remark'] } }).map(
    ({ file, warning }) => `${file}: ${sayRefusal(warning)}`,
  );
  expect(lines).toEqual([
    'copy.csv: copy.csv was added twice and is used once.',
    'april.csv: The texts of the column Remark take too much memory. It is left out.',
  ]);
});

test('costs in several currencies are told, and asked about', () => {
  const listIn = (currency: string | undefined) => ({
    name: `${currency}.csv`,
    reading: { notes: [], columns: [{ name: 'CPC', meaning: 'cpc', ...(currency && { currency }) }] },
    report: { rows: 5, unreadable: 0 },
  });
  const lists = (...currencies: readonly (string | undefined)[]) =>
    ({ files: currencies.map(listIn), repeated: [], report: { leftOut: [], markets: [] } }) as unknown as ReadLists;
  const said = (from: ReadLists) => listWarnings(from).map(({ warning }) => sayRefusal(warning));
  expect(said(lists('USD', undefined, '$', 'US$'))).toEqual([]);
  expect(said(lists('PLN', 'zł'))).toEqual([]);
  const both = lists('USD', '€');
  expect(said(both)).toEqual([
    'The costs of these lists are in several currencies and are not converted: USD, EUR. Leave out the columns of all but one, or import the lists one by one.',
  ]);
  const questions = listQuestions(both, [{}, {}], { market: undefined, guessed: undefined, ofUpdate: [] });
  expect(questions.map(({ about }) => about)).toEqual(['several-currencies']);
});

test('an update says what it did, and what may have gone wrong with its list', () => {
  const file = { name: 'may.csv', report: { cutAfter: 30_000 } };
  const lists = { files: [file] } as unknown as ReadLists;
  const counts = { kept: 1_200, new: 10, gone: 1_300, uncertain: 3, newClusters: 1 };
  const map = { name: 'shop', texts: new Array<string>(2_500).fill('') };
  const said = (from: ReadLists, lostVolumes = 600) =>
    updateWarnings(from, map, { ...counts, lostVolumes }).map(sayRefusal);
  const always = [
    '1,200 keywords kept, 10 new, 1,300 gone. 1 new cluster.',
    'Less than half of the keywords of shop are in this list. Is it the right one?',
  ];
  expect(said(lists)).toEqual([
    ...always,
    'This export was cut at 30,000 rows. Some of the 1,300 missing keywords may only have fallen below the cut.',
  ]);
  const uncut = { files: [{ ...file, report: {} }] } as unknown as ReadLists;
  expect(said(uncut)).toEqual(always);
  expect(said(uncut, 601)[1]).toBe(
    '601 keywords of the map had a search volume and have none in this list. To keep volumes, import it together with a list that has them.',
  );
});
