import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let cookie: string;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-columns-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  app = await startTestApp(database, directory);
  cookie = await cookieOf(database, 'admin');
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

async function upload(file: unknown): Promise<string> {
  const client = tusClient(app.url, cookie);
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  return (await client.settled(await client.send(bytes, { filename: 'shop.json', userId: 'admin' }))).visualizationId!;
}

type Line = Readonly<Record<string, string>>;
async function tableOf(path: string): Promise<Line[]> {
  const answer = await fetch(`${app.url}/api/visualizations/${path}`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  return parse(Buffer.from(await answer.arrayBuffer()), { bom: true, columns: true }) as Line[];
}

const levelsOf = (line: Line): [title: string, name: string][] => {
  const titles = Object.keys(line);
  return titles.slice(titles.indexOf('Kind') + 1, titles.indexOf('Name')).map((title) => [title, line[title]!]);
};
const pathOf = (line: Line): string =>
  levelsOf(line)
    .map(([, name]) => name)
    .filter((name) => name !== '')
    .join('/');

// Shows P16.12.
test('names its levels after their types, otherwise generically, and keeps keywords in a column', async () => {
  const lists = (type?: string) => [
    { name: 'running', ...(type && { type }), children: [{ name: 'trail', children: ['fells', 'mud'] }, 'socks'] },
    { name: 'walking', ...(type && { type: 'hub' }), children: [{ name: 'town', children: ['fells'] }] },
  ];
  const untyped = await upload({ keywords: [], hierarchy: { name: 'r', children: lists() } });
  expect((await tableOf(`${untyped}/export.csv`)).map((line) => Object.values(line).slice(0, 4))).toEqual([
    ['Root', '', '', ''],
    ['Pillar topic', 'running', '', ''],
    ['Cluster', 'running', 'trail', ''],
    ['Keyword', 'running', 'trail', 'fells'],
    ['Keyword', 'running', 'trail', 'mud'],
    ['Keyword', 'running', '', 'socks'],
    ['Pillar topic', 'walking', '', ''],
    ['Cluster', 'walking', 'town', ''],
    ['Keyword', 'walking', 'town', 'fells'],
  ]);
  const typed = await upload({ keywords: [], hierarchy: { name: 'r', children: lists('hub') } });
  const [first] = await tableOf(`${typed}/export.csv?kind=keywords`);
  expect(levelsOf(first!)).toEqual([
    ['Hub', 'running'],
    ['Cluster', 'trail'],
    ['Keyword', 'fells'],
  ]);
  const mixed = await upload({ keywords: [], hierarchy: { name: 'r', children: [...lists('hub'), ...lists()] } });
  expect(Object.keys((await tableOf(`${mixed}/export.csv`))[0]!)).toContain('Pillar topic');
});

// Shows P16.12.
test('a subtopic and what holds strays are no clusters, so that the clusters add up to the pillars', async () => {
  const group = (type: string, name: string, ...children: unknown[]) => ({ name, type, children });
  const shoes = group(
    'cluster',
    'shoes',
    group('subtopic', 'trail', 'fells', 'mud'),
    group('subtopic', 'town', 'sandals'),
  );
  const id = await upload({
    keywords: [],
    hierarchy: group('root', 'r', group('pillar_topic', 'running', shoes), group('stray', 'Strays', 'rain')),
  });
  const kindsOf = async (path: string) => (await tableOf(path)).map((line) => `${line.Kind}: ${line.Name}`);
  expect((await kindsOf(`${id}/export.csv`)).filter((kind) => !kind.startsWith('Keyword'))).toEqual([
    'Root: r',
    'Pillar topic: running',
    'Cluster: shoes',
    'Subtopic: trail',
    'Subtopic: town',
    'Strays: Strays',
  ]);
  expect(await kindsOf(`${id}/export.csv?kind=clusters`)).not.toContain('Strays: Strays');
  expect(await kindsOf(`${id}/export.csv?level=subtopics`)).toEqual(['Subtopic: trail', 'Subtopic: town']);
});

// Shows P16.12.
test('has a column for each month, of keywords and of branches', async () => {
  const year = (from: number) => Array.from({ length: 12 }, (_, month) => from + month);
  const file = {
    keywords: [
      { keyword: 'a', volume: 1, trend: year(200) },
      { keyword: 'b', volume: 2, trend: year(300) },
      { keyword: 'c', volume: 3 },
    ],
    hierarchy: {
      name: 'r',
      children: [
        { name: 'one', children: ['a', 'b'] },
        { name: 'two', children: ['b', 'c'] },
      ],
    },
  };
  const id = await upload(file);
  const monthsOf = (line: Line) =>
    Object.entries(line).flatMap(([title, cell]) => (title.startsWith('Searches') ? [cell] : []));
  const sums = (...years: number[][]) =>
    Array.from({ length: 12 }, (_, month) => String(years.reduce((sum, one) => sum + one[month]!, 0)));
  const none = Array(12).fill('');
  const lines = await tableOf(`${id}/export.csv`);
  expect(Object.keys(lines[0]!).slice(-12)).toEqual(
    Array.from({ length: 12 }, (_, month) => `Searches month ${month + 1}`),
  );
  const monthsIn = (of: Line[]) => Object.fromEntries(of.map((line) => [pathOf(line), monthsOf(line)]));
  expect(monthsIn(lines)).toEqual({
    '': sums(year(200), year(300)),
    one: sums(year(200), year(300)),
    'one/a': sums(year(200)),
    'one/b': sums(year(300)),
    two: sums(year(300)),
    'two/b': sums(year(300)),
    'two/c': none,
  });
  expect(monthsIn(await tableOf(`${id}/export.csv?filter=volume-2_`))).toEqual({
    '': sums(year(300)),
    one: sums(year(300)),
    'one/b': sums(year(300)),
    two: sums(year(300)),
    'two/b': sums(year(300)),
    'two/c': none,
  });
});

test('names the months that the file names', async () => {
  const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2025, 4 + month)));
  const monthly = months.map((date, at) => ({
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    search_volume: at,
  }));
  const file = {
    keywords: [{ keyword: 'a', keyword_info: { search_volume: 5, monthly_searches: monthly } }],
    hierarchy: { name: 'r', children: ['a'] },
  };
  const [root] = await tableOf(`${await upload(file)}/export.csv`);
  expect(root).toMatchObject({ 'Searches 2025-05': '0', 'Searches 2026-04': '11' });
});

// Shows P16.15.
test('has the URLs of keywords, however many there are', async () => {
  const many = Array.from({ length: 300 }, (_, at) => ({
    keyword: `k${at}`,
    Page: `https://shop.example/s${at % 3}/page-${at}`,
  }));
  const file = {
    keywords: [
      ...many,
      { keyword: 'twice', Page: 'https://shop.example/s0/worse', position: 9 },
      { keyword: 'twice', Page: 'https://shop.example/s1/better', position: 2 },
      { keyword: 'none', Page: '' },
    ],
    hierarchy: {
      name: 'r',
      children: [
        { name: 'group', children: [...many.map(({ keyword }) => keyword), 'twice', 'none', 'no entry'] },
        { name: 'own', Page: 'https://shop.example/s2/own' },
      ],
    },
  };
  const id = await upload(file);
  const lines = await tableOf(`${id}/export.csv`);
  const byName = new Map(lines.map((line) => [line.Name, line]));
  for (const { keyword, Page } of many) {
    expect(byName.get(keyword)).toMatchObject({ Page, 'Page (directory)': `/s${Number(keyword.slice(1)) % 3}/` });
  }
  expect(byName.get('twice')).toMatchObject({ Page: 'https://shop.example/s1/better', 'Page (directory)': '/s1/' });
  expect(byName.get('own')).toMatchObject({ Page: 'https://shop.example/s2/own', 'Page (directory)': '/s2/' });
  for (const name of ['none', 'no entry', 'group', 'r']) expect(byName.get(name)!.Page).toBe('');
  expect(byName.get('group')).toMatchObject({ 'Page (directory)': '/s1/', 'Page (directory) known': '301' });

  const filter = encodeURIComponent('is-Page (directory)-/s1/');
  const kept = await tableOf(`${id}/export.csv?kind=keywords&filter=${filter}`);
  expect(kept).toHaveLength(101);
  expect(kept.every(({ Page }) => Page!.startsWith('https://shop.example/s1/'))).toBe(true);
});

// Shows P15.15.
test('has few URLs as an ordinary column, and can be filtered by them', async () => {
  const file = {
    keywords: [
      { keyword: 'a', URL: 'https://shop.example/trail/mud' },
      { keyword: 'b', URL: 'https://shop.example/trail/mud' },
      { keyword: 'c', URL: 'https://blog.example/' },
    ],
    hierarchy: { name: 'r', children: ['a', 'b', 'c'] },
  };
  const id = await upload(file);
  const addresses = (lines: Line[]) => lines.map((line) => [line.Name, line.URL, line['URL known']]);
  expect(addresses(await tableOf(`${id}/export.csv`))).toEqual([
    ['r', 'https://shop.example/trail/mud', '3'],
    ['a', 'https://shop.example/trail/mud', '1'],
    ['b', 'https://shop.example/trail/mud', '1'],
    ['c', 'https://blog.example/', '1'],
  ]);
  const filter = encodeURIComponent('is-URL-https://blog.example/');
  expect(addresses(await tableOf(`${id}/export.csv?kind=keywords&filter=${filter}`))).toEqual([
    ['c', 'https://blog.example/', '1'],
  ]);
});
