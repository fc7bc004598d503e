import { describe, expect, test } from 'vitest';
import { readLists } from '../src/lists/read-lists.ts';
import { encodingOf, isOtherEncoding, Utf8Lines } from '../src/read/encodings.ts';
import type { Corrections } from '../src/read/reading.ts';
import { kindOf, recogniseText } from '../src/read/recognise.ts';
import { inEncodings } from './support/languages.ts';
import { meanings, readingOf, utf8, utf16 } from './support/lists.ts';
import { sourceOf } from './support/workbooks.ts';

const read = (text: string, name = 'list.csv', corrections: Corrections = {}) =>
  readingOf({ name, bytes: utf8(text), corrections });

test.each([
  ['Keyword\tVolume\tNotes', 'red hose\t10\ta, b, c, d', 'cat food\t20\te, f, g, h'],
  ['Keyword;Volume;SERP Features', 'red hose;10;Images, Video, News, Maps', 'cat food;20;Images, Video, News, Maps'],
  ['Keyword;Volume;Trend', 'red hose;10;"0.1,0.2,0.3,0.4,0.5,0.6"', 'cat food;20;"0.1,0.2,0.3,0.4,0.5,0.6"'],
  ['"#"|"Keyword"|"Volume"', '"1"|"red hose"|"10"', '"2"|"cat food, best, cheap, new"|"20"'],
])('a delimiter that divides the names of fields counts, whatever stands in cells: %s', (...lines) => {
  const reading = read(`${lines.join('\n')}\n`);
  expect(reading.separator).toBeUndefined();
  expect(reading.delimiter).toBe(/[\t;|]/u.exec(lines[0]!)![0]);
  expect(Object.values(meanings(reading))).toEqual(expect.arrayContaining(['keyword', 'volume']));
});

test('a column may be called like one of its values, if its neighbours have known names', () => {
  const header = 'Keyword Phrase,Search Volume,Organic';
  expect(read(`${header}\nred hose,10,Organic\ncat food,20,Organic\n`).header?.line).toBe(1);
});

describe('lines that are read as one keyword each', () => {
  const noteOf = (text: string, corrections: Corrections = {}) => {
    const reading = read(text, 'list.csv', corrections);
    return reading.notes.find(({ code }) => code === 'unsplit');
  };
  const rows = (sign: string) =>
    ['Keyword,Volume,CPC', 'red hose,10,1', 'hose reel,20,2', 'cat food,30,'].join('\n').replaceAll(',', sign);

  test.each(['^', '~', ':', '¦'])('say which sign all of them have: %s', (sign) => {
    expect(noteOf(rows(sign))).toEqual({ code: 'unsplit', sign });
  });

  test('say so for a delimiter that was said and divides nothing', () => {
    expect(noteOf(rows(','), { delimiter: '|' })).toEqual({ code: 'unsplit', sign: ',' });
    expect(noteOf(rows('^'), { delimiter: ';' })).toEqual({ code: 'unsplit', sign: '^' });
  });

  test.each([
    ['a table', rows(';'), {}],
    ['lines that somebody called keywords', rows('^'), { delimiter: 'lines' }],
    ['signs that keywords have', 'c++ map\nc++ set\nc++ list\n', {}],
    ['questions', 'what is a hose?\nwhere is a hose?\nwhy a hose?\n', {}],
    ['places', 'plumber austin, tx\nplumber waco, tx\nplumber reno, nv\n', {}],
    ['a few lines with a sign', 'a: b\nc d\ne f\ng h\n', {}],
  ] as const)('say nothing of %s', (_, text, corrections) => {
    expect(noteOf(text, corrections)).toBeUndefined();
  });
});

describe('the kind of a file', () => {
  const bytes = (...start: (number | string)[]) =>
    Uint8Array.from(start.flatMap((part) => (typeof part === 'string' ? [...utf8(part)] : [part])));
  test.each([
    [bytes('PK', 3, 4, '....[Content_Types].xml'), 'workbook'],
    [bytes('PK', 3, 4, '....list.csv'), { code: 'zip' }],
    [bytes('PK', 5, 6), { code: 'zip' }],
    [bytes(0xd0, 0xcf, 0x11, 0xe0), { code: 'old-excel' }],
    [bytes('%PDF-1.7'), { code: 'not-text' }],
    [bytes('\ufeff  <html>'), { code: 'web-page' }],
    [bytes('<TABLE>'), { code: 'web-page' }],
    [bytes('\n{"keywords":[]}'), { code: 'json' }],
    [bytes('\ufeff [ {"keyword":"a"}'), 'rows'],
    [bytes('[shoes]\nhats'), 'text'],
    [bytes('["red shoes", "hats"]'), 'text'],
    [bytes("('red shoes', 'hats')"), 'text'],
    [bytes("[('red shoes', 100), ('hats', 90)]"), { code: 'rows-in-brackets' }],
    [bytes("('red shoes', 100)\n('hats', 90)"), { code: 'rows-in-brackets' }],
    [bytes('[\n  ["red shoes", "hats"],'), { code: 'rows-in-brackets' }],
    [bytes('["red shoes", 100]'), { code: 'rows-in-brackets' }],
    [bytes('<tr><td>red shoes</td></tr>'), { code: 'web-page' }],
    [bytes('<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>'), { code: 'old-excel' }],
    [bytes("INSERT INTO keywords VALUES ('red shoes', 100);"), { code: 'rows-in-brackets' }],
    [bytes('- keyword: red shoes\n  volume: 100\n- keyword: hats\n  volume: 90\n'), { code: 'rows-in-brackets' }],
    [bytes('Keyword: red shoes, Volume: 100\nKeyword: hats, Volume: 90\n'), { code: 'rows-in-brackets' }],
    [bytes('Keywords: red shoes, hats\nKeywords: blue shoes, coats\n'), 'text'],
    [bytes('Shoes: red shoes, blue shoes\nHats: red hats, blue hats\n'), 'text'],
  ])('is told by its first bytes: %#', (head, kind) => {
    expect(kindOf(head)).toEqual(kind);
  });

  test('is refused with a reason', () => {
    const refused = (head: Uint8Array) => recogniseText({ name: 'x.csv', head, isWhole: true });
    expect(refused(bytes('a', 0, 'b', 1, 2))).toEqual({ code: 'not-text' });
    expect(refused(bytes())).toEqual({ code: 'no-rows' });
    expect(refused(bytes('\n\r\n'))).toEqual({ code: 'no-rows' });
    expect(refused(bytes(`${'a,'.repeat(1000)}b\n`))).toEqual({ code: 'too-many-columns', columns: 1001 });
    const addresses = readingOf({ name: 'x.txt', bytes: bytes('https://a.example/x\nhttps://a.example/y\n') });
    expect(addresses.notes).toEqual([{ code: 'no-keyword-column' }]);
    // Longer than one field may be, so that as lines there are none.
    expect(refused(bytes(`${'a,'.repeat(40_000)}b\n`))).toEqual({ code: 'too-many-columns', columns: 40_001 });
  });
});

describe('the encoding', () => {
  const text = 'Keyword\tVolume\nrote Schuhe\t10\nÄpfel\t20\n漢字\t30\n';
  test.each([
    ['utf-8', utf8(text)],
    ['utf-8', utf8(`\ufeff${text}`)],
    ['utf-16le', utf16(text, true)],
    ['utf-16le', utf16(`\ufeff${text}`, true)],
    ['utf-16be', utf16(text, false)],
    ['utf-16be', utf16(`\ufeff${text}`, false)],
    ['windows-1252', Uint8Array.from([...utf8('caf'), 0xe9, 0x0a])],
    ['utf-8', utf8(text).subarray(0, -5)],
    [undefined, Uint8Array.from([0x61, 0, 0, 0, 0x62])],
  ])('is %s: %#', (encoding, bytes) => {
    expect(encodingOf(bytes)?.encoding).toBe(encoding);
  });

  describe.each(inEncodings)('of keywords in $language is $encoding', ({ encoding, bytesOf, keywords }) => {
    test.each([
      ['in a list', keywords.join('\r\n')],
      ['in a table', `Keyword;Volume\r\n${keywords.map((keyword) => `${keyword};90`).join('\r\n')}`],
      ['below English ones', `${'garden hose\r\n'.repeat(200)}${keywords.join('\r\n')}`],
    ])('%s', (_where, text) => {
      expect(encodingOf(bytesOf(text), true)).toMatchObject({ encoding, guessedFrom: [{ encoding }, {}, {}, {}] });
    });
  });

  test('of the whole file is another one if too many lines are not UTF-8, however it is split', () => {
    const good = utf8('é漢😀\n'.repeat(20));
    const bytes = Uint8Array.from([...good, 0xe9, 0x0a, ...good, 0xf0, 0x9f]);
    for (let one = 0; one <= bytes.length; one++) {
      for (const two of [one, one + 1, one + 3, bytes.length]) {
        const lines = new Utf8Lines();
        for (const piece of [
          bytes.subarray(0, one),
          bytes.subarray(one, two),
          bytes.subarray(Math.min(two, bytes.length)),
        ])
          lines.write(piece);
        lines.end();
        expect([lines.lines, lines.invalid], `${one}, ${two}`).toEqual([42, 2]);
      }
    }
    expect(isOtherEncoding({ lines: 1000, invalid: 1 })).toBe(false);
    expect(isOtherEncoding({ lines: 1000, invalid: 2 })).toBe(true);
  });
});

describe('the delimiter', () => {
  test.each([
    ['Keyword;Volume\nrote, blaue Schuhe;10\nHut;5\n', ';'],
    ['Keyword,Volume\n"a;b",10\nc,5\n', ','],
    ['Keyword\tVolume\na, b\t1\nc\t2\n', '\t'],
    ['Keyword|Volume\na, b|1\nc|2\n', '|'],
    ['sep=;\nKeyword;Volume\na,b;1\nc;2\n', ';'],
    ['sep=|\na,x|1\nb,y|2\n', '|'],
    ['red shoes\nblue shoes, size 9\nhats\n', undefined],
    ['Keyword\nred, blue\nhats, gloves\nscarves\n', undefined],
  ])('of %j is %j', (text, delimiter) => {
    expect(read(text).delimiter).toBe(delimiter);
  });

  test('can be corrected', () => {
    expect(read('a,b\nc,d\n', 'x.txt', { delimiter: 'lines' })).toMatchObject({
      delimiter: undefined,
      vendor: 'plain-list',
      columns: [{ name: 'Column 1', meaning: 'keyword' }],
    });
    expect(read('a;b,1\nc;d,2\n', 'x.csv', { delimiter: ';' }).columns).toHaveLength(2);
  });
});

describe('the header', () => {
  test('stands below title lines, which name the day', () => {
    const planner =
      'Keyword Stats 2026-05-02 at 10_20_30\n"May 1, 2025 - April 30, 2026"\nKeyword\tCurrency\tAvg. monthly searches\tCompetition\tCompetition (indexed value)\tTop of page bid (low range)\tTop of page bid (high range)\tSearches: May 2025\tSearches: Jun 2025\nred shoes\tEUR\t1K – 10K\tLow\t12\t0,20\t1,30\t100\t200\n';
    const reading = readingOf({ name: 'Keyword Stats.csv', bytes: utf16(`\ufeff${planner}`, true) });
    expect(reading).toMatchObject({
      encoding: 'utf-16le',
      delimiter: '\t',
      header: { line: 3 },
      vendor: 'keyword-planner',
      exported: '2026-04-30',
    });
    expect(meanings(reading)).toEqual({
      Keyword: 'keyword',
      Currency: 'keep',
      'Avg. monthly searches': 'volume',
      Competition: 'competition',
      'Competition (indexed value)': 'competitionIndex',
      'Top of page bid (low range)': 'cpcBound',
      'Top of page bid (high range)': 'cpcBound',
      'Searches: May 2025': 'trendMonth',
      'Searches: Jun 2025': 'trendMonth',
    });
    expect(reading.columns[5]!.hasDecimalComma).toBe(true);
  });

  test('may stand in two rows: groups of columns above their names, or parts of columns below', () => {
    const above = read(
      ',This month,,Last month,\nKeyword,Clicks,Impressions,Clicks,Impressions\nred shoes,1,20,2,30\nhats,3,40,4,50\n',
    );
    expect(above.skipped).toBe(2);
    expect(above.columns.map(({ name, meaning }) => [name, meaning])).toEqual([
      ['Keyword', 'keyword'],
      ['Clicks (This month)', 'clicks'],
      ['Impressions (This month)', 'impressions'],
      ['Clicks (Last month)', 'keep'],
      ['Impressions (Last month)', 'keep'],
    ]);
    const below = read('Keyword,Volume,Position,\n,,Desktop,Mobile\nred shoes,100,3,4\nhats,50,1,2\n');
    expect(below.skipped).toBe(2);
    expect(below.columns.map(({ name, meaning }) => [name, meaning])).toEqual([
      ['Keyword', 'keyword'],
      ['Volume', 'volume'],
      ['Position (Desktop)', 'position'],
      ['Position (Mobile)', 'keep'],
    ]);
  });

  test('may name months without a word before them, if they hold searches', () => {
    const months = ['Jan 2025', 'Feb 2025', 'Mar 2025'];
    const list = (figures: string) => read(`Keyword,Volume,${months}\nred shoes,500,${figures}\nhats,40,1,2,3\n`);
    const of = (reading: ReturnType<typeof list>) => months.map((month) => meanings(reading)[month]);
    expect(of(list('400,500,600'))).toEqual(months.map(() => 'trendMonth'));
    // Positions by month are no searches.
    expect(of(list('4,5,6'))).toEqual(months.map(() => 'keep'));
  });

  test.each([
    ['Jan 26', 'Feb 26', 'Mrz 26'],
    ['jan/26', 'fev/26', 'abr/26'],
    ['Янв.26', 'Фев.26', 'Апр.26'],
  ])('may name months as spreadsheets do: %s, %s, %s', (...months) => {
    const { columns } = read(`Keyword;Volume;${months.join(';')}\nred shoes;500;400;500;600\nhats;40;1;2;3\n`);
    expect(columns.slice(2).map(({ meaning }) => meaning)).toEqual(months.map(() => 'trendMonth'));
  });

  test('of unknown names differs from all that stands below', () => {
    expect(read('phrase text,kind\nred shoes,x\nblue shoes,y\n').header).toMatchObject({ line: 1 });
    expect(read('red shoes,x\nblue shoes,x\nhats,y\n').header).toBeUndefined();
    expect(read('red shoes,12\nblue shoes,9\n').header).toBeUndefined();
  });

  test('may be missing', () => {
    const reading = read('red shoes,x\nblue shoes,x\nhats,y\nred hats,x\n');
    expect(reading.columns.map(({ name, meaning }) => [name, meaning])).toEqual([
      ['Column 1', 'keyword'],
      ['Column 2', 'keep'],
    ]);
    expect(read('red shoes\nhats\n', 'x.txt')).toMatchObject({ header: undefined, skipped: 0, vendor: 'plain-list' });
    expect(read('Keyword\nhats\n', 'x.txt')).toMatchObject({ header: { line: 1 }, skipped: 1 });
  });

  test('can be corrected', () => {
    expect(read('title,of it\na,b\nc,d\n', 'x.csv', { header: 2 })).toMatchObject({
      header: { line: 2, names: ['a', 'b'] },
    });
    expect(read('Keyword,Volume\nc,1\n', 'x.csv', { header: 0 }).header).toBeUndefined();
  });
});

describe('columns', () => {
  test('are what their values say', () => {
    const reading = read(
      'Keyword,Intent,Volume,URL,KD\na,greet,many,here,12\nb,thank,few,there,n/a\nc,greet,none,where,99\n',
    );
    expect(meanings(reading)).toMatchObject({
      Keyword: 'keyword',
      Intent: 'keep',
      Volume: 'keep',
      URL: 'keep',
      KD: 'difficulty',
    });
    expect(reading.columns[4]).toMatchObject({ sample: '12', known: 2 / 3 });
  });

  test('of one meaning are told apart by the preferred spelling', () => {
    expect(meanings(read('Keyword,Volume,Search Volume,Volume\na,1,2,3\nb,4,5,6\n'))).toEqual({
      Keyword: 'keyword',
      Volume: 'keep',
      'Search Volume': 'volume',
      'Volume (2)': 'keep',
    });
  });

  test('can be corrected: a meaning moves, and says if values do not fit', () => {
    const { columns, ...reading } = read('Keyword,Volume,Note\na,1,x\nb,2,3\n', 'x.csv', { meanings: { 2: 'volume' } });
    expect(columns.map(({ meaning }) => meaning)).toEqual(['keyword', 'keep', 'volume']);
    expect(columns[2]!.misfit).toBe(0.5);
    expect(reading.notes).toEqual([]);
    expect(read('Keyword,Volume\na,1\n', 'x.csv', { meanings: { 0: 'keep' } }).notes).toEqual([
      { code: 'no-keyword-column' },
    ]);
  });

  test.each([
    ['0,45\n1.300,5\n3', true],
    ['1,300\n2,400', false],
    ['0.45\n1,300', false],
    ['0,45\n0.46', false],
    ['0,125\n1,305', true],
    ['0,125\n0.46', false],
  ])('%j has a decimal comma: %s', (values, hasComma) => {
    const rows = values.split('\n').map((value, at) => `k${at}\t${value}`);
    expect(read(`Keyword\tCPC\n${rows.join('\n')}\n`).columns[1]!.hasDecimalComma).toBe(hasComma);
  });
});

// Headers as `fields.md` of the research lists them; no such file may be published.
describe('vendors', () => {
  test.each([
    [
      'semrush-keyword-strategy-builder',
      'Database,Keyword,Seed keyword,Page,Topic,Page type,Tags,Volume,Keyword Difficulty,CPC (USD),Competitors',
    ],
    [
      'semrush-organic-positions',
      'Keyword,Position,Previous position,Search Volume,Keyword Difficulty,CPC,URL,Traffic,Traffic (%)',
    ],
    ['semrush-keyword-magic', 'Keyword,Intent,Volume,Keyword Difficulty,CPC (USD),SERP Features'],
    ['semrush-api', 'Keyword;Search Volume;CPC;Competition;Number of Results;Keyword Difficulty Index'],
    [
      'ahrefs-keywords-explorer',
      '#,Keyword,Country,Difficulty,Volume,CPC,CPS,Parent Keyword,Last Update,SERP Features',
    ],
    [
      'ahrefs-organic-keywords',
      'Keyword,Country code,Location,Language,SERP features,Volume,KD,CPC,Current position,Current URL',
    ],
    ['search-console', 'Top queries,Clicks,Impressions,CTR,Position'],
    ['search-console', 'Suchanfrage,Klicks,Impressionen,CTR'],
    [
      'search-console',
      'Query,Last 28 days Clicks,Previous 28 days Clicks,Last 28 days Impressions,Last 28 days Position',
    ],
    ['ubersuggest', 'No,Keyword,Search Volume,CPC,Paid Difficulty,SEO Difficulty'],
    ['table', 'Keyword,Volume,Difficulty,CPC'],
  ])('%s: %s', (vendor, header) => {
    expect(read(`${header}\n`).vendor).toBe(vendor);
  });

  test('Ahrefs: the market in a column, and the parent keyword as a level', () => {
    const rows = ['red shoes', 'blue shoes', 'hats'].map(
      (keyword, at) => `"${at}"\t"${keyword}"\t"gb"\t"5"\t"9"\t"${keyword.slice(-4)}"`,
    );
    const text = `"#"\t"Keyword"\t"Country"\t"Difficulty"\t"Volume"\t"Parent Keyword"\n${rows.join('\n')}\n`;
    const reading = readingOf({ name: 'ahrefs.csv', bytes: utf16(`\ufeff${text}`, true) });
    expect(reading).toMatchObject({ vendor: 'ahrefs-keywords-explorer', market: 'uk' });
    expect(meanings(reading)).toMatchObject({ '#': 'leaveOut', Country: 'country', 'Parent Keyword': 'level1' });
  });

  test('Keyword Strategy Builder: pages are groups below topics, and competitors are no search results', () => {
    const rows = ['a,p1,t1', 'b,p1,t1', 'c,p2,t1', 'd,p3,t2'].map((row) => `${row},Pillar page,1,x.com`);
    expect(meanings(read(`Keyword,Page,Topic,Page type,Volume,Competitors\n${rows.join('\n')}\n`))).toMatchObject({
      Topic: 'level1',
      Page: 'level2',
      'Page type': 'keep',
      Competitors: 'keep',
    });
  });
});

test.each([
  ['drupal_broad-match_us_2026-04-30.csv', 'us', '2026-04-30'],
  ['marker.io-organic.Positions-us-20260417.csv', 'us', '2026-04-17'],
  ['google_gb_shoes_matching-terms_2026-05-01.csv', 'uk', '2026-05-01'],
  ['my list.csv', undefined, undefined],
  ['list_2026-13-01.csv', undefined, undefined],
])('%s is of market %s and day %s', (name, market, exported) => {
  expect(read('Keyword,Volume\na,1\n', name)).toMatchObject({ market, exported });
});

describe('marks of a list before its keywords', () => {
  const marked = (...lines: string[]) => read(`${lines.join('\n')}\n`).listMarks;
  test.each([
    ['numbers', ['1. oak desk', '2. pine desk', '3. steel desk']],
    ['numbers', ['Keyword', '1) oak desk', '2) pine desk', '3) steel desk', 'round desk']],
    ['bullets', ['- oak desk', '- pine desk', '- steel desk']],
    ['bullets', ['• oak desk', '• pine desk', '• steel desk', 'round desk']],
    [undefined, ['- oak desk', 'pine desk', 'steel desk', 'round desk']],
    // Numbers that are part of the keywords do not count them.
    [undefined, ['1. fc nürnberg', '2. bundesliga', '1. fc köln', '1. fc kaiserslautern']],
    [undefined, ['1.5 mm drill', '2.5 mm drill', '3.5 mm drill']],
    [undefined, ['t-shirt', 'e-bike', 'x-ray']],
  ])('are %s: %j', (marks, lines) => {
    expect(marked(...lines)).toBe(marks);
  });

  test('are no part of the keywords, in a table as well', async () => {
    const lists = await readLists([
      { name: 'a.txt', source: sourceOf(utf8('1. oak desk\n2. pine desk\n3. 4 seater sofa\nsteel desk\n')) },
      { name: 'b.csv', source: sourceOf(utf8('Keyword,Volume\n• Oak desk,10\n• round desk,20\n• desk - white,30\n')) },
    ]);
    expect('refusal' in lists ? lists : lists.keywords.text).toEqual([
      'oak desk',
      'pine desk',
      '4 seater sofa',
      'steel desk',
      'round desk',
      'desk - white',
    ]);
  });
});

describe('the currency of costs', () => {
  const currencies = (header: string, cells: string) =>
    read(`Keyword,Volume,${header}\nred shoes,100,${cells}\nhats,50,${cells}\n`).columns.map(
      ({ meaning, currency }) => [meaning, currency],
    );
  test.each([
    ['CPC (EUR)', 'cpc', 'EUR'],
    ['CPC USD', 'cpc', 'USD'],
    ['CPC (€)', 'cpc', '€'],
    ['"CPC, ₽"', 'cpc', '₽'],
    ['"CPC, руб."', 'cpc', 'руб.'],
    ['Top of page bid (low range) (USD)', 'cpcBound', 'USD'],
    ['Traffic cost (GBP)', 'trafficCost', 'GBP'],
    ['Avg. CPC', 'cpc', undefined],
    ['CPC', 'cpc', undefined],
  ])('is in the name of the column: %s', (header, meaning, currency) => {
    expect(currencies(header, '0.50').at(-1)).toEqual([meaning, currency]);
  });

  test('is in a column of its own, if that names one', () => {
    expect(currencies('Currency,CPC', 'EUR,0.50').at(-1)).toEqual(['cpc', 'EUR']);
    expect(read('Keyword,Currency,CPC\nhats,EUR,1\nshoes,USD,2\n').columns[2]!.currency).toBeUndefined();
  });

  test('is none of other figures', () => {
    expect(currencies('Volume (USA)', '70').map(([, currency]) => currency)).toEqual([undefined, undefined, undefined]);
  });
});

describe('names that are not known as a whole', () => {
  const meaningOf = (name: string, value: string) => {
    const rows = Array.from({ length: 6 }, (_, row) => `word ${row};${value}\n`).join('');
    return read(`Keyword;${name}\n${rows}`, 'x.csv').columns[1]!.meaning;
  };
  test.each([
    ['Google search volume, US', 'volume'],
    ['Volumen mensual de búsqueda', 'volume'],
    ['Sökvolym/mån', 'volume'],
    ['SEO-Schwierigkeit', 'difficulty'],
    ['Ø Position', 'position'],
    ['Est. organic visits', 'traffic'],
    ['CPC Ø', 'cpc'],
    ['30-Day Search Volume (Exact)', 'volume'],
    ['Базовая частотность [YW]', 'volume'],
  ])('by their words: %s is %s', (name, meaning) => {
    expect(meaningOf(name, '7')).toBe(meaning);
  });
  test.each([
    'Volume change',
    'Mobile volume',
    'Paid traffic',
    'Best position',
    'Search volume growth',
    'Amazon volume',
  ])('another figure stays as it is: %s', (name) => {
    expect(meaningOf(name, '7')).toBe('keep');
  });
  test('the page of a keyword is one only where there are addresses', () => {
    expect(meaningOf('Rankende Seite', 'https://a.example/x')).toBe('url');
    expect(meaningOf('Rankende Seite', '7')).toBe('keep');
  });
});
