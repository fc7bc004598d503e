import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';

let server: PlannedServer;
let shop: string;
const now = Date.UTC(2026, 10, 26, 9);

const keyword = (name: string, volume?: number, difficulty?: number, intent?: string) => ({
  name,
  type: 'keyword',
  ...(volume !== undefined && { volume }),
  ...(difficulty !== undefined && { difficulty }),
  ...(intent !== undefined && { intent }),
});
const file = {
  keywords: [],
  hierarchy: {
    name: 'shoes',
    type: 'root',
    children: [
      {
        name: 'outdoor *best*',
        type: 'pillar',
        children: [
          {
            name: 'trail',
            type: 'cluster',
            children: [
              keyword('boots', 30, 40, 'commercial'),
              keyword('=cmd|x', 30, 20, 'informational'),
              keyword('spikes', 5),
              keyword('# 1', undefined, 10),
            ],
          },
          { name: 'road', type: 'cluster', children: [keyword('flats', 2), keyword('boots', 30, 40, 'commercial')] },
        ],
      },
      { name: 'unknown', type: 'pillar', children: [{ name: 'u', type: 'cluster', children: [keyword('odd')] }] },
    ],
  },
};
const trail = nodeAt('shoes', 'outdoor *best* > trail');
const outdoor = nodeAt('shoes', 'outdoor *best*');
const flats = nodeAt('shoes', 'outdoor *best* > road > flats');
const odd = nodeAt('shoes', 'unknown > u');

beforeAll(async () => {
  server = await startPlanned(() => now);
});
beforeEach(async () => {
  await server.people();
  shop = await server.upload(file);
});
afterAll(() => server.stop());

const ask = async (path: string, who = 'ann'): Promise<Response> =>
  fetch(`${server.app.url}/api/visualizations/${path}`, { headers: { cookie: await server.cookie(who) } });
const table = async (answer: Response): Promise<Record<string, string>[]> =>
  parse(Buffer.from(await answer.arrayBuffer()), { bom: true, columns: true });
const add = (nodes: string[], set: object = {}) =>
  server.change('ann', shop, { targets: nodes.map((node) => ({ node })), set });

test('the plan as CSV has a line per entry in the order of the hierarchy, and unknown cells are empty', async () => {
  await add([odd, flats, outdoor]);
  await add([trail], {
    status: 'written',
    assignee: '@lena',
    url: '/trail',
    contentType: 'Guide',
    due: '2027-02',
    note: 'first\n=1+1',
  });
  const answer = await ask(`${shop}/plan.csv`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toContain(`filename="shoes-plan-2026-11-26.csv"`);
  const nothing = { 'Content type': '', URL: '', Owner: '', Note: '', Due: '', Tags: '' };
  expect(await table(answer)).toEqual([
    {
      Cluster: 'outdoor *best*',
      'Primary keyword': "'=cmd|x",
      // Each keyword is listed once, under its nearest entry.
      'Supporting keywords': '',
      Volume: '67',
      Difficulty: '23.3333',
      Intent: 'Informational 50 %, Commercial 50 %',
      ...nothing,
      Status: 'Idea',
      Path: 'outdoor *best*',
    },
    {
      Cluster: 'trail',
      'Primary keyword': "'=cmd|x",
      'Supporting keywords': 'boots | spikes | # 1',
      Volume: '65',
      Difficulty: '23.3333',
      Intent: 'Informational 50 %, Commercial 50 %',
      'Content type': 'Guide',
      URL: '/trail',
      Status: 'Written',
      Owner: "'@lena",
      Note: "first\n'=1+1",
      Due: '2027-02',
      Tags: '',
      Path: 'outdoor *best* › trail',
    },
    {
      Cluster: 'road',
      'Primary keyword': 'flats',
      'Supporting keywords': '',
      Volume: '2',
      Difficulty: '',
      Intent: '',
      ...nothing,
      Status: 'Idea',
      Path: 'outdoor *best* › road › flats',
    },
    {
      Cluster: 'u',
      'Primary keyword': 'odd',
      'Supporting keywords': '',
      Volume: '',
      Difficulty: '',
      Intent: '',
      ...nothing,
      Status: 'Idea',
      Path: 'unknown › u',
    },
  ]);
});

// Shows P24.9.
test('the outline escapes what Markdown would read, and has no line for what is unknown', async () => {
  await add([odd]);
  await add([trail], { status: 'planned', assignee: 'Lena [x]', url: 'https://shop.example/a_b', due: '2027-02' });
  const answer = await ask(`${shop}/outline.md`);
  expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toContain('shoes-plan-2026-11-26.md');
  expect(await answer.text()).toBe(`# shoes

## outdoor \\*best\\* (2 clusters, 67)

### trail

Status: Planned${'  '}
Primary keyword: \\=cmd\\|x${'  '}
URL: https://shop.example/a\\_b${'  '}
Owner: Lena \\[x\\]${'  '}
Due: February 2027

- boots (30, KD 40)
- \\=cmd\\|x (30, KD 20)
- spikes (5)
- \\# 1 (KD 10)

## unknown (1 cluster)

### u

Status: Idea${'  '}
Primary keyword: odd

- odd
`);
});

// Shows P24.8.
test('a filter changes figures and leaves entries out; a branch, rows and clusters limit the file', async () => {
  await add([odd, trail, flats]);
  const lines = async (query: string) =>
    (await table(await ask(`${shop}/plan.csv?${query}`))).map(({ Path, Volume, Status }) => [Path, Volume, Status]);
  expect(await lines('filter=volume-30_')).toEqual([['outdoor *best* › trail', '60', 'Idea']]);
  const { body } = await server.call<{ path: number[] }>('ann', 'GET', `/visualizations/${shop}/locate?address=${odd}`);
  expect(await lines(`node=${body.path[1]}`)).toEqual([['unknown › u', '', 'Idea']]);
  expect(await lines(`rows=${body.path.at(-1)}`)).toEqual([['unknown › u', '', 'Idea']]);
  expect(await lines('of=clusters')).toEqual([
    ['outdoor *best* › trail', '65', 'Idea'],
    ['outdoor *best* › road', '32', ''],
    ['unknown › u', '', 'Idea'],
  ]);
  const named = await ask(`${shop}/plan.csv?of=clusters&node=${body.path[1]}`);
  expect(named.headers.get('content-disposition')).toContain('shoes-unknown-clusters-2026-11-26.csv');
});

test('the pages of a map with subtopics are these, and strays are none', async () => {
  const group = (type: string, name: string, ...children: unknown[]) => ({ name, type, children });
  const shoes = group('cluster', 'shoes', group('subtopic', 'trail', 'fells', 'mud'), group('subtopic', 'town', 'tar'));
  const map = await server.upload({
    keywords: [],
    hierarchy: group('root', 'r', group('pillar_topic', 'running', shoes), group('stray', 'Strays', 'rain')),
  });
  const lines = await table(await ask(`${map}/plan.csv?of=clusters`));
  expect(lines.map(({ Cluster, Path }) => [Cluster, Path])).toEqual([
    ['shoes', 'running › shoes › trail'],
    ['shoes', 'running › shoes › town'],
  ]);
  const outline = await (await ask(`${map}/outline.md?of=clusters`)).text();
  expect(outline).toContain('## running (2 subtopics)');
  expect(outline).not.toContain('Strays');
});

test('an entry that the upload does not have is at the end, without figures', async () => {
  await add([trail], { assignee: 'Lena', primaryKeyword: 'boots' });
  const after = { ...file, hierarchy: { ...file.hierarchy, children: [file.hierarchy.children[1]!] } };
  const next = await server.upload(after);
  expect(await table(await ask(`${next}/plan.csv`))).toMatchObject([
    { Cluster: 'trail', 'Primary keyword': 'boots', Volume: '', Owner: 'Lena', Path: 'outdoor *best* › trail' },
  ]);
  expect(await (await ask(`${next}/outline.md`)).text()).toContain('## Not in this upload\n\n### outdoor');
  expect(await table(await ask(`${next}/plan.csv?of=clusters`))).toHaveLength(1);
});

test('other people find nothing to hand over, and wrong questions are refused', async () => {
  const codeOf = async (path: string, who?: string) =>
    ((await (await ask(path, who)).json()) as { data: { code: string } }).data.code;
  for (const form of ['plan.csv', 'outline.md']) {
    expect(await codeOf(`${shop}/${form}`, 'bob')).toBe('visualization/not-found');
    expect((await ask(`${shop}/${form}`, 'admin')).status).toBe(200);
    for (const query of [
      'of=x',
      'node=-1',
      'rows=',
      'rows=1.x',
      'score=branch.nothing(',
      `rows=${'1.'.repeat(600)}1`,
    ]) {
      expect(await codeOf(`${shop}/${form}?${query}`)).toBe('visualization/query-invalid');
    }
    expect(await codeOf(`${shop}/${form}?node=9999`)).toBe('visualization/node-not-found');
    expect(await codeOf(`${shop}/${form}?filter=*`)).toBe('visualization/filter-invalid');
  }
  expect(await server.app.faults).toEqual([]);
});
