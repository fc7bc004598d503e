import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeKindValues } from '@kc/pack/compare/describe-changes';
import { markFields } from '@kc/pack/slice/mark-fields';
import { decodeSlice } from '@kc/pack/slice/slice-wire';
import type { ChangesPage } from '@kc/rules/change-shapes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let before: string;
let after: string;
let ofBob: string;
const cookies: Record<string, string> = {};

const keyword = (name: string, volume?: number) => ({ name, ...(volume !== undefined && { volume }) });
const file = (children: readonly object[]) => ({ keywords: [], hierarchy: { name: 'shoes', children } });
const cluster = (name: string, ...children: object[]) => ({ name, type: 'cluster', children });
const five = [keyword('a', 10), keyword('b', 20), keyword('c', 30), keyword('d'), keyword('e', 50)];

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-changes-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  for (const person of ['ann', 'bob']) await insertAccount(database.db, person);
  await insertAccount(database.db, 'sample', { isSample: true });
  app = await startTestApp(database, directory, { sample: true });
  for (const person of ['admin', 'ann', 'bob']) cookies[person] = await cookieOf(database, person);
  const earlier = file([
    cluster('Trail', ...five),
    cluster('Road', keyword('road shoes', 100), keyword('old shoes', 70)),
    cluster('Boots', keyword('boots', 40)),
  ]);
  const later = file([
    cluster('Off road', ...five),
    cluster('Road', keyword('road shoes', 130), keyword('boots', 40), keyword('new shoes', 500)),
  ]);
  before = await upload(earlier, 'ann');
  after = await upload(later, 'ann');
  ofBob = await upload(earlier, 'bob');
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

async function upload(content: object, userId: string): Promise<string> {
  const client = tusClient(app.url, cookies.admin!);
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const { visualizationId } = await client.settled(await client.send(bytes, { filename: 'shoes.json', userId }));
  return visualizationId!;
}

const get = (path: string, person = 'ann') =>
  fetch(`${app.url}/api/visualizations/${path}`, { headers: { cookie: cookies[person]! } });

async function changes(query: Record<string, string> = {}): Promise<ChangesPage> {
  const answer = await get(`${after}/changes?${new URLSearchParams({ vs: before, ...query })}`);
  expect(answer.status).toBe(200);
  return answer.json() as Promise<ChangesPage>;
}

const counted = ({ counts }: ChangesPage) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

test('a branch has its own counts and list, with what is gone from it; an unknown one is not found', async () => {
  const { nodes } = await changes({ level: 'keywords' });
  const all = nodes.map(({ name, changes }) => `${name} ${changes}`);
  expect(all).toEqual(expect.arrayContaining(['old shoes gone', 'new shoes new', 'boots moved']));
  const road = (await changes({ kind: 'volume-up' })).nodes.find(({ name }) => name === 'Road')!.node!;
  const inRoad = await changes({ level: 'keywords', within: String(road) });
  expect(inRoad.nodes.map(({ name }) => name)).toEqual(['new shoes', 'old shoes', 'road shoes', 'boots']);
  expect(inRoad).toMatchObject({ total: 4, isSame: false, counts: { new: 1, gone: 1, moved: 1, 'volume-up': 1 } });
  // Boots went with the root as their parent.
  const clusters = await changes({ level: 'clusters', kind: 'gone', within: String(road) });
  expect([clusters.total, (await changes({ level: 'clusters', kind: 'gone' })).total]).toEqual([0, 1]);
  const unknown = await get(`${after}/changes?${new URLSearchParams({ vs: before, within: '999' })}`);
  expect(unknown.status).toBe(404);
  expect(await unknown.json()).toMatchObject({ data: { code: 'visualization/node-not-found' } });
});

test('lists what changed among clusters and among keywords, the largest change in volume first', async () => {
  const clusters = await changes();
  expect(counted(clusters)).toEqual({ gone: 1, renamed: 1, 'volume-up': 1 });
  expect(clusters.nodes.map(({ name, changes: kinds, from }) => [name, kinds, from])).toEqual([
    ['Road', ['volume-up'], undefined],
    ['Boots', ['gone'], undefined],
    ['Off road', ['renamed'], ['Trail']],
  ]);
  const keywords = await changes({ level: 'keywords' });
  expect(counted(keywords)).toEqual({ new: 1, gone: 1, moved: 1, 'volume-up': 1 });
  expect(keywords.nodes.map(({ name }) => name)).toEqual(['new shoes', 'old shoes', 'road shoes', 'boots']);
  expect(keywords.nodes.at(-1)).toMatchObject({
    changes: ['moved'],
    path: ['Road'],
    from: ['Boots', 'boots'],
    before: { keywords: 1, volume: 40 },
    after: { keywords: 1, volume: 40 },
  });
  expect(keywords.nodes[0]).not.toHaveProperty('before');
  expect(keywords.nodes[1]).not.toHaveProperty('node');
});

test('a kind, an offset, thresholds and a filter change the list', async () => {
  expect((await changes({ level: 'keywords', kind: 'new' })).nodes.map(({ name }) => name)).toEqual(['new shoes']);
  const rest = await changes({ level: 'keywords', from: '3' });
  expect([rest.total, rest.nodes.map(({ name }) => name)]).toEqual([4, ['boots']]);
  expect(counted(await changes({ level: 'keywords', ct: '50_10_5_3' }))).toEqual({ new: 1, gone: 1, moved: 1 });
  const filtered = await changes({ level: 'keywords', filter: 'not-new' });
  expect(filtered.nodes.map(({ name }) => name)).toEqual(['old shoes', 'road shoes', 'boots']);
  // Before figures count the same keywords where they stood then: of Road, "road shoes" alone.
  const road = (await changes({ filter: 'has-road' })).nodes.find(({ name }) => name === 'Road');
  expect([road?.before?.volume, road?.after?.volume]).toEqual([100, 130]);
});

test('an upload compared with an equal one is the same', async () => {
  const same = await get(`${ofBob}/changes?vs=${ofBob}`, 'bob');
  expect(same.status).toBe(404);
  const again = await upload(file([cluster('Boots', keyword('boots', 40))]), 'bob');
  const twin = await upload(file([cluster('Boots', keyword('boots', 40))]), 'bob');
  const answer = (await (await get(`${twin}/changes?vs=${again}`, 'bob')).json()) as ChangesPage;
  expect([answer.isSame, answer.total]).toEqual([true, 0]);
});

test('a slice has the figures of before', async () => {
  const answer = await get(`${after}/slice?${new URLSearchParams({ vs: before })}`);
  const { fields, names, nameStart, rows } = decodeSlice(new Uint8Array(await answer.arrayBuffer()));
  const kind = fields.find(({ name }) => name === markFields.change)!;
  const volume = fields.find(({ name }) => name === markFields.volumeBefore)!;
  const named = Array.from({ length: rows }, (_, row) => [
    new TextDecoder().decode(names.subarray(nameStart[row], nameStart[row + 1])),
    changeKindValues[kind.value[row]!],
    volume.value[row],
  ]);
  expect(named).toContainEqual(['shoes', 'same', 320]);
  expect(named).toContainEqual(['Off road', 'renamed', 110]);
  expect(named).toContainEqual(['new shoes', 'new', Number.NaN]);
  expect(named).toContainEqual(['boots', 'moved', 40]);
  const plain = await get(`${after}/slice`);
  expect(plain.headers.get('etag')).not.toBe(answer.headers.get('etag'));
  expect(decodeSlice(new Uint8Array(await plain.arrayBuffer())).fields).toEqual([]);
});

const shownNames = async (filter: string, person = 'ann', id = after) => {
  const answer = await get(`${id}/slice?${new URLSearchParams({ filter })}`, person);
  if (answer.status !== 200) return answer.status;
  const { names, nameStart, rows } = decodeSlice(new Uint8Array(await answer.arrayBuffer()));
  return Array.from({ length: rows }, (_, row) =>
    new TextDecoder().decode(names.subarray(nameStart[row], nameStart[row + 1])),
  ).sort();
};

// Shows P24.10.
test('a filter keeps keywords that changed, with moved branches as a whole', async () => {
  const since = `seen-vs=${before}`;
  expect(await shownNames(`change-new*${since}`)).toEqual(['Road', 'new shoes', 'shoes']);
  expect(await shownNames(`change-moved*${since}`)).toEqual(['Road', 'boots', 'shoes']);
  expect(await shownNames(`change-renamed*${since}`)).toEqual(['Off road', 'a', 'b', 'c', 'd', 'e', 'shoes']);
  expect(await shownNames(`change-new*change-volume-up*${since}`)).toEqual([
    'Road',
    'new shoes',
    'road shoes',
    'shoes',
  ]);
  expect(await shownNames(`change-volume-up*${since}&ct=50_10_5_3`)).toEqual(['shoes']);
  expect(await shownNames(`change-gone*${since}`)).toEqual(['shoes']);
  const gone = await changes({ level: 'keywords', filter: `change-gone*${since}` });
  expect(gone.nodes.map(({ name }) => name)).toEqual(['old shoes']);
  const other = await changes({ level: 'keywords', filter: `change-new*${since}` });
  expect(other.nodes.map(({ name }) => name)).toEqual(['new shoes']);
});

test('a filter about changes needs an earlier upload of the same owner', async () => {
  expect(await shownNames('change-new')).toBe(422);
  expect(await shownNames(`change-new*seen-vs=${ofBob}`)).toBe(404);
  expect(await shownNames(`change-new*seen-vs=${ofBob}`, 'admin')).toBe(404);
  expect(await shownNames(`change-new*seen-vs=${before}`, 'bob', ofBob)).toBe(404);
  expect(await shownNames(`change-new*seen-vs=${before}`, 'admin')).toEqual(['Road', 'new shoes', 'shoes']);
});

test('says what happened to one node', async () => {
  const { nodes } = await changes({ level: 'keywords' });
  const placeOf = async (name: string) => {
    const { node } = nodes.find((one) => one.name === name)!;
    return (await get(`${after}/nodes/${node}/change?vs=${before}`)).json();
  };
  expect(await placeOf('boots')).toMatchObject({ changes: ['moved'], from: ['Boots', 'boots'] });
  expect(await placeOf('new shoes')).not.toHaveProperty('before');
  const { node } = nodes.find((one) => one.name === 'new shoes')!;
  expect((await get(`${after}/nodes/${node}/change?vs=${before}&filter=not-new`)).status).toBe(404);
  expect((await get(`${after}/nodes/99/change?vs=${before}`)).status).toBe(404);
});

test.each(['changes', 'slice', 'nodes/1/change'])('%s compares uploads of one owner only', async (call) => {
  const list = (await (await get('', 'ann')).json()) as { id: string; isSample: boolean }[];
  const sample = list.find(({ isSample }) => isSample)!.id;
  const ask = async (id: string, vs: string, person: string) => {
    const { status } = await get(`${id}/${call}?vs=${vs}`, person);
    return status;
  };
  expect(await ask(after, before, 'ann')).toBe(200);
  expect(await ask(after, before, 'admin')).toBe(200);
  expect(await ask(after, before, 'bob')).toBe(404);
  expect(await ask(after, ofBob, 'ann')).toBe(404);
  expect(await ask(ofBob, before, 'bob')).toBe(404);
  expect(await ask(after, ofBob, 'admin')).toBe(404);
  expect(await ask(after, sample, 'ann')).toBe(404);
  expect(await ask(sample, before, 'ann')).toBe(404);
  expect(await ask(after, after, 'ann')).toBe(404);
  expect(await ask(after, '00000000-0000-4000-8000-000000000000', 'ann')).toBe(404);
});
