import { decodeRows } from '@kc/pack/levels/rows-wire';
import type { SelectionTotals } from '@kc/rules/shapes';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ShownFile, showFile } from '../../../test/support/shown-file.ts';

// "trail" is in two clusters. The known difficulty of "Running" is that of a tenth of its volume.
const keywords = [
  { keyword: 'trail', volume: 300, difficulty: 10, Stage: 'Buy' },
  { keyword: 'road', volume: 200, Stage: 'Learn' },
  { keyword: 'spikes', volume: 100, difficulty: 40, Tags: ['a', 'b'] },
  { keyword: 'sandals', difficulty: 20, Stage: 'Ask', Tags: ['a'] },
];
const cluster = (name: string, ...names: string[]) => ({
  name,
  type: 'cluster',
  children: names.map((one) => ({ name: one, type: 'keyword' })),
});
const hierarchy = {
  name: 'shop',
  children: [
    { name: 'Shoes', type: 'pillar', children: [cluster('Running', 'road', 'spikes'), cluster('Hiking', 'trail')] },
    { name: 'Summer', type: 'pillar', children: [cluster('Beach', 'sandals', 'trail')] },
  ],
};
let shown: ShownFile;

beforeAll(async () => {
  shown = await showFile({ keywords, hierarchy });
});
afterAll(() => shown.stop());

async function page(asked: string) {
  const answer = await shown.get(`rows?${asked}`);
  expect(answer.status, asked).toBe(200);
  const rows = decodeRows(new Uint8Array(await answer.arrayBuffer()));
  const { names, nameStart } = rows.slice;
  const name = (row: number) => new TextDecoder().decode(names.subarray(nameStart[row], nameStart[row + 1]));
  return { ...rows, named: Array.from({ length: rows.slice.rows }, (_, row) => name(row)) };
}

test('a page has the rows of its level in the order of its sort, and says how many there are', async () => {
  const clusters = await page('level=clusters&sort=-volume');
  expect([clusters.named, clusters.total, clusters.keywords]).toEqual([['Running', 'Hiking', 'Beach'], 3, 4]);
  expect(Array.from(clusters.slice.volume)).toEqual([300, 300, 300]);
  expect((await page('level=clusters&sort=-volume*name')).named).toEqual(['Beach', 'Hiking', 'Running']);
  expect((await page('level=pillars&sort=name')).named).toEqual(['Shoes', 'Summer']);
  const list = await page('level=keywords&sort=-volume&from=2&count=2');
  expect([list.named, list.from, list.total, list.keywords]).toEqual([['road', 'spikes'], 2, 5, 4]);
});

test('a row names its cluster and pillar, whether it is repeated, and how much of a figure is known', async () => {
  const list = await page('level=keywords&sort=name*cluster');
  expect(list.named).toEqual(['road', 'sandals', 'spikes', 'trail', 'trail']);
  expect(Array.from(list.cluster, (row) => list.names.get(row))).toEqual([
    'Running',
    'Beach',
    'Running',
    'Beach',
    'Hiking',
  ]);
  expect(Array.from(list.pillar, (row) => list.names.get(row)).at(-1)).toBe('Shoes');
  expect(Array.from(list.isRepeated)).toEqual([0, 0, 0, 1, 1]);
  const clusters = await page('level=clusters&sort=name');
  expect(Array.from(clusters.knownVolume.difficulty)).toEqual([300, 300, 100]);
});

test('a list lies within its focus, and under a filter holds what that keeps', async () => {
  const [shoes] = (await page('level=pillars&sort=name')).slice.node;
  expect((await page(`level=clusters&within=${shoes}&sort=name`)).named).toEqual(['Hiking', 'Running']);
  expect((await page(`level=pillars&within=${shoes}`)).total).toBe(0);
  const kept = await page('level=clusters&sort=name&filter=volume-200_');
  expect([kept.named, kept.keywords]).toEqual([['Beach', 'Hiking', 'Running'], 2]);
  const gone = await shown.get(`rows?level=clusters&within=${shoes}&filter=has-sandals`);
  expect(gone.status).toBe(404);
});

test('unknown values come last in both directions, also those of a field', async () => {
  expect((await page('level=keywords&sort=difficulty*name')).named.at(-1)).toBe('road');
  expect((await page('level=keywords&sort=-difficulty*name')).named.at(-1)).toBe('road');
  expect((await page('level=keywords&sort=field:Stage*cluster&field=Stage')).named).toEqual([
    'sandals',
    'trail',
    'trail',
    'road',
    'spikes',
  ]);
});

async function totals(query: string, rows: readonly number[]): Promise<SelectionTotals> {
  const body = new Uint8Array(Uint32Array.from(rows).buffer);
  const answer = await shown.post(`selection-totals?${query}`, body);
  expect(answer.status).toBe(200);
  return (await answer.json()) as SelectionTotals;
}

test('totals of a selection count nested rows and repeated keywords once', async () => {
  const [shoes, summer] = (await page('level=pillars&sort=name')).slice.node as unknown as [number, number];
  const [beach, hiking] = (await page('level=clusters&sort=name')).slice.node as unknown as [number, number];
  expect(await totals('', [shoes, hiking])).toMatchObject({ rows: 2, keywords: 3, volume: 600, difficulty: 25 });
  expect(await totals('', [beach, hiking])).toMatchObject({ rows: 2, keywords: 2, volume: 300, volumeKnown: 1 });
  expect(await totals('level=pillars&all=1', [])).toMatchObject({ rows: 2, keywords: 4, volume: 600 });
  expect(await totals('level=pillars&all=1', [shoes])).toEqual(await totals('', [summer]));
  expect(await totals('filter=has-road', [shoes])).toEqual({
    rows: 1,
    keywords: 1,
    volume: 200,
    volumeKnown: 1,
    difficultyKnown: 0,
    difficultyShare: 0,
  });
});

// Shows P15.19.
test('the table of a list has its rows in its order', async () => {
  const sort = '-volume*name*cluster';
  const list = await page(`level=keywords&sort=${sort}`);
  const answer = await shown.get(`export.csv?level=keywords&sort=${sort}`);
  const lines = parse(await answer.text(), { bom: true, columns: true }) as Record<string, string>[];
  expect(lines.map(({ Keyword }) => Keyword)).toEqual(list.named);
  expect(answer.headers.get('content-disposition')).toContain('keywords');
});

test('every page has its own URL', async () => {
  const asked = ['', '&sort=name', '&from=1', '&count=1', '&field=Stage', '&trend=1', '&filter=has-a'];
  const tags = asked.map(async (more) => (await shown.get(`rows?level=keywords${more}`)).headers.get('etag'));
  expect(new Set(await Promise.all(tags)).size).toBe(asked.length);
});

test('a query that makes no sense is refused', async () => {
  for (const asked of [
    'rows',
    'rows?level=tree',
    'rows?level=keywords&count=501',
    'rows?level=keywords&from=-1',
    'rows?level=keywords&sort=width',
    'rows?level=keywords&sort=field:none',
    'rows?level=keywords&sort=field:Tags',
    'rows?level=keywords&sort=name*-name',
    'rows?level=keywords&field=none',
    'export.csv?level=tree',
    'export.csv?level=keywords&sort=field:Tags',
  ]) {
    expect((await shown.get(asked)).status, asked).toBe(422);
  }
  expect((await shown.get('rows?level=keywords&within=99')).status).toBe(404);
  for (const bytes of [0, 3]) expect((await shown.post('selection-totals', new Uint8Array(bytes))).status).toBe(422);
  expect((await shown.post('selection-totals?all=1', new Uint8Array(4))).status).toBe(422);
  expect((await shown.post('selection-totals', new Uint8Array(Uint32Array.of(99).buffer))).status).toBe(404);
});
