import { describe, expect, test } from 'vitest';
import type { Corrections } from '../src/read/reading.ts';
import { recogniseText } from '../src/read/recognise.ts';
import { keywordsOf, readList as read, readingOf, utf8 } from './support/lists.ts';

// What stands between keywords and figures, or around them.

test('a header without a gap above it is that of the same columns, or of another table', () => {
  const of = (...rows: string[]) => {
    const { texts, rows: report } = read(`Keyword,Volume,KD\noak desk,100,5\npine desk,90,6\n${rows.join('\n')}\n`);
    return [texts.slice(2), report.problems.map(({ line, reason }) => [line, reason])];
  };
  expect(of('keyword,volume,kd', 'ash desk,80,7')).toEqual([['ash desk'], [[4, 'other-table']]]);
  expect(of('Keyword,KD,Volume', 'ash desk,7,80')).toEqual([
    [],
    [
      [4, 'other-table'],
      [5, 'other-table'],
    ],
  ]);
  expect(of('Keyword,CPC,Volume', 'ash desk,7,80', 'Keyword,Volume,KD', 'elm desk,70,8')).toEqual([
    ['elm desk'],
    [
      [4, 'other-table'],
      [5, 'other-table'],
      [6, 'other-table'],
    ],
  ]);
  // With its title.
  expect(of('', 'Beds,,', 'Keyword,Volume,KD', 'oak bed,80,7')).toEqual([
    ['oak bed'],
    [
      [6, 'other-table'],
      [5, 'other-table'],
    ],
  ]);
  // Keywords about keywords.
  expect(of('keyword,80,7', 'cpc,,', 'volume,-,')).toEqual([['keyword', 'cpc', 'volume'], []]);
});

test('numbers that count the lines of a list are no part of its keywords', () => {
  const lines = ['person tent', 'oak desks', 'ply paper', 'seat sofa', 'door car'].map(
    (text, at) => `${at + 1} ${text}\n`,
  );
  expect(read(lines.join(''), 'list.txt').texts).toEqual([
    'person tent',
    'oak desks',
    'ply paper',
    'seat sofa',
    'door car',
  ]);
  expect(read(lines.slice(1).join(''), 'list.txt').texts[0]).toBe('2 oak desks');
  const tents = ['1', '2', '3', '4', '5'].map((people) => `${people} person tent\n`).join('');
  expect(read(tents, 'list.txt').texts).toHaveLength(5);
});

test('blanks may stand between commas and quotes', () => {
  const rows = ['oak desk, "1,300", 5', 'pine desk, "900", 6', '"ash, desk" , "12,100", 7'];
  const { texts, figures } = read(`Keyword, Volume, KD\n${rows.join('\n')}\n`);
  expect(texts).toEqual(['oak desk', 'pine desk', 'ash, desk']);
  expect(figures).toEqual({ volume: [1300, 900, 12_100], difficulty: [5, 6, 7] });
  const all = '"Keyword", "Volume"\n"oak, desk", "1,300"\n"pine desk", "900"\n"ash desk", "80"\n';
  expect(read(all).figures).toEqual({ volume: [1300, 900, 80] });
  // Keywords of a plain list.
  expect(read('sofa, "oak desk", lamp\nbed\nchair\n', 'list.txt').reading.isSpaced).toBeUndefined();
});

test('first keywords of pages are keywords, and their further ones are asked about', () => {
  const { texts, reading } = read(
    'URL,Primary Keyword,Volume,Secondary Keywords\n/oak,oak desk,100,"oak desks, oak wood"\n/pine,pine desk,90,pine wood\n',
  );
  expect(texts).toEqual(['oak desk', 'pine desk']);
  expect(reading.notes).toEqual([{ code: 'other-lists', columns: ['Secondary Keywords'] }]);
});

test('what a chat writes around a list is no keyword', () => {
  const chat =
    'Here are keywords for you:\n\n1. **oak desk**\n2. **pine desk**\n\n### More\n3. `ash desk`\n4. elm desk\n5. fir desk\n\nLet me know if you want more!\n';
  const { texts, rows } = read(chat, 'chat.txt');
  expect(texts).toEqual(['oak desk', 'pine desk', 'ash desk', 'elm desk', 'fir desk']);
  expect(rows.problems.map(({ line, reason }) => [line, reason])).toEqual([
    [1, 'heading'],
    [6, 'heading'],
    [11, 'heading'],
  ]);
  const volumes = read('- oak desk (1,200)\n- pine desk (900)\n- ash desk (300)\n', 'chat.txt', {
    meanings: { 1: 'volume' },
  });
  expect(volumes).toMatchObject({
    texts: ['oak desk', 'pine desk', 'ash desk'],
    figures: { volume: [1200, 900, 300] },
  });
});

test.each(['#ERROR!', '#SPILL!', '#NV', '#BEZUG!', '#N/D', '#¿NOMBRE?', '#ЗНАЧ!', '#VALEUR!'])(
  'what a spreadsheet shows in place of a value is no keyword: %s',
  (fault) => {
    const { texts, rows } = read(`Keyword,Volume\noak desk,100\n${fault},90\n#desk,80\n`);
    expect(texts).toEqual(['oak desk', '#desk']);
    expect(rows.problems).toMatchObject([{ line: 3, reason: 'no-keyword' }]);
  },
);

test('figures with a remark behind them are read, and others are named', () => {
  const of = (header: string, ...values: string[]) => {
    const { figures, notes } = read(
      `Keyword;Volume;${header}\n${values.map((value, at) => `desk ${at};9;${value}\n`).join('')}`,
    );
    return { ...figures, notes };
  };
  expect(of('KD', '45 (hard)', '12 (easy)')).toEqual({ volume: [9, 9], difficulty: [45, 12], notes: [] });
  expect(of('KD', '45/100', '12 / 100')).toEqual({ volume: [9, 9], difficulty: [45, 12], notes: [] });
  expect(of('Position', '3 (+2)', '12 ▼', '5*')).toEqual({ volume: [9, 9, 9], position: [3, 12, 5], notes: [] });
  expect(of('Traffic', '1,300 (est.)', '90 (est.)').traffic).toEqual([1300, 90]);
  expect(of('Position', '5 → 3', '12 → 14')).toEqual({ volume: [9, 9], notes: ['unread-figures'] });
});

test('months of few searches are named, because they may hold anything', () => {
  expect(read('Keyword,Volume,Jan 2026,Feb 2026,Mar 2026\noak desk,100,4,5,6\n').notes).toEqual(['unread-figures']);
});

test('hashtags on a line are a keyword each', () => {
  const { texts, reading } = read('#oakdesk #pinedesk  #ashdesk\n#elmdesk #firdesk #yewdesk\n', 'tags.txt');
  expect(texts).toEqual(['#oakdesk', '#pinedesk', '#ashdesk', '#elmdesk', '#firdesk', '#yewdesk']);
  expect(reading.separator).toBe(' #');
  expect(read('which is the #1 desk\nthe #2 and #3 desks\n', 'list.txt').texts).toHaveLength(2);
});

const four = 'oak desk;1300\npine desk;90\nash desk;210\nelm desk;50\n';
test.each([
  ['in other languages', 'Summa;1650\nMedelvärde;412\n'],
  ['below a note', 'Note: from May;\nTotal;1650\n'],
  ['that say what they are the total of, with a number', 'Total keywords: 4;\nTotal volume: 1650;\n'],
])('totals below a table are no keywords: %s', (_, totals) => {
  const { texts, rows } = read(`Keyword;Volume\n${four}${totals}`);
  expect(texts).toEqual(['oak desk', 'pine desk', 'ash desk', 'elm desk']);
  expect(rows.footers).toHaveLength(2);
});

test.each(['Search term,Keyword', 'Keyword,Keyword'])(
  'a header may have nothing but names of keywords: %s',
  (header) => {
    expect(read(`${header}\nkeyword desk,Keyword\npine desk,Keyword\n`).texts).toEqual(['keyword desk', 'pine desk']);
  },
);

test.each(['01/01/2026,01/02/2026', '2025,2026', '2026-03-01,2026-03-08'])(
  'a header may have nothing but days or years beside the keywords: %s',
  (days) => {
    const { texts, reading } = read(`Keyword,${days}\noak desk,5,4\npine desk,12,11\n`);
    expect(texts).toEqual(['oak desk', 'pine desk']);
    expect(reading.notes).toEqual([{ code: 'unread-figures', columns: days.split(',') }, { code: 'no-volume' }]);
  },
);

test.each(['The keyword,Monthly searches,Cost per click', 'string,integer,float', ',per month,USD'])(
  'a row that explains the header is none of keywords: %s',
  (legend) => {
    const { texts, figures, notes } = read(`Keyword,Volume,CPC\n${legend}\noak desk,1300,1.2\npine desk,90,0.5\n`);
    expect(texts).toEqual(['oak desk', 'pine desk']);
    expect(figures).toEqual({ volume: [1300, 90], cpc: [1.2, 0.5] });
    expect(notes).toEqual([]);
  },
);

test.each([
  ['n/a,unknown', '80,0.4'],
  // No word for unknown figures that is known, but one that other rows have, too.
  ['pending,not yet', 'pending,0.4'],
])('a first row of unknown figures is one of keywords: %s', (first, last) => {
  const { texts } = read(`Keyword,Volume,CPC\noak desk,${first}\npine desk,90,0.5\nash desk,${last}\n`);
  expect(texts).toEqual(['oak desk', 'pine desk', 'ash desk']);
});

test('ranks that count the rows before the keywords are no positions', () => {
  const of = (other: string, ...ranks: number[]) =>
    read(`Rank,Keyword,Volume,Page\n${ranks.map((rank, at) => `${rank},desk ${at},9,${other}\n`).join('')}`).figures
      .position;
  expect(of('desks', 1, 2, 3, 4, 5)).toBeUndefined();
  expect(of('desks', 1, 2, 3, 4, 6)).toEqual([1, 2, 3, 4, 6]);
  // A person may say that they are.
  const counted = (corrections: Corrections) =>
    read('Rank,Keyword,Volume\n1,a,9\n2,b,8\n3,c,7\n4,d,6\n5,e,5\n', 'list.csv', corrections).notes;
  expect(counted({})).toEqual(['counts-rows']);
  expect(counted({ meanings: { 0: 'position' } })).toEqual([]);
  // The pages that rank there.
  expect(of('https://shop.example/desks', 1, 2, 3, 4, 5)).toEqual([1, 2, 3, 4, 5]);
});

test('keywords in the quotes of a typesetter are phrases, too', () => {
  const { texts } = read('Keyword,Volume\n“oak desk”,3\n„pine desk“,2\n«ash desk»,1\n');
  expect(texts).toEqual(['oak desk', 'pine desk', 'ash desk']);
});

describe('rows with nothing but a name', () => {
  const levelOf = (text: string, corrections: Corrections = {}) => {
    const { keywords, readings, rows } = keywordsOf([{ name: 'list.csv', bytes: utf8(text), corrections }]);
    const level = keywords.texts.find(({ meaning }) => meaning === 'level1');
    const groups = keywords.text.map((_, at) => level?.values[level.codes[at]!]);
    return { texts: keywords.text, groups, notes: readings[0]!.notes, rows: rows[0]! };
  };
  const rows =
    'Keyword,Volume,KD\nOak,,\noak desk,100,5\noak bed,20,3\n\nPine\npine desk,9,2\nKeyword,Volume,KD\npine bed,8,2,7\npine sofa,,2\n';

  test('are mostly the groups of the keywords below them, which is asked', () => {
    const { texts, groups, notes, rows: report } = levelOf(rows);
    expect(texts).toEqual(['oak desk', 'oak bed', 'pine desk', 'pine sofa']);
    expect(groups).toEqual(['Oak', 'Oak', 'Pine', 'Pine']);
    expect(notes).toEqual([{ code: 'group-rows', column: 'Keyword' }]);
    expect(report.problems.map(({ line, reason }) => [line, reason])).toEqual([
      [8, 'other-table'],
      [9, 'too-many-cells'],
    ]);
    const kept = levelOf(rows, { meanings: { 3: 'keep' } });
    expect(kept).toMatchObject({ texts, notes, groups: [undefined, undefined, undefined, undefined] });
  });
  test('may be groups in groups', () => {
    const desks = 'oak desk,5\nashen desk,4\npine desk,4\n';
    const nested = `Wood,\nOak,\n${desks}Pine,\nred bed,3\nblue bed,2\ngreen bed,1\n`;
    const { texts, groups, notes } = levelOf(`Keyword,Volume\n${nested}`);
    expect(texts).toHaveLength(6);
    expect(new Set(groups)).toEqual(new Set(['Oak', 'Pine']));
    expect(notes).toHaveLength(1);
    const { keywords } = keywordsOf([
      {
        name: 'list.csv',
        bytes: utf8(`Keyword,Volume\n${nested}Metal,\nIron,\niron lamp,3\nsteel lamp,2\ntin lamp,1\n`),
      },
    ]);
    const levels = keywords.texts.map(({ name, values, codes }) => [name, [...codes].map((code) => values[code])]);
    expect(levels).toEqual([
      ['Group 1', [...Array(6).fill('Wood'), ...Array(3).fill('Metal')]],
      ['Group 2', ['Oak', 'Pine', 'Iron'].flatMap((name) => Array(3).fill(name))],
    ]);
  });
  test('are keywords first if they look like the others, which is asked, too', () => {
    const first = 'Keyword,Volume\noak desk,\npine desk,20\nash desk,5\nelm desk,\nfir desk,10\nteak desk,7\n';
    expect(levelOf(first)).toMatchObject({
      texts: ['oak desk', 'pine desk', 'ash desk', 'elm desk', 'fir desk', 'teak desk'],
      notes: [{ code: 'group-rows', column: 'Keyword' }],
    });
    expect(levelOf(first, { fillsDown: true }).texts).toEqual(['pine desk', 'ash desk', 'fir desk', 'teak desk']);
    // Without capitals and blanks between words, their length tells.
    expect(levelOf('Keyword,Volume\n机,\n木製机,20\n学習机,5\n椅子,\n木製椅子,10\n学習椅子,7\n').texts).toHaveLength(4);
    expect(levelOf('Keyword,Volume\ndesks,\noak desk,2\nash desk,5\nbeds,\noak bed,1\nash bed,7\n').texts).toHaveLength(
      4,
    );
  });
  test('are keywords if somebody says so', () => {
    const { texts, notes } = levelOf(rows.replace('\nPine\n', '\nPine,,\n'), { fillsDown: false });
    expect(texts).toEqual(['Oak', 'oak desk', 'oak bed', 'Pine', 'pine desk', 'pine sofa']);
    expect(notes).toEqual([{ code: 'group-rows', column: 'Keyword' }]);
  });
  test('stay keywords if somebody had said before what their groups mean', () => {
    const fitting = rows.replace('8,2,7', '8,2');
    expect(levelOf(fitting, { fillsDown: false, meanings: { 3: 'level2' } }).texts).toContain('Oak');
  });
  test.each([
    ['where the first row is none', 'oak desk,1,2\nOak,,\npine desk,3,4\npine bed,3,4\nPine,,\noak bed,1,2\n'],
    ['where one follows another', 'Oak,,\noak desk,1,2\nPine,,\nAsh,,\nash desk,1,2\nash bed,1,2\nash sofa,1,2\n'],
    ['where it is each second one', 'Oak,,\noak desk,1,2\nPine,,\npine desk,1,2\n'],
  ])('are keywords of which nothing is known %s', (_, text) => {
    expect(levelOf(`Keyword,Volume,KD\n${text}`).notes).toEqual([]);
  });
});

test.each([
  'Keyword,oak desk,pine desk,ash desk\nVolume,100,200,300\nKD,4,5,6\n',
  'Volume;100;200;300\nSuchbegriff;oak desk;pine desk;ash desk\n',
])('a table whose rows and columns are swapped is refused as one: %j', (text) => {
  expect(recogniseText({ name: 'list.csv', head: utf8(text), isWhole: true })).toEqual({ code: 'transposed' });
});

test('rows of a keyword with different volumes are told, if neither days nor markets tell them apart', () => {
  const of = (header: string, ...cells: string[]) =>
    read(`Keyword,Volume,${header}\noak desk,100,${cells[0]}\noak desk,200,${cells[1]}\npine desk,9,${cells[0]}\n`);
  expect(of('Device', 'Desktop', 'Mobile')).toMatchObject({
    figures: { volume: [200, 9] },
    notes: ['several-volumes'],
  });
  expect(of('Match type', 'Broad', 'Exact').notes).toEqual(['several-volumes']);
  expect(of('Date', '2026-04-01', '2026-05-01').notes).toEqual([]);
  expect(of('Country', 'us', 'uk').notes).toEqual([]);
  expect(read('Keyword,Volume,URL\noak,100,https://a.example/1\noak,100,https://a.example/2\n').notes).toEqual([]);
});

test('figures in words, numbers of groups and indented groups are told', () => {
  const notesOf = (text: string) => read(text).reading.notes;
  expect(
    notesOf('Keyword,Volume,Difficulty\noak desk,9,hard\npine desk,8,easy\nash desk,7,medium\nelm desk,6,hard\n'),
  ).toEqual([{ code: 'unread-figures', columns: ['Difficulty'] }]);
  expect(notesOf('Cluster,Keyword,Volume\n1,oak desk,9\n1,pine desk,8\n2,oak bed,7\n')).toEqual([
    { code: 'unread-figures', columns: ['Cluster'] },
  ]);
  expect(notesOf('Keyword,Volume\nDesks,19\n  oak desk,10\n  ash desk,9\nBeds,15\n  oak bed,8\n  ash bed,7\n')).toEqual(
    [{ code: 'groups-in-rows', column: 'Keyword' }],
  );
});

test('two keywords in nearly each cell are two, beside the name of their group', () => {
  const cells = (first: string) =>
    read(`Cluster,Keywords\nDesks,"${first}"\nBeds,"oak bed, pine bed"\nSofas,"red sofa, blue sofa"\n`);
  expect(cells('oak desk, pine desk')).toMatchObject({
    texts: { length: 6 },
    notes: ['no-volume', 'keywords-in-cells'],
  });
  expect(cells('oak desk').texts).toHaveLength(3);
});

test('a first row of texts of which none is a name that is known is a header, which is asked', () => {
  const notesOf = (text: string, corrections: Corrections = {}) => read(text, 'list.csv', corrections).notes;
  const pairs = 'oak desk,eichentisch\npine desk,kieferntisch\nash desk,eschentisch\n';
  expect(notesOf(pairs)).toContain('header-guess');
  expect(notesOf(pairs, { header: 0 })).not.toContain('header-guess');
  expect(notesOf(pairs, { header: 1 })).not.toContain('header-guess');
  expect(notesOf(`Begriff,Volumen\n${pairs}`)).not.toContain('header-guess');
  expect(notesOf('Phrases,Score\noak desk,3\npine desk,4\n')).not.toContain('header-guess');
});

test('a tree whose columns have no names is read as one, which is asked', () => {
  const levelsOf = (text: string, corrections: Corrections = {}) => {
    const { keywords, readings } = keywordsOf([{ name: 'list.csv', bytes: utf8(text), corrections }]);
    const texts = keywords.text.map((keyword, at) => [
      keyword,
      ...keywords.texts.map(({ values, codes }) => values[codes[at]!]),
    ]);
    return { texts, notes: readings[0]!.notes.map(({ code }) => code) };
  };
  const desks = [
    ['oak desk', 'Desks'],
    ['pine desk', 'Desks'],
    ['oak bed', 'Beds'],
    ['pine bed', 'Beds'],
  ];
  const above = 'Desks,\n,oak desk\n,pine desk\nBeds,\n,oak bed\n,pine bed\n';
  expect(levelsOf(above)).toMatchObject({ texts: desks, notes: ['filled-down', 'no-volume'] });
  expect(levelsOf(above, { fillsDown: false }).texts.map(([keyword]) => keyword)).toEqual(
    desks.map(([keyword]) => keyword),
  );
  expect(levelsOf('Desks,oak desk,9\n,pine desk,8\nBeds,oak bed,7\n,pine bed,6\n').texts).toEqual(
    desks.map(([keyword, group], at) => [keyword, group, String(9 - at)]),
  );
  const deep = 'A,,\n,Desks,\n,,oak desk\n,,pine desk\nB,,\n,Beds,\n,,oak bed\n,,pine bed\n';
  expect(levelsOf(deep).texts).toEqual(desks.map(([keyword, group], at) => [keyword, at < 2 ? 'A' : 'B', group]));
});

test('regions are no keywords, and the questions of a search are', () => {
  const trends = 'Category: All categories\n\nRegion,oak desk: (4/1/26 - 4/30/26)\nVermont,100\nMaine,80\nOhio,33\n';
  expect(readingOf({ name: 'geoMap.csv', bytes: utf8(trends) }).notes).toEqual([{ code: 'no-keyword-column' }]);
  const asked =
    'Term,PAA Title,Link\noak desk,is oak hard?,https://a.example\noak desk,is oak dear?,https://b.example\noak desk,is oak red?,https://c.example\n';
  expect(read(asked).texts).toEqual(['is oak hard?', 'is oak dear?', 'is oak red?']);
});
