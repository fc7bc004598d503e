// Shows REL-41.
import { describe, expect, test } from 'vitest';
import { ListsTooLarge, Merger } from '../src/merge/merge.ts';
import { textList } from '../src/read/data-rows.ts';
import { isOtherEncoding, Utf8Lines } from '../src/read/encodings.ts';
import { keywordsOf, type NamedFile, readingOf, utf8 } from './support/lists.ts';

const file = (text: string, name = 'list.csv'): NamedFile => ({ name, bytes: utf8(text) });
const merged = (...texts: string[]) => keywordsOf(texts.map((text) => file(text)));

describe('rows', () => {
  test('without a header, footers, empty and unreadable rows', () => {
    const { keywords, rows } = keywordsOf([
      file(`Keyword,Volume,KD
a,1,2
x,1,
y,1,
z,1,
w,1,

,,
b,3
c
d,4,5,6
e,7,8,
,9,9
${'k'.repeat(2001)},1,1
Total,29,
You can export only first 30000 rows available for your subscription.
`),
    ]);
    expect(keywords.text).toEqual(['a', 'x', 'y', 'z', 'w', 'b', 'e']);
    expect(keywords.figures.difficulty!.subarray(4)).toEqual(Float64Array.of(Number.NaN, Number.NaN, 8));
    expect(rows[0]).toEqual({
      rows: 7,
      known: [7, 7, 2],
      zeroCosts: 0,
      highRates: [],
      unreadable: 4,
      problems: [
        { line: 10, reason: 'one-cell', text: 'c' },
        { line: 11, reason: 'too-many-cells', text: 'd,4,5,6' },
        { line: 13, reason: 'no-keyword', text: ',9,9' },
        { line: 14, reason: 'keyword-too-long', text: 'k'.repeat(80) },
      ],
      footers: [
        { line: 15, text: 'Total 29' },
        { line: 16, text: 'You can export only first 30000 rows available for your subscription.' },
      ],
      cutAfter: 30_000,
    });
  });

  test('that look like footers are data elsewhere, and in a plain list', () => {
    const rows = Array.from({ length: 12 }, (_, at) => `k${at},1\n`).join('');
    const read = keywordsOf([file(`Keyword,Volume\nSee plans and prices,4\nTotal,3\n${rows}`)]);
    expect(read.keywords.text.slice(0, 2)).toEqual(['See plans and prices', 'Total']);
    expect(keywordsOf([file('a\nTotal\n', 'x.txt')]).keywords.text).toEqual(['a', 'Total']);
  });

  test('follow a line that states the delimiter', () => {
    expect(merged('\ufeffsep=;\nKeyword;Volume\na,b;1\nc;2\n').keywords.text).toEqual(['a,b', 'c']);
    expect(merged('sep=,\nred,x\nblue,x\nhats,y\n').keywords.text).toEqual(['red', 'blue', 'hats']);
  });

  test('of another encoding are read again, once too many lines are not UTF-8', () => {
    const head = Array.from({ length: 60_000 }, (_, at) => `keyword number ${at};1\n`).join('');
    const tail = Array.from({ length: 100 }, (_, at) => [...utf8(`caf`), 0xe9, ...utf8(` ${at};1\n`)]).flat();
    const bytes = Uint8Array.from([...utf8(`Keyword;Volume\n${head}`), ...tail]);
    const first = keywordsOf([{ name: 'list.csv', bytes }]);
    expect([first.readings[0]!.encoding, first.rows[0]!.unreadable]).toEqual(['utf-8', 100]);
    const lines = new Utf8Lines();
    lines.write(bytes);
    lines.end();
    expect(isOtherEncoding(lines)).toBe(true);
    const again = keywordsOf([{ name: 'list.csv', bytes, corrections: { encoding: 'windows-1252' } }]);
    expect([again.rows[0]!.unreadable, again.keywords.text.at(-1)]).toEqual([0, 'café 99']);
  });

  test('are merged the same however the bytes arrive', () => {
    const list = file('Keyword,Volume,Group\nä 漢,1,"x\ny"\nb,"1,300",z\nÄ 漢,2,z\n');
    const whole = keywordsOf([list]);
    for (let piece = 1; piece <= list.bytes.length; piece++) {
      const { keywords, report } = keywordsOf([list], piece);
      expect([keywords, report], `${piece}`).toEqual([whole.keywords, whole.report]);
    }
    expect(whole.keywords.text).toEqual(['ä 漢', 'b']);
  });
});

describe('a keyword', () => {
  test('is the same in another case, with other blanks or composed otherwise; accents make a difference', () => {
    const { keywords, report } = merged('Red  Shoes\nred shoes\ncafé\ncafe\u0301\ncafe\nSTRASSE\nstraße\n');
    expect(keywords.text).toEqual(['Red Shoes', 'café', 'cafe', 'STRASSE']);
    expect([...keywords.entries]).toEqual([2, 2, 1, 2]);
    expect(report).toMatchObject({
      rows: 7,
      keywords: 4,
      repeats: 3,
      mostRepeated: [{ keyword: 'Red Shoes', rows: 2 }, {}, {}],
    });
  });

  test('knows from which file it came first', () => {
    expect([...merged('a\nb\n', 'b\nc\n').keywords.file]).toEqual([0, 0, 1]);
  });
});

describe('figures', () => {
  test('are read in every notation, and unknown ones stay unknown', () => {
    const { keywords } = merged(`Keyword,Volume,KD,CPC,Competition,Position,CTR,Traffic Cost
a,"1,300",45,$1.20,45%,1,33.33%,12.50
b,1K – 10K,,-,HIGH,0,,n/a
c,0,101,0,0.2,2.5,4%,0
`);
    const { volume, difficulty, cpc, competition, position, ctr, trafficCost } = keywords.figures;
    expect(volume).toEqual(Float64Array.of(1300, 5500, 0));
    expect(difficulty).toEqual(Float64Array.of(45, Number.NaN, Number.NaN));
    expect(cpc).toEqual(Float64Array.of(1.2, Number.NaN, 0));
    expect(competition).toEqual(Float64Array.of(0.45, 5 / 6, 0.2));
    expect(position).toEqual(Float64Array.of(1, Number.NaN, 2.5));
    expect([...ctr!].map((rate) => Number(rate.toFixed(4)))).toEqual([0.3333, Number.NaN, 0.04]);
    expect(trafficCost).toEqual(Float64Array.of(12.5, Number.NaN, 0));
    expect(keywords.figures.clicks).toBeUndefined();
  });

  test('share a scale within a file: a competition of 1 among those up to 100 is 0.01', () => {
    const competition = (...cells: string[]) => [
      ...merged(`Keyword,Competition\n${cells.map((cell, at) => `k${at},${cell}\n`).join('')}`).keywords.figures
        .competition!,
    ];
    expect(competition('1', '45', '100', '0')).toEqual([0.01, 0.45, 1, 0]);
    expect(competition('1', '0.45', '0')).toEqual([1, 0.45, 0]);
    expect(competition('1%', '1', 'LOW', '-3', '101%')).toEqual([0.01, 1, 1 / 6, Number.NaN, Number.NaN]);
    const index = merged('Keyword,Competition,Competition (indexed value)\na,HIGH,1\nb,LOW,\nc,,-5\n');
    expect([...index.keywords.figures.competition!]).toEqual([0.01, 1 / 6, Number.NaN]);
  });

  test('click rates have the scale that clicks and impressions show', () => {
    const ctr = (rows: string) => [...merged(`query,clicks,impressions,ctr\n${rows}`).keywords.figures.ctr!];
    expect(ctr('a,1,200,0.5\nb,3,1000,0.3\nc,0,10,0\n')).toEqual([0.005, 0.003, 0]);
    expect(ctr('a,1,2,0.5\nb,3,10,0.3\nc,3,2,1.5\n')).toEqual([0.5, 0.3, Number.NaN]);
    expect(ctr('a,,,0.5\nb,,,0.3\n')).toEqual([0.5, 0.3]);
    expect(ctr('a,,,0.5\nb,,,3\n')).toEqual([0.005, 0.03]);
  });

  test('with a decimal comma are read by column', () => {
    const { keywords } = merged('Keyword;Suchvolumen;CPC;Competition\na;1.300;0,45;0,1\nb;20;1.300,5;0,25\n');
    expect(keywords.figures).toMatchObject({
      volume: Float64Array.of(1300, 20),
      cpc: Float64Array.of(0.45, 1300.5),
      competition: Float64Array.of(0.1, 0.25),
    });
  });

  test('of bounds are their means, where no column has the figure itself', () => {
    const { keywords } =
      merged(`Keyword,Min Volume,Max Volume,CPC,Top of page bid (low range),Top of page bid (high range)
a,100,300,,1,3
b,,50,7,1,3
`);
    expect(keywords.figures.volume).toEqual(Float64Array.of(200, 50));
    expect(keywords.figures.cpc).toEqual(Float64Array.of(2, 7));
  });

  test('prefer a number to a word for the competition', () => {
    const { keywords } = merged('Keyword,Competition,Competition (indexed value)\na,LOW,12\nb,MEDIUM,\n');
    expect(keywords.figures.competition).toEqual(Float64Array.of(0.12, 0.5));
  });

  test('beyond what numbers hold are unknown and reported', () => {
    const { keywords, report } = merged(`Keyword,Volume\na,99999999999999999\nb,2\nc,3\nd,4\ne,5\n`);
    expect(keywords.figures.volume![0]).toBeNaN();
    expect(report.tooLarge).toEqual([{ file: 0, line: 2, column: 'Volume' }]);
  });

  test('by month become a trend, the oldest first', () => {
    const { keywords } = merged(
      'Keyword,Avg. monthly searches,Searches: Jun 2025,Searches: May 2025\na,5,"1,200",10\nb,5,,\nc,5,,3\n',
    );
    expect(keywords.trend).toMatchObject({
      name: 'Trend (07-2024 - 06-2025)',
      values: [',,,,,,,,,,10,1200', ',,,,,,,,,,3,'],
    });
    expect([...keywords.trend!.codes]).toEqual([0, -1, 1]);
  });

  test('of intents come from words, letters, codes and columns', () => {
    expect([
      ...merged('Keyword,Intent,KD\na,"Informational, Commercial",1\nb,IC,1\nc,,1\nd,3,1\n').keywords.intents,
    ]).toEqual([5, 5, 0, 8]);
    const ahrefs = 'Keyword,KD,Informational,Transactional\na,1,true,false\nb,1,yes,1\nc,1,false,\n';
    expect([...merged(ahrefs).keywords.intents]).toEqual([1, 9, 0]);
  });
});

describe('entries of one keyword', () => {
  // Shows P20.3.
  test('add up clicks, impressions and traffic, and weigh positions and rates', () => {
    const { keywords } = merged(`query,clicks,impressions,ctr,position,traffic
a,1,10,0.1,2,5
A,3,30,0.1,6,7
b,,,0.5,4,
b,,,0.1,2,
`);
    const { clicks, impressions, ctr, position, traffic } = keywords.figures;
    expect(clicks).toEqual(Float64Array.of(4, Number.NaN));
    expect(impressions).toEqual(Float64Array.of(40, Number.NaN));
    expect(ctr).toEqual(Float64Array.of(0.1, 0.3));
    // Without impressions the best one counts.
    expect(position).toEqual(Float64Array.of(5, 2));
    expect(traffic).toEqual(Float64Array.of(12, Number.NaN));
  });

  test('had the previous position of the one that is best now', () => {
    const { keywords } = merged(`keyword,position,previous position
a,38,14
A,12,
b,9,20
b,15,3
`);
    expect(keywords.figures.position).toEqual(Float64Array.of(12, 9));
    expect(keywords.figures.previousPosition).toEqual(Float64Array.of(Number.NaN, 20));
  });

  test('have the volume, difficulty, trend and texts of the newest one that knows them', () => {
    const text = `Keyword,Volume,KD,Trend,Updated,Group
a,10,50,"1,2",2026-02-01,new
a,20,,"3,4",2026-03-01,
a,30,70,,2026-01-01,old
`;
    const { keywords } = merged(text);
    expect(keywords.figures).toMatchObject({ volume: Float64Array.of(20), difficulty: Float64Array.of(50) });
    expect(keywords.trend!.values[keywords.trend!.codes[0]!]).toBe('3,4');
    expect(keywords.texts.map(({ values, codes }) => values[codes[0]!])).toEqual(['new']);
  });

  test('keep apart a level and a column that is only called so', () => {
    const text = 'Keyword,Volume,Level 1,Group\na,1,x,A\nb,1,y,A\nc,1,x,B\nd,1,y,B\n';
    const corrections = { meanings: { 2: 'keep', 3: 'level1' } } as const;
    const { keywords } = keywordsOf([{ ...file(text), corrections }]);
    expect(keywords.texts.map(({ name, values }) => [name, values])).toEqual([
      ['Level 1', ['x', 'y']],
      ['Group', ['A', 'B']],
    ]);
  });

  test.each([
    ['different keywords', (row: number) => `keyword ${row},A`],
    ['different groups of a keyword', (row: number) => `same,Group ${row}`],
    ['rows of one keyword', () => 'same,A'],
  ])('are refused once %s take more memory than there is', (_, rowOf) => {
    const one = file(`Keyword,Group\n${Array.from({ length: 20_000 }, (_, row) => rowOf(row)).join('\n')}\n`);
    const read = (maxBytes?: number) => {
      const merger = new Merger(undefined, maxBytes === undefined ? {} : { maxBytes });
      const reading = readingOf(one);
      const list = textList(reading, merger.file(reading));
      list.write(one.bytes);
      list.end();
      return merger.bytes;
    };
    const needed = read();
    expect(needed).toBeGreaterThan(20_000 * 4);
    expect(read(needed)).toBe(needed);
    expect(() => read(needed - 1)).toThrow(ListsTooLarge);
  });

  test('of columns that are kept take bounded memory: the largest column is left out as a whole, and named', () => {
    const rows = Array.from({ length: 2000 }, (_, row) => `k${row},${row % 3},G${row % 2},${'x'.repeat(200)}${row}`);
    const files: NamedFile[] = [
      {
        ...file(`Keyword,Colour,Group,Remark\n${rows.join('\n')}\n`, '0.csv'),
        corrections: { meanings: { 1: 'keep', 2: 'level1', 3: 'keep' } },
      },
      {
        ...file('Keyword,Remark,Colour\nk1,y,2\nk2,,7\n', '1.csv'),
        corrections: { meanings: { 1: 'keep', 2: 'keep' } },
      },
    ];
    const read = (keptBytes?: number) => {
      const merger = new Merger(undefined, keptBytes === undefined ? {} : { keptBytes });
      for (const one of files) {
        const reading = readingOf(one);
        const list = textList(reading, merger.file(reading));
        list.write(one.bytes);
        list.end();
      }
      return merger.finish();
    };
    const whole = read();
    expect([whole.report.leftOut, whole.keywords.texts.map(({ name }) => name)]).toEqual([
      [],
      ['Colour', 'Group', 'Remark'],
    ]);
    const bounded = read(200_000);
    expect([bounded.report.leftOut, bounded.keywords.texts]).toEqual([['Remark'], whole.keywords.texts.slice(0, 2)]);
    expect(
      [...bounded.keywords.texts[0]!.codes.subarray(0, 3)].map((code) => whole.keywords.texts[0]!.values[code]),
    ).toEqual(['0', '2', '7']);
    expect(read(1000).report.leftOut).toEqual(['Remark', 'Colour']);
  });

  test('are as old as their files, whatever their order', () => {
    const march = file('Keyword,Volume\na,3\n', 'x_us_2026-03-01.csv');
    const april = file('Keyword,Volume\na,4\n', 'x_us_2026-04-01.csv');
    for (const files of [
      [march, april],
      [april, march],
    ])
      expect(keywordsOf(files).keywords.figures.volume).toEqual(Float64Array.of(4));
    expect(merged('Keyword,Volume\na,1\n', 'Keyword,Volume\na,2\n').keywords.figures.volume).toEqual(
      Float64Array.of(2),
    );
  });

  test('unite intents and SERP features', () => {
    const { keywords } = merged(`Keyword,Intent,SERP Features
a,I,"Video, People also ask"
a,C,"people_also_ask, Sitelinks"
b,I,Video
`);
    expect([...keywords.intents]).toEqual([5, 1]);
    const { values, codes } = keywords.serpFeatures!;
    expect([...codes].map((code) => values[code])).toEqual(['Video, People also ask, Sitelinks', 'Video']);
  });

  test('keep every URL with its own position and clicks', () => {
    const { keywords } = merged(`query,page,clicks,impressions,position
a,https://x.com/1,1,10,2
a,https://x.com/2,5,10,8
a,https://x.com/1,2,30,6
b,,1,1,1
`);
    const { start, url, position, clicks, names } = keywords.urls!;
    expect(names).toEqual(['https://x.com/1', 'https://x.com/2']);
    expect([...start]).toEqual([0, 2, 2]);
    expect([...url]).toEqual([0, 1]);
    expect([...position]).toEqual([5, 8]);
    expect([...clicks]).toEqual([3, 5]);
  });
});

describe('several markets', () => {
  const markets =
    'Keyword,Country,Volume,Difficulty,CPC\na,us,100,10,1\na,gb,300,50,3\na,us,200,20,\nb,us,7,1,1\nc,de,5,,\n';

  test('add up their volumes and weigh difficulty and cost per click', () => {
    const { keywords, report } = merged(markets);
    expect(report.markets).toEqual(['us', 'uk', 'de']);
    expect(keywords.figures.volume).toEqual(Float64Array.of(500, 7, 5));
    // 200 × 20 and 300 × 50; 200 × 1 and 300 × 3.
    expect(keywords.figures.difficulty).toEqual(Float64Array.of(38, 1, Number.NaN));
    expect(keywords.figures.cpc).toEqual(Float64Array.of(2.2, 1, Number.NaN));
  });

  test.each([
    ['Country', 'United States', 'Deutschland'],
    ['Country', 'USA', 'Germany'],
    ['Location', 'United States', 'Allemagne'],
    ['location_code', '2840', '2276'],
  ])('may be written in words or numbers: %s, %s and %s', (name, us, de) => {
    const { keywords, report } = merged(`Keyword,${name},Volume\na,${us},100\na,${de},30\na,US,200\n`);
    expect(report.markets).toEqual(['us', 'de']);
    expect(keywords.figures.volume).toEqual(Float64Array.of(230));
  });

  test('are none where a place is no country', () => {
    const { keywords, report } = merged('Keyword,Location,Volume\na,Berlin,100\na,Bonn,30\nb,Germany,1\n');
    expect(report.markets).toEqual([]);
    expect(keywords.texts.map(({ name }) => name)).toEqual(['Location']);
  });

  test('come from file names, too', () => {
    const { keywords } = keywordsOf([
      file('Keyword,Volume\na,1\n', 'x_us_2026-03-01.csv'),
      file('Keyword,Volume\na,2\n', 'x_de_2026-03-01.csv'),
      file('Keyword,Volume\na,4\n', 'x_de_2026-04-01.csv'),
    ]);
    expect(keywords.figures.volume).toEqual(Float64Array.of(5));
  });

  test('can be read one alone', () => {
    const list = file(markets);
    const merger = new Merger('us');
    const reading = readingOf(list);
    const reader = textList(reading, merger.file(reading));
    reader.write(list.bytes);
    reader.end();
    const { keywords } = merger.finish();
    expect([keywords.text, keywords.figures.volume]).toEqual([['a', 'b'], Float64Array.of(200, 7)]);
  });
});
