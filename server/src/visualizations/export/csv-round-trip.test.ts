import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeSlice } from '@kc/pack/slice/slice-wire';
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
let id: string;

type Entry = { keyword: string; volume?: number; kd?: number; cpc?: number; clicks?: number };
type Node = { name: string; children: (Node | string)[] };

const texts = ['a, "b"', 'từ khóa', '=sum(a)', 'two\nlines', 'x;y', 'plain'];
/** Figures with many digits, tiny figures and unknown ones. */
const keywords: Entry[] = Array.from({ length: 90 }, (_, at) => ({
  keyword: `${texts[at % texts.length]} ${at}`,
  ...(at % 4 > 0 && { volume: at * 12_345_678 }),
  ...(at % 3 > 0 && { kd: (at * 37) / 40 }),
  ...(at % 5 > 0 && { cpc: at === 1 ? 0.000_012 : (at * 107) / 100 }),
  ...(at % 2 > 0 && { clicks: at * 1.25 }),
}));
const names = (from: number, step: number) => keywords.filter((_, at) => at % step === from).map((one) => one.keyword);
const hierarchy: Node = {
  name: 'root',
  children: [
    { name: 'p, 1', children: [{ name: '@c 1', children: names(0, 3) }, ...names(1, 3)] },
    { name: 'p "2"', children: [{ name: 'c 2', children: names(2, 3) }] },
  ],
};

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-csv-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  app = await startTestApp(database, directory);
  cookie = await cookieOf(database, 'admin');
  const client = tusClient(app.url, cookie);
  const bytes = new TextEncoder().encode(JSON.stringify({ keywords, hierarchy }));
  id = (await client.settled(await client.send(bytes, { filename: 'shop.json', userId: 'admin' }))).visualizationId!;
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

const ask = async (path: string): Promise<Buffer> => {
  const answer = await fetch(`${app.url}/api/visualizations/${id}/${path}`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};

type Figures = Readonly<Record<string, number | undefined>>;

/** The figures of each line of the CSV export by path, with escapes removed. */
async function ofCsv(filter: string): Promise<Map<string, Figures>> {
  const lines = parse(await ask(`export.csv?filter=${filter}`), { bom: true, columns: true }) as Record<
    string,
    string
  >[];
  const titles = Object.keys(lines[0]!);
  const levels = titles.slice(titles.indexOf('Kind') + 1, titles.indexOf('Keyword') + 1);
  const plain = (cell: string) => cell.replace(/^'/, '');
  return new Map(
    lines.map((line) => {
      const path = levels.map((level) => plain(line[level]!)).filter((name) => name !== '');
      const number = (title: string) => (line[title] === '' ? undefined : Number(line[title]));
      return [
        path.join('/'),
        {
          keywords: number('Keywords'),
          volume: number('Volume'),
          volumeKnown: number('Volume known'),
          difficulty: number('Difficulty'),
          cpc: number('CPC'),
        },
      ];
    }),
  );
}

/** The figures of each row that the table shows, by path. */
async function ofTable(filter: string): Promise<Map<string, Figures>> {
  const slice = decodeSlice(new Uint8Array(await ask(`slice?node=0&budget=4000&filter=${filter}`)));
  const decoder = new TextDecoder();
  const paths: string[] = [];
  const figures = new Map<string, Figures>();
  for (let row = 0; row < slice.rows; row++) {
    const name = decoder.decode(slice.names.subarray(slice.nameStart[row], slice.nameStart[row + 1]));
    const above = row === 0 ? '' : paths[slice.parent[row]!]!;
    paths[row] = row === 0 ? '' : above === '' ? name : `${above}/${name}`;
    const isLeaf = slice.childCount[row] === 0;
    const rounded = (value: number) => {
      return Number.isNaN(value) ? undefined : Number(value.toPrecision(isLeaf ? 7 : 6));
    };
    figures.set(paths[row]!, {
      keywords: slice.keywords[row]!,
      volume: Number.isNaN(slice.volume[row]) ? undefined : slice.volume[row]!,
      volumeKnown: slice.volumeKnown[row]!,
      difficulty: rounded(slice.difficulty[row]!),
      cpc: rounded(slice.cpc[row]!),
    });
  }
  return figures;
}

/** The figures of the keywords in a JSON export, unrounded. */
async function ofJson(
  filter: string,
): Promise<{ byKeyword: Map<string, Figures>; volume: number; paths: Set<string> }> {
  const file = JSON.parse((await ask(`export.json?filter=${filter}`)).toString()) as {
    keywords: Entry[];
    hierarchy: Node;
  };
  const paths = new Set<string>();
  const walk = (node: Node | string, above: string): void => {
    const name = typeof node === 'string' ? node : node.name;
    const path = above === '' ? name : `${above}/${name}`;
    paths.add(path);
    if (typeof node !== 'string') for (const child of node.children) walk(child, path);
  };
  for (const child of file.hierarchy.children) walk(child, '');
  return {
    byKeyword: new Map(file.keywords.map(({ keyword, volume, kd, cpc }) => [keyword, { volume, difficulty: kd, cpc }])),
    volume: file.keywords.reduce((sum, { volume = 0 }) => sum + volume, 0),
    paths,
  };
}

// Shows P16.13.
test.each(['', 'volume-400000000_', 'has-khóa*known-difficulty'])(
  'a table that is parsed back has the figures of the screen and of the JSON export (filter: %s)',
  async (filter) => {
    const [csv, table, json] = [
      await ofCsv(encodeURIComponent(filter)),
      await ofTable(encodeURIComponent(filter)),
      await ofJson(encodeURIComponent(filter)),
    ];
    expect(csv.size).toBeGreaterThan(5);
    expect(csv).toEqual(table);
    expect(new Set(csv.keys())).toEqual(new Set(['', ...json.paths]));
    expect(csv.get('')!.volume ?? 0).toBe(json.volume);
    let compared = 0;
    for (const [path, { volume, difficulty, cpc }] of csv) {
      const said = json.byKeyword.get(path.split('/').at(-1)!);
      if (!said) continue;
      compared++;
      expect([path, volume, difficulty, cpc]).toEqual([path, said.volume, said.difficulty, said.cpc]);
    }
    expect(compared).toBeGreaterThanOrEqual(json.byKeyword.size);
  },
);
