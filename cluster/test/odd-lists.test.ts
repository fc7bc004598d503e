import { describe, expect, test } from 'vitest';
import type { Corrections, Reading } from '../src/read/reading.ts';
import { recogniseText } from '../src/read/recognise.ts';
import { keywordsOf, meanings, readList as read, readingOf, utf8 } from './support/lists.ts';

const unknown = Number.NaN;

describe('figures', () => {
  // Shows P20.11.
  test('of several lists side by side are those beside the keywords that are read', () => {
    const twice =
      'Keyword EN,Volume EN,KD,Keyword DE,Volume DE,CPC\noak desk,100,5,eichentisch,9,1\npine desk,200,6,kieferntisch,8,2\n';
    const { figures, texts, reading, notes } = read(twice);
    expect(texts).toEqual(['oak desk', 'pine desk']);
    expect(figures).toEqual({ volume: [100, 200], difficulty: [5, 6] });
    expect(meanings(reading)).toMatchObject({ 'Keyword DE': 'keep', 'Volume DE': 'keep', CPC: 'keep' });
    expect(notes).toEqual(['other-lists', 'unread-figures']);
    expect(reading.notes).toContainEqual({ code: 'other-lists', columns: ['Keyword DE'] });
  });
  test('of several lists side by side without names are asked about', () => {
    const columnsOf = (text: string) =>
      read(text).reading.notes.flatMap((note) => (note.code === 'other-lists' ? note.columns : []));
    const of = (...rows: string[]) => columnsOf(`${rows.join('\n')}\n`);
    expect(of('oak desk,9,eichentisch,8', 'pine desk,7,kieferntisch,6', 'ash desk,5,eschentisch,4')).toEqual([
      'Column 3',
    ]);
    expect(
      of(
        'oak desk,,oak bed,,oak sofa',
        'pine desk,,pine bed,,',
        'ash desk,,ash bed,,ash sofa',
        'elm desk,,elm bed,,elm sofa',
        'fir desk,,fir bed,,fir sofa',
      ),
    ).toEqual(['oak bed', 'oak sofa']);
    expect(of('Desks,Beds', 'oak desk,oak bed', 'pine desk,pine bed', 'ash desk,ash bed')).toEqual(['Beds']);
    // Groups, pages and remarks.
    expect(of('Desks,Topic', 'oak desk,oak', 'pine desk,pine', 'ash desk,ash')).toEqual([]);
    expect(of('oak desk,9,desks,8', 'pine desk,7,desks,6', 'ash desk,5,desks,4')).toEqual([]);
    expect(
      of('oak desk,9,https://a.example/1,8', 'pine desk,7,https://a.example/2,6', 'ash desk,5,https://a.example/3,4'),
    ).toEqual([]);
    expect(of('oak desk,9,new in May', 'pine desk,7,ask Ann', 'ash desk,5,too dear')).toEqual([]);
  });
  test('that two lists side by side share are those of the one that is read', () => {
    const { figures, texts } = read(
      'German keyword;English keyword;Volume\neichen tisch;oak desk;9\nkiefern tisch;pine desk;8\n',
    );
    expect(texts).toEqual(['eichen tisch', 'kiefern tisch']);
    expect(figures).toEqual({ volume: [9, 8] });
  });
  test('of search terms stand behind the keywords that were bid on', () => {
    const { figures, texts } = read(
      'Search term,Keyword,Clicks,Impressions\noak desk,desks,3,90\npine desk,desks,2,80\n',
    );
    expect(texts).toEqual(['oak desk', 'pine desk']);
    expect(figures).toEqual({ clicks: [3, 2], impressions: [90, 80] });
  });
  test('of devices add up, where no column has those of all', () => {
    const volumes = (header: string, ...rows: string[]) =>
      read(`Keyword,${header}\n${rows.join('\n')}\n`).figures.volume;
    const rows = ['oak desk,100,5', 'pine desk,,6', 'ash desk,,'] as const;
    expect(volumes('Desktop volume,Mobile volume', ...rows)).toEqual([105, 6, unknown]);
    expect(volumes('Volume (PC),Volume (mobile)', ...rows)).toEqual([105, 6, unknown]);
    expect(volumes('Volume (PC),Volume', ...rows)).toEqual([100, unknown, unknown]);
    expect(volumes('Volume,Mobile volume', 'oak desk,100,5')).toEqual([100]);
    expect(read('Keyword,Volume (US),Volume (mobile)\noak desk,100,5\n').notes).toEqual(['unread-figures']);
  });
  test.each([
    ['Row Labels;Sum of Volume;Average of KD\noak desk;100;5\npine desk;200;6\nGrand Total;300;5.5\n'],
    [
      'Zeilenbeschriftungen;Summe von Suchvolumen;Mittelwert von KD\noak desk;100;5\npine desk;200;6\nGesamtergebnis;300;5,5\n',
    ],
  ])('of a pivot table are those that it adds up', (text) => {
    const { figures, texts } = read(text);
    expect(texts).toEqual(['oak desk', 'pine desk']);
    expect(figures).toEqual({ volume: [100, 200], difficulty: [5, 6] });
  });
  test('of groups inside the keywords of a pivot table are a guess', () => {
    const rows = 'Oak,300\noak desk,100\noak bed,200\nPine,40\npine desk,10\npine bed,30\n';
    const notesOf = (text: string) => read(`Row Labels,Sum of Volume\n${text}`).notes;
    expect(notesOf(`${rows}Grand Total,340\n`)).toEqual(['groups-in-rows']);
    expect(notesOf(rows)).toEqual(['groups-in-rows']);
    // A head that ends within a group.
    expect(notesOf(`${rows}Ash,90\nash desk,20\n`)).toEqual(['groups-in-rows']);
    expect(notesOf(rows.replace('Pine,40', 'Pine,41'))).toEqual([]);
    // By chance: few clicks of a list that is no pivot table, and none at all.
    const clicks = (...counts: number[]) =>
      `Keyword,Clicks\n${counts.map((count, at) => `desk ${at},${count}`).join('\n')}\n`;
    expect(read(clicks(4, 2, 2, 2, 1, 1)).notes).not.toContain('groups-in-rows');
    expect(read(clicks(...Array.from({ length: 60 }, () => 0))).notes).not.toContain('groups-in-rows');
    // The total above all rows.
    expect(notesOf('Total,340\noak desk,100\noak bed,200\npine desk,40\n')).toEqual([]);
  });
  test('that are click rates of at most 1 may be shares or percentages, which is asked', () => {
    const rates = (header: string, rows: string, corrections: Corrections = {}) => {
      const { figures, reading } = read(`Keyword,Volume,${header}\n${rows}`, 'list.csv', corrections);
      return { ctr: figures.ctr, notes: reading.notes };
    };
    const rows = 'oak desk,10,0\npine desk,20,0.5\nash desk,30,1\n';
    const asked = [{ code: 'ctr-scale', column: 'CTR', sample: 0.5 }];
    expect(rates('CTR', rows)).toEqual({ ctr: [0, 0.5, 1], notes: asked });
    expect(rates('CTR', rows, { isCtrPercent: false })).toEqual({ ctr: [0, 0.5, 1], notes: asked });
    expect(rates('CTR', rows, { isCtrPercent: true })).toEqual({ ctr: [0, 0.005, 0.01], notes: asked });
    // The name makes percentages likelier.
    expect(rates('CTR (%)', rows)).toMatchObject({ ctr: [0, 0.005, 0.01], notes: [{ code: 'ctr-scale' }] });
    expect(rates('CTR (%)', rows, { isCtrPercent: false })).toMatchObject({ ctr: [0, 0.5, 1] });
    // A sign, a number above 1, and rows with clicks and impressions tell; 0 is 0 on any scale.
    expect(rates('CTR', rows.replace(',1\n', ',3\n'))).toEqual({ ctr: [0, 0.005, 0.03], notes: [] });
    expect(rates('CTR', 'oak desk,10,0.5%\npine desk,20,1%\n')).toEqual({ ctr: [0.005, 0.01], notes: [] });
    expect(rates('CTR', 'oak desk,10,0\npine desk,20,\n')).toEqual({ ctr: [0, unknown], notes: [] });
    expect(rates('CTR,Clicks,Impressions', 'oak desk,10,0.5,5,1000\npine desk,20,1,1,100\n')).toEqual({
      ctr: [0.005, 0.01],
      notes: [],
    });
  });
  test('that are click rates of at most 1 in the first rows only are what the other rows tell', () => {
    const first = Array.from({ length: 60_000 }, (_, row) => `word number ${row},0.5\n`).join('');
    for (const isCtrPercent of [false, true]) {
      const { figures, rows, notes } = read(`Keyword,CTR\n${first}oak desk,3\n`, 'list.csv', { isCtrPercent });
      expect(notes).toContain('ctr-scale');
      expect(rows).toMatchObject({ known: [60_001, 60_001], highRates: ['CTR'] });
      expect([figures.ctr![0], figures.ctr![60_000]]).toEqual([0.005, 0.03]);
    }
  });
  test('that are difficulties of at most 1 are mostly shares, which is asked', () => {
    const difficulties = ['0.42', '0', '0.29', '1'];
    const of = (values: readonly string[], corrections: Corrections = {}, name = 'KD') => {
      const rows = values.map((value, at) => `desk ${at},10,"${value}"\n`).join('');
      const { figures, reading } = read(`Keyword,Volume,${name}\n${rows}`, 'list.csv', corrections);
      return { difficulty: figures.difficulty, notes: reading.notes };
    };
    const asked = [{ code: 'ctr-scale', column: 'KD', sample: 0.42 }];
    expect(of(difficulties)).toEqual({ difficulty: [42, 0, 29, 100], notes: asked });
    expect(of(difficulties, { isCtrPercent: true })).toEqual({ difficulty: [0.42, 0, 0.29, 1], notes: asked });
    expect(of(['0,42', '0,05'])).toMatchObject({ difficulty: [42, 5] });
    // The column is mostly called so where it holds whole numbers.
    expect(of(difficulties, {}, 'KD %')).toMatchObject({ difficulty: [42, 0, 29, 100] });
    for (const values of [
      ['1', '0', '1'],
      ['0.42', '3'],
      ['42%', '0.5%'],
      ['85.18', '0.5'],
    ])
      expect(of(values).notes).toEqual([]);
    expect(of(['1', '0']).difficulty).toEqual([1, 0]);
    const sorted = Array.from({ length: 60_000 }, (_, row) => `word number ${row},10,0.5\n`).join('');
    const { figures, rows, notes } = read(`Keyword,Volume,KD\n${sorted}oak desk,10,3\n`);
    expect(notes).toEqual(['ctr-scale']);
    expect(rows.highRates).toEqual(['KD']);
    expect([figures.difficulty![0], figures.difficulty![60_000]]).toEqual([0.5, 3]);
  });
  test('that are indexes of competition of at most 1 are shares', () => {
    const of = (...values: string[]) =>
      read(`Keyword,Competition Index\n${values.map((value, at) => `desk ${at},${value}\n`).join('')}`).figures;
    expect(of('0.42', '0.05', '1').competition).toEqual([0.42, 0.05, 1]);
    expect(of('42', '5', '1').competition).toEqual([0.42, 0.05, 0.01]);
    expect(of('1', '0').competition).toEqual([0.01, 0]);
  });
  test('of thousands are told from decimals that are rounded to three digits', () => {
    const { figures } = read(
      'Query;Clicks;CTR;Position;CPC\noak desk;1.300;10,5%;12,345;1,305\npine desk;20;20%;3,500;2,250\n',
    );
    expect(figures).toEqual({ clicks: [1300, 20], ctr: [0.105, 0.2], position: [12.345, 3.5], cpc: [1.305, 2.25] });
    const costs = 'Keyword;CPC;Traffic Cost\noak desk;0,50;1.300\npine desk;1,25;20\n';
    expect(read(costs).figures).toEqual({ cpc: [0.5, 1.25], trafficCost: [1300, 20] });
    const traffic = (...values: string[]) =>
      read(`Keyword,Traffic\n${values.map((value, at) => `desk ${at},"${value}"`).join('\n')}\n`).figures.traffic;
    expect(traffic('3.648', '12.25', '0.304')).toEqual([3.648, 12.25, 0.304]);
    expect(traffic('1.300', '2.400', '90')).toEqual([1300, 2400, 90]);
    expect(traffic('1.300', '1.5K')).toEqual([1300, 1500]);
    expect(traffic('1,300', '12.5')).toEqual([1300, 12.5]);
    expect(read('Keyword,Position\noak desk,"1,305"\npine desk,"12,500"\n').figures.position).toEqual([1.305, 12.5]);
  });
  test('of three digits after their only separator are thousands or decimals as the file shows it', () => {
    const of = (header: string, ...rows: string[]) => {
      const { figures, notes } = read(
        `${['Keyword', header].join(';')}\n${rows.map((row, at) => `desk ${at};${row}\n`).join('')}`,
      );
      expect(notes).not.toContain('thousands-guess');
      return figures;
    };
    // The decimal sign of other columns; positions are never thousands.
    expect(of('Traffic;CPC', '1.234;0.55', '5.678;1.20').traffic).toEqual([1.234, 5.678]);
    expect(of('Traffic;Position', '1.234;2.125', '5.678;3.250').traffic).toEqual([1.234, 5.678]);
    expect(of('Traffic;CPC', '1.234;0,55', '5.678;1,20').traffic).toEqual([1234, 5678]);
    // A number of more than three digits without a sign in it.
    expect(of('Volume;Traffic', '1300.000;12.125', '900.000;1234.125')).toEqual({
      volume: [1300, 900],
      traffic: [12.125, 1234.125],
    });
    // Zeros, and small numbers without a sign.
    expect(of('Volume;CPC', '1.300;0.55', '2.400;1.20').volume).toEqual([1300, 2400]);
    expect(of('Volume;CPC', '1.234;0.55', '320;1.20').volume).toEqual([1234, 320]);
    // Spreadsheets write semicolons where the comma is the decimal sign.
    expect(of('CPC', '1,234', '5,678').cpc).toEqual([1.234, 5.678]);
    expect(of('CPC (VND)', '5.125', '12.375').cpc).toEqual([5125, 12375]);
  });
  test('of three digits after their only separator are thousands where those of other columns have the same sign', () => {
    const of = (header: string, ...rows: string[]) =>
      read(`Keyword\t${header}\n${rows.map((row, at) => `desk ${at}\t${row}\n`).join('')}`);
    expect(of('Volume\tTraffic', '5.678\t1.234', '4.567\t2.345')).toMatchObject({
      figures: { volume: [5678, 4567], traffic: [1234, 2345] },
      notes: [],
    });
    expect(of('Volume\tTraffic Cost', '5,678\t1,234', '4,567\t2,345')).toMatchObject({
      figures: { volume: [5678, 4567], trafficCost: [1234, 2345] },
      notes: [],
    });
    expect(of('Traffic Cost', '1,234', '90', '5')).toMatchObject({ figures: { trafficCost: [1234, 90, 5] } });
    expect(of('Traffic Cost', '1,234', '90', '5').notes).toEqual(['no-volume']);
    // Few prices are that high.
    expect(of('Volume\tCPC', '5,678\t1,234', '4,567\t2,345').notes).toEqual(['thousands-guess']);
  });
  test('of three digits after their only separator are asked about where the file does not show it', () => {
    const of = (text: string, areThousands?: boolean) => {
      const { figures, reading } = read(text, 'list.csv', areThousands === undefined ? {} : { areThousands });
      return { figures, notes: reading.notes.filter(({ code }) => code === 'thousands-guess') };
    };
    const asked = (column: string, sample: string, are: boolean) => [{ code: 'thousands-guess', column, sample, are }];
    const traffic = 'Keyword;Traffic\noak desk;1.234\npine desk;5.678\n';
    expect(of(traffic)).toEqual({ figures: { traffic: [1234, 5678] }, notes: asked('Traffic', '1.234', true) });
    expect(of(traffic, true)).toEqual(of(traffic));
    expect(of(traffic, false)).toEqual({
      figures: { traffic: [1.234, 5.678] },
      notes: asked('Traffic', '1.234', false),
    });
    const cost = 'Keyword\tCPC\noak desk\t1,234\npine desk\t5,678\n';
    expect(of(cost)).toEqual({ figures: { cpc: [1234, 5678] }, notes: asked('CPC', '1,234', true) });
    expect(of(cost, false).figures).toEqual({ cpc: [1.234, 5.678] });
    const costs = 'Keyword\tTraffic Cost\noak desk\t1.234\npine desk\t5.678\n';
    expect(of(costs)).toEqual({
      figures: { trafficCost: [1.234, 5.678] },
      notes: asked('Traffic Cost', '1.234', false),
    });
    expect(of(costs, true).figures).toEqual({ trafficCost: [1234, 5678] });
    // Searches have no decimals, but the file has a decimal point.
    const both = 'Keyword,Volume,CPC\noak desk,1.234,0.55\npine desk,5.678,1.25\n';
    expect(of(both)).toEqual({
      figures: { volume: [1234, 5678], cpc: [0.55, 1.25] },
      notes: asked('Volume', '1.234', true),
    });
    expect(of(both, false).figures.volume).toEqual([1.234, 5.678]);
  });
  test.each([
    ['May,Jun,Jul,Aug', ',,,,,,,,100,200,300,400'],
    ['Nov,Dec,Jan,Feb', ',,,,,,,,100,200,300,400'],
    ['Apr,Mar,Feb,Jan', ',,,,,,,,400,300,200,100'],
    ['Volume Mai,Volume Juni,Volume Juli,Volume August', ',,,,,,,,100,200,300,400'],
  ])('of months without years are the trend, in their order: %s', (months, trend) => {
    const bytes = utf8(`Keyword,Volume,${months}\noak desk,250,100,200,300,400\n`);
    const { keywords, readings } = keywordsOf([{ name: 'list.csv', bytes }]);
    expect(keywords.trend).toMatchObject({ name: 'Trend', values: [trend] });
    expect(readings[0]!.notes).toEqual([]);
    const meanings = { 3: 'keep' } as const;
    const corrected = keywordsOf([{ name: 'list.csv', bytes, corrections: { meanings } }]).keywords;
    expect(corrected.trend!.values[0]!.split(',').filter((value) => value !== '')).toHaveLength(3);
  });
  test.each(['Jan,Mar,Dec', 'Jan,Jan (2),Feb', 'May,Peak,Jun'])(
    'of months without years that do not follow one another are kept, which is said: %s',
    (months) => {
      const { reading, notes } = read(`Keyword,Volume,${months}\noak desk,250,100,200,300\n`);
      expect(reading.columns.slice(2).map(({ meaning }) => meaning)).toEqual(['keep', 'keep', 'keep']);
      expect(notes).toEqual(['unread-figures']);
    },
  );
  test.each([
    ['Position (yesterday),Position (today)', ['unread-figures', 'no-volume']],
    ['KD (Ahrefs),KD (Semrush)', ['unread-figures', 'no-volume']],
    // The names or the periods say which counts.
    ['Current position,Rank', ['no-volume']],
    ['Position (2025),Position (2026)', ['no-volume']],
  ])('of which one is taken only because it comes first are named: %s', (header, codes) => {
    expect(read(`Keyword,${header}\noak desk,5,6\npine desk,7,8\n`).notes).toEqual(codes);
  });
  test('that do not add up are not read from a sum', () => {
    expect(
      meanings(read('Keyword,Sum of Position,Volume\noak desk,3,100\npine desk,4,200\n').reading)['Sum of Position'],
    ).toBe('keep');
  });
  test('of plans and reports by the interface of Google Ads are in millionths, where they are costs', () => {
    const plan = 'text,keyword_idea_metrics.avg_monthly_searches,keyword_idea_metrics.high_top_of_page_bid_micros\n';
    expect(read(`${plan}oak desk,1000,1110000\npine desk,90,500000\n`)).toMatchObject({
      texts: ['oak desk', 'pine desk'],
      figures: { volume: [1000, 90], cpc: [1.11, 0.5] },
      notes: [],
    });
    const report = 'searchTermView.searchTerm,metrics.clicks,metrics.impressions,metrics.averageCpc\n';
    expect(read(`${report}oak desk,10,100,1110000\n`).figures).toEqual({
      clicks: [10],
      impressions: [100],
      cpc: [1.11],
    });
  });
  test.each([
    ['cents', 'Keyword,CPC\noak desk,45¢\npine desk,120 ct\n', { cpc: [0.45, 1.2] }],
    [
      'amounts of a currency without decimals',
      'Keyword,CPC\noak desk,5.000 ₫\npine desk,12.500 ₫\n',
      { cpc: [5000, 12_500] },
    ],
    ['the same, named in the header', 'Keyword,CPC (VND)\noak desk,5.000\npine desk,12.500\n', { cpc: [5000, 12_500] }],
    ['powers of ten', 'Keyword,Volume\noak desk,1.2E+06\npine desk,90\n', { volume: [1_200_000, 90] }],
    ['lakhs', 'Keyword,Avg. monthly searches\noak desk,1L – 10L\npine desk,10K – 1L\n', { volume: [550_000, 55_000] }],
    [
      'behind pictures',
      '🔑 Keyword,📈 Volume,⚔️ KD\noak desk,100,🟢 5\npine desk,200,🔴 60\n',
      { volume: [100, 200], difficulty: [5, 60] },
    ],
    [
      'of vidIQ',
      'keyword,search volume,estimated_monthly_search\noak desk,50.2,1200\npine desk,48.1,90\n',
      { volume: [1200, 90] },
    ],
    [
      'of Google Analytics',
      'Organic Google Search query,Organic Google Search clicks,Organic Google Search impressions,Organic Google Search click through rate,Organic Google Search average position\noak desk,3,90,0.033,4.5\n',
      { clicks: [3], impressions: [90], ctr: [0.033], position: [4.5] },
    ],
    [
      'of competition, as an index rather than in words',
      'Ключевое слово;Конкуренция;Конкуренция (индекс)\nстол;Высокая;41\nстул;Низкая;5\n',
      { competition: [0.41, 0.05] },
    ],
    [
      'of bids, whatever their bounds are called',
      'Palavra-chave;Lance da parte superior da página (baixo intervalo);Lance da parte superior da página (alto intervalo)\nmesa;0,40;1,60\n',
      { cpc: [1] },
    ],
  ])('are read: %s', (_what, text, figures) => {
    expect(read(text).figures).toEqual(figures);
  });
});

test('positions in blocks of images or answers are none: those of organic results count', () => {
  const { figures, reading, rows } = read(
    'Keyword,Position,Previous position,Volume,URL,Position Type\noak desk,1,1,90,https://a.test/1,Image pack\noak desk,24,20,90,https://a.test/2,Organic\npine desk,3,4,80,https://a.test/3,AI overview\nash desk,5,6,70,https://a.test/4,organic\n',
  );
  expect(figures).toEqual({
    volume: [90, 80, 70],
    position: [24, unknown, 5],
    previousPosition: [20, unknown, 6],
  });
  expect(reading.resultKind).toBe(5);
  expect(rows.known).toEqual([4, 2, 2, 4, 4, 4]);
  // Where nothing is organic, the column is about something else.
  expect(read('Keyword,Position,Position Type\noak desk,1,Left\n').figures).toEqual({ position: [1] });
});

describe('keywords', () => {
  test('in one cell each become keywords, without the figures of their row, and in their group', () => {
    const text =
      'Cluster name,Keywords,Total volume\nOak,"oak desk, oak shelf, oak bed",900\nPine,"pine desk, pine shelf, pine bed",700\nAsh,ash desk,30\n';
    const { texts, figures, notes, rows } = read(text);
    expect(texts).toEqual(['oak desk', 'oak shelf', 'oak bed', 'pine desk', 'pine shelf', 'pine bed', 'ash desk']);
    expect(figures).toEqual({ volume: [...Array.from({ length: 6 }, () => unknown), 30] });
    expect(notes).toContain('keywords-in-cells');
    expect(rows).toMatchObject({ rows: 7, unreadable: 0 });
  });
  test('on lines of their own within a cell are several', () => {
    const text = 'Topic,Keywords\nOak,"oak desk\noak shelf\noak bed"\nPine,"pine desk\npine shelf\npine bed"\n';
    expect(read(text).texts).toEqual(['oak desk', 'oak shelf', 'oak bed', 'pine desk', 'pine shelf', 'pine bed']);
  });
  test.each([
    ['commas in a few', 'Topic,Keyword\nOak,"oak, ash, pine"\nOak,oak desk\nOak,oak bed\n', 'oak, ash, pine'],
    ['no group beside them', 'Keyword,Volume\n"oak, ash, pine",3\n"red, green, blue",4\n', 'oak, ash, pine'],
  ])('with %s are one each', (_what, text, first) => {
    const { texts, reading } = read(text);
    expect(texts[0]).toBe(first);
    expect(reading.inCells).toBeUndefined();
  });
  test('written as in web pages have their signs', () => {
    const text = 'Keyword,Volume\nruskin&#39;s desk,5\ndesk &amp; chair,4\ng&uuml;nstig,3\n&quot;oak&#x201D;,2\n';
    expect(read(text).texts).toEqual(["ruskin's desk", 'desk & chair', 'günstig', '"oak”']);
  });
  test('about such signs stay, where others have a plain "&"', () => {
    expect(read('Keyword,Volume\nhtml &amp; entity,5\nq&a desk,4\n').texts).toEqual(['html &amp; entity', 'q&a desk']);
    expect(read('Keyword,Volume\nwhat is &zzz;,5\n').texts).toEqual(['what is &zzz;']);
  });
  test('of digits alone are no numbers of keywords', () => {
    const { texts, figures, notes } = read('Keyword,Google search volume US,Score\n4711,100,1\n501,20,2\n911,3,3\n');
    expect(texts).toEqual(['4711', '501', '911']);
    expect(figures.volume).toEqual([100, 20, 3]);
    expect(notes).toEqual(['unread-figures']);
  });
  test('of a table of this product are those that were written: rows of topics and apostrophes before formulas are none', () => {
    const { texts, figures, reading, rows, notes } = read(
      `Kind,Pillar topic,Cluster,Keyword,Name,Keywords,Volume
Root,,,,desks,5,150
Pillar topic,wood,,,wood,5,150
Cluster,wood,'@home,,'@home,3,60
Keyword,wood,'@home,'+oak desk,'+oak desk,1,10
Keyword,wood,'@home,'=cmd desk,'=cmd desk,1,20
Keyword,wood,'@home,desk,desk,1,30
Cluster,wood,solid,,solid,2,90
Keyword,wood,solid,'t hart desk,'t hart desk,1,40
Keyword,wood,solid,'oak' desk,'oak' desk,1,50
`,
    );
    expect(texts).toEqual(['+oak desk', '=cmd desk', 'desk', "'t hart desk", "'oak' desk"]);
    expect(figures.volume).toEqual([10, 20, 30, 40, 50]);
    expect(rows).toMatchObject({ rows: 5, unreadable: 4 });
    expect(notes).toEqual([]);
    const { keywords } = keywordsOf([
      { name: 'list.csv', bytes: utf8("Cluster,Keyword\n'@home,a\n'@home,b\nnew,c\n") },
    ]);
    expect(keywords.texts[0]!.values).toEqual(['@home', 'new']);
    expect(meanings(reading)).toMatchObject({ Keyword: 'keyword', Keywords: 'keep' });
  });
  test('of a summary of clusters are the main ones, or none, and never their numbers', () => {
    const summary = (columns: string, ...rows: string[]) => read(`${columns}\n${rows.join('\n')}\n`, 'summary.csv');
    const main = summary('Cluster,Main keyword,Keywords,Volume', 'wood,oak desk,12,900', 'glass,glass desk,7,80');
    expect(main.texts).toEqual(['oak desk', 'glass desk']);
    expect(main.notes).toEqual(['summary-of-clusters']);
    const bytes = utf8('Cluster,Keywords,Volume\nwood,12,900\nglass,7,80\n');
    expect(readingOf({ name: 'x.csv', bytes }).notes.map(({ code }) => code)).toEqual([
      'summary-of-clusters',
      'no-keyword-column',
    ]);
  });
  test('that analytics do not know are none', () => {
    const { texts, rows } = read(
      'Keyword,Clicks\n(not provided),900\noak desk,4\n(not set),3\n(other),2\npine desk,1\n',
    );
    expect(texts).toEqual(['oak desk', 'pine desk']);
    expect(rows.problems.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'no-keyword'],
      [4, 'no-keyword'],
      [5, 'no-keyword'],
    ]);
  });
  test.each([
    '["oak desk", "pine desk", "ash desk"]',
    "['oak desk', 'pine desk', 'ash desk',]",
    '("oak desk","pine desk","ash desk")',
  ])('of a list in a program are without its brackets and quotes: %s', (line) => {
    expect(read(line, 'list.txt').texts).toEqual(['oak desk', 'pine desk', 'ash desk']);
  });
  test('below headings and comments are read without them', () => {
    const { texts, rows } = read(
      '# from May\n\n## Shoes\ntrail shoe\nred shoe\nSOCKS:\nwool sock\nc# sock\n',
      'list.txt',
      { fillsDown: false },
    );
    expect(texts).toEqual(['trail shoe', 'red shoe', 'wool sock', 'c# sock']);
    expect(rows.problems.map(({ line, reason }) => [line, reason])).toEqual([
      [1, 'heading'],
      [3, 'heading'],
      [6, 'heading'],
    ]);
    // Beside figures, anything is a keyword.
    expect(read('Keyword,Volume\n# one,3\nsock:,4\n').texts).toEqual(['# one', 'sock:']);
  });
  test.each([
    ['oak desk,\npine desk,\nash desk\n', 'oak desk', 'ash desk'],
    ['oak desk;\r\npine desk;\r\nash desk;\r\n', 'oak desk', 'ash desk'],
    ['Keywords:\noak desk,\npine desk,\nash desk,\n', 'oak desk', 'ash desk'],
    ['"oak desk",\n"pine desk",\n"ash desk"\n', 'oak desk', 'ash desk'],
    ["'oak desk',\n'pine desk',\n'ash, solid'\n", 'oak desk', 'ash, solid'],
    ['[\n  "oak desk",\n  "pine desk",\n  "ash desk"\n]\n', 'oak desk', 'ash desk'],
    ['橡木桌、\n松木桌、\n白蜡桌\n', '橡木桌', '白蜡桌'],
  ])('on lines that end with the sign between them are read without it: %j', (text, first, last) => {
    const { texts } = read(text, 'list.txt');
    expect(texts).toHaveLength(3);
    expect([texts[0], texts[2]]).toEqual([first, last]);
  });
  test('that end with a comma on some lines only are read as they are', () => {
    expect(read('oak desk,\npine desk\nash desk\n', 'list.txt').texts).toEqual(['oak desk,', 'pine desk', 'ash desk']);
  });
  test('between Arabic commas are several', () => {
    expect(read('مكتب خشب، مكتب صغير، مكتب أبيض', 'list.txt').texts).toEqual(['مكتب خشب', 'مكتب صغير', 'مكتب أبيض']);
  });
  test('that end in a number are a guess', () => {
    const lines = 'oak desk 1200\npine desk 90\nash desk 80\nbirch desk 340\n';
    expect(read(lines, 'list.txt').reading.notes).toEqual([{ code: 'unsplit', sign: ' ' }]);
    expect(read(lines.replace(' 90', ''), 'list.txt').notes).toEqual([]);
  });
});

describe('UTF-8 that was read as Windows-1252 and saved again', () => {
  const twice = (text: string) => utf8(new TextDecoder('windows-1252').decode(utf8(text)));
  const list = 'Suchbegriff;Suchvolumen\nschreibtisch;10\nbüro für zwei;9\ngroßer tisch – weiß;8\nбюро;7\n';

  test.each([
    ['', 'list.csv'],
    ['\ufeff', 'list.csv'],
  ])('is what it was, and a guess', (mark) => {
    const { texts, reading } = read(new Uint8Array([...utf8(mark), ...twice(list)]));
    expect(texts).toEqual(['schreibtisch', 'büro für zwei', 'großer tisch – weiß', 'бюро']);
    expect(reading.encoding).toBe('utf-8-twice');
    expect(reading.notes).toEqual([
      {
        code: 'encoding-guess',
        encoding: 'utf-8-twice',
        samples: [
          { encoding: 'utf-8-twice', text: 'büro für zwei;9' },
          { encoding: 'utf-8', text: 'bÃ¼ro fÃ¼r zwei;9' },
        ],
      },
    ]);
  });
  test('is read the same in pieces of any size', () => {
    for (const piece of [1, 2, 3, 7]) {
      const { keywords } = keywordsOf([{ name: 'list.csv', bytes: twice(list) }], piece);
      expect(keywords.text).toEqual(['schreibtisch', 'büro für zwei', 'großer tisch – weiß', 'бюро']);
    }
  });
  test('leaves what is right as it is: plain UTF-8, also beside a keyword about such signs', () => {
    expect(read(list).reading).toMatchObject({ encoding: 'utf-8', notes: [] });
    const about = 'Keyword,Volume\nwhat is Ã¼,5\nbüro,4\n';
    expect(read(about).texts).toEqual(['what is Ã¼', 'büro']);
  });
});

describe('corrections', () => {
  const head = utf8('Export of May\n\nKeyword,"Notes\nof mine",Volume\noak desk,,3\npine desk,,4\n');
  const readAs = (corrections: Corrections) => recogniseText({ name: 'list.csv', head, isWhole: true }, corrections);

  test('that name what the file does not have are refused', () => {
    expect(readAs({ header: 9 })).toEqual({ code: 'no-such-line', line: 9 });
    expect(readAs({ meanings: { 0: 'keyword', 3: 'volume' } })).toEqual({
      code: 'no-such-number',
      column: 4,
      columns: 3,
    });
  });
  test('name the header by any of its lines, or say that there is none', () => {
    for (const header of [3, 4]) expect(readAs({ header })).toMatchObject({ header: { line: 3 } });
    expect(readAs({ header: 0 })).toMatchObject({ header: undefined });
  });
});

test('a line of two settings above a wider table is its title', () => {
  const text =
    '"Range=[""Weekly""]","Week=[""48 | 2025-11-23 - 2025-11-29""]"\nRank,Search Term,Brand\n10,oak desk,Acme\n11,pine desk,Acme\n12,ash desk,Zenith\n';
  const { texts, reading } = read(text);
  expect(texts).toEqual(['oak desk', 'pine desk', 'ash desk']);
  expect(reading).toMatchObject({ exported: '2025-11-29', header: { line: 2 } });
});

test.each([
  ['May 1, 2025 - April 30, 2026', '2026-04-30'],
  ['1. Dezember 2024 – 30. November 2025', '2025-11-30'],
  ['1 декабря 2024 г. – 30 ноября 2025 г.', '2025-11-30'],
  ['1 de mayo de 2025 al 30 de abril de 2026', '2026-04-30'],
  ['Stand: 01.04.2026', '2026-04-01'],
  ['2025-04-01', '2025-04-01'],
  ['20250401-20250430', '2025-04-30'],
  ['2026年4月3日', '2026-04-03'],
  ['03/04/2026', undefined],
  ['Report 12345678', undefined],
])('the day of an export is in the line above the header: %s', (title, exported) => {
  expect(read(`"${title}"\n\nKeyword,Volume\noak desk,3\n`).reading.exported).toBe(exported);
});

test.each(['<table><tr><td>Keyword</td></tr></table>', '<html><body>', '<!DOCTYPE html>'])(
  'a web page is refused as one: %s',
  (text) => {
    const reading: Reading | object = recogniseText({ name: 'export.xls', head: utf8(text), isWhole: true });
    expect(reading).toEqual({ code: 'web-page' });
  },
);
