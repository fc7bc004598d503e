import { expect, test } from 'vitest';
import { groupingChoices, previewGroups } from '../src/lists/grouping-choice.ts';
import { type PreviewNews, previewLists } from '../src/lists/preview-lists.ts';
import { type ListFile, readLists } from '../src/lists/read-lists.ts';
import { headBytes } from '../src/read/recognise.ts';
import { utf8 } from './support/lists.ts';
import { sourceOf } from './support/workbooks.ts';

const file = (name: string, text: string, corrections: ListFile['corrections'] = {}): ListFile => ({
  name,
  source: sourceOf(utf8(text)),
  corrections,
});

async function preview(files: readonly ListFile[], most?: number) {
  const news: PreviewNews[] = [];
  const lists = await previewLists(files, (one) => news.push(one), most === undefined ? {} : { maxKeywords: most });
  const lastCounts = news.findLast((one) => one.kind === 'counts')!.counts;
  return { news, lists, lastCounts };
}

const grouped =
  'Keyword,Group,Cluster\nred hose,Garden,Hoses\nblue hose,Garden,Hoses\nspade,Garden,Tools\ncat food,Pets,Food\n';

// Shows P21.3.
test('a preview merges what reading merges', async () => {
  const files = [file('a.csv', 'Keyword,Volume\nhose,1\nspade,2\n'), file('b.csv', 'Keyword,Volume\nHose,3\n')];
  const { lists, lastCounts } = await preview(files);
  const read = await readLists(files);
  if ('refusal' in read) expect.fail(JSON.stringify(read));
  expect(lists).toEqual(read);
  expect(lastCounts).toEqual({ rows: 3, keywords: 2, isOver: false });
});

// Shows P21.10.
test('of several markets one alone can be read, and the others are still named', async () => {
  const files = [
    file('x_us_2026-03-01.csv', 'Keyword,Volume\nhose,100\nspade,5\n'),
    file('x_de_2026-03-01.csv', 'Keyword,Volume\nhose,7\nrake,1\n'),
    file('x.csv', 'Keyword,Volume\nno market,3\n'),
  ];
  const all = await previewLists(files, () => undefined);
  expect(all?.keywords.text).toEqual(['hose', 'spade', 'rake', 'no market']);
  expect([...all!.keywords.figures.volume!]).toEqual([107, 5, 1, 3]);
  expect(all?.report.markets).toEqual(['us', 'de']);
  const de = await previewLists(files, () => undefined, { market: 'de' });
  const read = await readLists(files, { market: 'de' });
  if ('refusal' in read) expect.fail(JSON.stringify(read));
  for (const { keywords, report } of [de!, read]) {
    expect(keywords.text).toEqual(['hose', 'rake']);
    expect([...keywords.figures.volume!]).toEqual([7, 1]);
    expect(report).toMatchObject({ rows: 2, keywords: 2, markets: ['us', 'de'] });
  }
  expect(await readLists(files, { market: 'fr' })).toMatchObject({ refusal: { code: 'no-rows' } });
});

test('a large text is shown by its beginning before any row is read', async () => {
  const long = `Keyword,Volume\n${'water hose,100\n'.repeat(headBytes / 10)}`;
  const { news } = await preview([file('long.csv', long)]);
  expect(news.slice(0, 2).map(({ kind }) => kind)).toEqual(['reading', 'reading']);
  expect(news[2]).toMatchObject({ kind: 'counts' });
});

test('how often a column is known is that of the whole file once it is read, also of one that was added twice', async () => {
  const rows = Array.from({ length: headBytes / 8 }, (_, row) => `word ${row},${row < 100 ? row : ''}`);
  const text = `Keyword,KD\n${rows.join('\n')}\n`;
  const { news, lastCounts } = await preview([file('a.csv', text), file('b.csv', text)]);
  const first = news.find((one) => one.kind === 'reading')!;
  const known = first.reading.columns[1]!.known * rows.length;
  expect(known).toBeGreaterThan(101);
  const reports = news.flatMap((one) => (one.kind === 'rows' ? [[one.file, one.report.known]] : []));
  const whole = [rows.length, 100];
  expect(reports).toEqual([
    [0, whole],
    [1, whole],
  ]);
  expect(lastCounts.rows).toBe(rows.length);
});

test('a file that cannot be read is named, and the others are read', async () => {
  const { news, lists } = await preview([file('page.csv', '<html></html>'), file('b.csv', 'Keyword\nhose\nspade\n')]);
  expect(news.find(({ kind }) => kind === 'refused')).toEqual({
    kind: 'refused',
    file: 0,
    refusal: { code: 'web-page' },
  });
  expect(lists?.keywords.text).toEqual(['hose', 'spade']);
});

test('a file without keywords shows its columns and has no rows', async () => {
  const { news, lists } = await preview([file('counts.csv', '1,2\n3,4\n')]);
  expect(news[0]).toMatchObject({ kind: 'reading', reading: { notes: [{ code: 'no-keyword-column' }] } });
  expect(news.some(({ kind }) => kind === 'rows')).toBe(false);
  expect(lists).toBeUndefined();
});

test('beyond the most keywords, only rows are counted', async () => {
  const text = `Keyword\n${Array.from({ length: 20_000 }, (_, row) => `hose ${row}`).join('\n')}\n`;
  const { lists, lastCounts } = await preview([file('many.csv', text)], 5_000);
  expect(lastCounts).toMatchObject({ rows: 20_000, isOver: true });
  expect(lists).toBeUndefined();
});

test('a source that fails ends the preview', async () => {
  const source = { size: 10, read: () => Promise.reject(new Error('aborted')) };
  await expect(preview([{ name: 'a.csv', source }])).rejects.toThrow('aborted');
});

test('the grouping of a list is counted, with its first branches', async () => {
  const { lists } = await preview([file('grouped.csv', grouped)]);
  expect(previewGroups(lists!, 'columns')).toEqual({
    levels: [
      { name: 'Group', values: 2 },
      { name: 'Cluster', values: 3 },
    ],
    are: 'tree',
    hasPillarsAbove: false,
    without: [],
    groups: 3,
    branches: [
      { name: 'Garden', keywords: 3, children: ['Hoses', 'Tools'], more: 0 },
      { name: 'Pets', keywords: 1, children: ['Food'], more: 0 },
    ],
  });
  expect(groupingChoices(lists!.keywords)).toEqual({
    columns: [
      { name: 'Group', values: 2 },
      { name: 'Cluster', values: 3 },
    ],
    hasUrls: false,
    hasResults: false,
  });
  expect(previewGroups(lists!, ['Cluster'])).toMatchObject({ are: 'pillar-topics', groups: 3 });
});
