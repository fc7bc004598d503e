import { describe, expect, test } from 'vitest';
import type { Corrections } from '../src/read/reading.ts';
import { keywordsOf, readList as read, utf8 } from './support/lists.ts';

describe('cells in single quotes', () => {
  test.each([
    ["'keyword','volume','kd'\n'oak desk','1,200','42'\n'it''s \"ash\"','10','4'\n'pine desk','300','5'\n"],
    ["keyword;volume;kd\n'oak desk';'1,200';42\n'it''s \"ash\"';10;4\n'pine desk';'300';5\n"],
    ["'keyword', 'volume', 'kd'\n'oak desk', '1,200', '42'\n'it''s \"ash\"', '10', '4'\n'pine desk', '300', '5'\n"],
  ])('are read without them: %j', (text) => {
    const { texts, figures, reading } = read(text);
    expect(texts).toEqual(['oak desk', 'it\'s "ash"', 'pine desk']);
    expect(figures).toEqual({ volume: [1200, 10, 300], difficulty: [42, 4, 5] });
    expect(reading).toMatchObject({ isSingleQuoted: true, notes: [] });
  });
  test('may have line ends, however the bytes arrive', () => {
    const text = "'keyword','volume'\n'oak\ndesk','1'\n'pine desk','2'\n'ash desk','3'\n'elm desk','4'\n";
    for (const piece of [1, 7, 1000]) {
      const { keywords } = keywordsOf([{ name: 'list.csv', bytes: utf8(text) }], piece);
      expect(keywords.text).toEqual(['oak desk', 'pine desk', 'ash desk', 'elm desk']);
    }
  });
  test('may be whole lines', () => {
    expect(read("'oak desk'\n'pine desk'\n'ash, solid'\n", 'list.txt').texts).toEqual([
      'oak desk',
      'pine desk',
      'ash, solid',
    ]);
  });
  test('are not begun by apostrophes', () => {
    const { texts, reading } = read("Keyword,Volume\n'90s desk,3\nrock 'n' roll desk,2\ndesk o'clock,1\n");
    expect(texts).toEqual(["'90s desk", "rock 'n' roll desk", "desk o'clock"]);
    expect(reading.isSingleQuoted).toBeUndefined();
  });
});

describe('keywords that are written as in addresses', () => {
  const of = (...keywords: string[]) => {
    const { texts, reading } = read(`Keyword,Volume\n${keywords.map((text) => `${text},3\n`).join('')}`);
    return { texts, signs: reading.signs };
  };
  test('are read as they are meant', () => {
    expect(of('oak%20desk', 't%C3%BCr', 'pine')).toEqual({ texts: ['oak desk', 'tür', 'pine'], signs: 'percent' });
    expect(of('oak+desk', 't%C3%BCr+holz', 'c%2B%2B')).toEqual({
      texts: ['oak desk', 'tür holz', 'c++'],
      signs: 'plus',
    });
    expect(of('oak+desk', 'pine+desk', 'ash+desk', 'c++')).toEqual({
      texts: ['oak desk', 'pine desk', 'ash desk', 'c++'],
      signs: 'plus',
    });
  });
  test.each([
    [['100%20 desk', 'pine desk', '5%20 desk']],
    [['50%ad', 'pine%20desk', 'oak']],
    [['50% off', 'oak%20desk', 'pine%20desk']],
    [['%E4ste', '%FC', 'oak']],
    [['c++', 'google+', 'a+b']],
    [['oak+desk', 'pine+desk', 'ash desk']],
  ])('are not taken for such by other percent and plus signs: %j', (keywords) => {
    expect(of(...keywords)).toEqual({ texts: keywords, signs: undefined });
  });
  test('are not taken for such where there are none', () => {
    expect(of().signs).toBeUndefined();
  });
  test('are not taken for such by match types', () => {
    expect(of('+oak+desk', '+pine+desk', '+ash+desk').signs).toBeUndefined();
  });
});

describe('lines with a keyword and a figure', () => {
  const volume = { meanings: { 1: 'volume' } } as const;
  test.each([
    ['oak desk - 1200', 'pine desk - 90', 'ash desk 4 - 800'],
    ['oak desk: 1200', 'pine desk: 90', 'ash desk 4: 800'],
    ['oak desk (1,200)', 'pine desk (90)', 'ash desk 4 (800)'],
    ['oak desk 1,200', 'pine desk 90', 'ash desk 4 800'],
    ['1,200 oak desk', '90 pine desk', '800 ash desk 4'],
    ['oak desk [1200]', 'pine desk [90]', 'ash desk 4 [800]'],
    ['oak desk (1.2k searches)', 'pine desk (90 searches/mo)', 'ash desk 4 (800 searches)'],
  ])('are split where that is sure: %s', (...lines) => {
    const { texts, figures, reading } = read(`${lines.join('\n')}\n`, 'list.txt', volume);
    expect(texts).toEqual(['oak desk', 'pine desk', 'ash desk 4']);
    expect(figures).toEqual({ volume: [1200, 90, 800] });
    expect(reading.notes).toEqual([]);
  });
  test.each([
    ['oak desk 1200', 'pine desk 90', 'ash desk 800'],
    ['1200 oak desk', '90 pine desk', '800 ash desk'],
    ['oak desk (2024)', 'pine desk (2025)', 'ash desk (2026)'],
    ['iphone - 13', 'iphone - 14', 'iphone - 15'],
  ])('are a guess elsewhere: %s', (...lines) => {
    const text = `${lines.join('\n')}\n`;
    const { texts, reading } = read(text, 'list.txt');
    expect(texts).toEqual(lines);
    expect(reading.notes).toEqual([{ code: 'unsplit', sign: ' ' }]);
    const said = read(text, 'list.txt', { ...volume, delimiter: 'figures' });
    expect(said.texts[0]).toMatch(/^(?:oak desk|iphone)$/u);
    expect(said.figures.volume).toHaveLength(said.texts.length);
    expect(said.notes).toEqual(said.texts.length === 1 ? ['several-volumes'] : []);
    expect(read(text, 'list.txt', { delimiter: 'lines' }).notes).toEqual([]);
  });
  test('may have names above them', () => {
    for (const text of [
      'Keyword - Volume\noak desk - 12\npine desk - 9\nash desk - 8\n',
      'Keyword (KD)\noak (12)\nash (9)\nelm (8)\n',
    ]) {
      const { texts, figures, reading } = read(text, 'list.txt');
      expect(texts).toHaveLength(3);
      expect(Object.values(figures)).toEqual([[12, 9, 8]]);
      expect(reading.header?.line).toBe(1);
    }
  });
  test.each([
    ['kredit 5.000', 'kredit 10.000', 'kredit 20.000'],
    ['lego: 10265', 'lego: 42115', 'lego: 75192'],
    ['autokredit 5.000', 'kredit 5.000', 'autokredit 10.000', 'kredit 10.000'],
  ])('are keywords where only the numbers tell them apart: %s', (...lines) => {
    const { texts, notes } = read(`${lines.join('\n')}\n`, 'list.txt');
    expect(texts).toEqual(lines);
    expect(notes).toEqual(['unsplit']);
  });
  test('that have none are reported', () => {
    const rows = Array.from({ length: 20 }, (_, row) => `desk ${'abcdefghijklmnopqrst'[row]}: ${100 + row}\n`).join('');
    const { texts, rows: report } = read(`${rows}my remark\n${rows.replaceAll('desk', 'bed')}`, 'list.txt');
    expect(texts).toHaveLength(40);
    expect(report.problems).toMatchObject([{ line: 21, reason: 'one-cell' }]);
  });
  test('are no items of a list, whose numbers rise in small steps', () => {
    const items = read('1 - oak desk\n2 - pine desk\n3 - ash desk\n', 'list.txt');
    expect(items).toMatchObject({ texts: ['oak desk', 'pine desk', 'ash desk'], notes: [] });
    const filtered = read('3. oak desk\n20. pine desk\n41. ash desk\n', 'list.txt');
    expect(filtered).toMatchObject({ texts: ['oak desk', 'pine desk', 'ash desk'], notes: [] });
    const volumes = read('90 - oak desk\n800 - pine desk\n1200 - ash desk\n', 'list.txt');
    expect(volumes.notes).toEqual(['unsplit']);
  });
});

describe('what stands in parentheses behind the name of a figure', () => {
  const of = (name: string, ...values: string[]) =>
    read(`Keyword,${name}\n${values.map((value, at) => `desk ${at},${value}\n`).join('')}`);

  test.each([
    ['Difficulty (0-10)', ['4.2', '0.5', '1'], { difficulty: [42, 5, 10] }],
    ['Difficulty (0-1)', ['0.42', '0', '1'], { difficulty: [42, 0, 100] }],
    ['KD (0–100)', ['0.4', '0', '1'], { difficulty: [0.4, 0, 1] }],
    ['Competition (0-100)', ['1', '0', '1'], { competition: [0.01, 0, 0.01] }],
    ['Competition (out of 10)', ['1', '0', '5'], { competition: [0.1, 0, 0.5] }],
    ['Competition Index (0-1)', ['0.42', '0', '1'], { competition: [0.42, 0, 1] }],
    ['Competition Index (0-10)', ['4', '0', '10'], { competition: [0.4, 0, 1] }],
    ['CPC (cents)', ['120', '50', '0.5'], { cpc: [1.2, 0.5, 0.005] }],
  ])('may be its scale: %s', (name, values, figures) => {
    expect(of(name, ...values)).toMatchObject({ figures, notes: ['no-volume'] });
  });
  test.each([
    'Position (change)',
    'Volume (yearly)',
    'Position (previous)',
    'Volume (diff.)',
    'CPC (max)',
    'Impressions (share)',
  ])('may make it another one: %s', (name) => {
    const { figures, notes } = of(name, '12', '5');
    expect(figures).toEqual({});
    expect(notes).toContain('unread-figures');
  });
});

test('cells of a table that stand below one another are a guess', () => {
  const cells = 'oak desk\n1,300\n45\npine desk\n90\n5\n';
  expect(read(cells, 'list.txt').reading.notes).toEqual([{ code: 'unsplit', sign: '\n' }]);
  expect(read('oak desk\n360\npine desk\nash desk\nelm desk\n', 'list.txt').notes).toEqual([]);
});

test('ranges in words are no keywords', () => {
  const pasted = 'oak desk\t1K – 10K\tLow\t$0.50\npine desk\t100 – 1K\tHigh\t$0.20\n';
  expect(read(pasted, 'list.txt').texts).toEqual(['oak desk', 'pine desk']);
});

test.each(['["oak desk","pine desk"]', "['oak desk', 'pine desk']"])(
  'a list of two in a program is read: %s',
  (text) => {
    expect(read(text, 'list.txt').texts).toEqual(['oak desk', 'pine desk']);
  },
);

test('numbers without names are said to be kept as they are', () => {
  expect(read('oak desk\t1300\npine desk\t90\n', 'list.txt').reading.notes).toEqual([
    { code: 'unread-figures', columns: ['Column 2'] },
    { code: 'no-volume' },
  ]);
});

test('numbered columns of keywords are lists beside the first', () => {
  const { texts, reading } = read('Topic,Keyword 1,Keyword 2\nDesks,oak desk,pine desk\nBeds,oak bed,pine bed\n');
  expect(texts).toEqual(['oak desk', 'oak bed']);
  expect(reading.notes).toContainEqual({ code: 'other-lists', columns: ['Keyword 2'] });
});

describe('months that are only numbered', () => {
  const trendOf = (months: readonly string[], corrections: Corrections = {}) => {
    const text = `Keyword,Volume,${months.join()}\noak desk,250,${months.map((_, at) => 100 * (at + 1)).join()}\n`;
    const { keywords, readings } = keywordsOf([{ name: 'list.csv', bytes: utf8(text), corrections }]);
    return { trend: keywords.trend?.values[0]?.replace(/^,+/u, ''), notes: readings[0]!.notes };
  };
  test.each([
    ['Searches month 1,Searches month 2,Searches month 3', '100,200,300', '300,200,100'],
    ['Month 3,Month 2,Month 1', '300,200,100', '100,200,300'],
    ['Month-1,Month-2,Month-3', '100,200,300', '300,200,100'],
    ['m_1,m_2,m_3', '100,200,300', '300,200,100'],
    ['Volume (Month 0),Volume (Month 1),Volume (Month 2)', '100,200,300', '300,200,100'],
  ])('begin with the oldest or the newest, which is asked: %s', (header, oldestFirst, newestFirst) => {
    const months = header.split(',');
    const column = months.find((name) => /[01]\)?$/u.test(name));
    expect(trendOf(months).trend).toBe(oldestFirst);
    expect(trendOf(months).notes).toMatchObject([{ code: 'month-order', isNewest: false }]);
    expect(trendOf(months, { isFirstMonthNewest: true })).toEqual({
      trend: newestFirst,
      notes: [{ code: 'month-order', column, isNewest: true }],
    });
  });
  test('that count back from the newest say so', () => {
    expect(trendOf(['M-1', 'M-2', 'M-3'])).toEqual({ trend: '300,200,100', notes: [] });
  });
  test('are kept if they do not follow one another', () => {
    expect(trendOf(['Month 1', 'Month 3', 'Month 7']).notes).toMatchObject([{ code: 'unread-figures' }]);
  });
});

describe('signs of web pages in keywords', () => {
  test('that end with a semicolon are no columns', () => {
    expect(read('b&amp;b hotel\nq&amp;a page\noak desk\n', 'list.txt').texts).toEqual([
      'b&b hotel',
      'q&a page',
      'oak desk',
    ]);
  });
  test.each([
    'Keyword,Volume\n<b>oak</b> desk,3\npine <em class=x>desk</em>,2\nq&a <p><i>&amp; b</i></p><br />,1\n',
    '<li>oak desk</li>\n<li>pine desk</li>\n<li>q&a &amp; b</li>\n',
  ])('may be tags around words, which are no part of them: %j', (text) => {
    const { texts, reading } = read(text, 'list.txt');
    expect(texts).toEqual(['oak desk', 'pine desk', 'q&a & b']);
    expect(reading).toMatchObject({ signs: 'tags', notes: [] });
  });
  test('may be those of Markdown', () => {
    const table = '| Keyword | Volume |\n| --- | ---: |\n| **oak desk** | 3 |\n| `pine desk` | 2 |\n| ash desk | 1 |\n';
    expect(read(table, 'list.md').texts).toEqual(['oak desk', 'pine desk', 'ash desk']);
    expect(read('Keyword,Volume\n**kwargs,3\n`oak`,2\n').texts).toEqual(['**kwargs', '`oak`']);
  });
  test('may be those of Jira', () => {
    const { texts, figures, notes } = read('||Keyword||Volume||\n|oak desk|30|\n|pine desk|20|\n');
    expect([texts, figures.volume, notes]).toEqual([['oak desk', 'pine desk'], [30, 20], []]);
    const spaced = '|| Keyword || Volume || KD ||\n| oak desk | 30 | |\n| pine desk | | 7 |\n';
    expect(read(spaced).figures).toEqual({ volume: [30, Number.NaN], difficulty: [Number.NaN, 7] });
    const damaged = Buffer.from('||Keyword||Volume||\n|oak desk|30|\n|pine \xff desk|20|\n', 'latin1');
    expect(read(damaged, 'list.csv', { encoding: 'utf-8' }).figures.volume).toEqual([30]);
    // Bars of empty cells are no other notation.
    expect(read('Keyword||Volume||\noak desk||30||\npine desk||20||\n').figures.volume).toEqual([30, 20]);
  });
  test('stay where keywords name tags', () => {
    const named = ['<b>bold</b> in html', 'html <br> tag', 'a < b'];
    expect(read(`Keyword,Volume\n${named.map((text) => `${text},1\n`).join('')}`).texts).toEqual(named);
  });
});

test('columns that a person calls months of the trend stand in their order, which is asked', () => {
  const trendOf = (header: string, corrections: Corrections = {}) => {
    const text = `Keyword,Volume,${header}\noak desk,250,110,120,130\n`;
    const meanings = { 2: 'trendMonth', 3: 'trendMonth', 4: 'trendMonth' } as const;
    const { keywords, readings } = keywordsOf([
      { name: 'list.csv', bytes: utf8(text), corrections: { meanings, ...corrections } },
    ]);
    return { trend: keywords.trend?.values[0]?.replace(/^,+/u, ''), notes: readings[0]!.notes };
  };
  const asked = (column: string, isNewest = false) => [{ code: 'month-order', column, isNewest }];
  expect(trendOf('First,Second,Third')).toEqual({ trend: '110,120,130', notes: asked('First') });
  expect(trendOf('First,Second,Third', { isFirstMonthNewest: true })).toEqual({
    trend: '130,120,110',
    notes: asked('First', true),
  });
  expect(trendOf('2026-01,Second,2026-03')).toEqual({ trend: '110,120,130', notes: asked('2026-01') });
  expect(trendOf('2026-03,2026-02,2026-01')).toEqual({ trend: '130,120,110', notes: [] });
});
