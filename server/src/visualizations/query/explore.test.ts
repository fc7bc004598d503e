import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { rootSliceRows } from '@kc/pack/format/pack-format';
import type { Slice } from '@kc/pack/slice/slice';
import { decodeSlice } from '@kc/pack/slice/slice-wire';
import { limits } from '@kc/rules/limits';
import type { Histogram, NodeDetail, SearchAnswer, SearchHit, Visualization } from '@kc/rules/shapes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';

const shared = join(import.meta.dirname, '../../../../../shared/data');

let database: TestDatabase;
let directory: string;
let app: TestApp;
let ann: string;
let bob: string;
let admin: string;
/** Ann's visualization of {@link shoes}. */
let id: string;
/** Slices that the query thread was asked for. */
let slicesTaken = 0;

const shoes = `{
  "keywords": [
    {"keyword": "trail shoes", "volume": 300, "position": 4, "note": "Ü", "serp_features": ["Video", "Ads"], "url": "https://shoes.example"},
    {"keyword": "road shoes", "volume": 100, "serp_features": "ads"},
    {"keyword": "sandals", "notes": "late"}
  ],
  "hierarchy": {"name": "shoes", "children": [
    {"name": "running", "type": "pillar_topic", "owner": "Kim", "children": [{"name": "trail shoes"}, {"name": "road shoes"}]},
    {"name": "sandals"}
  ]}
}`;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-explore-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  for (const person of ['ann', 'bob']) await insertAccount(database.db, person);
  await insertAccount(database.db, 'sample', { isSample: true });
  app = await startTestApp(database, directory, {
    sample: true,
    wrapQueries: (queries) => ({
      ...queries,
      slice: (asked) => {
        slicesTaken++;
        return queries.slice(asked);
      },
    }),
  });
  [ann, bob, admin] = await Promise.all([
    cookieOf(database, 'ann'),
    cookieOf(database, 'bob'),
    cookieOf(database, 'admin'),
  ]);
  id = await upload(new TextEncoder().encode(shoes), 'ann');
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

async function upload(bytes: Uint8Array<ArrayBuffer>, userId: string): Promise<string> {
  const client = tusClient(app.url, admin);
  const status = await client.settled(await client.send(bytes, { filename: 'shoes "1" ü.json', userId }));
  if (!status.visualizationId) throw new Error(`Not active: ${JSON.stringify(status)}`);
  return status.visualizationId;
}

const get = (path: string, cookie: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${app.url}/api/visualizations${path}`, { headers: { cookie, 'accept-encoding': 'identity', ...headers } });
const json = async <T>(path: string, cookie: string): Promise<T> => (await (await get(path, cookie)).json()) as T;
const slice = async (path: string, cookie: string) =>
  decodeSlice(new Uint8Array(await (await get(path, cookie)).arrayBuffer()));
const namesOf = ({ rows, names, nameStart }: ReturnType<typeof decodeSlice>): string[] =>
  Array.from({ length: rows }, (_, row) =>
    new TextDecoder().decode(names.subarray(nameStart[row], nameStart[row + 1])),
  );
const codeOf = async (response: Response) => ((await response.json()) as { data: { code: unknown } }).data.code;

test('a list contains the two upper levels of each visualization, for its thumbnail', async () => {
  const answer = await fetch(`${app.url}/api/visualizations`, { headers: { cookie: ann } });
  const [shown] = (await answer.json()) as Visualization[];
  expect(shown).toMatchObject({ id, thumbnail: { pillars: [[3333, 3333], [3333]], rest: 0 } });
});

test('a slice contains the heaviest rows of a branch, starting at any row', async () => {
  const whole = await slice(`/${id}/slice`, ann);
  expect(namesOf(whole)).toEqual(['shoes', 'running', 'sandals', 'trail shoes', 'road shoes']);
  expect([...whole.keywords]).toEqual([3, 2, 1, 1, 1]);
  expect([...whole.volume]).toEqual([400, 400, Number.NaN, 300, 100]);
  expect(namesOf(await slice(`/${id}/slice?node=1&budget=2`, ann))).toEqual(['running', 'trail shoes']);
  expect(namesOf(await slice(`/${id}/slice?node=1&skip=1`, ann))).toEqual(['running', 'road shoes']);
});

test('other fields of the file are listed, and are in a slice that requests them', async () => {
  expect(await json(`/${id}/fields`, ann)).toEqual([
    { name: 'position', kind: 'number', rollUp: 'mean', least: 0 },
    { name: 'serp_features', kind: 'set', values: ['', 'Video', 'Ads'], counts: [0, 1, 2] },
    { name: 'note', kind: 'category', values: ['', 'Ü'], counts: [0, 1], isCustom: true },
    { name: 'url', kind: 'category', values: ['', 'https://shoes.example'], counts: [0, 1] },
    { name: 'owner', kind: 'category', values: ['', 'Kim'], counts: [0, 0], isCustom: true },
    { name: 'notes', kind: 'none', why: 'prose' },
  ]);
  expect((await slice(`/${id}/slice`, ann)).fields).toEqual([]);
  const { fields } = await slice(`/${id}/slice?field=note&field=owner`, ann);
  expect(fields.map((field) => [field.name, ...field.value, ...field.known])).toEqual([
    ['note', ...[1, 1, 0, 1, 0], ...[1, 1, 0, 1, 0]],
    // The group's own value does not count, because it belongs to no keyword.
    ['owner', ...[0, 0, 0, 0, 0], ...[0, 0, 0, 0, 0]],
  ]);
  const [features] = (await slice(`/${id}/slice?field=serp_features`, ann)).fields;
  // A branch has the most common members of its keywords, a keyword all of its members.
  expect(features).toMatchObject({
    value: Uint32Array.of(2, 0, 2, 0, 0, 0, 3, 0, 2, 0),
    count: Uint32Array.of(2, 2, 0, 1, 1),
    known: Uint32Array.of(2, 2, 0, 1, 1),
  });
  const [position] = (await slice(`/${id}/slice?field=position`, ann)).fields;
  expect(position).toMatchObject({
    value: Float64Array.of(4, 4, Number.NaN, 4, Number.NaN),
    known: Uint32Array.of(1, 1, 0, 1, 0),
  });
  for (const query of ['field=nothing', 'field=notes', 'field=note&field=note', 'field=']) {
    expect([query, await codeOf(await get(`/${id}/slice?${query}`, ann))]).toEqual([
      query,
      'visualization/query-invalid',
    ]);
  }
});

test('the first slice that a screen requests is the one stored in packs', () => {
  expect(rootSliceRows).toBe(limits.firstSliceRows);
});

test('the first look of a map is computed once for everybody who may see it, and other slices each time', async () => {
  const first = `/${id}/slice?budget=${limits.firstSliceRows}`;
  const bytesFor = async (path: string, cookie: string) => {
    const answer = await get(path, cookie, { 'accept-encoding': 'zstd' });
    return [answer.headers.get('x-slice-bytes'), Buffer.from(await answer.arrayBuffer()).toString('base64')];
  };
  const ofAnn = await bytesFor(first, ann);
  const taken = slicesTaken;
  expect(await bytesFor(first, admin)).toEqual(ofAnn);
  expect(slicesTaken).toBe(taken);
  expect((await get(first, bob)).status).toBe(404);
  for (const other of [
    `${first}&filter=has-trail`,
    `/${id}/slice?budget=${limits.firstSliceRows - 1}`,
    `${first}&node=1`,
    `${first}&field=note`,
  ]) {
    const before = slicesTaken;
    await bytesFor(other, ann);
    await bytesFor(other, ann);
    expect(slicesTaken, other).toBe(before + 2);
  }
});

test('a slice is compressed as the browser prefers, and is not sent again if unchanged', async () => {
  const plain = await get(`/${id}/slice`, ann);
  const bytes = Buffer.from(await plain.arrayBuffer());
  expect(plain.headers.get('cache-control')).toBe('private, no-cache');
  expect(plain.headers.get('vary')).toBe('Cookie, Accept-Encoding');
  expect(plain.headers.get('content-type')).toBe('application/octet-stream');
  for (const [accepted, encoding, unpacked] of [
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip, br', 'br', brotliDecompressSync],
    ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
    ['zstd;q=0, gzip', 'gzip', gunzipSync],
  ] as const) {
    const packed = await app.inject({
      url: `/api/visualizations/${id}/slice`,
      headers: { cookie: ann, 'accept-encoding': accepted },
    });
    expect(packed.headers['content-encoding'], accepted).toBe(encoding);
    expect(Buffer.compare(unpacked(packed.rawPayload), bytes), accepted).toBe(0);
  }

  const tag = plain.headers.get('etag')!;
  expect(tag).toMatch(/^"[\w-]{20,}"$/);
  const again = await get(`/${id}/slice`, ann, { 'if-none-match': tag });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect((await get(`/${id}/slice?budget=2`, ann, { 'if-none-match': tag })).status).toBe(200);
  expect((await get(`/${id}/slice`, bob, { 'if-none-match': tag })).status).toBe(404);
});

test('an invalid slice query is refused with a message that names the parameter', async () => {
  for (const query of ['budget=0', 'budget=20001', 'node=-1', 'node=x', 'skip=1.5', 'node=99999999999']) {
    const response = await get(`/${id}/slice?${query}`, ann);
    expect([query, response.status, await codeOf(response)]).toEqual([query, 422, 'visualization/query-invalid']);
  }
  expect(await codeOf(await get(`/${id}/slice?node=5`, ann))).toBe('visualization/node-not-found');
});

// Shows P15.11.
test('a node has its path, its totals and every member of the file', async () => {
  const running = await json<NodeDetail>(`/${id}/nodes/1`, ann);
  expect(running).toMatchObject({
    name: 'running',
    type: 'pillar_topic',
    depth: 1,
    children: 2,
    keywords: 2,
    volume: { value: 400, known: 2 },
    topKeyword: { name: 'trail shoes', volume: 300 },
    original: { node: { name: 'running', type: 'pillar_topic', owner: 'Kim' } },
  });
  const trail = await json<NodeDetail>(`/${id}/nodes/3`, ann);
  expect(trail.path.map((step) => step.name)).toEqual(['shoes', 'running', 'trail shoes']);
  expect(trail.original.keyword).toEqual({
    keyword: 'trail shoes',
    volume: 300,
    position: 4,
    note: 'Ü',
    serp_features: ['Video', 'Ads'],
    url: 'https://shoes.example',
  });
  expect((await get(`/${id}/nodes/5`, ann)).status).toBe(404);
});

test('the keywords of a branch are returned a page at a time, the heaviest first, and a node has its rank among its siblings', async () => {
  type Page = { keywords: { node: number; name: string; volume?: number }[]; next?: string };
  const page = await json<Page>(`/${id}/nodes/0/keywords`, ann);
  expect(page).toEqual({
    keywords: [
      { node: 3, name: 'trail shoes', volume: 300 },
      { node: 4, name: 'road shoes', volume: 100 },
      { node: 2, name: 'sandals' },
    ],
  });
  const rest = await json<Page>(`/${id}/nodes/0/keywords?after=100_4`, ann);
  expect(rest.keywords.map(({ name }) => name)).toEqual(['sandals']);
  expect((await get(`/${id}/nodes/0/keywords?after=x`, ann)).status).toBe(422);
  expect((await get(`/${id}/nodes/5/keywords`, ann)).status).toBe(404);
  const { siblings } = await json<NodeDetail>(`/${id}/nodes/3`, ann);
  expect(siblings).toEqual({
    count: 1,
    standing: {
      keywords: { known: 1, below: 0, equal: 1 },
      volume: { known: 1, below: 1, equal: 0 },
      position: { known: 0, below: 0, equal: 0 },
    },
    similar: [{ node: 4, name: 'road shoes', shared: 'shoes' }],
  });
});

test('a node is found by its node ID and by its name', async () => {
  const { address } = await json<NodeDetail>(`/${id}/nodes/4`, ann);
  expect(await json(`/${id}/locate?address=${address}`, ann)).toEqual({ path: [0, 1, 4] });
  for (const gone of ['0000000000000000', 'x'])
    for (const filter of ['', '&filter=volume-200_'])
      expect(await json(`/${id}/locate?address=${gone}${filter}`, ann)).toEqual({ path: [] });
  const { total, hits } = await json<{ total: number; hits: SearchHit[] }>(`/${id}/search?q=SHOES&limit=2`, ann);
  expect(total).toBe(3);
  expect(hits).toEqual([
    { node: 0, name: 'shoes', type: '', keywords: 3, volume: 400, path: [] },
    {
      node: 3,
      name: 'trail shoes',
      type: '',
      keywords: 1,
      volume: 300,
      path: [
        { node: 0, name: 'shoes' },
        { node: 1, name: 'running' },
      ],
    },
  ]);
});

test('a search continues after the best hits, and returns the positions of all hits below a node', async () => {
  const after = await json<SearchAnswer>(`/${id}/search?q=shoes&limit=1&skip=1`, ann);
  expect([after.total, after.hits.map(({ name }) => name), after.places]).toEqual([3, ['trail shoes'], undefined]);
  expect((await json<SearchAnswer>(`/${id}/search?q=shoes&skip=7`, ann)).hits).toEqual([]);
  const below = await json<SearchAnswer>(`/${id}/search?q=shoes&under=1`, ann);
  const [, , last] = below.hits;
  expect(below.places).toEqual({
    nodes: [1, 3, last!.node],
    counts: [2, 1, 1],
    hits: [3, last!.node],
    upTo: expect.any(Number),
  });
  expect(below.pillars).toEqual([
    { node: 0, hits: 3 },
    { node: 1, hits: 2 },
  ]);
});

// Shows P16.4.
test('a node that a later upload no longer has leads to its nearest ancestor, using the owner’s earlier uploads', async () => {
  const { address } = await json<NodeDetail>(`/${id}/nodes/3`, ann);
  const later = new TextEncoder().encode(shoes.replace('{"name": "trail shoes"}, ', ''));
  await insertAccount(database.db, 'cleo');
  const cleo = await cookieOf(database, 'cleo');
  await upload(new TextEncoder().encode(shoes), 'cleo');
  const hers = await upload(later, 'cleo');
  for (const asker of [cleo, admin])
    expect(await json(`/${hers}/locate?address=${address}`, asker)).toEqual({ path: [0, 1], gone: 'trail shoes' });
  const nowhere = { path: [] };
  expect(await json(`/${hers}/locate?address=0000000000000000`, cleo)).toEqual(nowhere);
  // Ann's file contains the name as well, but Bob must not learn that.
  const his = await upload(later, 'bob');
  expect(await json(`/${his}/locate?address=${address}`, bob)).toEqual(nowhere);
  // After many look-ups, missing nodes are no longer described. Existing ones are.
  const found = (asker: string) => json<{ gone?: string }>(`/${hers}/locate?address=${address}`, asker);
  const asked = await Promise.all(Array.from({ length: 30 }, () => found(cleo)));
  expect(new Set(asked.map(({ gone }) => gone))).toEqual(new Set(['trail shoes', undefined]));
  expect([await found(cleo), await found(admin)]).toEqual([nowhere, { path: [0, 1], gone: 'trail shoes' }]);
  const root = (await json<NodeDetail>(`/${hers}/nodes/0`, cleo)).address;
  expect(await json(`/${hers}/locate?address=${root}`, cleo)).toEqual({ path: [0] });
});

test('the original is returned byte for byte, as a download that no browser runs', async () => {
  const response = await get(`/${id}/original`, ann);
  expect(await response.text()).toBe(shoes);
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="shoes 1 _.json"; filename*=UTF-8''shoes%201%20%C3%BC.json`,
  );
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('content-encoding')).toBeNull();
});

test('a filter applies to slices, details, searches and lists, which include the totals without it', async () => {
  const slice = async (filter: string, more = '') => {
    const answer = await get(`/${id}/slice?filter=${encodeURIComponent(filter)}${more}`, ann);
    return answer.status === 200 ? decodeSlice(new Uint8Array(await answer.arrayBuffer())) : answer.status;
  };
  const of = <T>(path: string) => json<T>(`/${id}/${path}`, ann);
  const kept = (await slice('volume-200_')) as Slice;
  expect([kept.rows, kept.keywords[0], kept.ofKeywords[0], kept.volume[0]]).toEqual([3, 1, 3, 300]);
  const detail = await of<NodeDetail>('nodes/0?filter=volume-200_');
  expect(detail).toMatchObject({ keywords: 1, ofKeywords: 3, children: 1, volume: { value: 300, known: 1 } });
  expect(await of('search?q=shoes&filter=volume-200_')).toMatchObject({
    total: 2,
    hits: [{ name: 'shoes', keywords: 1 }, { name: 'trail shoes' }],
  });
  expect(await of('nodes/0/keywords?filter=volume-200_')).toEqual({
    keywords: [{ node: expect.any(Number), name: 'trail shoes', volume: 300 }],
  });
  const { address } = await of<NodeDetail>(`nodes/${kept.node[2]}`);
  expect(await of(`locate?address=${address}&filter=volume-_200`)).toMatchObject({ hidden: 'trail shoes' });
  expect(await of(`locate?address=${address}&filter=volume-200_`)).toEqual({ path: Array.from(kept.node) });
  // The same filter in another order, a filter on an unknown field, and a text that keeps only the root.
  expect(await slice('known-volume*volume-200_')).toMatchObject({ rows: 3 });
  expect(await slice('in-Visits-1_')).toMatchObject({ rows: 1, keywords: Uint32Array.of(0) });
  expect(await slice('has-sandals', `&node=${kept.node[1]}`)).toBe(404);
  expect((await get(`/${id}/nodes/${kept.node[1]}?filter=has-sandals`, ann)).status).toBe(404);
  const csv = await get(`/${id}/export.csv?filter=volume-200_`, ann);
  expect([csv.headers.get('content-disposition'), (await csv.text()).match(/trail|road|sandals/g)]).toEqual([
    expect.stringContaining('(filtered)'),
    expect.not.arrayContaining(['road', 'sandals']),
  ]);
});

test('a histogram shows the distribution of the keywords that the other conditions of the filter keep', async () => {
  const of = async (name: string, filter = '') => {
    const query = new URLSearchParams({ of: name, filter });
    return (await get(`/${id}/histogram?${query}`, ann)).json();
  };
  const volumes = (await of('volume', 'volume-200_')) as Histogram & { kind: 'number' };
  expect(volumes).toMatchObject({ known: 2, unknown: 1, least: 100, most: 300, isLog: false });
  expect([volumes.bins.length, volumes.bins[0], volumes.bins.at(-1), volumes.edges[0], volumes.edges[40]]).toEqual([
    40, 1, 1, 100, 300,
  ]);
  expect(await of('volume', 'has-trail')).toMatchObject({ known: 1, unknown: 0, bins: [1] });
  expect(await of('type')).toMatchObject({
    values: expect.arrayContaining([{ value: 'pillar_topic', count: 2 }]) as unknown,
  });
  const features = (await of('field:serp_features', 'is-serp_features-Video*volume-_100')) as Histogram;
  expect(features).toMatchObject({ values: [{ count: 0 }, { value: 'Ads', count: 1 }], known: 1, unknown: 0 });
  expect(await of('field:nothing')).toMatchObject({ data: { code: 'visualization/query-invalid' } });
});

test('an invalid filter is refused with a code, wherever one may be given', async () => {
  const paths = [
    'slice?',
    'nodes/0?',
    'nodes/0/keywords?',
    'search?q=a&',
    'histogram?of=volume&',
    'export.csv?',
    'export.json?',
  ];
  for (const path of paths) {
    for (const filter of ['volume-2_1', 'a'.repeat(2001)]) {
      const answer = await get(`/${id}/${path}filter=${filter}`, ann);
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        422,
        expect.objectContaining({ data: { code: 'visualization/filter-invalid' } }),
      ]);
    }
  }
});

test('T47 the data of another user does not exist, for every call', async () => {
  const ways = [
    '',
    '/slice',
    '/original',
    '/nodes/0',
    '/nodes/0/keywords',
    '/locate?address=0000000000000000',
    '/search?q=a',
  ];
  for (const way of ways) {
    const foreign = await get(`/${id}${way}`, bob);
    for (const none of ['no-such-id', '%00', '..%2f', "'"]) {
      const absent = await get(`/${none}${way}`, bob);
      expect([way, none, absent.status, await codeOf(absent)]).toEqual([way, none, 404, 'visualization/not-found']);
    }
    expect([way, foreign.status, await codeOf(foreign)]).toEqual([way, 404, 'visualization/not-found']);
    expect((await get(`/${id}${way}`, '')).status).toBe(401);
    expect((await get(`/${id}${way}`, admin)).status).not.toBe(401);
  }
  const activation = await fetch(`${app.url}/api/visualizations/${id}/activate`, {
    method: 'POST',
    headers: { cookie: bob },
  });
  expect(activation.status).toBe(404);
  expect((await get('?userId=ann', bob)).status).toBe(403);
});

test('a user who is no longer approved sees nothing, not even a cached copy', async () => {
  await insertAccount(database.db, 'eve');
  const eve = await cookieOf(database, 'eve');
  const mine = await upload(new TextEncoder().encode(shoes), 'eve');
  const tag = (await get(`/${mine}/slice`, eve)).headers.get('etag')!;
  await database.db.updateTable('accounts').set({ status: 'denied' }).where('id', '=', 'eve').execute();
  const answer = await get(`/${mine}/slice`, eve, { 'if-none-match': tag });
  expect([answer.status, await codeOf(answer)]).toEqual([403, 'session/not-approved']);
});

// Shows P18.12.
test('a list contains the user’s own visualizations, the active one first, and the sample last; admins can list any user’s', async () => {
  await insertAccount(database.db, 'liz');
  const liz = await cookieOf(database, 'liz');
  const older = await upload(new TextEncoder().encode(shoes), 'liz');
  const newer = await upload(new TextEncoder().encode(shoes), 'liz');
  const ids = async (path: string, cookie: string) => (await json<Visualization[]>(path, cookie)).map((one) => one.id);
  expect(await ids('', liz)).toEqual([newer, older, 'sample']);
  const response = await fetch(`${app.url}/api/visualizations/${older}/activate`, {
    method: 'POST',
    headers: { cookie: liz },
  });
  expect(((await response.json()) as Visualization).isActive).toBe(true);
  expect(await ids('', liz)).toEqual([older, newer, 'sample']);
  expect(await ids('?userId=liz', admin)).toEqual([older, newer]);
});

test('every approved user can read the sample, and none can change it', async () => {
  const sample = await json<Visualization>('/sample', bob);
  expect(sample).toMatchObject({ isSample: true, userId: 'sample', fileName: 'garden-shop.json' });
  expect(sample.keywords).toBeGreaterThan(1_800);
  expect((await slice('/sample/slice', bob)).rows).toBe(Math.min(sample.nodes, 4_000));
  const activation = await fetch(`${app.url}/api/visualizations/sample/activate`, {
    method: 'POST',
    headers: { cookie: admin },
  });
  expect(activation.status).toBe(404);
});

const real = await readFile(join(shared, 'seed-shape-real/add-to-website.json')).catch(() => undefined);
const wordnet = await readFile(join(shared, 'wordnet-nouns/wordnet-3.1-nouns.hierarchy.json')).catch(() => undefined);
if (!real || !wordnet) console.warn('Skipped the tests on real files: ../shared/data is not there');

test.skipIf(!real)('a real file of 27,640 keywords is explored with the figures of the file', async () => {
  const mine = await upload(Uint8Array.from(real!), 'ann');
  expect(await json(`/${mine}`, ann)).toMatchObject({ keywords: 27_640, nodes: 27_774, rootName: 'add to website' });
  const first = await slice(`/${mine}/slice`, ann);
  expect(first.rows).toBe(4_000);
  expect(first.childCount[0]).toBe(17);
  expect(first.volume[0]).toBe(165_830);
  const [hit] = (await json<{ hits: SearchHit[] }>(`/${mine}/search?q=add`, ann)).hits;
  expect((await json<NodeDetail>(`/${mine}/nodes/${hit!.node}`, ann)).name).toBe(hit!.name);
});

test.skipIf(!wordnet)('a hierarchy without a list of keywords counts its own, and shows all its nodes', async () => {
  const mine = await upload(Uint8Array.from(wordnet!), 'ann');
  expect(await json(`/${mine}`, ann)).toMatchObject({ keywords: 117_953, nodes: 194_913, rootName: 'entity' });
  expect((await slice(`/${mine}/slice?budget=20000`, ann)).rows).toBe(20_000);
});
